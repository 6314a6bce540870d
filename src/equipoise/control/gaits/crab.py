"""Walking in any direction without turning: the order of steps for a crab angle.

A quadruped that creeps at the crab angle α keeps its balance in one order of steps only
out of six. Ahead it is the crawl's; beyond the direction of the diagonal of its feet,
α_c = atan(Y/X), the machine is a wider one that walks sideways, and the order is the
crawl's of that machine. At α_c itself the trunk moves along a line of support and no
order leaves a margin ([Ridderstrom2003] section 3.1.1 on TITAN III).
"""

import math

import numpy as np

from equipoise.control.gaits.footprint import Footprint
from equipoise.control.gaits.named import named_gait
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError

__all__ = ["crab_gait", "crab_stride", "critical_crab_angle"]

ROLES = {  # which leg is LF, RF, LR, RR of the machine that walks that way
    "ahead": (0, 1, 2, 3),
    "left": (2, 0, 3, 1),
    "back": (3, 2, 1, 0),
    "right": (1, 3, 0, 2),
}


def critical_crab_angle(footprint: Footprint) -> float:
    """Return α_c, the direction of the feet's diagonal from straight ahead [rad].

    Args:
        footprint: of four legs.

    Raises:
        ConfigError: another number of legs.
    """
    if footprint.legs != 4:
        raise ConfigError("crab gait", [f"it needs 4 legs, got {footprint.legs}"])
    x, y = footprint.feet[:, 0], footprint.feet[:, 1]
    length = x[0] + x[1] - x[2] - x[3]
    width = y[0] + y[2] - y[1] - y[3]
    return math.atan2(width, length)


def crab_gait(angle: float, footprint: Footprint, duty: float = 0.9) -> PhaseGait:
    """Return the creeping gait for a crab angle, with the wave's spacing.

    Args:
        angle: α, of the direction of travel from straight ahead, to the left [rad].
        footprint: of four legs.
        duty: at least 3/4.

    Raises:
        ConfigError: another number of legs, or a duty factor too small.
    """
    critical = critical_crab_angle(footprint)
    if not math.isfinite(angle):
        raise ConfigError("crab gait", [f"angle must be finite, got {angle!r}"])
    off = math.remainder(angle, 2.0 * math.pi)
    if abs(off) <= critical:
        way = "ahead"
    elif abs(off) >= math.pi - critical:
        way = "back"
    else:
        way = "left" if off > 0.0 else "right"
    crawl = named_gait("crawl", duty=duty)
    phases = np.zeros(4)
    phases[list(ROLES[way])] = crawl.phases
    return PhaseGait(phases, crawl.duty, "crab")


def crab_stride(stride: float, angle: float) -> Array:
    """Return a stride in the direction of a crab angle, (2,) [m]."""
    return stride * np.array([math.cos(angle), math.sin(angle)])
