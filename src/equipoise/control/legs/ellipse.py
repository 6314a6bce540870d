"""Legs in the air: feet led round an ellipse, the walking motions of section 5.4.

Each foot starts in front and goes down, back, up and forward again,

    r = (a cos θ, 0, -d - b sin θ),  θ = 2π (t / T + phase)

With the half length a = 1/(2π) m the foot passes below the hip at 2π a / T, which is
the 1.0 m/s that [Ridderstrom2003] reports for a period of 1.0 s and its 1.25 m/s for
0.8 s. Depth d and half height b are not printed; ours ask of the hip the 2.4 rad/s
that it reports.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, final

import numpy as np

from equipoise.control.records import LegAim
from equipoise.core.arrays import VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["EllipseConfig", "EllipseMotion", "ellipse_aim"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class EllipseConfig(Settings):
    """Size and period of the ellipse; defaults are those of the slower motion."""

    period: Annotated[float, Setting("Period of a turn, T", "s", above=0.0)] = 1.0
    half_length: Annotated[
        float, Setting("Half length of the ellipse, a", "m", above=0.0)
    ] = 1.0 / (2.0 * math.pi)
    half_height: Annotated[
        float, Setting("Half height of the ellipse, b", "m", above=0.0)
    ] = 0.02
    depth: Annotated[
        float, Setting("Depth of the ellipse's middle below the hip, d", "m", above=0.0)
    ] = 0.5
    phases: Annotated[
        tuple[float, ...], Setting("Phase of each leg, in periods", kind="share")
    ] = (0.0, 0.0, 0.0, 0.0)


@final
@dataclass(frozen=True)
class EllipseMotion:
    """Motion of the feet along an ellipse; a ``LegMotion``."""

    config: EllipseConfig = field(default_factory=EllipseConfig)

    def write(self, time: float, aim: Records[LegAim]) -> None:
        """Write this tick's positions and velocities.

        Args:
            time: [s].
            aim: of the legs; places and velocities are overwritten, (nl,).
        """
        c = self.config
        size = np.array([c.half_length, c.half_height, c.depth])
        ellipse_aim(time, c.period, size, np.array(c.phases), aim)


@compiled(allocates=False)
def ellipse_aim(
    time: float, period: float, size: VecN, phases: VecN, aims: Records[LegAim]
) -> None:
    """Write places and velocities on the ellipse.

    Args:
        time: [s].
        period: [s].
        size: half length, half height and depth, (3,) [m].
        phases: of each leg in periods, (nl,).
        aims: of the legs; places and velocities are overwritten, (nl,).
    """
    pace = 2.0 * math.pi / period
    for leg in range(aims.shape[0]):
        place, velocity = aims[leg].place, aims[leg].velocity
        angle = pace * time + 2.0 * math.pi * phases[leg]
        c, s = math.cos(angle), math.sin(angle)
        place[0], place[1], place[2] = size[0] * c, 0.0, -size[2] - size[1] * s
        velocity[0], velocity[1] = -pace * size[0] * s, 0.0
        velocity[2] = -pace * size[1] * c
