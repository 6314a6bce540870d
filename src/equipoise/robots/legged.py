"""A robot file as a walking machine: motors on its legs, balls for feet, the rest held.

What was found in the file (``robots.found``) becomes a specification of the same form
as a built-in machine's: one motor for each joint of a leg, leg by leg, whatever drove
it in the file; a ball at the end of each leg; a keyframe ``start`` in which it stands
on level ground. Joints of no leg are fixed as they are in the stand, and the file's own
world is left out: its ground, gravity, solver and contact settings.
"""

from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.robots.drives import Drive
from equipoise.robots.engine import built
from equipoise.robots.found.description import Found, FoundLeg
from equipoise.robots.robot import Robot

__all__ = ["legged_assumptions", "legged_robot"]

SMALLEST = 0.02  # radius of a ball for a foot that has none, in heights
OPTIONS = (
    "cone", "density", "disableactuator", "disableflags", "enableflags", "gravity",
    "impratio", "integrator", "iterations", "jacobian", "ls_iterations",
    "ls_tolerance", "magnetic", "noslip_iterations", "noslip_tolerance", "o_friction",
    "o_margin", "o_solimp", "o_solref", "solver", "timestep", "tolerance", "viscosity",
    "wind",
)  # fmt: skip
"""Of the engine, that a walking machine's world sets anew."""
CONTACT = ("solimp", "margin", "gap", "priority", "solmix")
"""Of a shape, likewise."""


def legged_robot(robot: Robot) -> Robot:
    """Return a robot as a walking machine; one that has legs and drives as it is.

    Args:
        robot: any robot.

    Raises:
        ConfigError: one without legs or without a free base, or with closed loops.
    """
    if robot.legs and robot.drives:
        return robot
    robot = _named(robot)
    found = robot.found
    _expect_legs(robot, found)
    spec = robot.spec.copy()
    _strip(spec)
    _keep_inertia(robot, spec)
    _hold_joints(robot, found, spec)
    feet = tuple(_add_ball(spec, leg, found.height) for leg in found.legs)
    _add_motors(spec, found)
    model = robot.model
    root = model.body(int(model.body_rootid[model.body(robot.base).id])).name
    machine = replace(
        robot,
        spec=spec,
        base=str(root),
        feet=feet,
        legs=tuple(str(spec.joint(leg.joints[0]).parent.name) for leg in found.legs),
        drives=tuple(
            Drive.of_limits(d.torque, d.speed, d.inertia) for d in found.drives
        ),
        scene=None,
        others=(),
    )
    spec.add_key(name="start", qpos=_start_of(robot, found, machine))
    return machine


def legged_assumptions(robot: Robot) -> tuple[str, ...]:
    """Return what is assumed of a robot file to let it walk, a sentence each.

    Args:
        robot: as it was loaded; one that is built in needs none.
    """
    if robot.legs and robot.drives:
        return ()
    found, lines = robot.found, list(robot.found.assumed)
    shapes = [leg.foot for leg in found.legs if leg.foot.kind != "ball"]
    if shapes:
        lines.append(f"{len(shapes)} feet that are not balls are modelled as balls")
    if found.held:
        few = ", ".join(f"'{name}'" for name in found.held[:3])
        more = f" and {len(found.held) - 3} more" if len(found.held) > 3 else ""
        lines.append(f"joints of no leg are fixed as it stands: {few}{more}")
    lines.append(
        "its parts do not collide with each other; its shanks do not touch anything"
    )
    lines.append(
        "feet have no sensors: contacts are sensed through the joints' torques"
    )
    if robot.has_world:
        lines.append("ground and contacts of its file are left out")
        fall = float(np.linalg.norm(robot.spec.option.gravity))
        if abs(fall - GRAVITY) > 0.01 * GRAVITY:
            lines.append(f"gravity is {GRAVITY} m/s², not the file's {fall:g}")
    return tuple(lines)


def _named(robot: Robot) -> Robot:
    """Return a robot whose bodies all have names."""
    spec = robot.spec.copy()
    taken = {body.name for body in spec.bodies}
    if "" not in taken:
        return robot
    for k, body in enumerate(spec.bodies):
        if not body.name:
            body.name = next(n for n in (f"body{k}", f"_body{k}") if n not in taken)
    return replace(robot, spec=spec)


def _expect_legs(robot: Robot, found: Found) -> None:
    """Refuse what no walking machine can be made of."""
    problems: list[str] = []
    if not found.legs:
        why = found.why_not or "no chain of joints reaches the ground below its base"
        problems.append(
            f"no legs were found in it ({why}); name them in a description, as "
            "'equipoise describe FILE --out DIR' writes it"
        )
    if found.root != "free":
        problems.append(f"its base must be free, got one that is {found.root}")
    if found.loops:
        problems.append(
            f"legs must not be closed loops, {found.loops[0]} are tied together"
        )
    joints = {joint for leg in found.legs for joint in leg.joints}
    tied = [joint for joint in found.coupled if joint in joints]
    if tied:
        problems.append(f"joint '{tied[0]}' of a leg follows another joint")
    idle = [joint for leg in found.legs for joint in leg.passive]
    if idle:
        problems.append(f"joint '{idle[0]}' of a leg has nothing that drives it")
    bare = [leg for leg in found.legs if leg.foot.kind == "unknown"]
    if bare:
        lost = _lost_of(robot, bare[0].foot.body) or (
            "give its foot's radius and centre in a description, as 'equipoise "
            "describe FILE --out DIR' writes it"
        )
        problems.append(f"leg '{bare[0].name}' has no shape to stand on; {lost}")
    if problems:
        raise ConfigError(f"robot '{robot.name}'", problems)


def _lost_of(robot: Robot, body: str) -> str:
    """Return what became of the shapes that a body lost; empty where it lost none."""
    own = f"body '{body}': "
    return next((line for line in robot.dropped if line.startswith(own)), "")


def _strip(spec: mujoco.MjSpec) -> None:
    """Leave bodies, joints and shapes; take away what the file's own world needs."""
    for group in (
        spec.sensors, spec.actuators, spec.keys, spec.tendons, spec.excludes,
        spec.pairs, spec.equalities, spec.lights, spec.cameras,
    ):  # fmt: skip
        for one in list(group):
            spec.delete(one)
    for geom in list(spec.worldbody.geoms):
        spec.delete(geom)
    usual = mujoco.MjSpec()
    for name in OPTIONS:
        setattr(spec.option, name, getattr(usual.option, name))
    plain = usual.worldbody.add_geom()
    for geom in spec.geoms:
        for name in CONTACT:
            setattr(geom, name, getattr(plain, name))


def _keep_inertia(robot: Robot, spec: mujoco.MjSpec) -> None:
    """Write the inertia of bodies that have it from their shapes, which may change."""
    model = robot.model
    spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_AUTO
    for body in spec.bodies:
        if body.name == "world":
            continue
        own = int(model.body(body.name).id)
        body.explicitinertial = True
        body.mass, body.ipos = float(model.body_mass[own]), model.body_ipos[own]
        body.iquat, body.inertia = model.body_iquat[own], model.body_inertia[own]
        body.ialt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT
        body.fullinertia = [np.nan, 0.0, 0.0, 0.0, 0.0, 0.0]
    spec.compiler.settotalmass = -1.0


def _add_ball(spec: mujoco.MjSpec, leg: FoundLeg, height: float) -> str:
    """Add a foot's ball, the only shape of the last link that touches; return it."""
    foot = leg.foot
    name, taken = f"{leg.name}_foot", {geom.name for geom in spec.geoms}
    while name in taken:
        name += "_ball"
    for part in _last_link(spec.joint(leg.joints[-1]).parent):
        for geom in part.geoms:
            geom.contype = geom.conaffinity = 0
    spec.body(foot.body).add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[max(foot.radius, SMALLEST * height), 0.0, 0.0],
        pos=foot.centre,
        mass=0.0,
        contype=1,
        conaffinity=1,
        rgba=[0.2, 0.2, 0.2, 1.0],
    )
    return name


def _last_link(body: Any) -> list[Any]:
    """Return a body and those that are fixed to it."""
    parts = [body]
    for part in parts:
        parts += [b for b in part.bodies if not b.joints]
    return parts


def _hold_joints(robot: Robot, found: Found, spec: mujoco.MjSpec) -> None:
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


def _add_motors(spec: mujoco.MjSpec, found: Found) -> None:
    """Give each joint of a leg a motor, leg by leg; its rotor is the drive's."""
    for drive in found.drives:
        joint = spec.joint(drive.joint)
        joint.armature = 0.0
        joint.actfrclimited = mujoco.mjtLimited.mjLIMITED_FALSE
        motor = spec.add_actuator(name=drive.joint, target=drive.joint)
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
        motor.ctrlrange = [-drive.torque, drive.torque]


def _start_of(robot: Robot, found: Found, machine: Robot) -> VecN:
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
