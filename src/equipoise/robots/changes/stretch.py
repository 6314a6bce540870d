"""A link that is longer or shorter: all of it is stretched along its way.

A point p goes to p + (r - 1) (d·(p - s)) d, where s is the link's joint, d the way to
its end and r how many times as long it becomes. Its mass stays and is stretched with
it: with S = 1 + (r - 1) d dᵀ the second moments Σ = tr(I)/2 - I about the centre become
S Σ S. What is fixed to it is part of it; balls stay balls, meshes move as a whole.
"""

from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.errors import ConfigError
from equipoise.core.text import shown
from equipoise.robots.changes.numbers import ModelNumbers

__all__ = ["link_length", "stretched"]

ALONG = 0.999  # cosine from which a shape's axis counts as the link's
TOGETHER = 1e-6  # distance of joints that count as at one place [m]
SHORTEST = 1e-6  # link [m]
TURNED = {
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): (2,),
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): (2,),
    int(mujoco.mjtGeom.mjGEOM_BOX): (0, 1, 2),
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): (0, 1, 2),
}
"""Axes of shapes along which they have a size."""
ROUND = (int(mujoco.mjtGeom.mjGEOM_CAPSULE), int(mujoco.mjtGeom.mjGEOM_CYLINDER))


def link_length(model: Any, body: int, name: str) -> float:
    """Return how long a link is [m].

    From its joint to the next; a last link ends where what is fixed to it begins, or in
    the middle of its farthest shape.

    Args:
        model: compiled.
        body: number of the link.
        name: whose link it is, for complaints.

    Raises:
        ConfigError: it has no length: a base, or joints in several places.
    """
    return float(np.linalg.norm(_link_way(model, body, name)[1]))


def stretched(
    model: Any, numbers: ModelNumbers, body: int, length: float, name: str
) -> None:
    """Make a link so long, in place.

    Args:
        model: compiled, as it was before any change.
        numbers: of the robot, which are changed.
        body: number of the link.
        length: that it has then [m].
        name: whose link it is, for complaints.

    Raises:
        ConfigError: it has no length.
    """
    start, way = _link_way(model, body, name)
    ratio = length / float(np.linalg.norm(way))
    _stretch_part(model, numbers, body, start, way / np.linalg.norm(way), ratio)


def _stretch_part(
    model: Any, numbers: ModelNumbers, body: int, start: Vec3, along: Vec3, ratio: float
) -> None:
    """Stretch a body and what is fixed to it."""

    def at(place: Array) -> Array:
        return place + (ratio - 1.0) * np.outer((place - start) @ along, along)

    numbers.centre[body] = at(numbers.centre[body][None])[0]
    numbers.inertia[body] = _stretched_inertia(numbers.inertia[body], along, ratio)
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    if count:
        shapes = slice(first, first + count)
        numbers.shape_place[shapes] = at(numbers.shape_place[shapes])
        for shape in range(first, first + count):
            _stretch_shape(model, numbers, shape, along, ratio)
    for child in _children(model, body):
        turned = _rotation(model.body_quat[child])
        held = np.zeros(3)  # from its origin to where it hangs
        if not _is_fixed(model, child):
            held = turned @ model.jnt_pos[_joint_of(model, child)]
        hangs = numbers.place[child] + held
        numbers.place[child] = at(hangs[None])[0] - held
        if _is_fixed(model, child):
            own = turned.T @ along
            _stretch_part(model, numbers, child, np.zeros(3), own, ratio)


def _stretched_inertia(inertia: Mat3, along: Vec3, ratio: float) -> Mat3:
    """Return the inertia of a mass that is stretched about its centre."""
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    stretch = np.eye(3) + (ratio - 1.0) * np.outer(along, along)
    second = stretch @ second @ stretch
    return np.trace(second) * np.eye(3) - second


def _stretch_shape(
    model: Any, numbers: ModelNumbers, shape: int, along: Vec3, ratio: float
) -> None:
    """Make a shape longer where one of its axes is the link's."""
    kind = int(model.geom_type[shape])
    axes = _rotation(model.geom_quat[shape])
    for axis in TURNED.get(kind, ()):
        if abs(float(axes[:, axis] @ along)) > ALONG:
            numbers.shape_size[shape, 1 if kind in ROUND else axis] *= ratio


def _link_way(model: Any, body: int, name: str) -> tuple[Vec3, Vec3]:
    """Return a link's joint and the way from there to its end, in its frame [m]."""
    what = f"length.{shown(str(model.body(body).name))}"
    problem = ""
    if not int(model.body_jntnum[body]) or _is_free(model, body):
        problem = f"{what}: only links that a joint moves have a length"
    start = np.zeros(3) if problem else np.array(model.jnt_pos[_joint_of(model, body)])
    ends = [] if problem else _next_joints(model, body)
    if not problem and not ends:
        ends = _last_places(model, body)
        ends = sorted(ends, key=lambda end: -float(np.linalg.norm(end - start)))[:1]
    if any(float(np.linalg.norm(end - ends[0])) > TOGETHER for end in ends):
        problem = (
            f"{what}: it has joints in {len(ends)} places; only limbs have a length"
        )
    elif not problem and not (ends and np.linalg.norm(ends[0] - start) > SHORTEST):
        problem = f"{what}: it ends where it begins, so it has no length"
    if problem:
        raise ConfigError(f"the change of robot '{name}'", [problem])
    return start, ends[0] - start


def _next_joints(model: Any, body: int) -> list[Vec3]:
    """Return where the joints after a body are, in its frame [m]."""
    found: list[Vec3] = []
    for child in _children(model, body):
        turned, place = _rotation(model.body_quat[child]), model.body_pos[child]
        inner = (
            _next_joints(model, child)
            if _is_fixed(model, child)
            else [np.array(model.jnt_pos[_joint_of(model, child)])]
        )
        found += [place + turned @ one for one in inner]
    return found


def _last_places(model: Any, body: int) -> list[Vec3]:
    """Return where a last link may end: at what is fixed to it, or at its shapes."""
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    shapes = [np.array(model.geom_pos[first + k]) for k in range(count)]
    return [np.array(model.body_pos[c]) for c in _children(model, body)] + shapes


def _children(model: Any, body: int) -> list[int]:
    """Return the bodies that hang on a body."""
    return [c for c in range(body + 1, model.nbody) if model.body_parentid[c] == body]


def _is_fixed(model: Any, body: int) -> bool:
    """Return whether a body has no joint of its own."""
    return not int(model.body_jntnum[body])


def _is_free(model: Any, body: int) -> bool:
    """Return whether a body floats."""
    kind = int(model.jnt_type[_joint_of(model, body)])
    return kind == int(mujoco.mjtJoint.mjJNT_FREE)


def _joint_of(model: Any, body: int) -> int:
    """Return the first joint of a body."""
    return int(model.body_jntadr[body])


def _rotation(quat: Array) -> Mat3:
    """Return a rotation matrix."""
    turned = np.zeros(9)
    mujoco.mju_quat2Mat(turned, np.asarray(quat, dtype=float))
    return turned.reshape(3, 3)
