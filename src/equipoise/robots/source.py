"""Where a robot's numbers come from: printed, chosen by us, tried in simulation.

A number stands beside its source in the robot's folder. What has none cannot be told,
and is refused:

    SOURCES = {"MASS": Stated("mass of the trunk", "kg", printed("table 6.5"))}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, final

from equipoise.core.errors import ConfigError
from equipoise.robots.senses import expect_senses

__all__ = [
    "Fact",
    "Provenance",
    "Source",
    "SourceKind",
    "Stated",
    "chosen",
    "expect_sources",
    "facts_from",
    "follows",
    "printed",
    "tried",
]

SourceKind = Literal["printed", "chosen", "tried", "follows"]
"""In a publication; by us; by us, and tried in simulation; from other numbers here."""


@final
@dataclass(frozen=True, slots=True)
class Source:
    """Source of a number."""

    kind: SourceKind
    where: str
    """Work and section, why, how it was tried, or from what it follows."""

    def __str__(self) -> str:
        """Return it for people."""
        return f"{self.kind}: {self.where}"


@final
@dataclass(frozen=True, slots=True)
class Stated:
    """Meaning and source of a number; the number itself is beside it."""

    what: str
    """A phrase."""
    unit: str
    """SI; empty for a plain number."""
    source: Source


@final
@dataclass(frozen=True, slots=True)
class Fact:
    """A number of a robot with its meaning and source."""

    name: str
    """Of the constant or field that holds it."""
    what: str
    value: Any
    """A number, or numbers in tuples."""
    unit: str
    source: Source

    def summary(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "name": self.name,
            "what": self.what,
            "value": self.value,
            "unit": self.unit,
            "source": self.source.kind,
            "where": self.source.where,
        }


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Provenance:
    """Sources of all numbers of a built-in robot.

    Raises:
        UnknownNameError: a sensor that there is not.
    """

    facts: tuple[Fact, ...]
    senses: Mapping[str, Source]
    """Its sensors, by the names of ``robots.senses.SENSES``."""
    simplified: tuple[str, ...] = ()
    """What the machine had and its model has not, a phrase each."""

    def __post_init__(self) -> None:
        """Refuse sensors that there are not."""
        expect_senses(self.senses, "a robot's sensors")


def printed(where: str) -> Source:
    """Return the source of a number that a publication states.

    Args:
        where: work and section, or its table.
    """
    return Source("printed", where)


def chosen(why: str) -> Source:
    """Return the source of a number that is our choice.

    Args:
        why: what speaks for it, in a phrase.
    """
    return Source("chosen", why)


def tried(how: str) -> Source:
    """Return the source of our choice that simulation bore out.

    Args:
        how: what was tried, in a phrase.
    """
    return Source("tried", how)


def follows(out_of: str) -> Source:
    """Return the source of a number that other numbers here imply.

    Args:
        out_of: which ones.
    """
    return Source("follows", out_of)


def expect_sources(
    numbers: Mapping[str, Any], sources: Mapping[str, Any], where: str
) -> None:
    """Refuse numbers without a source, and sources without a number.

    Args:
        numbers: values by name.
        sources: by the same names.
        where: whose numbers they are, in words.

    Raises:
        ConfigError: names every one that is alone.
    """
    problems = [f"{name} has no source" for name in numbers if name not in sources]
    problems += [
        f"{name} is no number of it" for name in sources if name not in numbers
    ]
    if problems:
        raise ConfigError(where, problems)


def facts_from(
    numbers: Mapping[str, Any], sources: Mapping[str, Stated], where: str
) -> tuple[Fact, ...]:
    """Return numbers with their meanings and sources, in the order of the sources.

    Args:
        numbers: values by name, such as a module's own ``vars``.
        sources: of some of them, by the same names.
        where: whose numbers they are, in words.

    Raises:
        ConfigError: a source whose number is not there.
    """
    expect_sources({name: 0 for name in sources if name in numbers}, sources, where)
    return tuple(
        Fact(name, one.what, _plain_numbers(numbers[name]), one.unit, one.source)
        for name, one in sources.items()
    )


def _plain_numbers(value: Any) -> Any:
    """Return a value as plain numbers, rounded to nine digits, in tuples."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        found: Any = value
        return tuple(_plain_numbers(one) for one in found)
    return float(f"{value:.9g}") if isinstance(value, float) else value
