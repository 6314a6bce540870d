"""A command as the job of a sweep: what may be varied of it, and how it is typed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, final

from equipoise.cli.sweep import JOBS
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.text import shown
from equipoise.robots.changes.change import CHANGES
from equipoise.runs.sweep.identity import file_digests

__all__ = ["SweptJob", "expect_readable", "swept_job"]

OWN = {"json", "out", "seed", "seeds", "help"}
"""Options of those that a sweep has itself."""
WRITING = {"compare", "gif", "host", "junit", "mcap", "no-open", "open", "port"}
WRITING |= {"summary", "view"}
"""Options for people who look at one run, or that write files."""
ROBOT = "robot"
SETTING, CHANGE = "set", "change"
OF_PARTS = {"length": "m", "mass": "kg"}
UNITS = {"DEG": "deg", "KG": "kg", "M": "m", "M/S": "m/s", "MS": "ms", "N": "N"}
UNITS |= {"N/M": "N/m", "NM": "N m", "NS": "N s", "NS/KG": "N s/kg"}
UNITS |= {"RAD/S": "rad/s", "S": "s"}
"""Of numbers alone, by how the help shows them."""
ON, OFF = ("true", "yes", "on"), ("false", "no", "off")


@final
@dataclass(frozen=True)
class SweptJob:
    """A command that is asked many times."""

    name: str
    words: tuple[str, ...]
    """What is typed for every row, the robot aside."""
    robot: tuple[str, ...]
    """What is typed for it; () for the command's own."""
    options: Mapping[str, Any]
    """The command's, by name without dashes, as Typer has them."""

    @property
    def told(self) -> str:
        """The job in words."""
        return " ".join([self.name, *self.robot, *self.words])

    def expect(self, names: Iterable[str]) -> None:
        """Refuse what cannot be varied.

        Args:
            names: of what is varied.

        Raises:
            ConfigError: names what the job has instead.
        """
        for name in names:
            what = name.partition(".")[0]
            is_part = what == SETTING or what in CHANGES
            option = SETTING if what == SETTING else CHANGE
            is_known = option in self.options if is_part else name in self.options
            if name == ROBOT and self.robot:
                raise ConfigError("the sweep", ["the robot is given and varied"])
            if not is_known and name != ROBOT:
                raise self.unknown(name)

    def unknown(self, name: str) -> ConfigError:
        """Return the error of an option that the job does not have."""
        near = get_close_matches(name, self.options, n=1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        own = f"its own are {', '.join(sorted(self.options))}"
        more = ", set.NAME for settings" if SETTING in self.options else ""
        if CHANGE in self.options:
            more += f" and {', '.join(f'{what}.NAME' for what in CHANGES)} of the robot"
        problem = f"'{self.name}' has no option '{shown(name)}'{hint}; {own}{more}"
        return ConfigError("the sweep", [problem])

    def question(
        self, point: Mapping[str, Any], seed: int, units: Mapping[str, str]
    ) -> list[str]:
        """Return what is typed for a row.

        Args:
            point: what is varied, by name.
            seed: of the row.
            units: in which numbers are, by name.
        """
        words = [*self.name.split(), *self.robot]
        if ROBOT in point:
            words.append(str(point[ROBOT]))
        words += self.words
        for name, value in point.items():
            words += [] if name == ROBOT else self.typed(name, value, units)
        return [*words, f"--seed={seed}"]

    def typed(self, name: str, value: Any, units: Mapping[str, str]) -> list[str]:
        """Return an option as it is typed.

        Args:
            name: of the option, or of a part of one: ``set.NAME``, ``mass.NAME``.
            value: of it.
            units: in which numbers are, by name.
        """
        text = f"{value!r}" if isinstance(value, float) else str(value)
        what, _, whose = name.partition(".")
        text += units.get(name, "")
        if what == SETTING and whose:
            return [f"--set={whose}={text}"]
        if what in CHANGES and whose:
            return [f"--change={name}={text}"]
        option = self.options[name]
        if not getattr(option, "is_flag", False):
            return [f"--{name}={text}"]
        if text.lower() not in (*ON, *OFF):
            problem = f"{name} takes true or false, got '{shown(text)}'"
            raise ConfigError("the sweep", [problem])
        is_on = text.lower() in ON
        if f"--{name}" in option.secondary_opts:  # --no-contacts=true
            is_on = not is_on
        words = option.opts if is_on else option.secondary_opts
        return [words[0]] if words else []

    def units(self, names: Iterable[str]) -> dict[str, str]:
        """Return the units of numbers that were typed without one.

        Args:
            names: of what is varied.
        """
        found: dict[str, str] = {}
        for name in names:
            what, dot, _ = name.partition(".")
            help_shows = getattr(self.options.get(name), "metavar", None) or ""
            alone = help_shows.partition("[")[0]
            unit = OF_PARTS.get(what) if dot else UNITS.get(alone)
            if unit is not None:
                found[name] = unit
        return found

    def files(self, varied: Iterable[Any]) -> dict[str, str]:
        """Return the files that it reads, told apart by their contents.

        Args:
            varied: values that rows have beside what all of them share.
        """
        words = [*self.robot, *self.words, *(v for v in varied if isinstance(v, str))]
        return file_digests(words)


def swept_job(job: str, words: Sequence[str]) -> SweptJob:
    """Return a job with what is typed for all of its rows.

    Args:
        job: one of ``JOBS``.
        words: what follows it: a robot if one is named, and options.

    Raises:
        UnknownNameError: no such job.
        ConfigError: an option that the job does not have, or that the sweep has itself.
    """
    if job not in JOBS:
        raise UnknownNameError("job", job, JOBS, "sweep")
    count = 0
    while count < len(words) and not words[count].startswith("-"):
        count += 1
    robot, rest = tuple(words[:count]), list(words[count:])
    options = _options_of(job)
    name = "modules run" if job == "modules" else job
    alone = ()
    if job == "limits":  # rows themselves are done side by side
        options.pop("processes")
        alone = ("--processes=1",)
    made = SweptJob(name, (*rest, *alone), robot, options)
    for word in rest:
        option = word.removeprefix("--").partition("=")[0]
        if word.startswith("--") and option not in options:
            raise made.unknown(option)
    return made


def _options_of(job: str) -> dict[str, Any]:
    """Return a command's options by name, but for those that a sweep has itself."""
    command = _command_of(job)
    return {
        word[2:]: option
        for option in command.params
        for word in (*option.opts, *option.secondary_opts)
        if word.startswith("--") and word[2:] not in OWN | WRITING
    }


def _command_of(job: str) -> Any:
    """Return a command as Typer has it."""
    from equipoise.cli.app import front_command

    found = front_command().commands[job]
    return found.commands["run"] if job == "modules" else found


def expect_readable(job: SweptJob, question: Sequence[str]) -> None:
    """Refuse what the job itself would not take for options, before any work.

    Args:
        job: what is asked.
        question: a row of it, as typed.

    Raises:
        UsageProblemsError: names all that is wrong with it.
    """
    front = job.name.split()
    command = _command_of(front[0])
    command.make_context(f"equipoise {job.name}", list(question[len(front) :]))
