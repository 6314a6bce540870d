"""The way of a swinging foot, axis by axis; see ``leg_programs.steps``."""

import math
from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.records import LegStance
from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["StepConfig", "Swing", "along"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StepConfig(Settings):
    """Settings of the swing; the defaults suit WARP1's trot."""

    lift: Annotated[
        float,
        Setting(
            "Height of the foot over the line between its footholds", "m", least=0.0
        ),
    ] = 0.06
    soft_landing: Annotated[
        float,
        Setting(
            "Softness of the landing: 0 fastest, 1 without speed but with more torque",
            least=0.0,
        ),
    ] = 0.5
    match: Annotated[
        float,
        Setting(
            "Share of the ground's speed that a foot has at both ends of its swing",
            least=0.0,
        ),
    ] = 0.3
    sink: Annotated[
        float,
        Setting(
            "Largest sag of the trunk by which feet are lifted higher", "m", least=0.0
        ),
    ] = 0.06
    singular: Annotated[
        float,
        Setting(
            "Determinant of a foot's Jacobian below which accelerations are not "
            "fed forward",
            "m³/rad³",
            least=0.0,
        ),
    ] = 2e-3
    steady: Annotated[
        tuple[float, float, float],
        Setting(
            "Damping of the trunk by each standing foot along x, y and z of B", "N s/m"
        ),
    ] = (0.0, 0.0, 0.0)
    lands_where_seen: Annotated[
        bool,
        Setting(
            "Whether a foot that landed is held where it is seen at once, not a "
            "tick later"
        ),
    ] = False


class Swing(Record):
    """Memory of one leg's swing."""

    left: Vec3 = entry("where it left the ground, seen from the reference", "m", 3)
    low: float = entry("how far the trunk hangs below its reference", "m")
    stood: float = entry("1 where it stood at the last tick")
    progress: float = entry("share of its swing that was over at the last tick")


@compiled(allocates=False)
def along(
    i: int,
    drift: float,
    goal: float,
    leg: LegStance,
    setting: StepConfig,
    swing: Swing,
) -> tuple[float, float, float]:
    """Return place, velocity and acceleration of a swing's axis, per share of it.

    Args:
        i: which axis.
        drift: velocity with which the ground is left behind [m/s].
        goal: where the foot is bound for [m].
        leg: how far the swing is.
        setting: of the swing.
        swing: where it began.
    """
    u, left = leg.progress, swing.left[i]
    slope = -setting.match * drift * leg.swing
    a, b, d = goal - left, u * u * (3.0 - 2.0 * u), u * (1.0 - u)
    at = left + a * b + slope * d * (1.0 - 2.0 * u)
    rate = 6.0 * a * d + slope * (1.0 - 6.0 * d)
    bend = 6.0 * a * (1.0 - 2.0 * u) - 6.0 * slope * (1.0 - 2.0 * u)
    if i == 2:
        bump, rise, pull = _bump_of(u, setting.soft_landing)
        lift = leg.clearance if leg.clearance > 0.0 else setting.lift
        at, rate, bend = at + lift * bump, rate + lift * rise, bend + lift * pull
    if leg.late > 0.0:  # the ground carries its foothold
        return goal - drift * leg.late, -drift * leg.swing, 0.0
    return at, rate, bend


@compiled(allocates=False)
def _bump_of(u: float, soft: float) -> tuple[float, float, float]:
    """Return the bump (1 - a) sin πu + a sin² πu and its two derivatives."""
    s, c = math.sin(math.pi * u), math.cos(math.pi * u)
    bump = (1.0 - soft) * s + soft * s * s
    rise = math.pi * ((1.0 - soft) * c + 2.0 * soft * s * c)
    pull = math.pi**2 * (2.0 * soft * (c * c - s * s) - (1.0 - soft) * s)
    return bump, rise, pull
