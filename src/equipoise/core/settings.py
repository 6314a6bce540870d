"""Settings of a law or a part by name: listed, checked and replaced.

A law keeps its settings in a frozen dataclass, its own or its ``config``, with unit and
meaning as text under each field. Those of a dataclass within it have a dot in their
name, as ``posture.roll_stiffness``.
"""

import ast
import inspect
import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar, cast

from equipoise.core.checks import expect_none, is_number, is_whole
from equipoise.core.digits import plain_float
from equipoise.core.errors import (
    MOST_NAMES,
    ConfigError,
    QuantityError,
    UnknownNameError,
)
from equipoise.core.quantity import number_of, quantity_in
from equipoise.core.setting import described_settings
from equipoise.core.text import shown

__all__ = [
    "Setting",
    "expect_settings",
    "parsed_settings",
    "plain_settings",
    "settings_of",
    "with_settings",
]

T = TypeVar("T")
UNIT = re.compile(r"\[([^\]]*)\][.;]?\s*$")
NEAREST = 3
"""Known settings that an error names, if there are too many to list."""
WORDS = {"true": True, "yes": True, "false": False, "no": False, "none": None}


@dataclass(frozen=True, slots=True)
class Setting:
    """One number or choice that can be set."""

    name: str
    value: Any
    """Unless it is set."""
    unit: str
    """Empty for a plain number."""
    says: str
    """What it is, in words."""


def settings_of(thing: Any) -> dict[str, Setting]:
    """Return what can be set of a dataclass and those within it, by name.

    Args:
        thing: the dataclass, an instance.
    """
    found: dict[str, Setting] = {}
    for one in fields(thing):
        if not one.init:
            continue
        value = getattr(thing, one.name)
        if is_dataclass(value):
            found |= _within(one.name, value)
        elif isinstance(value, Mapping):  # dataclasses, each under a name of its own
            for name, inner in cast("Mapping[str, Any]", value).items():
                found |= _within(name, inner)
        elif value is None or isinstance(value, bool | int | float | str | tuple):
            found[one.name] = Setting(
                one.name, value, *_unit_and_meaning(thing, one.name)
            )
    return found


def _within(name: str, thing: Any) -> dict[str, Setting]:
    """Return the settings of a dataclass within another one."""
    return {
        f"{name}.{key}": replace(one, name=f"{name}.{key}")
        for key, one in settings_of(thing).items()
    }


def _unit_and_meaning(thing: Any, name: str) -> tuple[str, str]:
    """Return the unit and the meaning of a field, by its description or its text."""
    described = described_settings(type(thing)).get(name)
    if described is not None:
        return described.about.unit, described.about.meaning
    text = _texts_of(type(thing)).get(name, "")
    unit = UNIT.search(text)
    return unit[1] if unit else "", text


def with_settings(
    thing: T, given: Mapping[str, Any], where: str, lister: str = ""
) -> T:
    """Return a dataclass with some settings replaced.

    Args:
        thing: the dataclass.
        given: new values by name.
        where: whose settings they are, for an error.
        lister: command that lists them all, for an error; "" for none.

    Raises:
        UnknownNameError: no such setting.
        ConfigError: values of another kind, or one that the dataclass refuses.
    """
    known = settings_of(thing)
    problems: list[str] = []
    fit: dict[str, Any] = {}
    for name, value in given.items():
        try:
            fit[name] = _fitting(known[name], value) if name in known else None
        except ValueError as error:
            problems.append(str(error))
    expect_settings(given, known, where, problems, lister)
    return _replaced(thing, fit)


def _replaced(thing: T, given: Mapping[str, Any]) -> T:
    """Return a dataclass with settings replaced that fit.

    Args:
        thing: the dataclass.
        given: new values by name.
    """
    own = {name: value for name, value in given.items() if "." not in name}
    inner: dict[str, dict[str, Any]] = {}
    for name, value in given.items():
        first, dot, rest = name.partition(".")
        if dot:
            inner.setdefault(first, {})[rest] = value
    own |= {name: _replaced(getattr(thing, name), v) for name, v in inner.items()}
    return replace(thing, **own)  # pyright: ignore  # whoever calls has checked it


def expect_settings(
    given: Iterable[str],
    known: Iterable[str],
    where: str,
    problems: Sequence[str] = (),
    lister: str = "",
) -> None:
    """Refuse names of settings that do not exist, and other problems, all at once.

    Args:
        given: the names.
        known: those that exist.
        where: whose settings they are, for an error.
        problems: what else is wrong, in phrases.
        lister: command that lists all settings, for an error; "" for none.

    Raises:
        UnknownNameError: there is no such setting.
        ConfigError: there is more that is wrong.
    """
    every = tuple(known)
    more = f" '{lister}' lists them." if lister and len(every) > MOST_NAMES else ""
    wrong = [
        UnknownNameError("setting", name, every, where, more, nearest=NEAREST)
        for name in given
        if name not in every
    ]
    if len(wrong) <= 1:
        expect_none(where, problems, wrong)
        return
    said = [
        f"it has no setting '{shown(one.name)}'"
        + (f" (did you mean '{one.near}'?)" if one.near else "")
        for one in wrong
    ]
    listed = f"known: {wrong[0].listing}{more.rstrip('.').replace(' ', ', ', 1)}"
    raise ConfigError(where, [*problems, *said, listed])


def _fitting(setting: Setting, value: Any) -> Any:
    """Return a value as its setting wants it.

    Raises:
        ValueError: it cannot be; says what is wanted.
    """
    before, name = setting.value, setting.name
    if isinstance(before, tuple):
        if isinstance(value, list | tuple) and len(value) == len(before):
            return tuple(_measured(one, setting) for one in value)
        wanted = f"{len(before)} values"
    elif isinstance(before, str | bool):
        if isinstance(value, type(before)):
            return value
        wanted = "a word" if isinstance(before, str) else "true or false"
    elif is_whole(before):
        if is_whole(value):
            return value
        wanted = "a whole number"
    else:
        value = _measured(value, setting)
        if is_number(value) and math.isfinite(value):
            return float(value)
        if before is None:  # of what kind it is, only its dataclass knows
            return value
        wanted = "a finite number"
    unit = f" [{setting.unit}]" if setting.unit else ""
    raise ValueError(f"{name}{unit} must be {wanted}, got {value!r}")


def _measured(value: Any, setting: Setting) -> Any:
    """Return a number that was written with a unit; all else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return number_of(value, quantity_in(setting.unit), setting.name)
    except QuantityError:
        return value


def parsed_settings(texts: list[str]) -> dict[str, Any]:
    """Return what ``NAME=VALUE`` say, the last of a name counting.

    Args:
        texts: as typed; a value is a number, with a unit or without, a word, or several
            with commas.

    Raises:
        ConfigError: a text without name or value.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if not (name and value):
            problem = f"it must be NAME=VALUE, as pace=100; got '{text}'"
            raise ConfigError("--set", [problem])
        parts = [_parsed(part.strip()) for part in value.split(",")]
        found[name.strip()] = parts[0] if len(parts) == 1 else tuple(parts)
    return found


def plain_settings(config: Any) -> dict[str, Any]:
    """Return a run's configuration as plain values, without gains if none are given.

    Args:
        config: a dataclass with a field ``gains``.
    """
    found = {
        name: list(value) if isinstance(value, tuple) else value  # as JSON has them
        for name, value in asdict(config).items()
    }
    if not found["gains"]:
        del found["gains"]
    return found


def _parsed(text: str) -> Any:
    """Return a number where it is one, else the word."""
    try:
        number = plain_float(text)
    except ValueError:
        return WORDS.get(text.lower(), text)
    return int(text) if text.lstrip("+-").isdecimal() else number


@cache
def _texts_of(cls: type) -> dict[str, str]:
    """Return the text under each field of a dataclass, those that it inherits too."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if not is_dataclass(base):
            continue
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        except (OSError, TypeError):  # its source is not there
            continue
        body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for line, below in pairwise(body):
            match line, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str() as text)),
                ):
                    found[name] = " ".join(text.split())
                case _:
                    pass
    return found
