"""Triangles of a model's visible shapes, gathered by body and colour.

One mesh for all shapes of a colour on a body is little to send and to draw, however
many shapes there are. Edges sharper than ``CREASE`` stay edges.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.visuals.triangles import Surface3D, coarser
from equipoise.viz.shapes import MESHES, geom_colours, is_plane, is_visible

__all__ = ["BodyMesh", "body_meshes"]

GEOM = mujoco.mjtGeom
CREASE = np.radians(35.0)
ROUND = 24  # corners of a circle
MOST_TRIANGLES = 60_000
"""Of all meshes of a model together; finer ones are made coarser."""
LEAST_TRIANGLES = 300  # that any of them keeps


@final
@dataclass(frozen=True, eq=False)
class BodyMesh:
    """Triangles of one colour on one body, in the body's frame."""

    body: int
    vertices: Array = field(repr=False)
    """(nv, 3) [m]."""
    faces: np.ndarray = field(repr=False)
    """(nf, 3)."""
    rgb: tuple[int, int, int]
    opacity: float


def body_meshes(model: mujoco.MjModel) -> list[BodyMesh]:
    """Return what there is to draw of a model, but for planes.

    Args:
        model: compiled for pictures.
    """
    import trimesh

    colours = np.rint(255.0 * geom_colours(model)).astype(int)
    drawn = np.flatnonzero(is_visible(model) & ~is_plane(model))
    share = _triangle_share(model, drawn)
    groups: dict[tuple[int, ...], list[tuple[Array, np.ndarray]]] = {}
    for g in drawn:
        key = (int(model.geom_bodyid[g]), *colours[g].tolist())
        for vertices, faces in _surfaces(model, int(g), share):
            place = _placed(vertices, model.geom_pos[g], model.geom_quat[g])
            groups.setdefault(key, []).append((place, faces))
    found: list[BodyMesh] = []
    for (body, r, g, b, a), parts in groups.items():
        count = np.cumsum([0, *(len(vertices) for vertices, _ in parts[:-1])])
        whole = trimesh.Trimesh(
            np.vstack([vertices for vertices, _ in parts]),
            np.vstack([f + n for (_, f), n in zip(parts, count, strict=True)]),
            process=False,
        )
        creased: Any = trimesh.graph.smooth_shade(whole, angle=CREASE)
        corners, faces = np.asarray(creased.vertices), np.asarray(creased.faces)
        found.append(BodyMesh(body, corners, faces, (r, g, b), a / 255.0))
    return found


def _triangle_share(model: mujoco.MjModel, drawn: np.ndarray) -> float:
    """Return which share of their triangles meshes may keep, at most 1."""
    meshes = drawn[np.isin(model.geom_type[drawn], MESHES)]
    total = int(model.mesh_facenum[model.geom_dataid[meshes]].sum())
    return min(1.0, MOST_TRIANGLES / max(total, 1))


def _surfaces(
    model: mujoco.MjModel, geom: int, share: float
) -> Iterator[tuple[Array, np.ndarray]]:
    """Yield the corners and triangles of a shape, in its own frame."""
    from trimesh import creation

    kind, size = int(model.geom_type[geom]), model.geom_size[geom]
    radius, half = float(size[0]), float(size[1])
    if kind in MESHES:
        yield _mesh_surface(model, int(model.geom_dataid[geom]), share)
        return
    if kind == int(GEOM.mjGEOM_HFIELD):
        yield _field_surface(model, int(model.geom_dataid[geom]))
        return
    made: Any = None
    if kind == int(GEOM.mjGEOM_BOX):
        made = creation.box(2.0 * size)
    elif kind in (int(GEOM.mjGEOM_SPHERE), int(GEOM.mjGEOM_ELLIPSOID)):
        made = creation.icosphere(subdivisions=3)
        is_ball = kind == int(GEOM.mjGEOM_SPHERE)
        made.apply_scale([radius] * 3 if is_ball else size)
    elif kind == int(GEOM.mjGEOM_CAPSULE):
        made = creation.capsule(2.0 * half, radius, count=(ROUND, ROUND // 2))
        made.apply_translation(-made.bounds.mean(axis=0))  # whichever end it is from
    elif kind == int(GEOM.mjGEOM_CYLINDER):
        made = creation.cylinder(radius, 2.0 * half, sections=ROUND)
    if made is not None:
        yield np.asarray(made.vertices), np.asarray(made.faces)


def _mesh_surface(
    model: mujoco.MjModel, mesh: int, share: float
) -> tuple[Array, np.ndarray]:
    """Return a mesh, with a share of its triangles."""
    v, nv = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    f, nf = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    vertices, faces = model.mesh_vert[v : v + nv], model.mesh_face[f : f + nf]
    if share >= 1.0:
        return np.array(vertices), np.array(faces)
    fine = Surface3D(np.array(vertices, np.float32), np.array(faces, np.int32))
    coarse = coarser(fine, max(int(share * nf), LEAST_TRIANGLES))
    return np.asarray(coarse.vertices, np.float64), coarse.faces


def _field_surface(model: mujoco.MjModel, number: int) -> tuple[Array, np.ndarray]:
    """Return the upper side of a height field."""
    rows, columns = int(model.hfield_nrow[number]), int(model.hfield_ncol[number])
    width, length, height, _ = model.hfield_size[number]
    first = int(model.hfield_adr[number])
    z = height * model.hfield_data[first : first + rows * columns]
    y, x = np.mgrid[-length : length : rows * 1j, -width : width : columns * 1j]
    k = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = k[:-1, :-1], k[:-1, 1:], k[1:, 1:], k[1:, :-1]
    lower, upper = np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)
    faces = np.concatenate([lower.reshape(-1, 3), upper.reshape(-1, 3)])
    return np.column_stack([x.ravel(), y.ravel(), z]), faces


def _placed(vertices: Array, pos: Array, quat: Array) -> Array:
    """Return points of a shape's frame in its body's frame, (n, 3) [m]."""
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, quat)
    return pos + vertices @ turn.reshape(3, 3).T
