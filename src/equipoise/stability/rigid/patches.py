"""Which contacts belong to one foot: separate patches of contact are separate feet.

The corners on which one shape stands are a patch. Patches that overlap or touch, seen
along the ground's normal, are one: a sole glued together from two boxes is one sole,
six balls of one body are six feet. Names play no part.
"""

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Ints, expect_array
from equipoise.stability.rigid.hull import half_planes, support_polygon

__all__ = ["contact_patches"]


def contact_patches(
    points: ArrayLike, shapes: ArrayLike, tolerance: float = 1e-6
) -> Ints:
    """Return the number of the contact patch that each contact belongs to, (n,).

    Args:
        points: of contact, (n, 3) [m]; seen from above.
        shapes: number of the shape that touches at each, (n,).
        tolerance: gap up to which patches touch [m].

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    p = expect_array("points", points, (-1, 3))
    owner = expect_array("shapes", shapes, (len(p),)).astype(np.int64)
    names = list(dict.fromkeys(owner.tolist()))
    hulls = [support_polygon(p[owner == name]) for name in names]
    group = list(range(len(names)))
    for i in range(len(names)):
        for j in range(i):
            if group[i] != group[j] and _meet(hulls[i], hulls[j], tolerance):
                old, new = max(group[i], group[j]), min(group[i], group[j])
                group = [new if g == old else g for g in group]
    order = {g: k for k, g in enumerate(dict.fromkeys(group))}
    number = {name: order[group[k]] for k, name in enumerate(names)}
    return np.array([number[int(name)] for name in owner], np.int64)


def _meet(one: Array, two: Array, tolerance: float) -> bool:
    """Return whether two hulls overlap or touch: no line separates them."""
    gap = -np.inf
    for a, b in ((one, two), (two, one)):
        normals, offsets = half_planes(a)
        gap = max(gap, float((b @ normals.T - offsets).min(axis=0).max()))
    return gap <= tolerance
