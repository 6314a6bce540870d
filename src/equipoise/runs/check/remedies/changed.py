"""A robot with one thing changed, and the proof that just that was changed.

Specifications come from files of all kinds: frames, defaults and directives may undo a
change or make more of it. So what was moved is measured in the compiled model, and a
change that came out otherwise is none.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Vec3, VecN
from equipoise.core.errors import EquipoiseError
from equipoise.robots.robot import Robot

__all__ = [
    "data_of_pose",
    "edited",
    "is_moved",
    "lighter_body",
    "moved_bodies",
    "stronger_joints",
    "with_moved_centre",
]

EXACT = 1e-9  # by which a change may be off, rounding of a compiled model [m]


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


def data_of_pose(model: Any, pose: VecN) -> Any:
    """Return a model's data in a pose."""
    data = mujoco.MjData(model)
    data.qpos[: len(pose)] = pose
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return data


def is_moved(
    old: Robot, new: Robot, pose: VecN, bodies: Mapping[int, Vec3], geoms: bool
) -> bool:
    """Return whether the centres of some bodies moved as told and all else stayed."""
    one, two = data_of_pose(old.model, pose), data_of_pose(new.model, pose)
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


def moved_bodies(robot: Robot, pose: VecN, ways: Mapping[str, Vec3]) -> Robot | None:
    """Return a robot some of whose bodies are attached elsewhere, with all on them.

    Args:
        robot: the robot.
        pose: in which the ways are seen, (nq,).
        ways: where to, in the world, (3,) [m], by name of the body; none of the
            bodies hangs on another one.
    """
    model, data = robot.model, data_of_pose(robot.model, pose)
    bodies = {int(model.body(name).id): name for name in ways}

    def edit(spec: Any) -> None:
        for body, name in bodies.items():
            R_WP = data.xmat[int(model.body_parentid[body])].reshape(3, 3)
            found = spec.body(name)
            found.pos = np.asarray(found.pos) + R_WP.T @ ways[name]

    below = {
        b: ways[name]
        for body, name in bodies.items()
        for b in range(model.nbody)
        if _is_below(model, b, body)
    }
    new = edited(robot, edit)
    return new if new and is_moved(robot, new, pose, below, geoms=True) else None


def _is_below(model: Any, body: int, top: int) -> bool:
    """Return whether a body is another or hangs on it."""
    while body > top:
        body = int(model.body_parentid[body])
    return body == top


def with_moved_centre(robot: Robot, pose: VecN, name: str, way: Vec3) -> Robot | None:
    """Return a robot with the centre of mass of one body elsewhere, its shapes not.

    Args:
        robot: the robot.
        pose: in which the way is seen, (nq,).
        name: of the body.
        way: where to, in the world, (3,) [m].
    """
    model = robot.model
    body = int(model.body(name).id)
    step = data_of_pose(model, pose).xmat[body].reshape(3, 3).T @ way

    def edit(spec: Any) -> None:
        found = spec.body(name)
        _write_inertia(found, model, body, 1.0)
        found.ipos = np.asarray(model.body_ipos[body]) + step

    new = edited(robot, edit)
    if new and is_moved(robot, new, pose, {body: way}, geoms=False):
        return new
    return None


def _write_inertia(found: Any, model: Any, body: int, share: float) -> None:
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
    new = edited(
        robot, lambda spec: _write_inertia(spec.body(name), model, body, share)
    )
    if new is None:
        return None
    masses = np.array(model.body_mass)
    masses[body] = mass
    is_so = np.allclose(new.model.body_mass, masses, rtol=1e-9, atol=0.0)
    return new if is_so else None


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
