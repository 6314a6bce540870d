"""Mass properties over a whole tree of bodies in two passes, as seen from every node.

The central counterpart of the neighbour messages of [Moll2006] algorithms 1 and 2: what
hangs below a node, what lies beyond its parent, and the whole robot. Only sums of the
others are formed, never a difference.

One pass from the leaves to the root adds each subtree to its parent. Just before child
k is added, its parent's sum holds k's later siblings: that is kept. The pass back to
the leaves collects the earlier siblings in the same way, so "everything but k" is one
sum of two parts, however many children there are, and the cost is linear.
"""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.errors import ShapeError
from equipoise.core.jit import compiled
from equipoise.spatial.mass.checks import expect_float_type
from equipoise.spatial.mass.factors import add_factored10, transform_factored10
from equipoise.spatial.mass.vectors import add10, transform10
from equipoise.spatial.prefetch import prefetch

__all__ = ["TreeMass", "tree_mass"]

Floats = NDArray[Any]
_AHEAD = 8
"""Nodes; of 4, 8, 16, 32 the fastest, for chains and for random trees."""


class TreeMass(NamedTuple):
    """Mass properties seen from each node's own frame, one row of ten per node."""

    whole: Floats
    """Mass properties of the whole robot, (n, 10)."""
    subtree: Floats
    """Mass properties of the node and everything below it, (n, 10)."""
    beyond: Floats
    """Mass properties beyond the edge to the parent, (n, 10); zero for the root."""


@compiled
def _add(out: Floats, a: Floats, factored: bool) -> None:
    if factored:
        add_factored10(out, a)
    else:
        add10(out, a)


@compiled
def _transform(R: Floats, p: Floats, a: Floats, out: Floats, factored: bool) -> None:
    if factored:
        transform_factored10(R, p, a, out)
    else:
        transform10(R, p, a, out)


@compiled
def _to_root(
    parent: NDArray[np.int64],
    R_PC: Floats,
    p_PC: Floats,
    own: Floats,
    factored: bool,
    subtree: Floats,
    later: Floats,
) -> None:
    """Fill ``subtree``, and in ``later`` each node's later siblings seen from P."""
    seen = np.empty(10, own.dtype)
    start, stride = subtree.ctypes.data, 10 * subtree.itemsize
    subtree[:] = 0
    for k in range(parent.size - 1, 0, -1):
        if k > _AHEAD:
            prefetch(start + parent[k - _AHEAD] * stride)
            prefetch(start + parent[k - _AHEAD] * stride + stride - 1)
        _add(subtree[k], own[k], factored)
        up = subtree[parent[k]]
        later[k] = up
        _transform(R_PC[k], p_PC[k], subtree[k], seen, factored)
        _add(up, seen, factored)
    _add(subtree[0], own[0], factored)


@compiled
def _to_leaves(
    parent: NDArray[np.int64],
    R_PC: Floats,
    p_PC: Floats,
    own: Floats,
    factored: bool,
    subtree: Floats,
    beyond: Floats,
    whole: Floats,
) -> None:
    """Turn ``beyond`` from later siblings into all others, and fill ``whole``.

    Until the last child has passed, ``whole`` of a node holds itself, what is beyond
    it, and its earlier children.
    """
    seen = np.empty(10, own.dtype)
    R_CP = np.empty((3, 3), own.dtype)
    p_CP = np.empty(3, own.dtype)
    start, stride = whole.ctypes.data, 10 * whole.itemsize
    beyond[0] = 0
    whole[0] = own[0]
    for k in range(1, parent.size):
        if k + _AHEAD < parent.size:
            prefetch(start + parent[k + _AHEAD] * stride)
            prefetch(start + parent[k + _AHEAD] * stride + stride - 1)
        R, p = R_PC[k], p_PC[k]
        up = whole[parent[k]]
        _transform(R, p, subtree[k], seen, factored)
        _add(beyond[k], up, factored)
        _add(up, seen, factored)
        for i in range(3):
            for j in range(3):
                R_CP[i, j] = R[j, i]
            p_CP[i] = -(R[0, i] * p[0] + R[1, i] * p[1] + R[2, i] * p[2])
        _transform(R_CP, p_CP, beyond[k], seen, factored)
        beyond[k] = seen
        _add(seen, own[k], factored)
        whole[k] = seen


def tree_mass(
    parent: ArrayLike,
    R_PC: Floats,
    p_PC: Floats,
    own: Floats,
    layout: Literal["additive", "factored"] = "additive",
) -> TreeMass:
    """Return the mass properties of whole, subtree and rest, seen from every node.

    Args:
        parent: index of each node's parent, (n,), parents before children; the root is
            node 0 and has -1.
        R_PC: orientation of each node in its parent, (n, 3, 3); the root's is not used.
            Not checked to be rotations, for speed.
        p_PC: position of each node in its parent, (n, 3) [m].
        own: each node's own mass properties in its own frame, (n, 10), float64 or
            float32; everything is computed in that type.
        layout: "additive", the rows of ``mass_vectors`` (fast), or "factored", those of
            ``mass_factors`` (inertia positive semidefinite in float32 too).

    Returns:
        Rows in the same layout and type.

    Raises:
        ShapeError: shapes do not fit, a parent comes after its child, or an entry is
            not finite.
    """
    nodes = _expect_parents(parent)
    if layout not in ("additive", "factored"):
        raise ShapeError(f"layout must be 'additive' or 'factored', got {layout!r}.")
    kind = expect_float_type(np.asarray(own).dtype)
    turns, places, rows = (np.ascontiguousarray(a, kind) for a in (R_PC, p_PC, own))
    n = nodes.size
    for name, array, shape in (
        ("R_PC", turns, (n, 3, 3)),
        ("p_PC", places, (n, 3)),
        ("own", rows, (n, 10)),
    ):
        if array.shape != shape:
            raise ShapeError(f"{name} must have shape {shape}, got {array.shape}.")
    result = TreeMass(*(np.empty_like(rows) for _ in range(3)))
    factored = layout == "factored"
    _to_root(nodes, turns, places, rows, factored, result.subtree, result.beyond)
    # Anything that is not finite has reached the root; only then look for it.
    if not np.isfinite(result.subtree[0]).all():
        _complain(turns, places, rows)
    _to_leaves(nodes, turns, places, rows, factored, *result[1:], result.whole)
    return result


def _expect_parents(parent: ArrayLike) -> NDArray[np.int64]:
    nodes = np.asarray(parent)
    if nodes.ndim != 1 or nodes.size == 0 or nodes.dtype.kind not in "iu":
        raise ShapeError("parent must be a list of whole numbers, one or more.")
    nodes = np.ascontiguousarray(nodes, np.int64)
    if nodes[0] != -1:
        raise ShapeError(f"parent[0] must be -1, node 0 is the root; got {nodes[0]}.")
    wrong = (nodes[1:] < 0) | (nodes[1:] >= np.arange(1, nodes.size))
    if wrong.any():
        k = 1 + int(np.argmax(wrong))
        raise ShapeError(
            f"parent[{k}] must be an earlier node, 0 to {k - 1}, got {nodes[k]}."
        )
    return nodes


def _complain(R_PC: Floats, p_PC: Floats, own: Floats) -> None:
    for name, array in (("R_PC", R_PC[1:]), ("p_PC", p_PC[1:]), ("own", own)):
        bad = ~np.isfinite(array.reshape(len(array), -1)).all(axis=1)
        if bad.any():
            k = int(np.argmax(bad)) + (name != "own")
            raise ShapeError(f"{name}[{k}] must be finite.")
    raise ShapeError(f"the sum over the tree overflows {own.dtype}.")
