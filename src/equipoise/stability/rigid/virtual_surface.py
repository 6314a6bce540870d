"""A support polygon for feet at different heights: the virtual surface.

The zero moment point needs one plane, and feet on stairs or rubble have none. Takanishi
and Lim gave their biped virtual surfaces ([Ridderstrom2003] section 2.5.2,
[Takanishi1990]); here the surface is level and each contact is seen on it from the
centre of mass C at height h above it, as [Sugihara2002] does::

    s_i = C + (p_i - C) h / (C_z - p_iz)

A push along p_i -> C has no moment about C and meets the surface at s_i. So wherever
the zero moment point lies in the hull of the s_i, and the moment about C is zero,
forces along these lines exist; each contact must bear the slope of its own line, its
``friction_needed``. Contacts in one plane that face its normal, level or not, have no
other way: there the answer is exact. Feet in several planes may brace against each
other and hold more than the hull says, never less.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, expect_array
from equipoise.core.checks import is_number
from equipoise.core.errors import NotPhysicalError
from equipoise.stability.rigid.hull import support_polygon
from equipoise.stability.rigid.pressure import pressure_margin, zero_moment_point

__all__ = ["VirtualSupport", "virtual_support"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class VirtualSupport:
    """Projection of uneven contacts from the centre of mass onto one level plane."""

    p_WC: Array
    """Centre of mass, (3,) [m]."""
    height: float
    """Height of the plane [m]."""
    points: Array
    """Projection of each contact, (nc, 3) [m]."""
    friction_needed: Array
    """Friction from which each contact can push towards the centre of mass, (nc,);
    infinite where it faces away."""

    @property
    def polygon(self) -> Array:
        """Corners of the virtual support, counter-clockwise, (k, 2) [m]."""
        return support_polygon(self.points)

    def zero_moment_point(self, force: ArrayLike, moment: ArrayLike) -> Array:
        """Return the zero moment point on the plane, (3,) [m]; NaN if nothing presses.

        Args:
            force: effective force, (3,) [N], of ``effective_wrench``.
            moment: effective moment about the centre of mass, (3,) [N m].
        """
        return zero_moment_point(self.p_WC, force, moment, self.height)

    def margin(self, force: ArrayLike, moment: ArrayLike) -> float:
        """Return the distance of the zero moment point inside the virtual support [m].

        Args:
            force: effective force, (3,) [N], of ``effective_wrench``.
            moment: effective moment about the centre of mass, (3,) [N m]; what the
                margin promises holds where it is zero, or all contacts are level.

        Returns:
            Positive inside; -inf where nothing presses on the ground.
        """
        at = self.p_WC, force, moment, self.points
        return float(pressure_margin(*at, height=self.height))


def virtual_support(
    points: ArrayLike,
    p_WC: ArrayLike,
    *,
    normals: ArrayLike | None = None,
    height: float | None = None,
) -> VirtualSupport:
    """Return the support of uneven contacts on one level plane.

    The formula is at the head of this file.

    Args:
        points: contacts, at least one, below the centre of mass, (nc, 3) [m].
        p_WC: the centre of mass, (3,) [m].
        normals: of the ground, towards the robot, of any length, (nc, 3); None for all
            up.
        height: of the plane, below the centre of mass; None for the contacts' mean [m].

    Raises:
        ShapeError: wrong shape, or an entry that is not finite.
        NotPhysicalError: no contact, a contact or a plane that is not below the centre
            of mass, or a normal of length zero.
    """
    p = expect_array("points", points, (-1, 3))
    com = expect_array("p_WC", p_WC, (3,))
    up = np.tile([0.0, 0.0, 1.0], (len(p), 1))
    n = up if normals is None else expect_array("normals", normals, (len(p), 3))
    if not len(p):
        raise NotPhysicalError("points has no contact; at least one is needed.")
    below = com[2] - p[:, 2]
    if not below.min() > 0.0:
        k = int(below.argmin())
        raise NotPhysicalError(
            f"points[{k}] must be below the centre of mass at {com[2]:g} m, got height "
            f"{p[k, 2]:g} m; equilibrium_region judges contacts at any height."
        )
    level = float(p[:, 2].mean()) if height is None else height
    if not (is_number(level) and -math.inf < level < com[2]):
        raise NotPhysicalError(
            f"height must be below the centre of mass at {com[2]:g} m, got {level!r}."
        )
    sizes = np.linalg.norm(n, axis=1)
    if not sizes.min() > 0.0:
        raise NotPhysicalError(f"normals[{int(sizes.argmin())}] must not be zero.")
    seen = com + (p - com) * ((com[2] - level) / below)[:, None]
    seen[:, 2] = level
    lines = com - p
    along = np.einsum("ij,ij->i", lines, n / sizes[:, None])
    aside = np.linalg.norm(np.cross(lines, n / sizes[:, None]), axis=1)
    faces = along > 0.0
    friction = np.where(faces, aside / np.where(faces, along, 1.0), math.inf)
    return VirtualSupport(
        p_WC=com, height=float(level), points=seen, friction_needed=friction
    )
