"""The points of a shape on which it can stand, kind by kind.

Where a shape is round only its lowest point can touch; of others all corners can.
"""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3

__all__ = ["balls_of", "corners_of", "curvature_radius", "outermost"]

GEOM = mujoco.mjtGeom
UPRIGHT = 1e-4  # tilt up to which a cylinder stands on its whole rim [rad]
SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
RIM = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)
FINE_RIM = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)


def _even_directions(count: int) -> Array:
    """Return directions spread evenly over a sphere, a Fibonacci lattice, (n, 3)."""
    z = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    turn = np.pi * (1.0 + np.sqrt(5.0)) * np.arange(count)
    r = np.sqrt(1.0 - z * z)
    return np.column_stack([r * np.cos(turn), r * np.sin(turn), z])


SPREAD = _even_directions(400)


def corners_of(
    model: Any, data: Any, geom: int, normal: Vec3 | None = None
) -> Array | None:
    """Return the points of a shape on which it can stand, in the world, (n, 3).

    Args:
        model: compiled.
        data: with the kinematics of the pose.
        geom: the shape.
        normal: of the plane it may stand on, unit; None for level ground.

    Returns:
        None for a shape whose form is not known.
    """
    kind = GEOM(int(model.geom_type[geom]))
    if kind not in CORNERS:
        return None
    R, p = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
    down = np.array([0.0, 0.0, -1.0]) if normal is None else -normal
    local = CORNERS[kind](model, geom, R.T @ down)
    return p + local @ R.T


def balls_of(
    model: Any, data: Any, geom: int, normal: Vec3
) -> tuple[Array, Array] | None:
    """Return a shape as balls, radius zero for corners: middles (n, 3), radii (n,).

    Round shapes that are no balls get corners on them, the nearest to the plane among
    them, so that a small turn is followed closely and a repeat exactly.

    Args:
        model: compiled.
        data: with the kinematics of the pose.
        geom: the shape.
        normal: of the plane it may stand on, unit.
    """
    corners = corners_of(model, data, geom, normal)
    if corners is None:
        return None
    kind = GEOM(int(model.geom_type[geom]))
    size, p = model.geom_size[geom], data.geom_xpos[geom]
    R = data.geom_xmat[geom].reshape(3, 3)
    if kind in (GEOM.mjGEOM_SPHERE, GEOM.mjGEOM_CAPSULE):
        radius = float(size[0])
        return corners + radius * normal, np.full(len(corners), radius)
    if kind == GEOM.mjGEOM_CYLINDER:
        down = R.T @ -normal
        turn = np.arctan2(down[1], down[0])
        corners = p + _rims(float(size[0]), float(size[1]), turn + FINE_RIM) @ R.T
    if kind == GEOM.mjGEOM_ELLIPSOID:
        corners = np.vstack([corners, p + (SPREAD * size) @ R.T])
    return corners, np.zeros(len(corners))


def curvature_radius(model: Any, geom: int) -> float:
    """Return the radius of the ball on which a shape stands; zero for corners [m].

    Args:
        model: compiled.
        geom: the shape.
    """
    kind = GEOM(int(model.geom_type[geom]))
    is_ball = kind in (GEOM.mjGEOM_SPHERE, GEOM.mjGEOM_CAPSULE)
    return float(model.geom_size[geom, 0]) if is_ball else 0.0


def _box_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the eight corners."""
    return SIGNS * model.geom_size[geom]


def _sphere_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point."""
    return (model.geom_size[geom, 0] * down)[None, :]


def _capsule_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point of each end."""
    radius, half = model.geom_size[geom, :2]
    return np.array([[0.0, 0.0, end * half] + radius * down for end in (-1.0, 1.0)])


def _cylinder_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point of each rim, or both rims of one that is upright."""
    radius, half = model.geom_size[geom, :2]
    lean = float(np.hypot(down[0], down[1]))
    if lean > UPRIGHT:
        x, y = radius * down[:2] / lean
        return np.array([[x, y, -half], [x, y, half]])
    return _rims(radius, half, RIM)


def _rims(radius: float, half: float, angles: Array) -> Array:
    """Return points of both rims of a cylinder, in its frame, (2 n, 3)."""
    ring = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    ends = [np.column_stack([ring, np.full(len(ring), end)]) for end in (-half, half)]
    return np.vstack(ends)


def _ellipsoid_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point: the one whose normal points down."""
    size = np.array(model.geom_size[geom])
    stretched = size * down
    return (size * stretched / np.linalg.norm(stretched))[None, :]


def _mesh_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the corners of the mesh's hull as the engine has it."""
    mesh = int(model.geom_dataid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    vertices = np.array(model.mesh_vert[first : first + count], np.float64)
    graph = int(model.mesh_graphadr[mesh])
    if graph < 0:
        return vertices
    corners = int(model.mesh_graph[graph])  # then faces, an address and a number each
    chosen = model.mesh_graph[graph + 2 + corners : graph + 2 + 2 * corners]
    return vertices[np.asarray(chosen)]


CORNERS: dict[Any, Callable[[Any, int, Vec3], Array]] = {
    GEOM.mjGEOM_BOX: _box_corners,
    GEOM.mjGEOM_SPHERE: _sphere_corners,
    GEOM.mjGEOM_CAPSULE: _capsule_corners,
    GEOM.mjGEOM_CYLINDER: _cylinder_corners,
    GEOM.mjGEOM_ELLIPSOID: _ellipsoid_corners,
    GEOM.mjGEOM_MESH: _mesh_corners,
}


def outermost(points: Array, normal: Vec3) -> list[int]:
    """Return which points are corners of a patch seen along a normal; all of a few.

    Args:
        points: (n, 3).
        normal: of the plane they are near, unit.
    """
    if len(points) <= 4:
        return list(range(len(points)))
    from scipy.spatial import ConvexHull, QhullError  # slow to import

    aside = np.array([1.0, 0.0, 0.0] if abs(normal[0]) < 0.7 else [0.0, 1.0, 0.0])
    x = np.cross(normal, aside)
    x /= np.linalg.norm(x)
    flat = points @ np.stack([x, np.cross(normal, x)]).T
    try:
        return [int(k) for k in ConvexHull(flat).vertices]
    except QhullError:  # on one line: its two ends
        along = flat - flat.mean(axis=0)
        order = np.argsort(along @ np.linalg.svd(along)[2][0])
        return [int(order[0]), int(order[-1])]
