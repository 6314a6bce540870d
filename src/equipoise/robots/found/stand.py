"""The pose in which a robot stands: its file's, its SRDF's, or one that is computed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import Vec3, VecN
from equipoise.core.errors import UnknownNameError
from equipoise.robots.found.heights import Posed, robot_in_pose
from equipoise.robots.found.limbs import SINGLE, FoundLimb
from equipoise.robots.found.srdf import srdf_stand, srdf_states
from equipoise.robots.robot_spec import RobotSpec

__all__ = ["Stand", "bent", "free_base", "level", "named_stand", "told_stand"]

KEYS = ("stand", "start", "home")
BENT = 0.76  # share of its length that a leg of few joints stands at
STEPS, ROUNDS, DAMPING = 200, 4, 1e-4
STRAIGHT = 0.99  # share of its length from which on a leg is straight
SEED = 1.0  # by which a straight knee is bent at first [rad]
MISSED = 0.02  # of a leg's length; a foot that is farther from its goal misses it
NEAR = 1e-8  # miss of a foot at which no more steps are made [m]
FAR = 0.6  # share of a last link's length from which on its body says where it ends
UPRIGHT = 0.5  # rise of an axis from which on it turns a leg rather than bends it [1]
LEVEL = 0.7  # cosine of the tilt from which on a base lies [1]
SLIDE = int(mujoco.mjtJoint.mjJNT_SLIDE)


@final
@dataclass(frozen=True)
class Stand:
    """A pose to stand in."""

    qpos: VecN
    """Of ``robot.model``, (nq,); the height of a free base is not set."""
    source: str
    """Where it is from, in words."""
    is_told: bool
    """Whether a file says it."""


def told_stand(robot: RobotSpec, path: Path | None) -> Stand:
    """Return the pose that files tell, else the model's own.

    Args:
        robot: any robot.
        path: of its file; None where it has none.
    """
    model = robot.model
    names = [str(model.key(k).name) for k in range(model.nkey)]
    for name in KEYS:
        if name in names:
            pose = np.array(model.key(name).qpos, np.float64)
            return Stand(pose, f"keyframe '{name}'", True)
    if path is not None and path.suffix.lower() in (".urdf", ".xacro"):
        told = srdf_stand(path, robot.name)
        if told is not None:
            return Stand(_with_joints(robot, told[0]), told[1], True)
    return Stand(np.array(model.qpos0, np.float64), "the file's zero pose", False)


def named_stand(robot: RobotSpec, path: Path | None, name: str) -> Stand:
    """Return a keyframe, or a pose of the SRDF files, by name.

    Args:
        robot: any robot.
        path: of its file; None where it has none.
        name: of the pose.

    Raises:
        UnknownNameError: there is none of that name.
    """
    model = robot.model
    keys = [str(model.key(k).name) for k in range(model.nkey)]
    if name in keys:
        pose = np.array(model.key(name).qpos, np.float64)
        return Stand(pose, f"keyframe '{name}'", True)
    states = {} if path is None else srdf_states(path, robot.name)
    if name not in states:
        where = f"robot '{robot.name}'"
        raise UnknownNameError("pose", name, [*filter(None, keys), *states], where)
    joints, file = states[name]
    return Stand(_with_joints(robot, joints), f"'{name}' of {file}", True)


def _with_joints(robot: RobotSpec, joints: dict[str, float]) -> VecN:
    """Return the model's own pose with some joints set, those that it has."""
    model = robot.model
    pose = np.array(model.qpos0, np.float64)
    for j in range(model.njnt):
        name = str(model.joint(j).name)
        if name in joints and int(model.jnt_type[j]) in SINGLE:
            pose[model.jnt_qposadr[j]] = joints[name]
    return pose


def level(robot: RobotSpec, stand: Stand) -> Stand | None:
    """Return a pose with its free base level; None where it is, or is not free.

    Args:
        robot: any robot.
        stand: in which the base may lie on its side.
    """
    at = free_base(robot)
    if at < 0:
        return None
    _, x, y, _ = stand.qpos[at + 3 : at + 7]
    if 1.0 - 2.0 * (x * x + y * y) > LEVEL:
        return None
    pose = np.array(stand.qpos)
    pose[at + 3 : at + 7] = [1.0, 0.0, 0.0, 0.0]
    return Stand(pose, f"{stand.source}, its base level", False)


def free_base(robot: RobotSpec) -> int:
    """Return where the place of a robot's free base is in qpos; -1 without one."""
    model = robot.model
    joint = int(model.body_jntadr[int(model.body_rootid[model.body(robot.base).id])])
    if joint < 0 or int(model.jnt_type[joint]) != int(mujoco.mjtJoint.mjJNT_FREE):
        return -1
    return int(model.jnt_qposadr[joint])


def bent(robot: RobotSpec, limbs: tuple[FoundLimb, ...], stand: Stand) -> Stand:
    """Return a pose with bent legs and the centre of mass over the feet's middle.

    Each leg hangs in an upright plane: its foot is under the first joint that swings
    it, aside by as much as the links are put beside each other along that joint's
    axis. All feet are moved by as much as puts their middle under the centre of mass.

    Args:
        robot: any robot.
        limbs: its legs, of two or three joints.
        stand: the pose of everything else; legs are taken as straight there.
    """
    model, data = robot.model, mujoco.MjData(robot.model)
    pose = _middle(model, stand.qpos, limbs)
    if any(int(model.jnt_type[j]) == SLIDE for limb in limbs for j in limb.joints):
        return Stand(pose, "computed: the middle of the legs' ranges", False)
    now = robot_in_pose(robot, stand.qpos)
    ends = [_end_of(now, limb) for limb in limbs]
    goals: list[VecN] = []
    lengths: list[float] = []
    for limb, end in zip(limbs, ends, strict=True):
        hip, knee = (np.array(now.data.xanchor[j]) for j in limb.joints[-2:])
        axis = np.array(now.data.xaxis[limb.joints[-2]])
        if abs(axis[2]) > UPRIGHT:  # it turns the leg, and has no plane for it
            axis = np.zeros(3)
        aside = float(axis @ (end.place - hip)) * np.array([*axis[:2], 0.0])
        length = _across(axis, knee - hip) + _across(axis, end.place - knee)
        goals.append(hip + aside - np.array([0.0, 0.0, BENT * length]))
        lengths.append(length)
    level = max(goal[2] for goal in goals)  # for the shortest leg
    goals = [np.array([*goal[:2], level]) for goal in goals]
    root, shift = int(model.body(robot.base).id), np.zeros(3)
    for limb, end, goal in zip(limbs, ends, goals, strict=True):
        _bend(model, data, pose, limb, end, goal)
    kept, least = np.array(pose), np.inf
    for _ in range(ROUNDS):
        for limb, end, goal in zip(limbs, ends, goals, strict=True):
            _reach_for(model, data, pose, limb, end, goal + shift)
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        missed = max(
            float(np.linalg.norm(goal + shift - end.now(data))) / length
            for end, goal, length in zip(ends, goals, lengths, strict=True)
        )
        if missed > max(least, MISSED):  # its feet do not follow any farther
            pose = kept
            break
        kept, least = np.array(pose), missed
        feet = np.mean([end.now(data) for end in ends], axis=0)
        off = np.array(data.subtree_com[root]) - feet
        shift[:2] += off[:2]
    said = f"computed: feet below the hips at {BENT} of the legs' length, balanced"
    if least > MISSED:
        said += f", except that a foot is {least:.2f} of it off"
    return Stand(pose, said, False)


def _across(axis: Vec3, way: Vec3) -> float:
    return float(np.linalg.norm(way - (axis @ way) * axis))


def _bend(
    model: Any, data: Any, pose: VecN, limb: FoundLimb, end: "LimbEnd", goal: Vec3
) -> None:
    """Bend a leg that is straight in ``pose``, where no step moves its end up.

    Of the two ways to bend it, the one counts that reaches the goal; of two that do,
    the one with its knee to the rear, or outwards where it bends sideways.
    """
    hip, knee = limb.joints[-2:]
    at = [int(model.jnt_qposadr[j]) for j in (hip, knee)]
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    p_hip, p_knee, p_end = data.xanchor[hip], data.xanchor[knee], end.now(data)
    thigh, shank = p_knee - p_hip, p_end - p_knee
    whole = float(np.linalg.norm(thigh) + np.linalg.norm(shank))
    if float(np.linalg.norm(thigh + shank)) < STRAIGHT * whole:
        return
    same = 1.0 if float(data.xaxis[hip] @ data.xaxis[knee]) > 0.0 else -1.0
    found: list[tuple[bool, float, VecN]] = []
    for turn in (SEED, -SEED):
        tried = np.array(pose)
        tried[at[1]] = _within(model, knee, tried[at[1]] + turn)
        tried[at[0]] = _within(model, hip, tried[at[0]] - 0.5 * same * turn)
        _reach_for(model, data, tried, limb, end, goal)
        p_hip, p_knee, p_end = data.xanchor[hip], data.xanchor[knee], end.now(data)
        is_near = float(np.linalg.norm(goal - p_end)) < MISSED * whole
        side = p_knee - 0.5 * (p_hip + p_end)
        is_sideways = abs(float(side[1])) > abs(float(side[0]))
        wish = float(np.sign(p_hip[1]) * side[1]) if is_sideways else -float(side[0])
        found.append((is_near, wish, tried))
    pose[:] = max(found, key=lambda one: one[:2])[2]


def _within(model: Any, joint: int, value: float) -> float:
    """Return a value of a joint, inside its range."""
    low, high = model.jnt_range[joint]
    is_limited = bool(model.jnt_limited[joint])
    return float(np.clip(value, low, high)) if is_limited else value


class LimbEnd(NamedTuple):
    """The point of a limb that is to come to a place."""

    body: int
    local: Vec3
    """In the body's frame, (3,) [m]."""
    place: Vec3
    """In the world, as the pose is given (3,) [m]."""

    def now(self, data: Any) -> Vec3:
        """Return where it is in a pose that data is in."""
        R_WB = data.xmat[self.body].reshape(3, 3)
        return np.array(data.xpos[self.body] + R_WB @ self.local)


def _end_of(now: Posed, limb: FoundLimb) -> LimbEnd:
    """Return the end of a limb: its last body's place, else its farthest point.

    A body that is fixed at the end is there to say where that is; one that begins at
    the last joint says nothing.
    """
    last, tip = np.array(now.data.xanchor[limb.joints[-1]]), limb.tip
    place = np.array(now.data.xpos[tip])
    part = [
        b for b in limb.bodies if now.model.body_weldid[b] == now.model.body_weldid[tip]
    ]
    points = list(now.shapes_of(part).values())
    if points:
        every = np.vstack(points)
        ways = np.linalg.norm(every - last, axis=1)
        if np.linalg.norm(place - last) < FAR * ways.max():
            place = every[int(np.argmax(ways))]
    elif not np.linalg.norm(place - last) > 0.0:  # what hangs on it says where it ends
        hung = now.model.body_parentid == tip
        places = np.array(now.data.xpos)[hung]
        if len(places):
            ways = np.linalg.norm(places - last, axis=1)
            place = places[int(np.argmax(ways))]
    R_WB = now.data.xmat[tip].reshape(3, 3)
    return LimbEnd(tip, R_WB.T @ (place - now.data.xpos[tip]), place)


def _middle(model: Any, qpos: VecN, limbs: tuple[FoundLimb, ...]) -> VecN:
    """Return a pose with the joints of limbs in the middle of their ranges."""
    pose = np.array(qpos)
    for joint in (j for limb in limbs for j in limb.joints):
        if model.jnt_limited[joint]:
            low, high = model.jnt_range[joint]
            pose[model.jnt_qposadr[joint]] = 0.5 * (low + high)
    return pose


def _reach_for(
    model: Any, data: Any, pose: VecN, limb: FoundLimb, end: LimbEnd, goal: Vec3
) -> None:
    """Move the joints of a limb in ``pose`` so that its end comes to a place.

    Where it cannot, it comes as near as the steps found; ``data`` is in that pose.
    """
    joints = np.array(limb.joints)
    places, columns = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
    low, high = model.jnt_range[joints].T
    is_limited = np.asarray(model.jnt_limited[joints], bool)
    J = np.zeros((3, model.nv))
    best, least = np.array(pose), np.inf
    for _ in range(STEPS):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        place = end.now(data)
        miss = goal - place
        if float(np.abs(miss).max()) < NEAR:
            return
        if float(np.linalg.norm(miss)) < least:
            best, least = np.array(pose), float(np.linalg.norm(miss))
        mujoco.mj_jac(model, data, J, None, place, end.body)
        own = J[:, columns]
        step = own.T @ np.linalg.solve(own @ own.T + DAMPING * np.eye(3), miss)
        wanted = pose[places] + np.clip(step, -0.2, 0.2)
        pose[places] = np.where(is_limited, np.clip(wanted, low, high), wanted)
    pose[:] = data.qpos[:] = best  # out of reach: as near as it came
    mujoco.mj_kinematics(model, data)
