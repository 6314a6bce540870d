"""A job: a question to a robot, with settings by name.

Each file beside this one offers one as ``JOB``. Commands, sweeps and rows on a card
take a job's settings from the described fields of its dataclasses, see
``core.setting``; nothing else lists them.
"""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, final

from equipoise.core.errors import UnknownNameError
from equipoise.core.setting import FieldSetting, described_settings
from equipoise.robots.builtin import Task, builtin, builtin_names
from equipoise.runs.result import AbstractResult
from equipoise.runs.robot import RobotChoice

__all__ = ["Job", "JobRequest", "job_named", "job_names", "robot_settings"]

PACKAGE = "equipoise.runs.jobs"
SEED = "seed"


class JobRequest(NamedTuple):
    """One question of a job."""

    robot: str | None
    """Name or file; None for the job's own."""
    options: Mapping[str, Any]
    """How the robot is built or read, by name."""
    settings: Mapping[str, Any]
    """Fields of the job's dataclasses, gains as ``gains``."""
    seed: int

    def choice(self, usual: str, *, is_drawn: bool = False) -> RobotChoice:
        """Return which robot is asked.

        Args:
            usual: the job's own.
            is_drawn: whether the seed says which one it is.
        """
        seed = {"seed": self.seed} if is_drawn else {}
        return RobotChoice(name=self.robot or usual, options=self.options, **seed)


@final
@dataclass(frozen=True, kw_only=True)
class Job:
    """A question to a robot."""

    name: str
    """By which it is swept."""
    title: str
    """Words of its command."""
    configs: tuple[type, ...]
    """Dataclasses of its settings, one for each kind of robot."""
    answer: Callable[[JobRequest], AbstractResult]
    tasks: tuple[Task, ...] = ()
    """What the built-in robots do to which it is put; () for any."""
    takes_files: bool = True
    takes_gains: bool = True

    @property
    def settings(self) -> dict[str, FieldSetting]:
        """Settings that a sweep can vary, by the name of the option."""
        every = (
            one for own in self.configs for one in described_settings(own).values()
        )
        found: dict[str, FieldSetting] = {}
        for one in every:
            if one.is_offered("sweep") and one.name != SEED:
                found.setdefault(one.option, one)
        return found


def robot_settings(tasks: tuple[Task, ...]) -> dict[str, FieldSetting]:
    """Return what can be chosen of built-in robots, by the name of the option.

    Args:
        tasks: what the robots do; () for any.
    """
    robots = (builtin(name) for name in builtin_names())
    every = (o for r in robots if not tasks or r.task in tasks for o in r.typed)
    found: dict[str, FieldSetting] = {}
    for one in every:
        found.setdefault(one.option, one)
    return found


@cache
def job_names() -> tuple[str, ...]:
    """Return the names of all jobs, sorted."""
    folder = str(Path(__file__).parent)
    names = (one.name for one in pkgutil.iter_modules([folder]))
    return tuple(sorted(name for name in names if name != "job"))


def job_named(name: str) -> Job:
    """Return a job.

    Args:
        name: one of ``job_names``.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if name not in job_names():
        raise UnknownNameError("job", name, job_names(), "sweep")
    return import_module(f"{PACKAGE}.{name}").JOB
