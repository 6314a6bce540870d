"""What the contacts of a region must be, each in one sentence."""

import math

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, expect_array
from equipoise.core.checks import is_number
from equipoise.core.errors import NotPhysicalError, ShapeError

__all__ = ["Limits", "expect_contacts", "expect_limits"]

Limits = tuple[Array, Array]
"""Rows (nl, nc, 3), bounds (nl,) of forces over the weight: Σ rows_i·f_i <= bound."""


def expect_contacts(
    points: ArrayLike,
    normals: ArrayLike,
    frictions: ArrayLike,
    weight: float,
    gap: float,
) -> tuple[Array, Array, Array]:
    """Return points, unit normals and frictions.

    Args:
        points: (nc, 3).
        normals: (nc, 3).
        frictions: (nc,) or one for all.
        weight: [N].
        gap: above 0.

    Raises:
        ShapeError: wrong shape, or an entry that is not finite.
        NotPhysicalError: a value that no contact has.
    """
    p = expect_array(
        "points", np.empty((0, 3)) if _is_none(points) else points, (-1, 3)
    )
    if not len(p):
        raise NotPhysicalError(
            "points has no contact; at least one is needed to stand."
        )
    n = expect_array("normals", normals, (len(p), 3))
    off = np.abs(np.linalg.norm(n, axis=1) - 1.0)
    if off.max() > 1e-6:  # single precision rounds to 1e-7
        worst = int(off.argmax())
        raise NotPhysicalError(
            f"normals[{worst}] must have length 1, got {n[worst].tolist()} of length "
            f"{np.linalg.norm(n[worst]):.6g}; divide it by its length."
        )
    n = n / np.linalg.norm(n, axis=1, keepdims=True)
    mu = _per_contact("frictions", frictions, len(p))
    if mu.min() < 0.0:
        worst = int(mu.argmin())
        raise NotPhysicalError(f"frictions[{worst}] must be >= 0, got {mu[worst]:g}.")
    for name, value in (("weight", weight), ("gap", gap)):
        if not (is_number(value) and 0.0 < value < math.inf):
            raise NotPhysicalError(f"{name} must be a number > 0, got {value!r}.")
    return p, n, mu


def expect_limits(
    normals: Array,
    weight: float,
    max_normal: ArrayLike | None,
    force_rows: ArrayLike | None,
    force_bounds: ArrayLike | None,
) -> Limits | None:
    """Return all limits on the forces in one form, or None where there are none.

    Args:
        normals: unit, (nc, 3).
        weight: > 0 [N].
        max_normal: (nc,) or one for all [N], or None.
        force_rows: (nl, nc, 3), or None.
        force_bounds: (nl,), or None.

    Raises:
        ShapeError: wrong shape, or an entry that is not finite, or rows without bounds.
        NotPhysicalError: a limit that no contact has.
    """
    nc = len(normals)
    rows, bounds = np.zeros((0, nc, 3)), np.zeros(0)
    if max_normal is not None:
        cap = _per_contact("max_normal", max_normal, nc)
        if cap.min() <= 0.0:
            worst = int(cap.argmin())
            raise NotPhysicalError(
                f"max_normal[{worst}] must be > 0 N, got {cap[worst]:g}; leave out a "
                "contact that carries nothing."
            )
        rows, bounds = np.eye(nc)[:, :, None] * normals, cap / weight
    if (force_rows is None) != (force_bounds is None):
        raise ShapeError("force_rows and force_bounds must be given together.")
    if force_rows is not None and force_bounds is not None:
        more = expect_array("force_rows", force_rows, (-1, nc, 3))
        most = expect_array("force_bounds", force_bounds, (len(more),))
        size = np.linalg.norm(more, axis=(1, 2))
        size = np.where(size > 0.0, size, 1.0)  # a row of nothing: 0 <= bound
        rows = np.concatenate([rows, more / size[:, None, None]])
        bounds = np.concatenate([bounds, most / (size * weight)])
    return (rows, bounds) if len(bounds) else None


def _is_none(points: ArrayLike) -> bool:
    return np.size(np.asarray(points, dtype=object)) == 0


def _per_contact(name: str, value: ArrayLike, nc: int) -> Array:
    if np.ndim(value) == 0:
        value = np.broadcast_to(np.asarray(value), (nc,))
    return expect_array(name, value, (nc,))
