"""A, B and poles of a robot in a pose: what ``equipoise linearize`` does."""

from pathlib import Path
from typing import Any

from equipoise.core.errors import ConfigError
from equipoise.equations.linear.linearize import linearize
from equipoise.equations.robot.ground import SpringGround
from equipoise.robots.files.pose import read_pose
from equipoise.runs.robot import RobotChoice, find_robot

__all__ = ["linearize_pose"]


def linearize_pose(
    choice: RobotChoice,
    *,
    keyframe: str | None = None,
    pose: Path | None = None,
    ground_stiffness: float = 70e3,
    ground_damping: float = 2e3,
) -> dict[str, Any]:
    """Return the numbers of the command's ``--json``.

    Args:
        choice: which robot.
        keyframe: the pose by name; None for ``start``, else the model's own.
        pose: the pose as a file instead.
        ground_stiffness: under each foot, along each axis, > 0 [N/m].
        ground_damping: under each foot, along each axis, >= 0 [N s/m].

    Raises:
        BadFileError: a file cannot be used.
        ConfigError: both poses given, a ground that none can be, or closed loops.
        UnknownNameError: no such robot or keyframe.
    """
    if keyframe is not None and pose is not None:
        raise ConfigError("linearize", ["give --keyframe or --pose, not both"])
    ground = SpringGround(stiffness=ground_stiffness, damping=ground_damping)
    robot = find_robot(choice)
    q = None if pose is None else read_pose(robot, pose)
    found = linearize(robot, keyframe=keyframe, q=q, ground=ground)
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
    }
