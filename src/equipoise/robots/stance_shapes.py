"""The points of a shape on which it can stand, kind by kind.

Where a shape is round only its lowest point can touch; of others all corners can.
"""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3

__all__ = ["corners_of", "outermost"]

GEOM = mujoco.mjtGeom
UPRIGHT = 1e-4  # tilt up to which a cylinder stands on its whole rim [rad]
SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
RIM = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)


def corners_of(model: Any, data: Any, geom: int) -> Array | None:
    """Return the points of a shape on which it can stand, in the world, (n, 3)."""
    kind = GEOM(int(model.geom_type[geom]))
    if kind not in CORNERS:
        return None
    R, p = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
    local = CORNERS[kind](model, geom, R.T @ np.array([0.0, 0.0, -1.0]))
    return p + local @ R.T


def box_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the eight corners."""
    return SIGNS * model.geom_size[geom]


def sphere_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point."""
    return (model.geom_size[geom, 0] * down)[None, :]


def capsule_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point of each end."""
    radius, half = model.geom_size[geom, :2]
    return np.array([[0.0, 0.0, end * half] + radius * down for end in (-1.0, 1.0)])


def cylinder_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point of each rim, or both rims of one that is upright."""
    radius, half = model.geom_size[geom, :2]
    lean = float(np.hypot(down[0], down[1]))
    if lean > UPRIGHT:
        x, y = radius * down[:2] / lean
        return np.array([[x, y, -half], [x, y, half]])
    ring = radius * np.column_stack([np.cos(RIM), np.sin(RIM)])
    ends = [np.column_stack([ring, np.full(len(ring), end)]) for end in (-half, half)]
    return np.vstack(ends)


def ellipsoid_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point: the one whose normal points down."""
    size = np.array(model.geom_size[geom])
    stretched = size * down
    return (size * stretched / np.linalg.norm(stretched))[None, :]


def mesh_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the mesh's vertices."""
    mesh = int(model.geom_dataid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    return np.array(model.mesh_vert[first : first + count], np.float64)


CORNERS: dict[Any, Callable[[Any, int, Vec3], Array]] = {
    GEOM.mjGEOM_BOX: box_corners,
    GEOM.mjGEOM_SPHERE: sphere_corners,
    GEOM.mjGEOM_CAPSULE: capsule_corners,
    GEOM.mjGEOM_CYLINDER: cylinder_corners,
    GEOM.mjGEOM_ELLIPSOID: ellipsoid_corners,
    GEOM.mjGEOM_MESH: mesh_corners,
}


def outermost(points: Array) -> Array:
    """Return the corners of a patch seen from above; all of a few."""
    if len(points) <= 4:
        return points
    from scipy.spatial import ConvexHull, QhullError  # slow to import

    try:
        return points[ConvexHull(points[:, :2]).vertices]
    except QhullError:  # on one line: its two ends
        along = points[:, :2] - points[:, :2].mean(axis=0)
        axis = np.linalg.svd(along)[2][0]
        order = np.argsort(along @ axis)
        return points[[order[0], order[-1]]]
