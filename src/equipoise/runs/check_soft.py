"""Will it still stand where ground or legs are soft: the part of a check about springs.

Each foot carries a spring along the normal, spread evenly over the corners on which it
stands; joints are held. [Ridderstrom2003] chapters 9 to 11, corrected and made general
in ``stability.compliant``.

Soft legs with the mass off the middle lean ever more without a point at which they give
way: then the lean itself decides. Beyond ``LEAN_DEG`` the feet no longer touch where
the check took them to, and the answer is not known.
"""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.stance import Stance
from equipoise.stability.compliant import CompliantStance, compliant_stance
from equipoise.stability.critical_size import critical_height
from equipoise.stability.foot import Foot

__all__ = ["LEAN_DEG", "SoftAnswer", "soft_answer", "soft_feet"]

LEAN_DEG = 10.0
"""Lean up to which a stance is judged, degrees; cos 10 deg shortens levers by 1.5 %."""
RIGID = 1e8  # stiffness of rigid ground in those of a leg, where only legs are soft


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
    feet = soft_feet(stance, ground_stiffness, leg_stiffness)
    soft = judged(stance, compliant_stance(stance.mass, feet))
    softest = ground_stiffness if ground_stiffness is not None else leg_stiffness
    factor = soft.multiplier
    is_finite = math.isfinite(factor)
    height = critical_height(stance.mass, feet)
    lean = soft.weakest if np.isfinite(soft.weakest).all() else weakest_lean(stance)
    summary = {
        "multiplier": factor if is_finite else None,
        "critical_stiffness": factor * (softest or 0.0) if is_finite else None,
        "critical_height_m": height if 0.0 < height < math.inf else None,
        "weakest_direction": lean.tolist(),
        "lean_deg": None if math.isnan(soft.tilt) else math.degrees(soft.tilt),
        "lifted_feet": lifted(stance, soft),
    }
    return SoftAnswer(soft, summary, not soft.reason.startswith("not known"))


def soft_feet(stance: Stance, ground: float | None, leg: float | None) -> list[Foot]:
    """Return the corners on which a robot stands as feet on springs.

    Args:
        stance: where the robot touches.
        ground: stiffness under a foot; None for rigid ground [N/m].
        leg: stiffness of a leg; None for rigid legs [N/m].
    """
    counts = {name: stance.geoms.count(name) for name in stance.feet}
    stiffness = RIGID * (leg or 1.0) if ground is None else ground
    feet: list[Foot] = []
    for name, point in zip(stance.geoms, stance.points, strict=True):
        n = counts[name]
        place = point - stance.com
        place[2] = stance.ground - stance.com[2]
        soft_leg = None if leg is None else np.diag([0.0, 0.0, n / leg])
        feet.append(Foot(place, stiffness / n, soft_leg))
    return feet


def judged(stance: Stance, soft: CompliantStance) -> CompliantStance:
    """Return a stance with its lean in the reason, not known where it leans too far."""
    if not soft.stable:
        return soft
    lean = math.degrees(soft.tilt)
    if lean > LEAN_DEG:
        reason = (
            f"not known: on its springs it leans {lean:.1f} deg, more than the "
            f"{LEAN_DEG:g} deg up to which its feet touch where they were found"
        )
        return replace(soft, stable=False, reason=reason)
    lost = lifted(stance, soft)
    told = f" and lifts {', '.join(lost[:4])}" if lost else ""
    if lean > 0.01 or lost:
        return replace(soft, reason=f"{soft.reason}; it leans {lean:.2f} deg{told}")
    return soft


def lifted(stance: Stance, soft: CompliantStance) -> list[str]:
    """Return the feet that carry nothing on their springs; none where it falls."""
    if np.isnan(soft.tilt):
        return []
    carries = {
        name
        for name, force in zip(stance.geoms, soft.forces, strict=True)
        if np.any(force)
    }
    return [name for name in stance.feet if name not in carries]


def weakest_lean(stance: Stance) -> Array:
    """Return the direction in which springs resist a lean least, (2,), unit.

    For feet that hold nothing: that in which they are spread the least about their
    middle; of the two ways along it the one towards which the centre of mass is off.
    """
    counts = {name: stance.geoms.count(name) for name in stance.feet}
    weight = np.array([1.0 / counts[name] for name in stance.geoms])
    pxy = stance.points[:, :2]
    middle = weight @ pxy / weight.sum()
    off = pxy - middle
    spread = (weight[:, None] * off).T @ off
    direction = np.linalg.eigh(spread)[1][:, 0]
    return direction if direction @ (stance.com[:2] - middle) >= 0.0 else -direction
