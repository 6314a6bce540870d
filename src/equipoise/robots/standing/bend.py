"""A stand with bent legs: soles level where they are, the weight over their middle.

Legs that are straight cannot steer their body, and what a file calls its stand is often
straight. The base is lowered until each leg has a share of its length, and moved until
the centre of mass is over the middle of the soles; six joints a leg follow.
"""

from typing import Any, NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.robots.found.description import FoundLeg
from equipoise.robots.robot import Robot

__all__ = ["BENT", "STRAIGHT", "bent_stand", "greatest_stretch"]

BENT = 0.9  # share of its length to which a leg is bent
STRAIGHT = 0.975  # share of its length from which on a leg is straight
SEED = 0.5  # of the knee's angle, towards the middle of its range [rad]
TURNS = np.linspace(-1.5, 1.5, 61)  # of a knee, for the length of its leg [rad]
ROUNDS, STEPS, DAMPING, LARGEST = 60, 60, 1e-6, 0.2
NEAR = 1e-9


class LegFrame(NamedTuple):
    """A leg as its stand is computed."""

    joints: list[int]
    knee: int
    length: float
    """Largest way between its first and last joint [m]."""
    body: int
    """That its last joint moves."""
    place: Array
    """Of that body, (3,) [m]."""
    turn: Array
    """Its orientation, (3, 3)."""


def greatest_stretch(robot: Robot, legs: tuple[FoundLeg, ...], qpos: VecN) -> float:
    """Return the share of its length that the most stretched leg has in a pose.

    Args:
        robot: any robot.
        legs: its legs.
        qpos: (nq,).
    """
    data = _moved(robot.model, qpos)
    shares = [
        _way(data, frame.joints) / max(frame.length, 1e-9)
        for frame in (_leg_frame(robot.model, leg, qpos) for leg in legs)
    ]
    return max(shares)


def bent_stand(
    robot: Robot, legs: tuple[FoundLeg, ...], qpos: VecN, middle: Array
) -> VecN | None:
    """Return a pose with bent legs, the feet as they are; None where none is found.

    Args:
        robot: free in space.
        legs: its legs, of six joints each.
        qpos: in which its soles are level on the ground, (nq,).
        middle: over which the centre of mass shall be, (2,) [m].
    """
    model = robot.model
    frames = [_leg_frame(model, leg, qpos) for leg in legs]
    base = int(model.body(robot.base).id)
    at = int(model.jnt_qposadr[model.body_jntadr[base]])
    pose = np.array(qpos)
    for frame in frames:
        if _way(_moved(model, qpos), frame.joints) > STRAIGHT * frame.length:
            pose[model.jnt_qposadr[frame.knee]] += _knee_seed(model, frame.knee)
    for _ in range(ROUNDS):
        missed = max(_follow(model, pose, frame) for frame in frames)
        data = _moved(model, pose)
        off = middle - data.subtree_com[base][:2]
        short = min(BENT * f.length - _way(data, f.joints) for f in frames)
        step = np.clip(np.array([*off, short]), -0.02, 0.02)
        if missed < NEAR and np.abs(step).max() < NEAR:
            return pose if _within(model, pose, frames) else None
        pose[at : at + 3] += step
    return None


def _leg_frame(model: Any, leg: FoundLeg, qpos: VecN) -> LegFrame:
    """Return a leg: its knee is the joint that changes its length the most."""
    joints = [int(model.joint(name).id) for name in leg.joints]
    data, body = _moved(model, qpos), int(model.jnt_bodyid[joints[-1]])
    ranges: dict[int, tuple[float, float]] = {}
    for joint in joints[1:-1]:
        lengths: list[float] = []
        for turn in TURNS:
            pose = np.array(qpos)
            pose[model.jnt_qposadr[joint]] = turn
            lengths.append(_way(_moved(model, pose), joints))
        ranges[joint] = (max(lengths) - min(lengths), max(lengths))
    knee = max(ranges, key=lambda joint: ranges[joint][0])
    turn = np.array(data.xmat[body]).reshape(3, 3)
    place = np.array(data.xpos[body])
    return LegFrame(joints, knee, ranges[knee][1], body, place, turn)


def _knee_seed(model: Any, joint: int) -> float:
    """Return by how much to bend a knee at first: towards the middle of its range."""
    low, high = model.jnt_range[joint]
    is_back = bool(model.jnt_limited[joint]) and low + high < 0.0
    return -SEED if is_back else SEED


def _moved(model: Any, pose: VecN) -> Any:
    """Return the kinematics of a pose."""
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return data


def _way(data: Any, joints: list[int]) -> float:
    """Return how far a leg's last joint is from its first [m]."""
    return float(np.linalg.norm(data.xanchor[joints[0]] - data.xanchor[joints[-1]]))


def _follow(model: Any, pose: VecN, frame: LegFrame) -> float:
    """Move a leg's joints in ``pose`` so that its foot is in place; return the miss."""
    places = model.jnt_qposadr[np.array(frame.joints)]
    columns = model.jnt_dofadr[np.array(frame.joints)]
    J, missed = np.zeros((6, model.nv)), np.inf
    for _ in range(STEPS):
        data = _moved(model, pose)
        R = data.xmat[frame.body].reshape(3, 3)
        turn = 0.5 * sum(np.cross(R[:, a], frame.turn[:, a]) for a in range(3))
        miss = np.hstack([frame.place - data.xpos[frame.body], turn])
        missed = float(np.abs(miss).max())
        if missed < NEAR:
            break
        mujoco.mj_jacBody(model, data, J[:3], J[3:], frame.body)
        own = J[:, columns]
        step = own.T @ np.linalg.solve(own @ own.T + DAMPING * np.eye(6), miss)
        pose[places] += np.clip(step, -LARGEST, LARGEST)
    return missed


def _within(model: Any, pose: VecN, frames: list[LegFrame]) -> bool:
    """Return whether the legs' joints are inside their ranges."""
    for joint in (j for frame in frames for j in frame.joints):
        low, high = model.jnt_range[joint]
        value = pose[model.jnt_qposadr[joint]]
        if model.jnt_limited[joint] and not low <= value <= high:
            return False
    return True
