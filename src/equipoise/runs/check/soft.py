"""Will it still stand where ground or legs are soft: the part of a check about springs.

Each foot carries a spring along the normal, spread evenly over the corners on which it
stands; joints are held. A foot is a separate patch of contact, or what the user groups.
A ball that stands on soft ground rolls about its middle, so it is held there.
[Ridderstrom2003] chapters 9 to 11, corrected and made general in
``stability.compliant``.

Soft legs with the mass off the middle lean ever more without a point at which they give
way: then the lean itself decides. Beyond ``LEAN_DEG`` the feet no longer touch where
the check took them to, and the answer is not known.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import UnknownNameError
from equipoise.robots.stance.stance import Stance
from equipoise.stability.rigid.patches import contact_patches
from equipoise.stability.soft.compliant import CompliantStance, compliant_stance
from equipoise.stability.soft.critical_size import critical_height
from equipoise.stability.soft.foot import Foot

__all__ = ["LEAN_DEG", "SoftAnswer", "grouped", "soft_answer", "soft_feet"]

LEAN_DEG = 10.0
"""Lean up to which a stance is judged, degrees; cos 10 deg shortens levers by 1.5 %."""
RIGID = 1e8  # stiffness of rigid ground in those of a leg, where only legs are soft


class SoftAnswer(NamedTuple):
    """Answer on soft feet."""

    stance: CompliantStance
    summary: dict[str, Any]
    """The numbers of the command's ``compliance``."""
    is_known: bool
    """Whether the test could tell."""


def soft_answer(
    stance: Stance,
    ground_stiffness: float | None,
    leg_stiffness: float | None,
    patches: Ints | None = None,
    gravity: float = GRAVITY,
) -> SoftAnswer:
    """Return whether a stance holds on soft feet, and by how much.

    Args:
        stance: where the robot touches, at least one point.
        ground_stiffness: of the ground under a foot, along the normal; None for rigid
            ground [N/m].
        leg_stiffness: of a leg, along the normal; None for rigid legs [N/m].
        patches: which foot each point belongs to, (n,); None to find out.
        gravity: > 0 [m/s²].
    """
    feet = soft_feet(stance, ground_stiffness, leg_stiffness, patches)
    soft = _judged(stance, compliant_stance(stance.mass, feet, gravity=gravity))
    own = _feet_of(stance, patches)
    share = 1.0 / np.bincount(own)[own]  # of a foot's spring, at each point
    softest = ground_stiffness if ground_stiffness is not None else leg_stiffness
    factor = soft.multiplier
    is_finite = math.isfinite(factor)
    height = critical_height(stance.mass, feet, gravity=gravity)
    height += float(stance.radii.min())  # from the ground, not from the balls' middles
    lean = soft.weakest if np.isfinite(soft.weakest).all() else _weakest_lean(stance)
    summary = {
        "multiplier": factor if is_finite else None,
        "critical_stiffness": factor * (softest or 0.0) if is_finite else None,
        "critical_height_m": height if 0.0 < height < math.inf else None,
        "weakest_direction": lean.tolist(),
        "lean_deg": None if math.isnan(soft.tilt) else math.degrees(soft.tilt),
        "lifted_feet": _lifted(stance, soft),
        "contact_foot": own.tolist(),
        "contact_stiffness": (share * (softest or 0.0)).tolist(),
    }
    return SoftAnswer(soft, summary, not soft.reason.startswith("not known"))


def _feet_of(stance: Stance, patches: Ints | None = None) -> Ints:
    """Return which foot each point belongs to, (n,), from 0 on.

    Args:
        stance: where the robot touches.
        patches: as the user groups them; None for separate patches of contact.
    """
    if patches is not None:
        return patches
    return contact_patches(stance.points, stance.shapes)


def grouped(
    stance: Stance, feet: Mapping[str, Sequence[str]] | None, where: str
) -> Ints | None:
    """Return which foot each point belongs to as the user groups shapes; else None.

    Shapes that no group names are feet of their own, patch by patch.

    Args:
        stance: where the robot touches.
        feet: names of shapes by the name of the foot.
        where: what is checked, for sentences.

    Raises:
        UnknownNameError: a shape that does not touch.
    """
    if feet is None:
        return None
    own = _feet_of(stance) + len(feet)
    for k, shapes in enumerate(feet.values()):
        for name in shapes:
            if name not in stance.geoms:
                raise UnknownNameError("touching shape", name, stance.feet, where)
            own[[geom == name for geom in stance.geoms]] = k
    return np.unique(own, return_inverse=True)[1].astype(np.int64)


def soft_feet(
    stance: Stance,
    ground: float | None,
    leg: float | None,
    patches: Ints | None = None,
) -> list[Foot]:
    """Return the corners on which a robot stands as feet on springs.

    Args:
        stance: where the robot touches.
        ground: stiffness under a foot; None for rigid ground [N/m].
        leg: stiffness of a leg; None for rigid legs [N/m].
        patches: which foot each point belongs to, (n,); None to find out.
    """
    own = _feet_of(stance, patches)
    counts = np.bincount(own, minlength=1)
    stiffness = RIGID * (1.0 if leg is None else leg) if ground is None else ground
    feet: list[Foot] = []
    for foot, point, radius in zip(own, stance.points, stance.radii, strict=True):
        n = int(counts[foot])
        place = point - stance.com
        place[2] = stance.ground + radius - stance.com[2]
        soft_leg = None if leg is None else np.diag([0.0, 0.0, n / leg])
        feet.append(Foot(place, stiffness / n, soft_leg))
    return feet


def _judged(stance: Stance, soft: CompliantStance) -> CompliantStance:
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
    lost = _lifted(stance, soft)
    told = f" and lifts {', '.join(lost[:4])}" if lost else ""
    if lean > 0.01 or lost:
        return replace(soft, reason=f"{soft.reason}; it leans {lean:.2f} deg{told}")
    return soft


def _lifted(stance: Stance, soft: CompliantStance) -> list[str]:
    """Return the feet that carry nothing on their springs; none where it falls."""
    if np.isnan(soft.tilt):
        return []
    carries = {
        name
        for name, force in zip(stance.geoms, soft.forces, strict=True)
        if np.any(force)
    }
    return [name for name in stance.feet if name not in carries]


def _weakest_lean(stance: Stance) -> Array:
    """Return the direction in which springs resist a lean least, (2,), unit.

    For feet that hold nothing: that in which they are spread the least about their
    middle; of the two ways along it the one towards which the centre of mass is off.
    """
    own = _feet_of(stance)
    weight = 1.0 / np.bincount(own)[own]
    pxy = stance.points[:, :2]
    middle = weight @ pxy / weight.sum()
    off = pxy - middle
    spread = (weight[:, None] * off).T @ off
    direction = np.linalg.eigh(spread)[1][:, 0]
    return direction if direction @ (stance.com[:2] - middle) >= 0.0 else -direction
