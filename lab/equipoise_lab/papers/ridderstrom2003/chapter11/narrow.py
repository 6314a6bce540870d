"""WARP1 made narrow, simulated: at which half-width it starts to lean, section 11.1.3.

Its legs follow law (5.1) with ideal torques at each millisecond. A small push, and the
roll that is left of it grows or decays; where it does neither is the critical width.
"""

import math
from typing import NamedTuple

import numpy as np

from equipoise.control.legs import LegLawConfig, follow_controller
from equipoise.control.records import LegAim
from equipoise.core.records import Records
from equipoise.robots.warp1.options import Warp1Options
from equipoise.robots.warp1.warp1 import FOOT_RADIUS, HIP, warp1
from equipoise.sim.disturbances import Push
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Run
from equipoise_lab.papers.ridderstrom2003.part4.heavy_legs import HEIGHT, Widths, widths

__all__ = ["OWN", "Narrow", "growth", "narrowed"]

DAMPING = (700.0, 700.0, 1100.0)  # [N s/m]
SECONDS, HALF = 10.0, 5.0  # rolls at these times are compared [s]
FALLEN = 0.3  # roll beyond which nothing is small any more [rad]
WITHIN = (0.8, 1.1)  # of what (11.3) says: where the critical width is looked for
OWN = HIP[1]
"""WARP1's half-width as it is; half the height of its hips [m]."""
FINE = 0.005  # of a width: growth is a straight line over so little


class Narrow(NamedTuple):
    """One choice of stiffnesses."""

    along: float
    """[N/m]."""
    up: float
    """[N/m]."""
    predicted: Widths
    """By the energy test and by (11.3)."""
    simulated: float
    """Half-width at which it starts to lean [m]."""
    usual: float
    """Largest roll after the push at WARP1's own half-width [°]."""
    tried: tuple[tuple[float, float], ...]
    """Half-widths [m] and growths [1/s] on the way there."""


class StandStill:
    """Feet below the hips for ever; a ``LegMotion``."""

    def write(self, time: float, aim: Records[LegAim]) -> None:
        """Write the feet's places.

        Args:
            time: [s]; does not matter.
            aim: of the legs; their places are overwritten, (nl,).
        """
        aim["place"] = (0.0, 0.0, -(HEIGHT + HIP[2]))


def pushed(half_width: float, along: float, up: float) -> Run:
    """Return WARP1 of a half-width on its law (5.1), after a small push.

    Args:
        half_width: of hips and feet [m].
        along: stiffness of a leg, level [N/m].
        up: upright [N/m].
    """
    height = HEIGHT + HIP[2] + FOOT_RADIUS
    robot = warp1(Warp1Options(half_width=half_width, height=height))
    law = LegLawConfig(stiffness=(along, along, up), damping=DAMPING)
    return rollout(
        machine_world(robot),
        follow_controller(robot, StandStill(), law),
        SECONDS,
        plant=MachineConfig(period=0.001),
        pushes=[Push(impulse=(0.0, 0.1, 0.0), start=1.0, duration=0.2)],
        record_every=100,
    )


def growth(half_width: float, along: float, up: float) -> float:
    """Return the rate at which a small roll grows; inf where it falls [1/s].

    Args:
        half_width: of hips and feet [m].
        along: stiffness of a leg, level [N/m].
        up: upright [N/m].
    """
    run = pushed(half_width, along, up)
    rolls = np.abs(run.attitude[:, 0])
    half, last = (float(np.interp(t, run.time, rolls)) for t in (HALF, SECONDS))
    if not (run.is_finite and max(half, last) < FALLEN):
        return math.inf
    return math.log(last / half) / (SECONDS - HALF)


def narrowed(along: float, up: float, fine: float = FINE) -> Narrow:
    """Return the critical half-width, searched around what (11.3) says.

    Args:
        along: stiffness of a leg, level [N/m].
        up: upright [N/m].
        fine: share of the width within which growth is taken for a straight line.

    Raises:
        RuntimeError: it leans nowhere, or everywhere, near what (11.3) says.
    """
    predicted = widths(along, up)
    low, high = (share * predicted.lumped for share in WITHIN)
    at = {r: growth(r, along, up) for r in (low, high)}
    if not at[low] > 0.0 > at[high]:
        raise RuntimeError(f"no critical width between {low:.4f} and {high:.4f} m")
    while high - low > fine * predicted.lumped:
        middle = 0.5 * (low + high)
        at[middle] = growth(middle, along, up)
        low, high = (middle, high) if at[middle] > 0.0 else (low, middle)
    share = at[low] / (at[low] - at[high])
    tried = tuple(sorted(at.items()))
    usual = math.degrees(float(np.abs(pushed(OWN, along, up).attitude[:, 0]).max()))
    return Narrow(along, up, predicted, low + share * (high - low), usual, tried)
