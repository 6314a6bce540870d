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
    "project",
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
    """Visible triangles in every pixel."""

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
        depth = np.divide(1.0, near, out=near)  # infinite where there is nothing
    if len(which) < len(triangles.corners):
        index = np.append(which, -1)[index]
    return Visible(index, depth)


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
    away = float(np.linalg.norm(np.subtract(camera.target, camera.eye)))
    middle = 0.5 * size[0] - shift[0] - 0.5, 0.5 * size[1] - shift[1] - 0.5
    lens = np.array([camera.focal(size[1]), *middle, NEAREST * away])
    xyw = np.empty((len(corners), 3, 3))
    which = np.empty(len(corners), np.int64)
    eye, axes = np.array(camera.eye, np.float64), np.ascontiguousarray(camera.R_WE)
    count = project(np.ascontiguousarray(corners), eye, axes, lens, xyw, which)
    return xyw[:count], which[:count]


@compiled(allocates=False)
def project(
    corners: Array, eye: Array, axes: Array, lens: Array, xyw: Array, which: Ints
) -> int:
    """Write where triangles are in a picture, and return how many are wholly ahead.

    Args:
        corners: (n, 3, 3) [m], in W.
        eye: the camera's place, (3,) [m].
        axes: its right, up and along as columns, (3, 3).
        lens: focal length, middle of the picture in x and y [pixels], least depth [m].
        xyw: pixel x and y and one over the depth of each corner, (n, 3, 3);
            overwritten.
        which: triangles that were written, (n,); overwritten.
    """
    count = 0
    for t in range(corners.shape[0]):
        is_ahead = True
        for k in range(3):
            x = corners[t, k, 0] - eye[0]
            y = corners[t, k, 1] - eye[1]
            z = corners[t, k, 2] - eye[2]
            depth = x * axes[0, 2] + y * axes[1, 2] + z * axes[2, 2]
            if not depth > lens[3]:
                is_ahead = False
                break
            w = 1.0 / depth
            right = x * axes[0, 0] + y * axes[1, 0] + z * axes[2, 0]
            up = x * axes[0, 1] + y * axes[1, 1] + z * axes[2, 1]
            xyw[count, k, 0] = lens[1] + lens[0] * right * w
            xyw[count, k, 1] = lens[2] - lens[0] * up * w
            xyw[count, k, 2] = w
        if is_ahead:
            which[count] = t
            count += 1
    return count


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
        per = 1.0 / area
        left = max(int(np.ceil(min(x0, x1, x2))), 0)
        right = min(int(np.floor(max(x0, x1, x2))), width - 1)
        top = max(int(np.ceil(min(y0, y1, y2))), 0)
        bottom = min(int(np.floor(max(y0, y1, y2))), height - 1)
        for y in range(top, bottom + 1):
            for x in range(left, right + 1):
                a = ((x1 - x) * (y2 - y) - (x2 - x) * (y1 - y)) * per
                if a < 0.0:
                    continue
                b = ((x2 - x) * (y0 - y) - (x0 - x) * (y2 - y)) * per
                c = 1.0 - a - b
                if b < 0.0 or c < 0.0:
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
