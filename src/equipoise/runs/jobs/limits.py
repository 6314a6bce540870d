"""``limits`` as a job: which search it is depends on the robot."""

from typing import Any

from equipoise.core.errors import ConfigError
from equipoise.core.setting import expect_fields
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.files.named import is_robot_file
from equipoise.runs.jobs.job import Job, JobRequest
from equipoise.runs.limits_config import LimitsConfig
from equipoise.runs.result import AbstractResult
from equipoise.runs.robot import RobotChoice, find_robot, kept
from equipoise.runs.walk.limits_config import WalkLimitsConfig

__all__ = ["JOB", "walks"]


def walks(choice: RobotChoice) -> bool:
    """Return whether a robot is one that walks, not one that stands.

    Args:
        choice: which.

    Raises:
        ConfigError: it is neither.
    """
    robots = (builtin(name) for name in builtin_names())
    known = {one.name: one.task for one in robots if one.task != "steer"}
    if choice.name in known:
        return known[choice.name] == "walk"
    if is_robot_file(choice.name):
        from equipoise.runs.walk.fit import is_walker  # brings NumPy

        return is_walker(kept(choice, find_robot))
    listed = ", ".join(f"'{name}'" for name in known)
    problem = f"limits can be found for {listed} and robot files, got '{choice.name}'"
    raise ConfigError("limits", [problem])


def _answer(asked: JobRequest) -> AbstractResult:
    from equipoise.runs.limits import limits
    from equipoise.runs.walk.limits import push_limits

    choice = asked.choice("biped")
    settings: dict[str, Any] = {**asked.settings, "seed": asked.seed}
    if walks(choice):
        expect_fields(WalkLimitsConfig, settings, choice.name, "robots that stand")
        walk = WalkLimitsConfig(robot=choice, **settings)
        return push_limits(walk, processes=1)
    expect_fields(LimitsConfig, settings, choice.name, "machines that walk")
    return limits(LimitsConfig(robot=choice, **settings), processes=1)


JOB = Job(
    name="limits",
    title="limits",
    configs=(LimitsConfig, WalkLimitsConfig),
    answer=_answer,
    tasks=("stand", "walk"),
    takes_gains=False,
)
