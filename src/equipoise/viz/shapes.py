"""What of a model can be seen: its visible geoms, their colours and extents."""

import copy
from itertools import product

import mujoco
import numpy as np

from equipoise.core.arrays import Array, expect_array
from equipoise.robots.visuals.linkage import linkages_of

__all__ = [
    "HEIGHT_FIELD",
    "MESHES",
    "VISIBLE_GROUPS",
    "box_corners",
    "data_in_pose",
    "geom_colours",
    "height_surface",
    "is_plane",
    "is_visible",
    "lowest_point",
    "with_wide_boxes",
]

GEOM = mujoco.mjtGeom
MESHES = (int(GEOM.mjGEOM_MESH), int(GEOM.mjGEOM_SDF))
"""Types of geoms that are triangles."""
HEIGHT_FIELD = int(GEOM.mjGEOM_HFIELD)
FINEST = 256
"""Points along a side of a height field that are drawn; every so many, of more."""
VISIBLE_GROUPS = np.array([1, 1, 1, 0, 0, 0], np.uint8)
"""Geom groups that are drawn, 0 to 5: MuJoCo's own default."""


def data_in_pose(model: mujoco.MjModel, qpos: Array) -> mujoco.MjData:
    """Return fresh data with the kinematics of ``qpos``, (nq,); nothing is stepped."""
    data = mujoco.MjData(model)
    data.qpos[:] = expect_array("qpos", qpos, (model.nq,))
    mujoco.mj_kinematics(model, data)
    linkages_of(model).place(model, data)
    return data


def geom_colours(model: mujoco.MjModel) -> Array:
    """Return red, green, blue and alpha of every geom, (ngeom, 4) in [0, 1].

    As in MuJoCo's own pictures, a material's colour holds unless the geom has been
    given a colour of its own (anything but the default grey).
    """
    rgba = np.asarray(model.geom_rgba, dtype=np.float64).copy()
    is_default = (rgba == (0.5, 0.5, 0.5, 1.0)).all(axis=1)
    use = is_default & (model.geom_matid >= 0)
    rgba[use] = model.mat_rgba[model.geom_matid[use]]
    return rgba


def is_visible(model: mujoco.MjModel) -> np.ndarray:
    """Return for every geom whether it is drawn, (ngeom,): shown group, alpha > 0."""
    group = np.clip(model.geom_group, 0, len(VISIBLE_GROUPS) - 1)
    return (VISIBLE_GROUPS[group] == 1) & (geom_colours(model)[:, 3] > 0.0)


def is_plane(model: mujoco.MjModel) -> np.ndarray:
    """Return for every geom whether it is a plane (ground), (ngeom,)."""
    return model.geom_type == int(mujoco.mjtGeom.mjGEOM_PLANE)


def height_surface(model: mujoco.MjModel, geom: int) -> tuple[Array, np.ndarray]:
    """Return a height field as triangles: its upper side, and walls down to its base.

    Args:
        model: compiled model.
        geom: number of the height field's geom.

    Returns:
        Corners in the geom's frame, (n, 3) [m], those of the upper side first, row by
        row; and the corners of each triangle, in order about its outer side, (m, 3).
    """
    field = int(model.geom_dataid[geom])
    rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
    first = int(model.hfield_adr[field])
    heights = model.hfield_data[first : first + rows * columns].reshape(rows, columns)
    i, j = (
        np.unique(np.linspace(0, n - 1, min(n, FINEST)).astype(int))
        for n in (rows, columns)
    )
    half_x, half_y, top, base = model.hfield_size[field]
    y, x = np.meshgrid(
        half_y * (2.0 * i / (rows - 1) - 1.0),
        half_x * (2.0 * j / (columns - 1) - 1.0),
        indexing="ij",
    )
    corners = np.stack([x, y, top * heights[np.ix_(i, j)]], axis=2).reshape(-1, 3)
    at = np.arange(len(i) * len(j)).reshape(len(i), len(j))
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    faces = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3)
    rim = np.concatenate((at[0, :-1], at[:-1, -1], at[-1, :0:-1], at[:0:-1, 0]))
    below = corners[rim] * (1.0, 1.0, 0.0) - (0.0, 0.0, base)
    low = len(corners) + np.arange(len(rim))
    high = low + len(rim)  # corners of their own, for the edge is sharp
    walls = np.stack([low, np.roll(low, -1), np.roll(high, -1)], axis=1)
    above = np.stack([low, np.roll(high, -1), high], axis=1)
    corners = np.vstack((corners, below, corners[rim]))
    return corners, np.vstack((faces, walls, above))


def box_corners(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """Return the corners of a box around every visible geom that is no plane.

    Args:
        model: compiled model.
        data: its pose, see ``data_in_pose``.

    Returns:
        Corners in W, (n, 8, 3) [m].
    """
    drawn = np.flatnonzero(is_visible(model) & ~is_plane(model))
    signs = np.array(list(product((-1.0, 1.0), repeat=3)))
    centre, half = model.geom_aabb[drawn, None, :3], model.geom_aabb[drawn, None, 3:]
    R_WG = data.geom_xmat[drawn].reshape(-1, 3, 3)
    return data.geom_xpos[drawn, None] + (centre + signs * half) @ R_WG.swapaxes(1, 2)


def lowest_point(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Return the height of the lowest point of all visible geoms that are no plane.

    Unlike the corners of boxes it is exact; a height field counts by its box.

    Args:
        model: compiled model.
        data: its pose, see ``data_in_pose``.

    Returns:
        Its height in W [m]; infinite without any geom.
    """
    drawn = np.flatnonzero(is_visible(model) & ~is_plane(model))
    reach = [_down(model, int(g), data.geom_xmat[g, 6:9]) for g in drawn]
    return float((data.geom_xpos[drawn, 2] - reach).min(initial=np.inf))


def _down(model: mujoco.MjModel, geom: int, up: Array) -> float:
    """Return how far a geom reaches down from its own place; ``up`` is W's z in it."""
    kind, size = int(model.geom_type[geom]), model.geom_size[geom]
    along, aside = abs(up[2]), float(np.hypot(up[0], up[1]))
    if kind == int(GEOM.mjGEOM_SPHERE):
        return float(size[0])
    if kind == int(GEOM.mjGEOM_CAPSULE):
        return float(size[0] + along * size[1])
    if kind == int(GEOM.mjGEOM_CYLINDER):
        return float(aside * size[0] + along * size[1])
    if kind == int(GEOM.mjGEOM_ELLIPSOID):
        return float(np.linalg.norm(up * size))
    if kind in MESHES:
        mesh = int(model.geom_dataid[geom])
        v, nv = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        return float(-(model.mesh_vert[v : v + nv] @ up).min())
    centre, half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
    return float(np.abs(up) @ half - up @ centre)


def with_wide_boxes(model: mujoco.MjModel) -> mujoco.MjModel:
    """Return a copy in whose pictures no shape is cut off.

    The engine passes a ray by a body whose box it misses, and where some of a body's
    geoms can collide that box is round these alone. Here it is round all of them.

    Args:
        model: compiled model; not changed.
    """
    wide = copy.copy(model)
    for body in range(1, model.nbody):
        first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
        if model.body_bvhnum[body] == 0 or count == 0:
            continue
        own = slice(first, first + count)
        away = np.linalg.norm(model.geom_pos[own] - model.body_ipos[body], axis=1)
        reach = float((away + model.geom_rbound[own]).max())
        wide.bvh_aabb[model.body_bvhadr[body]] = [0.0, 0.0, 0.0, reach, reach, reach]
    return wide
