"""The margins of a stance on rigid ground, and whether they mean that it stands.

On level ground the centre of mass must be over the support. On any other ground forces
within friction must exist that hold it, which the region of static equilibrium says;
feet that only hold by bracing against each other may or may not do so, and that is
"unknown". Joint torques, where they are limited, limit the forces.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.robots.stance.stance import Stance
from equipoise.stability.region.region import RegionKind, equilibrium_region
from equipoise.stability.rigid.energy import energy_margin
from equipoise.stability.rigid.support import static_margin, weakest_direction

__all__ = ["Answer", "StanceMargins", "carrying", "margins_of", "verdict"]

Answer = Literal["yes", "no", "unknown"]
EDGE = 1e-6  # margin within which nobody can say [m]
DEEPEST = 0.01  # a robot deeper in the ground is not in a pose that exists [m]
BOUNDED = (RegionKind.AREA, RegionKind.SEGMENT, RegionKind.POINT)


@dataclass(frozen=True, kw_only=True)
class StanceMargins:
    """Every margin of a stance; None where there is none to tell."""

    static: float | None = None
    """Distance from the support's edge seen from above; only in one plane [m]."""
    energy: float | None = None
    """[J]."""
    area: float | None = None
    """Of the region of static equilibrium [m²]."""
    region: float | None = None
    """Distance from its edge [m]."""
    carried: float = -math.inf
    """Distance from the edge of the feet that could carry the weight alone [m]."""
    kind: RegionKind = RegionKind.EMPTY
    corners: Array = field(default_factory=lambda: np.zeros((0, 2)), repr=False)
    """Of the region, (n, 2) [m]."""
    weakest: Array | None = None
    """Direction seen from above in which it falls first, (2,)."""


def margins_of(
    stance: Stance,
    friction: ArrayLike,
    limits: dict[str, Any] | None = None,
    gravity: float = GRAVITY,
) -> StanceMargins:
    """Return every margin of a stance.

    Args:
        stance: where the robot touches; gravity is along -z.
        friction: Coulomb friction of every point, one number or (n,).
        limits: on the forces, as ``equilibrium_region`` takes them, or None.
        gravity: > 0 [m/s²].
    """
    if not len(stance.points):
        return StanceMargins()
    pxy, points = stance.com[:2], stance.points
    found: dict[str, Any] = {}
    region = equilibrium_region(points, stance.normals, friction, **(limits or {}))
    if region.kind in BOUNDED:
        found["area"], found["corners"] = float(region.area), region.inner
        found["region"] = float(region.margin(pxy))
    if stance.is_planar:
        found["static"] = float(static_margin(pxy, points))
    base = points if stance.is_planar else region.inner
    direction = weakest_direction(pxy, base)
    return StanceMargins(
        **found,
        kind=region.kind,
        weakest=direction if direction.any() else None,
        carried=float(static_margin(pxy, points[carrying(stance.normals, friction)])),
        energy=float(energy_margin(stance.com, points, stance.mass, gravity).energy),
    )


def carrying(normals: Array, friction: ArrayLike) -> NDArray[np.bool_]:
    """Return which feet could carry the weight alone: not too steep for friction.

    Args:
        normals: of the ground under the feet, (n, 3), unit.
        friction: Coulomb friction, one number or (n,).
    """
    return (
        np.linalg.norm(normals[:, :2], axis=1) <= np.asarray(friction) * normals[:, 2]
    )


def verdict(
    stance: Stance, margins: StanceMargins, *, limited: bool = False
) -> tuple[Answer, list[str]]:
    """Return the answer for a stance and its reasons, the weightiest first.

    Args:
        stance: where the robot touches.
        margins: of the stance.
        limited: whether joint torques limit the forces.
    """
    if stance.unknown:
        return "unknown", [f"the form of '{stance.unknown[0]}' is not known"]
    if stance.is_off_feet:
        return "no", ["it lies on other parts than its feet"]
    if not len(stance.points):
        return _in_the_air(stance)
    answer, reason = _on_its_feet(stance, margins, limited)
    if stance.sunk > DEEPEST and answer == "yes":
        deep = f"it is {stance.sunk:.3g} m deep in the ground"
        return "unknown", [f"{deep}; lift it by that"]
    if stance.is_planar:
        return answer, [reason]
    return answer, [reason, "its feet are not in one plane: no static margin"]


def _in_the_air(stance: Stance) -> tuple[Answer, list[str]]:
    """Return the answer for a robot that touches nothing."""
    if not np.isfinite(stance.lowest):
        return "unknown", ["none of its shapes can touch the ground"]
    if not stance.is_level:
        return "no", ["it is in the air: none of its shapes touches the ground"]
    height = stance.lowest - stance.ground
    return "no", [f"it is in the air, its lowest point {height:.3g} m too high"]


def _on_its_feet(
    stance: Stance, margins: StanceMargins, limited: bool
) -> tuple[Answer, str]:
    """Return the answer for a robot that touches the ground, and why."""
    feet = ", ".join(stance.feet[:6])
    static, region = margins.static, margins.region
    if static is not None and static < -EDGE:
        return "no", f"its centre of mass is {-static:.4f} m outside {feet}"
    if margins.kind is RegionKind.EMPTY or (region is not None and region < -EDGE):
        held = "friction and its joints' torques" if limited else "friction"
        return "no", f"no forces within {held} hold it on {feet}"
    if region is None or margins.kind is not RegionKind.AREA or region <= EDGE:
        if margins.kind is RegionKind.UNBOUNDED:
            return "unknown", f"it stands only while {feet} brace against each other"
        if margins.kind is RegionKind.NOT_KNOWN:
            return "unknown", margins.kind.value[0].lower() + margins.kind.value[1:-1]
        return "unknown", f"its centre of mass is on the very edge of {feet}"
    if margins.carried <= EDGE:
        return "unknown", f"it stands only while {feet} brace against each other"
    inside = (
        static if static is not None and not limited else min(region, margins.carried)
    )
    return "yes", f"its centre of mass is {inside:.4f} m inside {feet}"
