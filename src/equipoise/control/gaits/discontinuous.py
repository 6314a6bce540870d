"""Stop and go: the trunk moves only while all feet stand, legs step while it rests.

For very uneven ground ([Ridderstrom2003] section 2.3, after Gonzalez de Santos). The
trunk shifts by half a stride, the legs of one side step, rear then front; then the same
with the other side. A quadruped keeps a longitudinal margin of λ/4, more than in any
crawl.
"""

import numpy as np
from numpy.typing import ArrayLike

from equipoise.control.gaits.footprint import Footprint
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.gaits.plan import FootfallPlan
from equipoise.core.arrays import Array, expect_array
from equipoise.core.errors import ConfigError

__all__ = ["discontinuous_gait", "discontinuous_plan"]

STEPS = ((), (2,), (0,), (), (3,), (1,))  # who is in the air in each of six stretches
LEFT = (0, 2)


def _check_shift(shift: float) -> None:
    """Refuse a share of the cycle that leaves no time for something."""
    if not 0.0 < shift < 1.0:
        problem = f"shift must be above 0 and below 1, got {shift!r}"
        raise ConfigError("gait 'discontinuous'", [problem])


def _stretches(shift: float) -> Array:
    """Return when the six stretches of a cycle begin and end, shares, (7,)."""
    step = 0.25 * (1.0 - shift)
    lengths = [0.5 * shift, step, step, 0.5 * shift, step, step]
    return np.concatenate([[0.0], np.cumsum(lengths)])


def discontinuous_gait(shift: float = 0.4) -> PhaseGait:
    """Return the gait in which the trunk stops and goes, as phases.

    Args:
        shift: share of the cycle in which the trunk moves, all feet down.

    Raises:
        ConfigError: a share that leaves no time for something.
    """
    _check_shift(shift)
    ends = _stretches(shift)
    phases = np.zeros(4)
    for row, lifted in enumerate(STEPS):
        for leg in lifted:
            phases[leg] = ends[row + 1]
    return PhaseGait(phases, np.full(4, 1.0 - 0.25 * (1.0 - shift)), "discontinuous")


def discontinuous_plan(
    footprint: Footprint, stride: ArrayLike, shift: float = 0.4
) -> FootfallPlan:
    """Return a cycle of the stop-and-go gait; times are shares of the cycle.

    Args:
        footprint: of four legs.
        stride: of a cycle, (2,) [m].
        shift: share of the cycle in which the trunk moves.

    Raises:
        ConfigError: another number of legs, or no time for something.
        ShapeError: a stride that is no vector of the plane.
    """
    _check_shift(shift)
    way = expect_array("stride", stride, (2,))
    if footprint.legs != 4:
        problem = f"it needs 4 legs, got {footprint.legs}"
        raise ConfigError("gait 'discontinuous'", [problem])
    half = 0.5 * way
    support = np.ones((6, 4), bool)
    footholds = np.zeros((6, 4, 2))
    # Where a side steps it puts its feet half a stride ahead of their middle places.
    at = {leg: half + half if leg in LEFT else 2.0 * half + half for leg in range(4)}
    landed = {leg: at[leg] - way for leg in range(4)}
    for row, lifted in enumerate(STEPS):
        for leg in range(4):
            footholds[row, leg] = footprint.feet[leg] + landed[leg]
        for leg in lifted:
            support[row, leg] = False
            footholds[row, leg] = np.nan
            landed[leg] = at[leg]
    poses = np.zeros((7, 3))
    poses[1:4, :2], poses[4:, :2] = half, way
    return FootfallPlan(
        name="discontinuous",
        times=_stretches(shift),
        support=support,
        footholds=footholds,
        poses=poses,
        centre=footprint.centre,
    )
