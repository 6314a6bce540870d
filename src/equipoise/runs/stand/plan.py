"""Can a robot stand at all: asked of any robot with feet, before it is simulated."""

import math

import mujoco
import numpy as np

from equipoise.control.workspace.dynamics import workspace_dynamics, workspace_torques
from equipoise.control.workspace.layout import legged_tree
from equipoise.control.workspace.soles import keyframe_posture, sole_corners
from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.stability.rigid.support import static_margin

__all__ = ["expect_able_to_stand", "standing_torques", "support_margin"]


def expect_able_to_stand(robot: Robot) -> None:
    """Refuse a robot that cannot stand in its set pose, saying why.

    Args:
        robot: free in space, on two feet or more, every joint driven.

    Raises:
        ConfigError: its centre of mass is not above its soles, or a motor is too weak
            to hold it.
    """
    margin, where = support_margin(robot), f"robot '{robot.name}'"
    if not margin > 0.0:
        how = " by 'stand' in what 'equipoise describe' writes" if robot.source else ""
        raise ConfigError(
            where,
            [
                "its feet cannot carry it, in its set pose the centre of mass is "
                f"{-1e3 * margin:.0f} mm outside its soles; move it above them{how}"
            ],
        )
    model, tau = robot.model, np.abs(standing_torques(robot))
    limit = np.where(
        model.actuator_ctrllimited, np.abs(model.actuator_ctrlrange).max(axis=1), np.inf
    )
    weakest = int(np.argmax(tau - limit))
    if tau[weakest] > limit[weakest] and robot.source:
        share = tau[weakest] / limit[weakest]
        raise ConfigError(
            where,
            [
                f"its motor of '{model.actuator(weakest).name}' gives "
                f"{limit[weakest]:g} N m, and to stand takes {share:.2g} times as "
                "much; bend it less, or give it more in 'drives' of what "
                "'equipoise describe' writes"
            ],
        )
    if tau[weakest] > limit[weakest]:
        raise ConfigError(
            where,
            [
                f"torque-limit {limit[weakest]:g} N m is too low to stand, "
                f"'{model.actuator(weakest).name}' alone needs {tau[weakest]:.1f}; "
                f"give at least {math.ceil(10.0 * tau.max()) / 10.0:g}"
            ],
        )


def standing_torques(robot: Robot) -> VecN:
    """Return the torques that hold a robot at rest in its set pose, (nu,) [N m]."""
    pose, rest = keyframe_posture(robot), np.zeros(robot.model.nv)
    _, wrench = workspace_dynamics(robot, pose, rest)
    return workspace_torques(robot, pose, rest, wrench)


def support_margin(robot: Robot) -> float:
    """Return how far inside its soles' outline the centre of mass is, set pose [m].

    Negative outside. The outline is the convex hull of all corners, seen from above.
    """
    data = mujoco.MjData(robot.model)
    data.qpos[:] = keyframe_posture(robot)
    mujoco.mj_kinematics(robot.model, data)
    mujoco.mj_comPos(robot.model, data)
    tree = legged_tree(robot)
    foot, corner = sole_corners(robot, tree)
    ids = [robot.model.body(name).id for name in tree.feet]
    outline = np.array(
        [
            (data.xpos[ids[f]] + data.xmat[ids[f]].reshape(3, 3) @ p)[:2]
            for f, p in zip(foot, corner, strict=True)
        ]
    )
    p_WC = data.subtree_com[robot.model.body(robot.base).id]
    return float(static_margin(p_WC[:2], outline))
