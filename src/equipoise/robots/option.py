"""What can be chosen of a built-in robot, declared once: meaning, unit, limits.

    height: float = option(1.72, "Body height", unit="m", least=0.5, most=2.5)

A robot's options are the fields of a frozen dataclass, each declared by ``option``.
``equipoise.load`` takes them by name, commands offer them as ``--height``, and both say
the same sentence about a value that cannot be.
"""

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal, cast, final, get_args, get_origin

from equipoise.core.checks import is_number, is_whole
from equipoise.core.errors import ConfigError

__all__ = ["Option", "expect_usable", "option", "option_of", "options_of"]

OPTION = "option"


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """One thing that can be chosen of a robot."""

    meaning: str
    """A phrase, without its limits and without a full stop."""
    unit: str
    """"" where it has none."""
    least: float | None
    most: float | None
    above: float | None
    """Below every value that is allowed; instead of ``least``."""
    usual: str | None
    """What counts where it is not given, in words, if that is not the default."""
    is_typed: bool
    """Whether commands offer it."""
    name: str = ""
    kind: type = str
    """int, float or str, as it is typed."""
    choices: tuple[Any, ...] = ()
    """The values that are allowed, where they can be listed."""
    default: Any = None

    @property
    def said(self) -> str:
        """The name as people read it."""
        return self.name.replace("_", "-")

    @property
    def help(self) -> str:
        """One sentence: what it means, and from where to where it may be."""
        if self.least is None or self.most is None:
            return f"{self.meaning}."
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.meaning}, {self.least:g} to {self.most:g}{unit}."

    @property
    def shown_default(self) -> str:
        """What counts where it is not given."""
        if self.usual is not None:
            return self.usual
        return f"{self.default:g}" if is_number(self.default) else str(self.default)

    def problem(self, value: Any) -> str:
        """Return what is wrong with a value; "" if nothing is."""
        if value is None and self.default is None:
            return ""
        if self.choices:
            is_fine = value in self.choices and (self.kind is str or is_whole(value))
            return "" if is_fine else self._sentence(self._listed(), value)
        if self.kind is str:
            return "" if isinstance(value, str) else self._sentence("a word", value)
        if self.kind is int and not is_whole(value):
            return self._sentence("a whole number", value)
        is_fine = is_number(value) and self._is_within(cast("float", value))
        return "" if is_fine else self._sentence(self._limits(), value)

    def _is_within(self, number: float) -> bool:
        """Say whether a number is within the limits; NaN never is."""
        if self.above is not None:
            return self.above < number < math.inf
        low = -math.inf if self.least is None else self.least
        high = math.inf if self.most is None else self.most
        return low <= number <= high

    def _listed(self) -> str:
        if self.kind is str and len(self.choices) > 2:
            return f"one of {', '.join(self.choices)}"
        quoted = [repr(choice) for choice in self.choices]
        return " or ".join((", ".join(quoted[:-1]), quoted[-1]))

    def _limits(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        if self.above is not None:
            return f"> {self.above:g}{unit}"
        if self.least is not None and self.most is not None:
            return f"{self.least:g} to {self.most:g}{unit}"
        if self.least is not None:
            return f">= {self.least:g}{unit}"
        return "a number"

    def _sentence(self, wanted: str, value: Any) -> str:
        return f"{self.said} must be {wanted}, got {value!r}"


def option(
    default: Any,
    meaning: str,
    *,
    unit: str = "",
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    usual: str | None = None,
    is_typed: bool = True,
) -> Any:
    """Declare a field of a robot's options.

    Args:
        default: what counts where it is not given; None to find out.
        meaning: a phrase for help texts, without limits and full stop.
        unit: SI, as ``m`` or ``N m``.
        least: the smallest value that is allowed.
        most: the largest.
        above: below every value that is allowed; instead of ``least``.
        usual: what counts where it is not given, in words, where the default is None.
        is_typed: whether commands offer it; ``equipoise.load`` does in any case.
    """
    declared = Option(
        meaning=meaning,
        unit=unit,
        least=least,
        most=most,
        above=above,
        usual=usual,
        is_typed=is_typed,
    )
    return dataclasses.field(default=default, metadata={OPTION: declared})


def options_of(record: type) -> tuple[Option, ...]:
    """Return what a robot's options are, in the order in which they are declared.

    Args:
        record: a dataclass whose fields are declared by ``option``.
    """
    return tuple(_declared(record))


def _declared(record: type) -> Iterator[Option]:
    for field in dataclasses.fields(record):
        if OPTION not in field.metadata:
            continue
        annotated: Any = field.type
        kinds = [k for k in get_args(annotated) if k is not NoneType]
        is_choice = get_origin(annotated) is Literal
        yield dataclasses.replace(
            field.metadata[OPTION],
            name=field.name,
            kind=type(kinds[0]) if is_choice else (kinds[0] if kinds else annotated),
            choices=tuple(kinds) if is_choice else (),
            default=field.default,
        )


def option_of(record: type, name: str) -> Option:
    """Return one of a robot's options.

    Args:
        record: a dataclass whose fields are declared by ``option``.
        name: of the field.
    """
    return next(found for found in _declared(record) if found.name == name)


def expect_usable(options: Any, where: str, *more: str) -> None:
    """Refuse options that cannot be, all problems at once.

    Args:
        options: the dataclass of a robot.
        where: what is not usable then, in words.
        more: problems that the robot itself has found; "" counts as none.

    Raises:
        ConfigError: names every problem.
    """
    found = [o.problem(getattr(options, o.name)) for o in options_of(type(options))]
    problems = [problem for problem in (*found, *more) if problem]
    if problems:
        raise ConfigError(where, problems)
