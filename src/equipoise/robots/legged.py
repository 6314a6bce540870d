"""A robot file as a walking machine: motors on its legs, balls for feet, the rest held.

What was found in the file (``robots.found``) becomes a specification of the same form
as a built-in machine's: one motor for each joint of a leg, leg by leg, whatever drove
it in the file; a ball at the end of each leg; a keyframe ``start`` in which it stands
on level ground. Joints of no leg are fixed as they are in the stand, and the file's own
ground is left out.
"""

from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError
from equipoise.robots.drives import Drive
from equipoise.robots.engine import built
from equipoise.robots.found.description import Found, FoundLeg
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import scene_of
from equipoise.robots.stance.stance import label_of, shape_corners

__all__ = ["legged"]

SPHERE = int(mujoco.mjtGeom.mjGEOM_SPHERE)
SMALLEST, LARGEST = 0.03, 0.08  # radius of a ball for a foot that is none, in heights
UP = np.array([0.0, 0.0, 1.0])
TILTED = 0.02  # of the base in the stand, from which on it is said [rad]


def legged(robot: Robot) -> Robot:
    """Return a robot as a walking machine; one that has legs and drives as it is.

    Args:
        robot: any robot.

    Raises:
        ConfigError: one without legs, without a free base, or in a form that cannot be
            taken over.
    """
    if robot.legs and robot.drives:
        return robot
    found = robot.found
    expect_legs(robot, found)
    spec = robot.spec.copy()
    strip(spec)
    balls = foot_balls(robot, found)
    hold_joints(robot, found, spec)
    feet = tuple(
        add_ball(spec, leg, ball) for leg, ball in zip(found.legs, balls, strict=True)
    )
    add_motors(spec, found)
    root = root_name(robot)
    machine = replace(
        robot,
        spec=spec,
        base=root,
        feet=feet,
        legs=tuple(first_body(spec, leg) for leg in found.legs),
        drives=tuple(
            Drive.of_limits(d.torque, d.speed, d.inertia) for d in found.drives
        ),
        scene=None,
        others=(),
    )
    spec.add_key(name="start", qpos=start_of(robot, found, machine))
    return machine


def expect_legs(robot: Robot, found: Found) -> None:
    """Refuse what no walking machine can be made of."""
    model = robot.model
    problems: list[str] = []
    if not found.legs:
        problems.append(
            "no legs were found in it: chains of joints that reach the ground below "
            "its base; name them in a description ('equipoise describe' writes one)"
        )
    free = int(mujoco.mjtJoint.mjJNT_FREE)
    root = int(model.body_rootid[model.body(robot.base).id])
    first = int(model.body_jntadr[root])
    if first != 0 or int(model.jnt_type[first]) != free:
        problems.append("its base must be free, got one that is fixed or guided")
    if model.neq:
        problems.append(
            f"closed loops are not walked with, got {model.neq} equality constraints"
        )
    for leg in found.legs:
        if leg.foot.kind == "unknown":
            problems.append(f"leg '{leg.name}' has no shape to stand on")
            break
    if problems:
        raise ConfigError(f"robot '{robot.name}'", problems)


def strip(spec: mujoco.MjSpec) -> None:
    """Leave bodies, joints and shapes; take away what the file's own world needs."""
    for group in (
        spec.sensors, spec.actuators, spec.keys, spec.tendons, spec.excludes,
        spec.pairs, spec.lights, spec.cameras,
    ):  # fmt: skip
        for one in list(group):
            spec.delete(one)
    for geom in list(spec.worldbody.geoms):
        spec.delete(geom)


def root_name(robot: Robot) -> str:
    """Return the name of the body that carries the whole robot."""
    model = robot.model
    return str(model.body(int(model.body_rootid[model.body(robot.base).id])).name)


def first_body(spec: mujoco.MjSpec, leg: FoundLeg) -> str:
    """Return the name of the body at which a leg begins."""
    return str(spec.joint(leg.joints[0]).parent.name)


def standing(robot: Robot, found: Found) -> Any:
    """Return the scene of a robot that stands with a level base, and its state."""
    scene = scene_of(robot)
    pose = np.array(found.qpos)
    pose[3:7] = 1.0, 0.0, 0.0, 0.0
    return scene, scene.posed(robot, pose)


def foot_balls(robot: Robot, found: Found) -> list[tuple[str, Array, float]]:
    """Return body, middle in its frame and radius of each foot's ball."""
    scene, data = standing(robot, found)
    model, corners = scene.model, shape_corners(scene, data, UP)
    labels = {label_of(model, g): g for g in corners}
    balls = []
    for leg in found.legs:
        own = [labels[shape] for shape in leg.foot.shapes if shape in labels]
        if len(own) == 1 and int(model.geom_type[own[0]]) == SPHERE:
            middle, radius = data.geom_xpos[own[0]], float(model.geom_size[own[0], 0])
        else:
            middle, radius = ball_through([corners[g] for g in own], found.height)
        body = int(model.body(leg.foot.body).id)
        turn = data.xmat[body].reshape(3, 3)
        balls.append((leg.foot.body, turn.T @ (middle - data.xpos[body]), radius))
    return balls


def ball_through(corners: list[Any], height: float) -> tuple[Array, float]:
    """Return a ball that ends where shapes end below, middle and radius [m]."""
    every = np.vstack([c for c in corners if c is not None])
    low = float(every[:, 2].min())
    bottom = every[every[:, 2] <= low + 0.01 * height]
    size = 0.5 * float(np.ptp(every, axis=0).min())
    radius = min(max(size, SMALLEST * height), LARGEST * height)
    middle = 0.5 * (bottom.min(axis=0) + bottom.max(axis=0))
    return np.array([middle[0], middle[1], low + radius]), radius


def add_ball(spec: mujoco.MjSpec, leg: FoundLeg, ball: tuple[str, Array, float]) -> str:
    """Add a foot's ball, the only shape of the last link that touches; return it."""
    body, middle, radius = ball
    name, taken = f"{leg.name}_foot", {geom.name for geom in spec.geoms}
    while name in taken:
        name += "_ball"
    link = spec.body(body)
    for part in rigid_with(link, spec.joint(leg.joints[-1]).parent):
        for geom in part.geoms:
            geom.contype = geom.conaffinity = 0
    link.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[radius, 0.0, 0.0],
        pos=middle,
        mass=0.0,
        rgba=[0.2, 0.2, 0.2, 1.0],
    )
    return name


def rigid_with(link: Any, last: Any) -> list[Any]:
    """Return the bodies from the last that a joint moves down to its end."""
    parts = [last]
    for part in parts:
        parts += [b for b in part.bodies if not b.joints]
    return parts if any(b.name == link.name for b in parts) else [*parts, link]


def hold_joints(robot: Robot, found: Found, spec: mujoco.MjSpec) -> None:
    """Fix the joints of no leg as they are in the stand."""
    if not found.held:
        return
    model, data = robot.model, mujoco.MjData(robot.model)
    data.qpos[:] = found.qpos
    mujoco.mj_kinematics(model, data)
    for name in found.held:
        joint = spec.joint(name)
        body = joint.parent
        if body.frame is not None:
            problem = f"held joint '{name}' is in a <frame>, which is not understood"
            raise ConfigError(f"robot '{robot.name}'", [problem])
        own = int(model.body(body.name).id)
        up = int(model.body_parentid[own])
        turn, back = np.zeros(4), np.zeros(4)
        mujoco.mju_negQuat(back, data.xquat[up])
        mujoco.mju_mulQuat(turn, back, data.xquat[own])
        body.pos = data.xmat[up].reshape(3, 3).T @ (data.xpos[own] - data.xpos[up])
        body.quat = turn
        body.alt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT
        spec.delete(joint)


def add_motors(spec: mujoco.MjSpec, found: Found) -> None:
    """Give each joint of a leg a motor, leg by leg; its rotor is the drive's."""
    for drive in found.drives:
        joint = spec.joint(drive.joint)
        joint.armature = 0.0
        joint.actfrclimited = mujoco.mjtLimited.mjLIMITED_FALSE
        motor = spec.add_actuator(name=drive.joint, target=drive.joint)
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
        motor.ctrlrange = [-drive.torque, drive.torque]


def start_of(robot: Robot, found: Found, machine: Robot) -> VecN:
    """Return the stand of the machine on level ground, lowest foot at z = 0, (nq,)."""
    model = built(machine.spec.copy(), f"machine '{robot.name}'")
    pose = np.array(model.qpos0)
    pose[:7] = 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    for j in range(1, model.njnt):
        own = robot.model.joint(str(model.joint(j).name))
        pose[model.jnt_qposadr[j]] = found.qpos[int(own.qposadr[0])]
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    low = min(
        float(data.geom(foot).xpos[2] - model.geom(foot).size[0])
        for foot in machine.feet
    )
    pose[2] -= low
    return pose
