"""A job of a sweep: what may be varied of it, and a row as words that travel.

A row is the job's name and words ``name=value``, as ``("walk", "robot=go2.urdf",
"speed=0.3", "seed=7")``; a number may have a unit. It is read by the descriptions of
the job's settings, on whichever machine answers it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, final

from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.core.files import plain
from equipoise.core.setting import FieldSetting, Setting, described_settings
from equipoise.core.settings import parsed_settings
from equipoise.core.text import shown
from equipoise.robots.changes.change import CHANGES
from equipoise.runs.jobs.job import Job, JobRequest, job_named, robot_settings
from equipoise.runs.robot import FileOptions
from equipoise.runs.sweep.identity import file_digests
from equipoise.runs.sweep.sweep import Answer

__all__ = ["SweptJob", "ask", "request_of", "settings_by_option"]

ROBOT, SEED, SET, CHANGE = "robot", "seed", "set", "change"
OF_FILES = {one.option: name for name, one in described_settings(FileOptions).items()}
"""Options of robot files, and their names in ``equipoise.load``."""
OF_PARTS = {"length": "m", "mass": "kg"}
LONGEST = 2000  # letters of a reason
Words = tuple[str, ...]


def settings_by_option(job: Job) -> dict[str, FieldSetting]:
    """Return everything that can be chosen of a job and its robot, by option.

    Args:
        job: which.
    """
    return dict(_settings_of(job.name))


@cache
def _settings_of(job: str) -> Mapping[str, FieldSetting]:
    known = job_named(job)
    found = {**robot_settings(known.tasks), **known.settings}
    texts = [*OF_FILES, CHANGE] if known.takes_files else []
    texts += [SET] if known.takes_gains else []
    text = Setting("", between="")
    for name in texts:
        found[name] = FieldSetting(name, text, str, (), is_tuple=True)
    return found


@final
@dataclass(frozen=True)
class SweptJob:
    """A job that is asked many times."""

    job: Job
    robot: str | None
    """For all rows; None for the job's own, or where it is varied."""
    common: Words
    """What all rows have, as ``name=value``."""

    @property
    def description(self) -> str:
        """The job in words."""
        robot = [] if self.robot is None else [self.robot]
        return " ".join([self.job.title, *robot, *self.common])

    @property
    def options(self) -> Mapping[str, FieldSetting]:
        """Settings that may be varied, by option."""
        return _settings_of(self.job.name)

    def expect(self, names: Iterable[str]) -> None:
        """Refuse what cannot be varied.

        Args:
            names: of what is varied.

        Raises:
            ConfigError: names what the job has instead.
        """
        for name in names:
            what = name.partition(".")[0]
            is_part = what == SET or what in CHANGES
            option = (SET if what == SET else CHANGE) if is_part else name
            if name == ROBOT and self.robot is not None:
                raise ConfigError("the sweep", ["the robot is given and varied"])
            if option not in self.options and name != ROBOT:
                raise self.unknown(name)

    def unknown(self, name: str) -> ConfigError:
        """Return the error of an option that the job does not have."""
        own = [known for known in self.options if known not in (SET, CHANGE)]
        near = get_close_matches(name, own, n=1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        listed = f"its own are {', '.join(sorted(own))}"
        more = ", set.NAME for settings" if SET in self.options else ""
        if CHANGE in self.options:
            more += f" and {', '.join(f'{what}.NAME' for what in CHANGES)} of the robot"
        problem = f"'{self.job.title}' has no option '{shown(name)}'{hint}; "
        return ConfigError("the sweep", [f"{problem}{listed}{more}"])

    def row(
        self, point: Mapping[str, Any], seed: int, units: Mapping[str, str]
    ) -> Words:
        """Return a row as it travels.

        Args:
            point: what is varied, by name.
            seed: of the row.
            units: in which numbers are, by name.
        """
        words = [self.job.name]
        words += [] if self.robot is None else [f"{ROBOT}={self.robot}"]
        words += self.common
        for name, value in point.items():
            words += self.words(name, value, units.get(name, ""))
        return (*words, f"{SEED}={seed}")

    def words(self, name: str, value: Any, unit: str = "") -> list[str]:
        """Return a setting as it travels, a word for each time it may be given.

        Args:
            name: of the option, or of a part of one: ``set.NAME``, ``mass.NAME``.
            value: of it.
            unit: in which it is; "" for its own.
        """
        if name.partition(".")[0] in CHANGES and "." in name:
            return [f"{CHANGE}={name}={_text(value)}{unit}"]
        setting = self.options.get(name)
        if setting is None or not isinstance(value, list | tuple):
            return [f"{name}={_text(value)}{unit}"]
        texts = [_text(one) for one in value]
        if setting.is_tuple and not setting.is_optional:  # may be repeated
            return [f"{name}={text}" for text in texts]
        return [f"{name}={setting.about.between.join(texts)}"]

    def units(self, names: Iterable[str]) -> dict[str, str]:
        """Return the units of numbers that were typed without one.

        Args:
            names: of what is varied.
        """
        found: dict[str, str] = {}
        for name in names:
            what, dot, _ = name.partition(".")
            unit = OF_PARTS.get(what, "") if dot else ""
            if not dot and name in self.options:
                unit = self.options[name].about.unit.partition(",")[0]
            if unit:
                found[name] = unit
        return found

    def files(self, varied: Iterable[Any]) -> dict[str, str]:
        """Return the files that it reads, told apart by their contents.

        Args:
            varied: values that rows have beside what all of them share.
        """
        robot = [] if self.robot is None else [self.robot]
        texts = [value for value in varied if isinstance(value, str)]
        return file_digests([*robot, *self.common, *texts])


def _text(value: Any) -> str:
    """Return a value as it travels; a float keeps every bit."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(_text(one) for one in value)
    return repr(value) if isinstance(value, float) else str(value)


def request_of(row: Sequence[str]) -> tuple[Job, JobRequest]:
    """Return the job of a row, and what it is asked.

    Args:
        row: as ``SweptJob.row`` makes it.

    Raises:
        EquipoiseError: a value that cannot be read.
    """
    job, known = job_named(row[0]), _settings_of(row[0])
    own = {one.name: one for one in job.settings.values()}
    robot, seed, gains = None, 0, list[str]()
    options: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for word in row[1:]:
        name, _, text = word.partition("=")
        if name == ROBOT:
            robot = text
        elif name == SEED:
            seed = int(text)
        elif name.startswith(f"{SET}."):
            gains.append(f"{name.removeprefix(f'{SET}.')}={text}")
        elif name == SET:
            gains.append(text)
        elif name == CHANGE:
            options[CHANGE] = ",".join([*filter(None, [options.get(CHANGE)]), text])
        elif name in OF_FILES:
            options[OF_FILES[name]] = text
        else:
            setting = known[name]
            into = settings if own.get(setting.name) is setting else options
            into[setting.name] = _value(setting, text, into.get(setting.name, ()))
    if gains:
        settings["gains"] = parsed_settings(gains)
    return job, JobRequest(robot, options, settings, seed)


def _value(setting: FieldSetting, text: str, before: Any) -> Any:
    """Return a value of a row; one that may be repeated is added to those before."""
    value = setting.read(text)
    if setting.kind is bool and not isinstance(value, bool):
        problem = f"{setting.option} takes true or false, got '{shown(text)}'"
        raise ConfigError("the sweep", [problem])
    if setting.is_tuple and not setting.is_optional and isinstance(value, tuple):
        return (*before, *value)
    return value


def ask(row: Sequence[str]) -> Answer:
    """Return the answer to a row.

    Args:
        row: as ``SweptJob.row`` makes it.
    """
    try:
        job, asked = request_of(row)
        result = job.answer(asked)
    except EquipoiseError as error:
        return Answer("", error=" ".join(shown(str(error), LONGEST).split()))
    except MemoryError:
        return Answer("", error="there is not enough memory for this row")
    except Exception as error:  # a defect, which costs this row alone
        return Answer("", error=f"{type(error).__name__}: {error}")
    return Answer(result.verdict, plain(result.report))
