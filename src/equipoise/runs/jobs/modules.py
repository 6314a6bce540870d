"""``modules run`` as a job."""

from typing import Any

from equipoise.runs.jobs.job import Job, JobRequest
from equipoise.runs.processes.config import ModuleRunConfig
from equipoise.runs.result import AbstractResult

__all__ = ["JOB"]


def _answer(asked: JobRequest) -> AbstractResult:
    from equipoise.runs.processes.run import run_modules

    choice = asked.choice("superbot", is_drawn=True)
    settings: dict[str, Any] = {**asked.settings, "seed": asked.seed}
    config = ModuleRunConfig(robot=choice, **settings)
    return run_modules(config)


JOB = Job(
    name="modules",
    title="modules run",
    configs=(ModuleRunConfig,),
    answer=_answer,
    tasks=("steer",),
    takes_files=False,
    takes_gains=False,
)
