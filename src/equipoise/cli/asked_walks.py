"""Many walks as they were typed, read without walking.

What an option changes does not depend on the others, so that each value of an option is
read once: a grid of a million rows has as many words as its edges are long. An option
that has once set a number to what was typed does so again, and is not read any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, final

from equipoise.core.errors import ConfigError, EquipoiseError

if TYPE_CHECKING:
    from equipoise.runs.walk.config import WalkConfig

__all__ = ["AskedWalks", "CaughtWalk"]

CHANGE = "change"


@final
@dataclass
class CaughtWalk:
    """Given to ``walk`` as its context's object: keeps what was asked; nobody walks."""

    config: Any = None
    """What was asked for."""


@final
@dataclass
class AskedWalks:
    """Reads rows of a sweep of ``walk``: machine, common options, then those varied."""

    words: tuple[str, ...]
    """Options that all rows have."""
    known: dict[tuple[str, ...], CaughtWalk | str] = field(default_factory=dict)
    """What was read, by words."""
    plain: dict[tuple[str, ...], tuple[str, type]] = field(default_factory=dict)
    """The number that an option sets to what is typed, by words before its value."""

    def read(self, row: Sequence[str]) -> "WalkConfig | str":
        """Return the walk of a row, or why there is none, in a sentence.

        Args:
            row: all its words, each option in one.
        """
        named = next((k for k, word in enumerate(row) if word[:1] == "-"), len(row))
        front = tuple(row[: named + len(self.words)])
        base = self.caught(front)
        if isinstance(base, str):
            return base
        changes: dict[str, Any] = {}
        for word in row[len(front) :]:
            found = self.changes(base.config, front, word)
            if isinstance(found, str):
                return found
            changes = _merged(changes, found)
        try:
            return replace(base.config, **changes)
        except EquipoiseError as error:
            return str(error)

    def changes(
        self, base: "WalkConfig", front: tuple[str, ...], word: str
    ) -> dict[str, Any] | str:
        """Return what an option changes, by name, or what is wrong with it.

        Args:
            base: what is asked without it.
            front: words before it.
            word: the option with its value.
        """
        option, _, text = word.partition("=")
        name, kind = self.plain.get((*front, option), ("", float))
        if name and (number := _plain_number(text, kind)) is not None:
            return {name: number}
        found = self.caught((*front, word))
        if isinstance(found, str):
            return found
        after = _changed(base, found.config)
        if len(after) == 1:
            ((name, value),) = after.items()
            if value == _plain_number(text, type(value)):
                self.plain[(*front, option)] = name, type(value)
        return after

    def caught(self, words: tuple[str, ...]) -> CaughtWalk | str:
        """Return what is asked by some words, or what is wrong with them."""
        if words not in self.known:
            try:
                self.known[words] = _caught_walk(list(words[1:]))
            except EquipoiseError as error:
                self.known[words] = str(error)
        return self.known[words]


def _caught_walk(words: list[str]) -> CaughtWalk:
    """Return what ``equipoise walk`` is asked by some words.

    Args:
        words: after ``walk``.

    Raises:
        EquipoiseError: it would not take them.
    """
    command, caught = _walk_front(), CaughtWalk()
    try:
        with command.make_context("walk", words, obj=caught) as context:
            command.invoke(context)
    except EquipoiseError:
        raise
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        told: Any = error
        raise ConfigError("the walk", [told.format_message().rstrip(".")]) from None
    return caught


@cache
def _walk_front() -> Any:
    """Return the command ``walk``."""
    import typer.main

    from equipoise.cli.app import app  # it offers all commands, sweep too

    front: Any = typer.main.get_command(app)
    return front.commands["walk"]


def _plain_number(text: str, kind: type) -> float | int | None:
    """Return a number without a unit; None for anything else.

    Args:
        text: as typed.
        kind: ``int`` or ``float``.
    """
    if kind not in (int, float) or not text.isascii():
        return None
    try:
        return kind(text)
    except ValueError:
        return None


def _changed(base: "WalkConfig", other: "WalkConfig") -> dict[str, Any]:
    """Return the settings that differ, by name."""
    pairs = {
        f.name: (getattr(base, f.name), getattr(other, f.name)) for f in fields(base)
    }
    return {name: after for name, (before, after) in pairs.items() if before != after}


def _merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return changes together: gains and a robot's options add up."""
    both = {**one, **other}
    if "gains" in one and "gains" in other:
        both["gains"] = {**one["gains"], **other["gains"]}
    if "robot" in one and "robot" in other:
        first, second = one["robot"].options, other["robot"].options
        options = {**first, **second}
        if CHANGE in first and CHANGE in second:
            words = f"{first[CHANGE]},{second[CHANGE]}".split(",")
            options[CHANGE] = ",".join(dict.fromkeys(words))
        both["robot"] = replace(other["robot"], options=options)
    return both
