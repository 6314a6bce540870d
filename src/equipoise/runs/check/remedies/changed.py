"""A robot with one thing changed, and the proof that just that was changed.

Specifications come from files of all kinds: frames, defaults and directives may undo a
change or make more of it. So what was moved is measured in the compiled model, and a
change that came out otherwise is none.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.errors import EquipoiseError
from equipoise.robots.engine import built
from equipoise.robots.robot import Robot

__all__ = [
    "Shape",
    "lighter_body",
    "moved_body",
    "moved_centre",
    "moved_shapes",
    "shapes_named",
    "stronger_joints",
    "wider_soles",
]

EXACT = 1e-9  # by which a change may be off, rounding of a compiled model [m]


@final
@dataclass(frozen=True)
class Shape:
    """A shape of a robot, found again in a copy of its specification."""

    body: str
    """Name of its body."""
    place: int
    """Which of the body's shapes it is."""
    number: int
    """In the compiled scene."""


def shapes_named(robot: Robot, numbers: Sequence[int]) -> list[Shape] | None:
    """Return shapes of a robot's scene by body and place; None where one has no name.

    Args:
        robot: whose shapes they are.
        numbers: of the scene's model.
    """
    spec = (robot.spec if robot.scene is None else robot.scene).copy()
    built(spec, f"robot '{robot.name}'")
    found: list[Shape] = []
    for body in spec.bodies:
        for place, geom in enumerate(body.geoms):
            if geom.id in numbers:
                if not body.name:
                    return None
                found.append(Shape(str(body.name), place, int(geom.id)))
    return found if len(found) == len(set(numbers)) else None


def edited(robot: Robot, edit: Callable[[Any], None]) -> Robot | None:
    """Return a robot whose specifications were edited; None where that fails."""
    spec = robot.spec.copy()
    scene = None if robot.scene is None else robot.scene.copy()
    try:
        for one in (spec, scene):
            if one is not None:
                edit(one)
        new = replace(robot, spec=spec, scene=scene)
        is_alike = new.model.nbody == robot.model.nbody
        is_alike = is_alike and new.scene_model.ngeom == robot.scene_model.ngeom
    except (EquipoiseError, KeyError, ValueError, AttributeError, IndexError):
        return None
    return new if is_alike else None


def placed(model: Any, pose: VecN) -> Any:
    """Return a model's data in a pose."""
    data = mujoco.MjData(model)
    data.qpos[: len(pose)] = pose
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return data


def is_moved(
    old: Robot, new: Robot, pose: VecN, bodies: Mapping[int, Vec3], geoms: bool
) -> bool:
    """Say whether the centres of some bodies moved as told and all else stayed."""
    one, two = placed(old.model, pose), placed(new.model, pose)
    off = np.asarray(two.xipos - one.xipos)
    for body, way in bodies.items():
        off[body] -= way
    if float(np.abs(off).max()) > EXACT:
        return False
    if not np.allclose(new.model.body_mass, old.model.body_mass, rtol=1e-12, atol=0.0):
        return False
    if geoms:
        return True
    return float(np.abs(two.geom_xpos - one.geom_xpos).max(initial=0.0)) <= EXACT


def moved_body(robot: Robot, pose: VecN, name: str, way: Vec3) -> Robot | None:
    """Return a robot one of whose bodies, fixed to another, sits elsewhere.

    Args:
        robot: the robot.
        pose: in which the way is seen, (nq,).
        name: of the body.
        way: where to, in the world, (3,) [m].
    """
    model = robot.model
    body = int(model.body(name).id)
    parent = int(model.body_parentid[body])
    R_WP = placed(model, pose).xmat[parent].reshape(3, 3)
    step = R_WP.T @ way

    def edit(spec: Any) -> None:
        found = spec.body(name)
        found.pos = np.asarray(found.pos) + step

    new = edited(robot, edit)
    below = [b for b in range(model.nbody) if is_below(model, b, body)]
    if new and is_moved(robot, new, pose, dict.fromkeys(below, way), geoms=True):
        return new
    return None


def is_below(model: Any, body: int, top: int) -> bool:
    """Say whether a body is another or hangs on it."""
    while body > top:
        body = int(model.body_parentid[body])
    return body == top


def moved_centre(robot: Robot, pose: VecN, name: str, way: Vec3) -> Robot | None:
    """Return a robot with the centre of mass of one body elsewhere, its shapes not.

    Args:
        robot: the robot.
        pose: in which the way is seen, (nq,).
        name: of the body.
        way: where to, in the world, (3,) [m].
    """
    model = robot.model
    body = int(model.body(name).id)
    step = placed(model, pose).xmat[body].reshape(3, 3).T @ way

    def edit(spec: Any) -> None:
        found = spec.body(name)
        write_inertia(found, model, body, 1.0)
        found.ipos = np.asarray(model.body_ipos[body]) + step

    new = edited(robot, edit)
    if new and is_moved(robot, new, pose, {body: way}, geoms=False):
        return new
    return None


def write_inertia(found: Any, model: Any, body: int, share: float) -> None:
    """Write a body's own mass properties out, or a share of them."""
    found.explicitinertial = True
    found.mass = share * float(model.body_mass[body])
    found.ipos = np.array(model.body_ipos[body])
    found.iquat = np.array(model.body_iquat[body])
    found.inertia = share * np.array(model.body_inertia[body])
    found.fullinertia = np.full(6, math.nan)


def lighter_body(robot: Robot, name: str, mass: float) -> Robot | None:
    """Return a robot one of whose bodies weighs less, spread as before.

    Args:
        robot: the robot.
        name: of the body.
        mass: that it has then, > 0 [kg].
    """
    model = robot.model
    body = int(model.body(name).id)
    share = mass / float(model.body_mass[body])
    new = edited(robot, lambda spec: write_inertia(spec.body(name), model, body, share))
    if new is None:
        return None
    masses = np.array(model.body_mass)
    masses[body] = mass
    is_so = np.allclose(new.model.body_mass, masses, rtol=1e-9, atol=0.0)
    return new if is_so else None


def moved_shapes(robot: Robot, pose: VecN, ways: Mapping[Shape, Vec3]) -> Robot | None:
    """Return a robot some of whose shapes sit elsewhere on their bodies.

    Args:
        robot: the robot.
        pose: in which the ways are seen, (nq,).
        ways: where to, in the world, (3,) [m], by shape.
    """
    model = robot.model
    data = placed(model, pose)

    def edit(spec: Any) -> None:
        for shape, way in ways.items():
            R_WB = data.xmat[int(model.body(shape.body).id)].reshape(3, 3)
            geom, step = spec.body(shape.body).geoms[shape.place], R_WB.T @ way
            if np.isfinite(np.asarray(geom.fromto)).all():
                geom.fromto = np.asarray(geom.fromto) + np.r_[step, step]
            else:
                geom.pos = np.asarray(geom.pos) + step
            write_own_inertia(spec.body(shape.body), model)

    new = edited(robot, edit)
    if new is None or not is_moved(robot, new, pose, {}, geoms=True):
        return None
    off = shape_moves(robot, new, pose)
    for shape, way in ways.items():
        off[shape.number] -= way
    return new if float(np.abs(off).max(initial=0.0)) <= EXACT else None


def write_own_inertia(found: Any, model: Any) -> None:
    """Keep a body's mass properties, which a moved shape would change otherwise."""
    if not found.explicitinertial:
        write_inertia(found, model, int(model.body(found.name).id), 1.0)


def shape_moves(old: Robot, new: Robot, pose: VecN) -> Array:
    """Return how far each shape of the scene moved on its body, (ngeom, 3) [m]."""
    before = placed(old.model, pose)
    moved = np.asarray(new.scene_model.geom_pos - old.scene_model.geom_pos)
    for geom, body in enumerate(old.scene_model.geom_bodyid):
        name = old.scene_model.body(int(body)).name
        if moved[geom].any():
            R_WB = before.xmat[int(old.model.body(name).id)].reshape(3, 3)
            moved[geom] = R_WB @ moved[geom]
    return moved


def wider_soles(
    robot: Robot, pose: VecN, axes: Mapping[Shape, int], more: float
) -> Robot | None:
    """Return a robot whose soles, boxes, are larger along one of their axes.

    Args:
        robot: the robot.
        pose: any, (nq,).
        axes: along which axis, by shape.
        more: by how much in all [m].
    """

    def edit(spec: Any) -> None:
        for shape, axis in axes.items():
            body = spec.body(shape.body)
            geom = body.geoms[shape.place]
            size = np.array(geom.size)
            size[axis] += 0.5 * more
            geom.size = size
            write_own_inertia(body, robot.model)

    new = edited(robot, edit)
    if new is None or not is_moved(robot, new, pose, {}, geoms=False):
        return None
    off = np.asarray(new.scene_model.geom_size - robot.scene_model.geom_size)
    for shape, axis in axes.items():
        off[shape.number, axis] -= 0.5 * more
    return new if float(np.abs(off).max()) <= EXACT else None


def stronger_joints(robot: Robot, factors: Mapping[str, float]) -> Robot | None:
    """Return a robot some of whose joints have other torque limits.

    Args:
        robot: the robot.
        factors: times its own, by name of the joint.
    """

    def edit(spec: Any) -> None:
        for name, factor in factors.items():
            joint = spec.joint(name)
            joint.actfrcrange = factor * np.asarray(joint.actfrcrange)
        for actuator in spec.actuators:
            factor = factors.get(actuator.target)
            if factor is not None:
                actuator.forcerange = factor * np.asarray(actuator.forcerange)
                actuator.ctrlrange = factor * np.asarray(actuator.ctrlrange)

    return edited(robot, edit)
