"""The pose in which a robot stands: its file's, its SRDF's, or one that is computed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Vec3, VecN
from equipoise.robots.found.limbs import FoundLimb
from equipoise.robots.found.srdf import srdf_stand
from equipoise.robots.robot import Robot

__all__ = ["Stand", "bent", "told_stand"]

KEYS = ("stand", "start", "home")
BENT = 0.76  # share of its length that a leg of few joints stands at
STEPS, DAMPING = 200, 1e-4


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


def told_stand(robot: Robot, path: Path | None) -> Stand:
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
    if path is not None and path.suffix.lower() == ".urdf":
        told = srdf_stand(path, robot.name)
        if told is not None:
            pose = np.array(model.qpos0, np.float64)
            for j in range(model.njnt):
                name = str(model.joint(j).name)
                if name in told[0]:
                    pose[model.jnt_qposadr[j]] = told[0][name]
            return Stand(pose, told[1], True)
    return Stand(np.array(model.qpos0, np.float64), "the file's zero pose", False)


def bent(robot: Robot, limbs: tuple[FoundLimb, ...], stand: Stand) -> Stand:
    """Return a pose with bent legs, each foot under the first joint that swings it.

    Args:
        robot: any robot.
        limbs: its legs, of two or three joints.
        stand: the pose of everything else; legs are taken as straight there.
    """
    model, data = robot.model, mujoco.MjData(robot.model)
    pose = middle(model, stand.qpos, limbs)
    for limb in limbs:
        data.qpos[:] = stand.qpos
        mujoco.mj_kinematics(model, data)
        end = limb.bodies[-1]
        hip = np.array(data.xanchor[limb.joints[-2]])
        length = float(np.linalg.norm(hip - data.xanchor[limb.joints[-1]]))
        length += float(np.linalg.norm(data.xanchor[limb.joints[-1]] - data.xpos[end]))
        goal = hip - np.array([0.0, 0.0, BENT * length])
        reach_for(model, data, pose, limb, goal)
    said = f"computed: feet below the hips at {BENT} of the legs' length"
    return Stand(pose, said, False)


def middle(model: Any, qpos: VecN, limbs: tuple[FoundLimb, ...]) -> VecN:
    """Return a pose with the joints of limbs in the middle of their ranges."""
    pose = np.array(qpos)
    for joint in (j for limb in limbs for j in limb.joints):
        if model.jnt_limited[joint]:
            low, high = model.jnt_range[joint]
            pose[model.jnt_qposadr[joint]] = 0.5 * (low + high)
    return pose


def reach_for(model: Any, data: Any, pose: VecN, limb: FoundLimb, goal: Vec3) -> None:
    """Move the joints of a limb in ``pose`` so that its end comes to a place."""
    joints = np.array(limb.joints)
    places, columns = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
    low, high = model.jnt_range[joints].T
    is_limited = np.asarray(model.jnt_limited[joints], bool)
    J = np.zeros((3, model.nv))
    for _ in range(STEPS):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        miss = goal - data.xpos[limb.bodies[-1]]
        mujoco.mj_jacBody(model, data, J, None, limb.bodies[-1])
        own = J[:, columns]
        step = own.T @ np.linalg.solve(own @ own.T + DAMPING * np.eye(3), miss)
        wanted = pose[places] + np.clip(step, -0.2, 0.2)
        pose[places] = np.where(is_limited, np.clip(wanted, low, high), wanted)
