"""A model's shapes as a page draws them: sizes, meshes, height fields as meshes."""

from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array
from equipoise.viz.replay.marks import base64_of
from equipoise.viz.shapes import (
    HEIGHT_FIELD,
    geom_colours,
    height_surface,
    is_plane,
    is_visible,
)

__all__ = ["DrawnGeoms", "drawn_geoms"]

STEPS = 65535  # of a mesh's corner along a side of its box
KINDS = {
    int(mujoco.mjtGeom.mjGEOM_SPHERE): "sphere",
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): "capsule",
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): "ellipsoid",
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): "cylinder",
    int(mujoco.mjtGeom.mjGEOM_BOX): "box",
    int(mujoco.mjtGeom.mjGEOM_MESH): "mesh",
    int(mujoco.mjtGeom.mjGEOM_SDF): "mesh",
    HEIGHT_FIELD: "mesh",
}
"""Shapes the page can draw; planes are its floor."""


class DrawnGeoms(NamedTuple):
    """Geoms that a page draws."""

    geoms: list[dict[str, Any]]
    bodies: NDArray[np.int64]
    """That the geoms sit on."""
    meshes: list[dict[str, Any]]
    """That the geoms use."""


def _packed_mesh(corners: Array, faces: Any) -> dict[str, Any]:
    """Return corners, as steps of 1 / 65535 of their box, and triangles."""
    low, size = corners.min(axis=0), np.ptp(corners, axis=0)
    steps = np.rint((corners - low) / np.where(size > 0.0, size, 1.0) * STEPS)
    is_small = len(corners) <= STEPS
    return {
        "low": low.tolist(),
        "size": size.tolist(),
        "vertices": base64_of(steps, np.uint16),
        "faces": base64_of(faces, np.uint16 if is_small else np.uint32),
        "is_small": is_small,
    }


def _mesh_of(model: mujoco.MjModel, geom: int) -> dict[str, Any]:
    """Return the triangles of a mesh or a height field."""
    if int(model.geom_type[geom]) == HEIGHT_FIELD:
        return _packed_mesh(*height_surface(model, geom))
    mesh = int(model.geom_dataid[geom])
    v, nv = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    f, nf = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    corners = model.mesh_vert[v : v + nv].astype(np.float64)
    return _packed_mesh(corners, model.mesh_face[f : f + nf])


def drawn_geoms(model: mujoco.MjModel) -> DrawnGeoms:
    """Return the geoms to draw, the bodies they sit on, and the meshes they use.

    Args:
        model: compiled for pictures.
    """
    kinds = np.isin(model.geom_type, list(KINDS))
    drawn = np.flatnonzero(is_visible(model) & ~is_plane(model) & kinds)
    bodies, colours = np.unique(model.geom_bodyid[drawn]), geom_colours(model)
    known: dict[tuple[int, int], int] = {}
    geoms, meshes = list[dict[str, Any]](), list[dict[str, Any]]()
    for g in map(int, drawn):
        kind = int(model.geom_type[g])
        geom: dict[str, Any] = {
            "type": KINDS[kind],
            "body": int(np.searchsorted(bodies, model.geom_bodyid[g])),
            "size": model.geom_size[g].tolist(),
            "pos": model.geom_pos[g].tolist(),
            "quat": model.geom_quat[g].tolist(),
            "rgb": colours[g, :3].round(4).tolist(),
            "shades": kind != HEIGHT_FIELD,
        }
        if geom["type"] == "mesh":
            key = (int(kind == HEIGHT_FIELD), int(model.geom_dataid[g]))
            if key not in known:
                known[key] = len(meshes)
                meshes.append(_mesh_of(model, g))
            geom["mesh"] = known[key]
        geoms.append(geom)
    return DrawnGeoms(geoms, bodies, meshes)
