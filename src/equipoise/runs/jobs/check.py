"""``check`` as a job."""

from equipoise.core.errors import ConfigError
from equipoise.runs.check.config import CheckConfig
from equipoise.runs.jobs.job import Job, JobRequest
from equipoise.runs.result import AbstractResult

__all__ = ["JOB"]


def _answer(asked: JobRequest) -> AbstractResult:
    from equipoise.runs.check.asked_robot import check_named, expect_requirements

    config = CheckConfig(**asked.settings)
    expect_requirements(config)
    if asked.robot is None:
        raise ConfigError("check", ["it needs a robot; name one, or vary it"])
    return check_named(asked.choice(asked.robot, is_drawn=True), config)


JOB = Job(
    name="check",
    title="check",
    configs=(CheckConfig,),
    answer=_answer,
    takes_gains=False,
)
