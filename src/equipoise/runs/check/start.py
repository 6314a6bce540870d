"""The pose that a check is asked about, and what its actuators are told there.

A keyframe says both. Left alone, a file's own pose comes with controls of zero, as the
engine starts it. In a pose that somebody names joint by joint, each servo is told the
place where its joint is.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, final

import mujoco
import numpy as np

from equipoise.core.arrays import VecN, expect_array
from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.robots.robot import Robot
from equipoise.robots.scene.joint_holds import actuator_count, control_of
from equipoise.robots.scene.scene import own_qpos, robot_bodies, robot_scene
from equipoise.robots.stance.stance import pose_of
from equipoise.runs.check.joints import beyond_range

__all__ = ["StartPose", "start_at", "starting_pose"]

SMALL_MOVE = 0.2
"""How far joints are moved into their range where a file has no other stand [rad or
m]."""
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
INTEGRATOR = int(mujoco.mjtDyn.mjDYN_INTEGRATOR)


@final
@dataclass(frozen=True, eq=False)
class StartPose:
    """A robot's pose and the controls of its file in it."""

    qpos: VecN = field(repr=False)
    """Of ``robot.model``, (nq,)."""
    ctrl: VecN = field(repr=False)
    """Of every actuator of the scene, (nu,)."""
    act: VecN = field(repr=False)
    """Of every activation of the scene, once filters have caught up, (na,)."""
    act_at_first: VecN = field(repr=False)
    """The same as the engine starts it, (na,)."""
    source: str
    """Which pose it is, in words."""
    key: int = -1
    """Keyframe of the scene that other bodies are in; -1 for none."""
    instead: str = ""
    """Why another pose than the file's own is judged, or empty."""
    beyond: tuple[str, ...] = ()
    """Joints of the file's own pose beyond their range, where no other could be
    found."""


def starting_pose(
    robot: Robot,
    keyframe: str | None = None,
    qpos: VecN | None = None,
    pose: Literal["file"] | None = None,
) -> StartPose:
    """Return the pose that is asked about.

    Args:
        robot: any robot.
        keyframe: its name; None for ``start``, else the model's own pose. Where joints
            of that are beyond their range, the stand that ``describe`` finds.
        qpos: the pose itself, (nq,), instead of a keyframe.
        pose: "file" for the file's own pose, beyond its ranges or not.

    Raises:
        ConfigError: several of these are given, or a pose of another name.
        UnknownNameError: no such keyframe.
        ShapeError: a pose of another length, or that is not finite.
    """
    where = f"the check of '{robot.name}'"
    if sum(given is not None for given in (keyframe, qpos, pose)) > 1:
        raise ConfigError(where, ["give only one of keyframe, qpos and pose"])
    if pose not in (None, "file"):
        raise ConfigError(where, [f"pose must be 'file', got {pose!r}"])
    if qpos is not None:
        given = expect_array("qpos", qpos, (int(robot.model.nq),))
        return start_at(robot, np.array(given), "as given")
    own = np.array(pose_of(robot, keyframe))
    names = [str(robot.model.key(k).name) for k in range(robot.model.nkey)]
    name = keyframe or ("start" if "start" in names else None)
    if name is not None:
        return _keyframe(robot, own, name)
    start = _without_controls(robot, own)
    if pose == "file" or not (beyond := beyond_range(robot, own)):
        return start
    return _stand_instead(robot, start, tuple(beyond))


def start_at(robot: Robot, qpos: VecN, source: str, instead: str = "") -> StartPose:
    """Return a pose in which each servo is told where its joint is.

    Args:
        robot: any robot.
        qpos: of ``robot.model``, (nq,).
        source: which pose it is, in words.
        instead: why it is judged, where the file's own is not.
    """
    scene = robot_scene(robot)
    model, data = scene.model, mujoco.MjData(scene.model)
    here = own_qpos(model, scene.bodies)
    there = own_qpos(robot.model, robot_bodies(robot.model, robot.base))
    data.qpos[here] = np.asarray(qpos)[there]
    mujoco.mj_fwdPosition(model, data)
    ctrl, act = np.zeros(int(model.nu)), np.zeros(int(model.na))
    for a in range(actuator_count(model)):
        gain, bias = model.actuator_gainprm[a], model.actuator_biasprm[a]
        told = 0.0
        if bias[1] and gain[0]:
            told = -(bias[0] + bias[1] * float(data.actuator_length[a])) / gain[0]
        if int(model.actuator_dyntype[a]) != INTEGRATOR:
            ctrl[control_of(model, a)] = told
        if model.na and int(model.actuator_actadr[a]) >= 0:
            act[int(model.actuator_actadr[a])] = told
    return StartPose(np.array(qpos), ctrl, act, act, source, instead=instead)


def _keyframe(robot: Robot, qpos: VecN, name: str, instead: str = "") -> StartPose:
    """Return a keyframe of the robot's file."""
    model = robot_scene(robot).model
    names = [str(model.key(k).name) for k in range(int(model.nkey))]
    if name not in names:  # a file with other bodies may have lost it
        return start_at(robot, qpos, f"keyframe '{name}'", instead)
    key = names.index(name)
    ctrl, act = np.array(model.key_ctrl[key]), np.array(model.key_act[key])
    return StartPose(
        qpos, ctrl, _steady(model, ctrl, act), act, f"keyframe '{name}'", key, instead
    )


def _without_controls(robot: Robot, qpos: VecN) -> StartPose:
    """Return the file's own pose, with controls as the engine starts it."""
    model = robot_scene(robot).model
    ctrl, act = np.zeros(int(model.nu)), np.zeros(int(model.na))
    return StartPose(qpos, ctrl, _steady(model, ctrl, act), act, "the file's own pose")


def _steady(model: Any, ctrl: VecN, act: VecN) -> VecN:
    """Return activations once filters have caught up with their controls, (na,).

    Args:
        model: the scene, compiled.
        ctrl: (nu,).
        act: as they are at first, (na,).
    """
    found = np.array(act)
    kinds = mujoco.mjtDyn
    filters = (int(kinds.mjDYN_FILTER), int(kinds.mjDYN_FILTEREXACT))
    for a in range(actuator_count(model)):
        if int(model.actuator_dyntype[a]) in filters:
            k = control_of(model, a)
            value = float(ctrl[k])
            if model.actuator_ctrllimited[k]:
                value = float(np.clip(value, *model.actuator_ctrlrange[k]))
            found[int(model.actuator_actadr[a])] = value
    return found


def _within_range(robot: Robot, qpos: VecN) -> VecN:
    """Return a pose with every joint within its range, (nq,).

    Args:
        robot: whose joints they are.
        qpos: (nq,).
    """
    model, found = robot.model, np.array(qpos)
    for j in np.flatnonzero(np.asarray(model.jnt_limited)):
        if int(model.jnt_type[j]) in SINGLE:
            at = int(model.jnt_qposadr[j])
            found[at] = np.clip(found[at], *model.jnt_range[j])
    return found


def _stand_instead(
    robot: Robot, start: StartPose, beyond: tuple[str, ...]
) -> StartPose:
    """Return the stand that is found in a file whose own pose cannot be."""
    count = len(beyond)
    joints = f"{count} joint{'s' if count > 1 else ''}"
    why = f"the file's own pose has {joints} out of range"
    found = None
    with suppress(EquipoiseError):
        found = robot.found
    if found is None or found.why_not or beyond_range(robot, found.qpos):
        within = _within_range(robot, start.qpos)
        if float(np.abs(within - start.qpos).max()) <= SMALL_MOVE:
            moved = f"{start.source}, {joints} moved into range"
            return start_at(robot, within, moved, why)
        return replace(start, beyond=beyond)
    names = [str(robot.model.key(k).name) for k in range(robot.model.nkey)]
    for name in names:
        if found.stand == f"keyframe '{name}'":
            return _keyframe(robot, np.array(robot.model.key(name).qpos), name, why)
    return start_at(robot, np.array(found.qpos), f"its stand ({found.stand})", why)
