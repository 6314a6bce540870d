"""When a robot's file leaves nothing to judge: said before anything is put down."""

import copy
import math
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.robots.robot import Robot
from equipoise.robots.scene.joint_holds import active_actuators, moments
from equipoise.robots.scene.scene import Scene
from equipoise.robots.stance.stance import is_free, shapes_extent
from equipoise.runs.check.start import StartPose
from equipoise.runs.check.verdict import Answer

__all__ = ["nothing_to_judge"]

SHOWN = 3  # reasons in a sentence
AT_REST = 0.02  # of the pace of a fall through its size: slower is at rest
FREE, SLIDE = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_SLIDE)
NO_CONTACT = (
    mujoco.mjtDisableBit.mjDSBL_CONTACT,
    mujoco.mjtDisableBit.mjDSBL_CONSTRAINT,
)


def nothing_to_judge(
    robot: Robot, scene: Scene, start: StartPose | None = None
) -> tuple[Answer, str] | None:
    """Return the answer where the file itself gives it, and why; else None.

    Args:
        robot: any robot.
        scene: its world.
        start: the pose that is asked about, and what its actuators are told there.
    """
    if start is not None and start.beyond:
        return "unknown", _beyond_words(start)
    if not is_free(robot):
        return "unknown", _not_free(robot)
    if robot.lost_shapes and not robot.feet:
        lost = ", ".join(robot.lost_shapes[:4])
        why = robot.dropped[0] if robot.dropped else ""
        told = f"shapes of {lost} are lost, which might be feet"
        return "unknown", f"{told} ({why})" if why else told
    if scene.unknown:
        return "unknown", f"not understood: {'; '.join(scene.unknown[:SHOWN])}"
    if not scene.strength > 0.0:
        return "unknown", "its file has no gravity"
    off = int(scene.model.opt.disableflags)
    if robot.has_world and any(off & int(bit) for bit in NO_CONTACT):
        return "no", "its file disables contacts, so nothing supports it"
    if scene.floor == "out of reach":
        return (
            "no",
            "none of its shapes can touch the ground of its file (contact bits)",
        )
    if scene.floor == "assumed" and scene.up[2] < 1.0 - 1e-9:
        return "unknown", "its file has no ground, and gravity is not along -z"
    if start is not None and robot.has_world:
        pushed = _commanded_forces(scene.model, scene.bodies, start)
        if pushed:
            return "unknown", f"not understood: {'; '.join(pushed[:SHOWN])}"
    if start is not None and start.key >= 0 and (pace := _keyframe_pace(scene, start)):
        return "unknown", f"its keyframe begins in motion, with {pace:.3g} m/s"
    if scene.pulls and not scene.ground:
        return "unknown", f"not understood: {'; '.join(scene.pulls[:SHOWN])}"
    return None


def _keyframe_pace(scene: Scene, start: StartPose) -> float:
    """Return how fast a robot's keyframe begins [m/s], zero where that is next to none.

    Joints that turn count with the robot's size.

    Args:
        scene: its world.
        start: the pose that is asked about, a keyframe.
    """
    model, data = scene.model, mujoco.MjData(scene.model)
    mujoco.mj_resetDataKeyframe(model, data, start.key)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    size = shapes_extent(scene, data)
    joints = np.asarray(model.dof_jntid)
    own = scene.bodies[np.asarray(model.dof_bodyid)]
    goes = np.asarray(model.jnt_type)[joints] == SLIDE
    goes |= (np.arange(int(model.nv)) - np.asarray(model.jnt_dofadr)[joints] < 3) & (
        np.asarray(model.jnt_type)[joints] == FREE
    )
    rates = np.abs(data.qvel) * np.where(goes, 1.0, size)
    pace = float(rates[own].max(initial=0.0))
    return pace if pace > AT_REST * math.sqrt(scene.strength * size) else 0.0


def _beyond_words(start: StartPose) -> str:
    """Return why a pose beyond its joints' ranges is not judged."""
    told = "; ".join(start.beyond[:SHOWN])
    more = f" and {len(start.beyond) - SHOWN} more" if len(start.beyond) > SHOWN else ""
    return (
        f"the file's own pose has joints out of range ({told}{more}) and no stand was "
        "found in it; name a pose with --keyframe or --pose, or judge this one with "
        "--pose file"
    )


def _commanded_forces(
    model: Any, bodies: NDArray[np.bool_], start: StartPose
) -> list[str]:
    """Return the actuators that push on a robot from outside, as they are told.

    Args:
        model: the whole file, compiled.
        bodies: which bodies are the robot, (nbody,).
        start: what they are told.
    """
    if np.any(getattr(model, "actuator_delay", 0.0)):
        model = copy.copy(model)
        model.actuator_delay[:] = 0.0
    data = mujoco.MjData(model)
    if start.key >= 0:
        mujoco.mj_resetDataKeyframe(model, data, start.key)
    data.qvel[:] = 0.0
    data.ctrl[:], data.act[:] = start.ctrl, start.act
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_fwdVelocity(model, data)
    mujoco.mj_fwdActuation(model, data)
    sticks, found = int(mujoco.mjtTrn.mjTRN_BODY), list[str]()
    base = [
        int(d)
        for j in np.flatnonzero(np.asarray(model.jnt_type) == FREE)
        if bodies[int(model.jnt_bodyid[j])]
        for d in range(int(model.jnt_dofadr[j]), int(model.jnt_dofadr[j]) + 6)
    ]
    moment = moments(model, data)[:, base]
    for a in active_actuators(model):
        is_on_base = float(np.abs(moment[a]).max(initial=0.0)) > 1e-9
        is_adhesion = int(model.actuator_trntype[a]) == sticks
        is_own = is_adhesion and bodies[int(model.actuator_trnid[a, 0])]
        if (is_on_base or is_own) and float(data.actuator_force[a]):
            name = str(model.actuator(a).name) or f"actuator {a}"
            kind = "adhesion" if is_adhesion else "a push on its base"
            found.append(f"actuator '{name}', {kind} that its pose switches on")
    return found


def _not_free(robot: Robot) -> str:
    """Return why a robot without a free joint is not judged."""
    model = robot.model
    base = int(model.body_rootid[model.body(robot.base).id])
    first, count = int(model.body_jntadr[base]), int(model.body_jntnum[base])
    if not count:
        return "its base is fixed to the world, so it cannot fall over"
    names = [model.joint(j).name or "a joint" for j in range(first, first + count)]
    return (
        f"its base moves on {', '.join(names[:SHOWN])} and not freely, which may "
        "hold it up; give it a free joint to ask whether it stands"
    )
