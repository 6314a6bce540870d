"""A, B and poles of a robot in a pose: what ``equipoise linearize`` does."""

import math
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.equations.linear.linearize import RobotLinearization, linearize
from equipoise.equations.linear.modes import Mode, modes
from equipoise.equations.robot.ground import SpringGround
from equipoise.robots.robot import Robot
from equipoise.robots.stance.pose_file import read_pose
from equipoise.runs.linearize_config import LinearizeConfig
from equipoise.runs.robot import find_robot

__all__ = ["linearize_pose"]


def linearize_pose(config: LinearizeConfig) -> dict[str, Any]:
    """Return the numbers of the command's ``--json``.

    Args:
        config: which robot, its pose, and the ground under its feet.

    Raises:
        BadFileError: a file cannot be used.
        ConfigError: closed loops.
        UnknownNameError: no such robot or keyframe.
    """
    ground = SpringGround(
        stiffness=config.ground_stiffness, damping=config.ground_damping
    )
    robot = find_robot(config.robot)
    q = None if config.pose is None else read_pose(robot, config.pose)
    found = linearize(robot, keyframe=config.keyframe, q=q, ground=ground)
    return {
        "robot": robot.name,
        "A": found.A.tolist(),
        "B": found.B.tolist(),
        "eigenvalues": [[p.real, p.imag] for p in found.eigenvalues.tolist()],
        "states": list(found.states),
        "inputs": list(found.inputs),
        "is_equilibrium": found.is_equilibrium,
        "qpos": found.q.tolist(),
        "torques": [float(found.tau[k]) for k in found.motion.expressions.driven],
        "forces": found.forces,
        "ground": {"stiffness": ground.stiffness, "damping": ground.damping},
        "left_out": list(found.motion.left_out),
        "modes": [mode.summary() for mode in _found_modes(robot, found)],
    }


def _found_modes(robot: Robot, found: RobotLinearization) -> tuple[Mode, ...]:
    """Return what the poles do, shifts being measured by the robot's size."""
    speeds = found.states[len(found.states) // 2 :]
    shifts = np.array([_is_shift(robot, k) for k in range(len(speeds))])
    scales = np.where(shifts, 1.0 / _size_of(robot, found.q), 1.0)
    return modes(found.A, speeds, scales)


def _is_shift(robot: Robot, k: int) -> bool:
    """Return whether a speed is linear: of a slide, or of a free base.

    Args:
        robot: whose it is.
        k: which speed.
    """
    model = robot.model
    joint = int(model.dof_jntid[k])
    kind = int(model.jnt_type[joint])
    if kind == int(mujoco.mjtJoint.mjJNT_FREE):
        return k < int(model.jnt_dofadr[joint]) + 3
    return kind == int(mujoco.mjtJoint.mjJNT_SLIDE)


def _size_of(robot: Robot, q: VecN) -> float:
    """Return how far a robot's mass lies from its centre, root mean square [m].

    Args:
        robot: whose mass it is.
        q: the pose, (nq,).
    """
    model, data = robot.model, mujoco.MjData(robot.model)
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    mass, place = model.body_mass, data.xipos
    centre = mass @ place / mass.sum()
    spread = float(mass @ np.sum((place - centre) ** 2, axis=1) / mass.sum())
    return math.sqrt(spread) or 1.0
