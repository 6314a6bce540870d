"""``balance`` as a job: what is done depends on the robot."""

from typing import Any

from equipoise.core.setting import expect_fields, expect_known
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.files.named import is_robot_file
from equipoise.runs.balance.config import BalanceConfig, SteerConfig
from equipoise.runs.jobs.job import Job, JobRequest
from equipoise.runs.result import AbstractResult
from equipoise.runs.robot import find_robot
from equipoise.runs.stand.config import StandConfig

__all__ = ["JOB", "balances_on_feet"]

USUAL = "superbot"


def balances_on_feet(name: str) -> bool:
    """Return whether a robot is balanced on its feet, and not by modules' messages.

    Args:
        name: of the robot, or a file.
    """
    is_known = name in builtin_names()
    return builtin(name).task == "stand" if is_known else is_robot_file(name)


def _answer(asked: JobRequest) -> AbstractResult:
    has_feet = balances_on_feet(asked.robot or USUAL)
    choice = asked.choice(USUAL, is_drawn=not has_feet)
    settings: dict[str, Any] = {**asked.settings, "seed": asked.seed}
    if not has_feet:
        from equipoise.runs.balance.balance import balance

        expect_fields(SteerConfig, settings, choice.name, "robots that stand on feet")
        return balance(BalanceConfig(robot=choice, steer=SteerConfig(**settings)))
    from equipoise.runs.stand.stand import stand
    from equipoise.runs.walk import stance

    expect_fields(StandConfig, settings, choice.name, "robots made of modules")
    robot = find_robot(choice) if is_robot_file(choice.name) else None
    if robot is not None and stance.stands_on_balls(robot):
        expect_known(settings, stance.STANCE, robot.name, "robots with soles")
        config = stance.stance_config(robot, choice, settings)
        return stance.held_in_stance(robot, config)
    return stand(StandConfig(robot=choice, **settings), robot=robot)


JOB = Job(
    name="balance",
    title="balance",
    configs=(SteerConfig, StandConfig),
    answer=_answer,
    tasks=("steer", "stand"),
)
