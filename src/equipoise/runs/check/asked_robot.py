"""The check of a robot that is named, with settings as they are typed or swept."""

from pathlib import Path
from typing import Any

from equipoise.robots.robot import Robot
from equipoise.robots.stance.pose_file import read_pose
from equipoise.runs.check.check import check
from equipoise.runs.check.compare import older
from equipoise.runs.check.config import CheckConfig
from equipoise.runs.check.require.requirement import required, typed_requirements
from equipoise.runs.check.result import CheckResult
from equipoise.runs.check.run import check_run
from equipoise.runs.check.uncertain import Tolerances
from equipoise.runs.robot import RobotChoice, find_robot

__all__ = ["check_named", "expect_requirements"]


def expect_requirements(config: CheckConfig) -> None:
    """Refuse requirements that cannot be read, before any robot is loaded.

    Args:
        config: what is asked.

    Raises:
        EquipoiseError: names what is wrong.
    """
    required(typed_requirements(list(config.require) or None))


def check_named(choice: RobotChoice, config: CheckConfig) -> CheckResult:
    """Return the check of a robot.

    Args:
        choice: which robot.
        config: what is asked.

    Raises:
        EquipoiseError: a robot, a pose or settings that cannot be used.
    """
    robot = find_robot(choice)
    if config.run is not None:
        at: Any = "worst" if config.at is None else config.at
        common = _common(config)
        return check_run(robot, Path(config.run), at=at, freeze=config.freeze, **common)
    before = _older_robot(choice, config)
    is_file = config.pose == "file"
    qpos = (
        None if config.pose is None or is_file else read_pose(robot, Path(config.pose))
    )
    return check(
        robot,
        keyframe=config.keyframe,
        qpos=qpos,
        pose="file" if is_file else None,
        joints=config.joints,
        settle=not config.no_settle,
        feet=config.feet,
        ground=config.ground,
        remedies=not config.no_remedies,
        compare_to=before,
        no_worse=config.no_worse and before is not None,
        **_common(config),
    )


def _older_robot(choice: RobotChoice, config: CheckConfig) -> Robot | None:
    """Return the older version of a robot; None where there is none."""
    old = older(config.compare_to, choice.name)
    if old is None:
        return None
    return find_robot(RobotChoice(name=old, seed=choice.seed, options=choice.options))


def _common(config: CheckConfig) -> dict[str, Any]:
    """Return what poses and runs are asked alike, by the names of ``check``."""
    limits = config.torque_limits
    return {
        "friction": config.friction,
        "ground_stiffness": config.ground_stiffness,
        "leg_stiffness": config.leg_stiffness,
        "slope_deg": config.slope_deg,
        "heading_deg": config.heading_deg,
        "torque_limits": False if limits is None else limits == "own" or limits,
        "tolerances": Tolerances(
            config.mass_tolerance, config.com_tolerance, config.stiffness_tolerance
        ),
        "require": typed_requirements(list(config.require) or None),
    }
