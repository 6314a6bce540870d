"""A robot as a pale line drawing seen square on, to which numbers are written.

Its triangles are filled into a grid of points from an endless distance; where one body
ends in front of another there is a line. Marks drawn over it can be read, and
lengths are true: the drawing says which rectangle it shows [m].
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints, Mat3, Vec3, VecN
from equipoise.viz.movie.solids import solids_of
from equipoise.viz.raster import fill
from equipoise.viz.shapes import data_in_pose

__all__ = [
    "ABOVE",
    "ShapeTriangles",
    "Sketch",
    "shape_triangles",
    "sketch",
    "view_from_side",
]

ABOVE = np.eye(3)
"""Seen from above: right is +x, up the page is +y, towards the viewer +z."""
FINE = 3
"""Points of the grid a pixel, along each side."""
STEP = 0.02
"""Depth, of the drawing's size, that makes a line within one body."""
ROBOT_FACE, GROUND_FACE = (232, 237, 243), (222, 216, 206)
ROBOT_LINE, GROUND_LINE = (98, 110, 128), (150, 140, 124)
DARKEST = 0.86
"""What is left of a face's brightness where it is seen from the side."""


@final
@dataclass(frozen=True, eq=False)
class ShapeTriangles:
    """Triangles that are drawn of a pose."""

    corners: Array = field(repr=False)
    """(n, 3, 3) [m]."""
    bodies: Ints = field(repr=False)
    """Whose each is, (n,)."""
    is_ground: NDArray[np.bool_] = field(repr=False)
    """Whether each belongs to what the robot stands on, (n,)."""

    @property
    def robot(self) -> Array:
        """Corners of the robot's triangles alone, (m, 3) [m]."""
        return self.corners[~self.is_ground].reshape(-1, 3)


class Sketch(NamedTuple):
    """A drawing and where it belongs."""

    image: NDArray[np.uint8]
    """Red, green, blue and alpha, (h, w, 4), the top row first."""
    extent: tuple[float, float, float, float]
    """Left, right, bottom and top [m]."""


def view_from_side(way: Array) -> Mat3:
    """Return the view from the side in which a direction points to the right.

    Args:
        way: horizontal, unit, (2,).

    Returns:
        Rows are right, up and towards the viewer.
    """
    right = np.array([way[0], way[1], 0.0])
    up = np.array([0.0, 0.0, 1.0])
    return np.stack([right, up, np.cross(right, up)])


def shape_triangles(
    model: Any, base: str, qpos: VecN, R: Mat3 | None = None, at: Vec3 | None = None
) -> ShapeTriangles:
    """Return the visible shapes of a robot in a pose, and the ground it has.

    Args:
        model: compiled for pictures.
        base: name of the robot's base; bodies of other trees are ground.
        qpos: (nq,).
        R: by which all is turned; None for not at all.
        at: about which point [m].
    """
    data, solids = data_in_pose(model, qpos), solids_of(model)
    corners = solids.placed(data)[:, :3]
    if R is not None and at is not None:
        corners = at + (corners - at) @ R.T
    counts = np.diff(solids.first)
    bodies = np.repeat(model.geom_bodyid[solids.geoms], counts).astype(np.int64)
    number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, base)
    root = int(model.body_rootid[max(number, 0)])
    return ShapeTriangles(corners, bodies, model.body_rootid[bodies] != root)


def sketch(
    shapes: ShapeTriangles,
    view: Mat3,
    bounds: tuple[float, float, float, float],
    per_metre: float,
) -> Sketch:
    """Return a robot drawn as it is seen from one side.

    Args:
        shapes: what is drawn.
        view: rows are right, up and towards the viewer, (3, 3).
        bounds: left, right, bottom and top of what is shown [m].
        per_metre: pixels a metre.
    """
    left, right, bottom, top = bounds
    scale = FINE * per_metre
    width, height = (
        FINE * max(1, round(per_metre * length))
        for length in (right - left, top - bottom)
    )
    flat = shapes.corners @ view.T
    near = np.zeros((height, width))
    index = np.full((height, width), -1, np.int64)
    if len(flat):
        low = float(flat[..., 2].min())
        placed = np.stack(
            [
                (flat[..., 0] - left) * scale - 0.5,
                (top - flat[..., 1]) * scale - 0.5,
                flat[..., 2] - low + 1e-3,  # the grid takes what is above 0
            ],
            axis=-1,
        )
        fill(np.ascontiguousarray(placed), near, index)
    rgba = _shaded(shapes, flat, index, near, STEP * max(right - left, top - bottom))
    return Sketch(_averaged(rgba), bounds)


def _shaded(
    shapes: ShapeTriangles, flat: Array, index: Ints, near: Array, step: float
) -> Array:
    """Return faces and lines as colours times alpha, and alpha, (h, w, 4) in [0, 1]."""
    is_there = index >= 0
    body = np.where(is_there, np.append(shapes.bodies, -1)[index], -1)
    line = _steps(body, near, step)
    a, b, c = np.moveaxis(flat, 1, 0)
    normal = np.cross(b - a, c - a)
    size = np.maximum(np.linalg.norm(normal, axis=1), 1e-30)
    facing = DARKEST + (1.0 - DARKEST) * np.abs(normal[:, 2]) / size
    # A row of colours for each triangle's face, for its lines, and for nothing.
    kinds = shapes.is_ground.astype(int)
    faces = np.array([ROBOT_FACE, GROUND_FACE])[kinds] * facing[:, None]
    inks = np.array([ROBOT_LINE, GROUND_LINE])[kinds]
    table = np.zeros((2 * len(faces) + 1, 4))
    table[:-1] = np.column_stack(
        [np.vstack([faces, inks]) / 255.0, np.ones(2 * len(faces))]
    )
    return table[np.where(is_there, index + len(faces) * line, -1)]


def _steps(body: Ints, near: Array, step: float) -> NDArray[np.bool_]:
    """Return where a body ends, or stands out from itself; on the nearer side."""
    line = np.zeros(body.shape, dtype=bool)
    for axis in (0, 1):
        for shift in (1, -1):
            other, deep = np.roll(body, shift, axis), np.roll(near, shift, axis)
            is_end = (body != other) & ((other < 0) | (near >= deep))
            line |= is_end | ((body == other) & (near - deep > step))
    thick = line.copy()  # as wide as half a pixel at least
    for axis in (0, 1):
        thick |= np.roll(line, 1, axis)
    return thick & (body >= 0)


def _averaged(rgba: Array) -> NDArray[np.uint8]:
    """Return a picture of which every pixel is the mean of its points."""
    h, w = rgba.shape[0] // FINE, rgba.shape[1] // FINE
    mean = rgba.reshape(h, FINE, w, FINE, 4).mean(axis=(1, 3))
    alpha = mean[..., 3:]
    rgb = mean[..., :3] / np.maximum(alpha, 1e-9)
    return np.round(255.0 * np.concatenate([rgb, alpha], axis=2)).astype(np.uint8)
