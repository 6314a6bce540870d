"""``walk`` as a job."""

from typing import Any

from equipoise.runs.jobs.job import Job, JobRequest
from equipoise.runs.result import AbstractResult
from equipoise.runs.walk.config import WalkConfig

__all__ = ["JOB", "walk_config"]

MACHINE = "warp1"


def walk_config(asked: JobRequest) -> WalkConfig:
    """Return the walk that is asked for.

    Args:
        asked: machine, settings and seed.
    """
    machine = asked.choice(MACHINE)
    settings: dict[str, Any] = {**asked.settings, "seed": asked.seed}
    return WalkConfig(robot=machine, **settings)


def _answer(asked: JobRequest) -> AbstractResult:
    from equipoise.runs.walk.walk import walk

    return walk(walk_config(asked))


JOB = Job(
    name="walk", title="walk", configs=(WalkConfig,), answer=_answer, tasks=("walk",)
)
