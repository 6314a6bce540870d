"""Every row of feet steps where the row ahead has stood: only the front legs search.

A rule for footholds, not an order of steps ([Song1989]; [Ridderstrom2003] section 2.3):
a leg takes, of the places its neighbour ahead has used, the one nearest to where it
would fall of itself.
"""

import numpy as np
from numpy.typing import ArrayLike

from equipoise.control.gaits.footprint import Footprint
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.gaits.plan import (
    FootfallPlan,
    path_poses,
    periodic_plan,
    placed,
)
from equipoise.core.arrays import Array, expect_array

__all__ = ["follow_the_leader"]

BEFORE = 12  # cycles walked before, so that the front legs' places reach the rear


def follow_the_leader(
    gait: PhaseGait,
    footprint: Footprint,
    stride: ArrayLike,
    turn: float = 0.0,
    offset: float = 0.0,
) -> FootfallPlan:
    """Return a cycle of a gait whose rear feet step where the front feet stood.

    Args:
        gait: phases and duty factors, legs in rows.
        footprint: where the feet would be of themselves.
        stride: of a cycle, (2,) [m].
        turn: of a cycle [rad].
        offset: how far behind the place ahead a foot is put, along the travel, so as
            not to tread on what gave way; half a foot's width, say [m].

    Raises:
        ConfigError: the footprint has another number of feet.
        ShapeError: a stride that is no vector of the plane.
    """
    plan = periodic_plan(gait, footprint, stride, turn)
    way = expect_array("stride", stride, (2,))
    stances = np.arange(-BEFORE, 3)
    falls = stances[:, None] + gait.phases  # (stance, leg)
    poses = path_poses(falls + 0.5 * gait.duty, way, turn)
    places = placed(poses, footprint.feet)
    along = np.stack([np.cos(poses[..., 2]), np.sin(poses[..., 2])], axis=-1)
    for leg in range(2, gait.legs):
        places[:, leg] = _followed(
            falls[:, leg], places[:, leg], falls[:, leg - 2], places[:, leg - 2]
        )
        places[:, leg] -= offset * along[:, leg]
    footholds = plan.footholds.copy()
    middle = 0.5 * (plan.times[:-1] + plan.times[1:])
    for row, leg in np.argwhere(plan.support):
        fall = middle[row] - gait.since_footfall(middle[row])[leg]
        stance = int(np.argmin(np.abs(falls[:, leg] - fall)))
        footholds[row, leg] = places[stance, leg]
    return FootfallPlan(
        name="follow-the-leader",
        times=plan.times,
        support=plan.support,
        footholds=footholds,
        poses=plan.poses,
        centre=plan.centre,
    )


def _followed(falls: Array, own: Array, earlier: Array, ahead: Array) -> Array:
    """Return the places of one leg, chosen among those of the leg ahead, (n, 2).

    Args:
        falls: when the leg falls, (n,).
        own: where it would of itself, (n, 2).
        earlier: when the leg ahead fell, (n,).
        ahead: where it did, (n, 2).
    """
    gaps = np.linalg.norm(own[:, None, :] - ahead[None, :, :], axis=-1)
    gaps = np.where(earlier[None, :] < falls[:, None], gaps, np.inf)
    nearest = np.argmin(gaps, axis=1)
    known = np.isfinite(gaps.min(axis=1))
    return np.where(known[:, None], ahead[nearest], own)
