"""Meshes in a picture: triangle by triangle into a grid of pixels.

A ray for each pixel is exact and simple, but takes seconds where a robot has a hundred
thousand triangles; filling them takes hundredths. What a ray gives, this gives: which
triangle is nearest in a pixel's middle, how far it is, and its normal.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.viz.camera import Camera
from equipoise.viz.shapes import MESHES, is_visible

__all__ = [
    "Triangles",
    "Visible",
    "fill",
    "meet",
    "mesh_triangles",
    "projected",
    "seen",
]

NEAREST = 1e-3
"""Depth in front of which nothing is drawn, of the way to the camera's target."""


@final
@dataclass(frozen=True, eq=False)
class Triangles:
    """All visible meshes of a pose."""

    corners: Array
    """(n, 3, 3) [m], in W."""
    geom: Ints
    """Whose each is, (n,)."""

    @cached_property
    def normals(self) -> Array:
        """Unit normals, (n, 3)."""
        a, b, c = np.moveaxis(self.corners, 1, 0)
        normal = np.cross(b - a, c - a)
        length = np.sqrt(np.einsum("ij,ij->i", normal, normal))
        return normal / np.maximum(length, 1e-30)[:, None]


def mesh_triangles(model: mujoco.MjModel, data: mujoco.MjData) -> Triangles | None:
    """Return the meshes of a pose; None where there is nothing of the kind.

    Args:
        model: compiled model.
        data: its pose.
    """
    geoms = np.flatnonzero(is_visible(model) & np.isin(model.geom_type, MESHES))
    if not len(geoms):
        return None
    corners: list[Array] = []
    for g in geoms:
        mesh = int(model.geom_dataid[g])
        v, nv = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        f, nf = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        R_WG = data.geom_xmat[g].reshape(3, 3)
        p_W = model.mesh_vert[v : v + nv] @ R_WG.T + data.geom_xpos[g]
        corners.append(p_W[model.mesh_face[f : f + nf]])
    counts = [len(own) for own in corners]
    return Triangles(np.concatenate(corners), np.repeat(geoms, counts).astype(np.int64))


@final
@dataclass(frozen=True, eq=False)
class Visible:
    """What is seen of triangles in every pixel."""

    triangle: Ints
    """Nearest one, -1 for none, (h, w)."""
    depth: Array
    """Along the view, infinite for none, (h, w) [m]."""


def seen(
    triangles: Triangles,
    camera: Camera,
    size: tuple[int, int],
    shift: tuple[float, float] = (0.0, 0.0),
) -> Visible:
    """Return which triangles a camera sees.

    Args:
        triangles: of a pose.
        camera: where from.
        size: width and height [pixels].
        shift: of the point in a pixel that counts, from its middle [pixels].
    """
    xyw, which = projected(triangles.corners, camera, size, shift)
    near, index = np.zeros((size[1], size[0])), np.full((size[1], size[0]), -1)
    fill(xyw, near, index)
    with np.errstate(divide="ignore"):
        depth = np.where(index >= 0, 1.0 / near, np.inf)
    return Visible(np.where(index >= 0, np.append(which, -1)[index], -1), depth)


def projected(
    corners: Array,
    camera: Camera,
    size: tuple[int, int],
    shift: tuple[float, float] = (0.0, 0.0),
) -> tuple[Array, Ints]:
    """Return triangles in a picture as ``fill`` takes them, and which of all they are.

    Args:
        corners: (n, 3, 3) [m], in W; what is not wholly ahead is left out.
        camera: where from.
        size: width and height [pixels].
        shift: of the point in a pixel that counts, from its middle [pixels].
    """
    flat = (corners.reshape(-1, 3) - np.asarray(camera.eye)) @ camera.R_WE
    p_E = flat.reshape(-1, 3, 3)
    away = float(np.linalg.norm(np.subtract(camera.target, camera.eye)))
    is_ahead = (p_E[:, :, 2] > NEAREST * away).all(axis=1)
    p_E, which = p_E[is_ahead], np.flatnonzero(is_ahead)
    f = camera.focal(size[1])
    xyw = np.empty_like(p_E)
    xyw[:, :, 2] = 1.0 / p_E[:, :, 2]
    xyw[:, :, 0] = 0.5 * size[0] + f * p_E[:, :, 0] * xyw[:, :, 2] - shift[0] - 0.5
    xyw[:, :, 1] = 0.5 * size[1] - f * p_E[:, :, 1] * xyw[:, :, 2] - shift[1] - 0.5
    return np.ascontiguousarray(xyw), which


@compiled(allocates=False)
def fill(xyw: Array, near: Array, index: Ints) -> None:
    """Write the nearest triangle of every pixel.

    One over the depth is linear in the picture, so edge functions interpolate it.

    Args:
        xyw: pixel x and y, whole in the middle of a pixel, and one over the depth of
            each corner, (n, 3, 3).
        near: one over the depth of what is there, (h, w); overwritten where beaten.
        index: which it is, (h, w); overwritten.
    """
    height, width = near.shape
    for t in range(xyw.shape[0]):
        x0, y0, w0 = xyw[t, 0, 0], xyw[t, 0, 1], xyw[t, 0, 2]
        x1, y1, w1 = xyw[t, 1, 0], xyw[t, 1, 1], xyw[t, 1, 2]
        x2, y2, w2 = xyw[t, 2, 0], xyw[t, 2, 1], xyw[t, 2, 2]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if area == 0.0:
            continue
        left = max(int(np.ceil(min(x0, x1, x2))), 0)
        right = min(int(np.floor(max(x0, x1, x2))), width - 1)
        top = max(int(np.ceil(min(y0, y1, y2))), 0)
        bottom = min(int(np.floor(max(y0, y1, y2))), height - 1)
        for y in range(top, bottom + 1):
            for x in range(left, right + 1):
                a = ((x1 - x) * (y2 - y) - (x2 - x) * (y1 - y)) / area
                b = ((x2 - x) * (y0 - y) - (x0 - x) * (y2 - y)) / area
                c = 1.0 - a - b
                if a < 0.0 or b < 0.0 or c < 0.0:
                    continue
                w = a * w0 + b * w1 + c * w2
                if w > near[y, x]:
                    near[y, x], index[y, x] = w, t


def meet(
    triangles: Triangles,
    found: Visible,
    xy: Array,
    d_W: Array,
    camera: Camera,
) -> tuple[Ints, Array, Array]:
    """Return what the rays of some pixels meet: geom, -1 for none, length, normal.

    A normal looks at the viewer: a thin sheet has two sides.

    Args:
        triangles: of a pose.
        found: what the camera sees of them.
        xy: pixels, whole numbers, (n, 2).
        d_W: the rays' unit directions, (n, 3).
        camera: where they come from.
    """
    column, row = xy.T.astype(np.int64)
    which = found.triangle[row, column]
    normal = triangles.normals[which]
    outward = np.einsum("ij,ij->i", normal, d_W) > 0.0
    normal = np.where(outward[:, None], -normal, normal)
    length = found.depth[row, column] / (d_W @ camera.R_WE[:, 2])
    return np.where(which >= 0, triangles.geom[which], -1), length, normal
