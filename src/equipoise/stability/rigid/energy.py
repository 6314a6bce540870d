"""How much work tips the robot over, about which edge of its support.

Rigid robot, rigid ground, feet at any height. Tipping about the line through two outer
feet, the centre of mass must first climb to the vertical plane through that line. The
energy stability margin [Messuri1985] is the work of the easiest climb; its normalised
form [Hirose1998] is the height alone ([Ridderstrom2003] section 9)::

    E = m g min_i h_i,    h_i = |R_i| (1 - cos θ_i) cos ψ_i

with R_i from the line, square to it, to the centre of mass, θ_i the angle between R_i
and the vertical plane, ψ_i the inclination of the line.

The printed h_i is positive on both sides of the line. Here it carries a sign: negative
where the centre of mass is past the line, when it is what the robot has fallen from
and must be lifted to come back.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Ints, expect_array
from equipoise.core.checks import is_number
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError
from equipoise.stability.rigid.hull import expect_states, support_corners
from equipoise.stability.rigid.support import static_margin, weakest_direction

__all__ = ["EnergyMargin", "climb", "edge_frames", "energy_margin"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class EnergyMargin:
    """Work that tips a robot over; leading axes are those of the given states."""

    energy: Array
    """Energy stability margin: work over the easiest edge, signed, (...) [J]."""
    height: Array
    """Normalised margin: that climb of the centre of mass, signed, (...) [m]."""
    direction: Array
    """Direction of the fall, a horizontal unit normal of the edge, (..., 2);
    zero where there is none."""
    edge: Ints
    """Index of edge, (...): from corner i to the next; -1 if the support has no area
    and so no edge to tip about."""
    heights: Array
    """Rise over each edge, signed, (..., k) [m]; k is 0 without an area."""
    corners: Array
    """Outer feet, counter-clockwise seen from above, (k, 3) [m]."""


def climb(aside: Array, above: Array) -> Array:
    """Return √(aside² + above²) - above [m] without the cancellation, >= 0."""
    reach = np.hypot(aside, above)
    total = reach + above
    is_upright = (above > 0.0) & (total > 0.0)
    return np.where(
        is_upright, aside * aside / np.where(is_upright, total, 1.0), reach - above
    )


def edge_frames(corners: Array) -> tuple[Array, Array, Array]:
    """Return of each edge the way out, (k, 2), the way up square to it, and cos ψ.

    The way up, (k, 3), is in the vertical plane through the edge; both are unit.
    """
    way = np.roll(corners, -1, axis=0) - corners
    run = np.hypot(way[:, 0], way[:, 1])
    out = np.stack([way[:, 1], -way[:, 0]], axis=1) / run[:, None]
    length = np.linalg.norm(way, axis=1)
    up = np.concatenate([-way[:, :2] * way[:, 2:], (run * run)[:, None]], axis=1)
    return out, up / (run * length)[:, None], run / length


def _edge_heights(p_WC: Array, corners: Array) -> tuple[Array, Array]:
    """Return the signed climb over each edge (..., k) and the ways out (k, 2)."""
    out, up, level = edge_frames(corners)
    to = p_WC[..., None, :] - corners
    inside = -np.einsum("...ei,ei->...e", to[..., :2], out)
    height = level * climb(inside, np.einsum("...ei,ei->...e", to, up))
    return np.where(inside > 0.0, height, -height), out


def _without_area(p_WC: Array, corners: Array) -> Array:
    """Return minus the climb back over a segment or a point, (...) [m]; or -inf.

    It is as high as if both ends were as low as the lower one.
    """
    if len(corners) == 0:
        return np.full(p_WC.shape[:-1], -np.inf)
    gap = static_margin(p_WC[..., :2], corners)
    return -climb(gap, p_WC[..., 2] - float(corners[:, 2].min()))


def energy_margin(
    p_WC: ArrayLike, points: ArrayLike, mass: float, gravity: float = GRAVITY
) -> EnergyMargin:
    """Return the work that tips a robot over, and the direction of the easiest way.

    The formula is at the head of this file. Feet inside the hull seen from above take
    no part, nor does motion: the robot is at rest and stays one rigid body.

    Args:
        p_WC: centre of mass, (..., 3) [m].
        points: of contact, (n, 3) [m], at any height.
        mass: of the robot, > 0 [kg].
        gravity: > 0 [m/s²].

    Returns:
        The margin in joules and metres, per edge and for the weakest. At most zero
        over a segment or a point, -inf over nothing.

    Raises:
        NotPhysicalError: mass or gravity is not a positive number.
        ShapeError: wrong shape or an entry that is not finite.
    """
    for name, value, unit in (("mass", mass, "kg"), ("gravity", gravity, "m/s²")):
        if not (is_number(value) and 0.0 < value < math.inf):
            raise NotPhysicalError(f"{name} must be > 0 {unit}, got {value!r}.")
    p = expect_states("p_WC", p_WC, (3,))
    given = expect_states("points", points, ())
    feet = expect_array("points", given if given.size else np.zeros((0, 3)), (-1, 3))
    corners = feet[support_corners(feet)]
    if len(corners) < 3:
        height = _without_area(p, corners)
        heights = np.zeros((*height.shape, 0))
        direction = weakest_direction(p[..., :2], corners)
        edge = np.full(height.shape, -1, dtype=np.int64)
    else:
        heights, out = _edge_heights(p, corners)
        height, edge = np.min(heights, axis=-1), np.argmin(heights, axis=-1)
        direction = out[edge]
    return EnergyMargin(
        energy=mass * gravity * height,
        height=height,
        direction=direction,
        edge=edge,
        heights=heights,
        corners=corners,
    )
