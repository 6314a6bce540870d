"""Will it still stand where ground or legs are soft: the part of a check about springs.

Each foot carries a spring along the normal, spread evenly over the corners on which it
stands; joints are held. [Ridderstrom2003] chapters 9 to 11, corrected and made general
in ``stability.compliant``.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.stance import Stance
from equipoise.stability.compliant import CompliantStance, compliant_stance
from equipoise.stability.foot import Foot

__all__ = ["SoftAnswer", "soft_answer"]

RIGID = 1e4  # stiffness of rigid ground in those of a leg, where only legs are soft
TALLEST = 1e3  # times its height: taller than that nothing is looked for
PRECISION = 1e-6  # of the critical height, relative


class SoftAnswer(NamedTuple):
    """What soft feet mean for a stance."""

    stance: CompliantStance
    summary: dict[str, Any]
    """The numbers of the command's ``compliance``."""
    is_known: bool
    """Whether the test could tell."""


def soft_answer(
    stance: Stance, ground_stiffness: float | None, leg_stiffness: float | None
) -> SoftAnswer:
    """Return whether a stance holds on soft feet, and by how much.

    Args:
        stance: where the robot touches, at least one point.
        ground_stiffness: of the ground under a foot, along the normal; None for rigid
            ground [N/m].
        leg_stiffness: of a leg, along the normal; None for rigid legs [N/m].
    """
    height = float(stance.com[2]) - stance.ground
    soft = at_height(stance, height, ground_stiffness, leg_stiffness)
    softest = ground_stiffness if ground_stiffness is not None else leg_stiffness
    factor = soft.multiplier
    is_finite = math.isfinite(factor)
    summary = {
        "multiplier": factor if is_finite else None,
        "critical_stiffness": factor * (softest or 0.0) if is_finite else None,
        "critical_height_m": critical_height(
            stance, height, ground_stiffness, leg_stiffness
        ),
        "weakest_direction": weakest_lean(stance).tolist(),
    }
    return SoftAnswer(soft, summary, not soft.reason.startswith("not known"))


def at_height(
    stance: Stance, height: float, ground: float | None, leg: float | None
) -> CompliantStance:
    """Return the stance on its springs with the centre of mass at a height [m]."""
    counts = {name: stance.geoms.count(name) for name in stance.feet}
    stiffness = RIGID * (leg or 1.0) if ground is None else ground
    feet = []
    for name, point in zip(stance.geoms, stance.points, strict=True):
        n = counts[name]
        place = point - stance.com
        place[2] = -height
        soft_leg = None if leg is None else np.diag([0.0, 0.0, n / leg])
        feet.append(Foot(place, stiffness / n, soft_leg))
    return compliant_stance(stance.mass, feet)


def critical_height(
    stance: Stance, height: float, ground: float | None, leg: float | None
) -> float | None:
    """Return the height at which the stance is lost [m]; None if there is none.

    Found by bisection: the taller, the less stable.
    """

    def holds(times: float) -> bool:
        return at_height(stance, times * height, ground, leg).stable

    low, high = 1.0, 1.0
    while holds(high):
        low, high = high, 2.0 * high
        if high > TALLEST:
            return None
    while not holds(low):
        low, high = 0.5 * low, low
        if low < 1.0 / TALLEST:
            return None
    while high - low > PRECISION * low:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low * height


def weakest_lean(stance: Stance) -> Array:
    """Return the direction in which springs resist a lean least, (2,), unit.

    That in which they are spread the least about their middle; of the two ways along
    it the one towards which the centre of mass is off.
    """
    counts = {name: stance.geoms.count(name) for name in stance.feet}
    weight = np.array([1.0 / counts[name] for name in stance.geoms])
    pxy = stance.points[:, :2]
    middle = weight @ pxy / weight.sum()
    off = pxy - middle
    spread = (weight[:, None] * off).T @ off
    direction = np.linalg.eigh(spread)[1][:, 0]
    return direction if direction @ (stance.com[:2] - middle) >= 0.0 else -direction
