"""Settings of a law or a part by name: listed, checked and replaced.

A law keeps its settings in a frozen dataclass, its own or its ``config``, each field
described by ``core.setting``. Those of a dataclass within it have a dot in their name,
as ``posture.roll_stiffness``.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
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
from equipoise.core.setting import FieldSetting, described_settings
from equipoise.core.text import shown

__all__ = [
    "expect_settings",
    "parsed_settings",
    "plain_settings",
    "settings_of",
    "with_settings",
]

T = TypeVar("T")
NEAREST = 3
"""Known settings that an error names, if there are too many to list."""
WORDS = {"true": True, "yes": True, "false": False, "no": False, "none": None}


def settings_of(thing: Any) -> dict[str, FieldSetting]:
    """Return what can be set of a dataclass and those within it, by name.

    Each is the description of its field, with the present value as its default.

    Args:
        thing: the dataclass, an instance.
    """
    found: dict[str, FieldSetting] = {}
    described = described_settings(type(thing))
    for one in fields(thing):
        value = getattr(thing, one.name)
        if one.name in described:
            found[one.name] = replace(described[one.name], default=value)
        elif one.init and is_dataclass(value):
            found |= _within(one.name, value)
        elif one.init and isinstance(value, Mapping):  # dataclasses by their names
            for name, inner in cast("Mapping[str, Any]", value).items():
                found |= _within(name, inner)
    return found


def _within(name: str, thing: Any) -> dict[str, FieldSetting]:
    """Return the settings of a dataclass within another one."""
    return {
        f"{name}.{key}": replace(one, name=f"{name}.{key}")
        for key, one in settings_of(thing).items()
    }


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


def _fitting(setting: FieldSetting, value: Any) -> Any:
    """Return a value as its setting wants it.

    Raises:
        ValueError: it cannot be; says what is wanted.
    """
    if value is None and setting.is_optional:
        return None
    if setting.is_tuple:
        count = setting.count
        if isinstance(value, list | tuple) and count in (None, len(value)):
            return tuple(_measured(one, setting) for one in value)
        wanted = "several values" if count is None else f"{count} values"
    elif setting.kind in (str, bool):
        if isinstance(value, setting.kind):
            return value
        wanted = "a word" if setting.kind is str else "true or false"
    elif setting.kind is int:
        if is_whole(value):
            return value
        wanted = "a whole number"
    else:
        value = _measured(value, setting)
        if is_number(value) and math.isfinite(value):
            return float(value)
        if value in setting.about.words:
            return value
        wanted = "a finite number"
    unit = f" [{setting.about.unit}]" if setting.about.unit else ""
    raise ValueError(f"{setting.name}{unit} must be {wanted}, got {value!r}")


def _measured(value: Any, setting: FieldSetting) -> Any:
    """Return a number that was written with a unit; all else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return number_of(value, quantity_in(setting.about.unit), setting.name)
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
