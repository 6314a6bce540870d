"""What a robot and its ground look like, as shapes that Foxglove draws."""

from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.runs.export.foxglove.messages import (
    WORLD,
    colour,
    fox,
    point_message,
    pose,
    stamp,
    vector_message,
)
from equipoise.sim.recording import names
from equipoise.spatial.rotations import matrix_from_quat
from equipoise.viz.shapes import (
    HEIGHT_FIELD,
    MESHES,
    geom_colours,
    height_surface,
    is_plane,
    is_visible,
)

__all__ = ["body_names", "ground_update", "robot_update"]

GEOM = mujoco.mjtGeom
FLOOR = (0.55, 0.55, 0.55, 0.35)
FLOOR_SIZE, FLOOR_THICK = 20.0, 1e-3  # of a floor without end [m]


def body_names(model: mujoco.MjModel) -> list[str]:
    """Return the frames' names: those of the bodies, the world's first.

    Args:
        model: of the run.
    """
    return [WORLD, *names(model, "body", model.nbody)[1:]]


def robot_update(model: mujoco.MjModel, time: int) -> Any:
    """Return the shapes of all that moves, each in the frame of its body.

    Args:
        model: for pictures, of the run.
        time: from when on they are there [ns].
    """
    drawn = is_visible(model) & (model.geom_bodyid > 0)
    return _scene_of(model, np.flatnonzero(drawn), time)


def ground_update(model: mujoco.MjModel, time: int, middle: Array) -> Any:
    """Return the shapes of what stands still: floor, blocks, height fields.

    Args:
        model: for pictures, of the run.
        time: from when on they are there [ns].
        middle: of a floor without end, (2,) [m].
    """
    still = is_visible(model) & (model.geom_bodyid == 0)
    update = _scene_of(model, np.flatnonzero(still & ~is_plane(model)), time)
    cubes = [
        _floor(model.geom_pos[g], model.geom_quat[g], model.geom_size[g], middle)
        for g in np.flatnonzero(still & is_plane(model))
    ] or [_floor(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3), middle)]
    update.entities.append(entity("floor", WORLD, time, cubes=cubes))
    return update


def entity(name: str, frame: str, time: int, **shapes: Any) -> Any:
    """Return some shapes in a frame, which they go with.

    Args:
        name: by which the shapes are replaced.
        frame: in which they are.
        time: from when on [ns].
        shapes: lists of ``cubes``, ``spheres``, ``arrows`` and so on.
    """
    return fox.SceneEntity(
        timestamp=stamp(time), frame_id=frame, id=name, frame_locked=True, **shapes
    )


def _scene_of(model: mujoco.MjModel, geoms: Ints, time: int) -> Any:
    """Return geoms as shapes, an entity a body."""
    frames, rgba = body_names(model), geom_colours(model)
    found: dict[int, dict[str, list[Any]]] = {}
    for g in map(int, geoms):
        shapes = found.setdefault(int(model.geom_bodyid[g]), {})
        for kind, shape in _primitives(model, g, rgba[g]):
            shapes.setdefault(kind, []).append(shape)
    entities = [
        entity(frames[body], frames[body], time, **shapes)
        for body, shapes in found.items()
    ]
    return fox.SceneUpdate(entities=entities)


def _primitives(model: mujoco.MjModel, g: int, rgba: Array) -> list[tuple[str, Any]]:
    """Return a geom's shapes and which list each goes to; none for what is unknown."""
    kind, (a, b, c) = int(model.geom_type[g]), model.geom_size[g].tolist()
    place, quat = model.geom_pos[g], model.geom_quat[g]
    at = {"pose": pose(place, quat), "color": colour(rgba)}

    def ball(size: Any, where: Any) -> tuple[str, Any]:
        own = {"pose": pose(where, quat), "color": colour(rgba)}
        return "spheres", fox.SpherePrimitive(size=vector_message(size), **own)

    def barrel() -> tuple[str, Any]:
        size = vector_message((2 * a, 2 * a, 2 * b))
        whole = {"bottom_scale": 1.0, "top_scale": 1.0}
        return "cylinders", fox.CylinderPrimitive(size=size, **whole, **at)

    if kind == int(GEOM.mjGEOM_SPHERE):
        return [ball((2 * a, 2 * a, 2 * a), place)]
    if kind == int(GEOM.mjGEOM_ELLIPSOID):
        return [ball((2 * a, 2 * b, 2 * c), place)]
    if kind == int(GEOM.mjGEOM_BOX):
        size = vector_message((2 * a, 2 * b, 2 * c))
        return [("cubes", fox.CubePrimitive(size=size, **at))]
    if kind == int(GEOM.mjGEOM_CYLINDER):
        return [barrel()]
    if kind == int(GEOM.mjGEOM_CAPSULE):
        end = b * matrix_from_quat(quat)[:, 2]
        balls = [ball((2 * a, 2 * a, 2 * a), place + s * end) for s in (-1.0, 1.0)]
        return [barrel(), *balls]
    if kind == HEIGHT_FIELD:
        return [("triangles", _surface(*height_surface(model, g), at))]
    if kind in MESHES:
        return [("triangles", _surface(*_mesh_surface(model, g), at))]
    return []


def _mesh_surface(model: mujoco.MjModel, g: int) -> tuple[Any, Any]:
    """Return a mesh's corners and triangles."""
    mesh = int(model.geom_dataid[g])
    v, nv = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    f, nf = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    return model.mesh_vert[v : v + nv], model.mesh_face[f : f + nf]


def _surface(corners: Any, faces: Any, at: dict[str, Any]) -> Any:
    """Return triangles that share corners."""
    indices = np.asarray(faces).ravel().tolist()
    points = [point_message(p) for p in corners]
    return fox.TriangleListPrimitive(points=points, indices=indices, **at)


def _floor(p: Array, quat: Array, half: Array, middle: Array) -> Any:
    """Return a plane as a thin plate, its upper side where the plane is."""
    R = matrix_from_quat(quat)
    size = [2.0 * s if s > 0.0 else FLOOR_SIZE for s in half[:2].tolist()]
    place = np.array(p, np.float64)
    if not (half[:2] > 0.0).all():  # without end: below the robot's way
        away = np.array([middle[0], middle[1], p[2]]) - p
        place += away - R[:, 2] * (R[:, 2] @ away)
    place -= 0.5 * FLOOR_THICK * R[:, 2]
    return fox.CubePrimitive(
        pose=pose(place, quat),
        size=vector_message((*size, FLOOR_THICK)),
        color=colour(FLOOR),
    )
