"""What can be chosen, described once, at its field.

    @dataclass(frozen=True, kw_only=True, slots=True)
    class SkyhookConfig(Settings):
        stiffness: Annotated[float, Setting("Vertical stiffness", "N/m")] = 5e3

Commands, ``--help``, ``--set``, Python's keyword arguments, sweeps, environments, the
live page and the documentation read these descriptions; none of them repeats one. The
limits here are those of one field; what two fields may not be together is said by
``problems``, which a subclass of ``Settings`` overrides. Kernels take the same numbers
as ``core.records.record_of`` lays them out.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from functools import cache
from pathlib import PurePath
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Union,
    cast,
    final,
    get_args,
    get_origin,
)

from equipoise.core.checks import is_number, is_whole
from equipoise.core.digits import foreign_digit
from equipoise.core.errors import ConfigError, QuantityError, UnknownNameError
from equipoise.core.quantity import KINDS, Quantity, number_of, numbers_of, quantity_in

__all__ = [
    "Door",
    "FieldSetting",
    "Setting",
    "Settings",
    "described_settings",
    "expect_fields",
    "expect_known",
    "expect_usable",
    "offer_problems",
    "offered_names",
    "usage_problems",
]

WHOLE = re.compile("[+-]?[0-9]+")
Door = Literal["command", "sweep", "gpu", "many", "live", "gym"]
"""Where a setting can be chosen, besides ``equipoise.simulate`` and its like, which
take all of them: commands, rows of sweeps, walks on a card, ``simulate_many``, the live
page, environments."""


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """Description of one number or choice; ``Annotated`` metadata of its field."""

    meaning: str
    """Noun phrase, without limits and without a full stop at its end."""
    unit: str = ""
    """Of the number, as ``N m``; "" for a plain number. Values of a tuple that differ
    have units that differ, with commas between: ``m/s,m/s,rad/s``."""
    least: float | None = None
    """Smallest value that is allowed."""
    most: float | None = None
    """Largest value that is allowed."""
    above: float | None = None
    """Bound below all values that are allowed, itself not allowed."""
    below: float | None = None
    """Bound above all values that are allowed, itself not allowed."""
    usual: str | None = None
    """What holds where nothing is chosen, in words; None where the default says it."""
    kind: str = ""
    """Kind of quantity, one of ``core.quantity.KINDS``; "" for the unit's own. Values
    of a tuple that differ have kinds with commas between."""
    option: str = ""
    """Name on the command line; "" for the field's own."""
    metavar: str = ""
    """Placeholder of the value in ``--help``; "" for the unit or the choices."""
    between: str = ","
    """What separates the values of a tuple where it is typed; "" where each is typed
    by itself."""
    fewest: int | None = None
    """Fewest values of a tuple that has no fixed number of them; None for any."""
    words: tuple[str, ...] = ()
    """Words that may be given in place of a number."""
    panel: str = ""
    """Group of options in ``--help``; "" for the main one."""
    completion: str = ""
    """Catalogue from which the shell completes a value; "" for the choices."""
    without: tuple[Door, ...] = ()
    """Doors that do not offer it."""


@final
@dataclass(frozen=True, slots=True)
class FieldSetting:
    """A described field: its setting, with the name, type and default of the field."""

    name: str
    about: Setting
    kind: type
    """int, float, bool or str, or the type of each value of a tuple."""
    default: Any
    """``dataclasses.MISSING`` for a field that must be given."""
    choices: tuple[Any, ...] = ()
    """All values that are allowed, where the type lists them."""
    is_optional: bool = False
    """Whether None may be given."""
    is_tuple: bool = False
    count: int | None = None
    """Number of values in a tuple; None for any number."""

    @property
    def option(self) -> str:
        """Name as it is typed, without dashes in front."""
        return self.about.option or self.name.replace("_", "-")

    @property
    def help(self) -> str:
        """Sentence for ``--help``: the meaning, and both limits if there are two."""
        about = self.about
        if about.least is None or about.most is None:
            return f"{about.meaning}."
        unit = f" {about.unit}" if about.unit else ""
        return f"{about.meaning} ({about.least:g} to {about.most:g}{unit})."

    @property
    def shown_default(self) -> str:
        """Default in words."""
        if self.about.usual is not None:
            return self.about.usual
        if self.default is None:
            return "none"
        return f"{self.default:g}" if is_number(self.default) else str(self.default)

    def is_offered(self, door: Door) -> bool:
        """Return whether a door offers it."""
        return door not in self.about.without

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Kind and unit of its number, or of each number of a tuple."""
        units, kinds = self.about.unit.split(","), self.about.kind.split(",")
        count = self.count or max(len(units), len(kinds))
        units = units if len(units) == count else units[:1] * count
        kinds = kinds if len(kinds) == count else kinds[:1] * count
        return tuple(
            Quantity(kind, unit) if kind else quantity_in(unit)
            for kind, unit in zip(kinds, units, strict=True)
        )

    def read(self, text: Any, name: str = "") -> Any:
        """Return a value as it was typed, in the type and the unit of the field.

        What cannot be read stays a text where ``problem`` says what is wrong with it.

        Args:
            text: as typed; anything but a text is returned as it is.
            name: of the option, for an error; "" for its own.

        Raises:
            QuantityError: no number, or one of another kind.
        """
        if not isinstance(text, str):
            return text
        name = name or f"--{self.option}"
        if text in self.about.words:
            return text
        if self.is_tuple:
            return self._read_tuple(text, name)
        if self.choices:
            return next((one for one in self.choices if str(one) == text), text)
        if self.kind is bool:
            return {"true": True, "false": False}.get(_yes_or_no(text), text)
        if self.kind is str:
            return text
        try:
            number = self._number(text, name)
        except QuantityError as error:
            if not self.about.words:
                raise
            known = ", ".join(f"'{word}'" for word in self.about.words)
            wanted = f"{known} or {error.wanted}"
            raise QuantityError(error.name, wanted, text) from None
        return number

    def _number(self, text: str, name: str) -> float:
        if self.kind is float:
            return number_of(text, self.quantities[0], name)
        if foreign_digit(text) or not WHOLE.fullmatch(text.strip()):
            raise QuantityError(name, "a whole number", text)
        return int(text)

    def _read_tuple(self, text: str, name: str) -> Any:
        if self.kind is str:
            if not self.about.between:
                return (text,)
            words = text.split(self.about.between)
            return tuple(word.strip() for word in words if word.strip())
        fewest = self.about.fewest or self.count or 1
        try:
            found = numbers_of(text, self.quantities, name, self.about.between)
        except QuantityError:
            if fewest == 1 and self.about.between not in text:
                raise  # it says what the first number is of
            found = ()
        if len(found) < fewest:
            examples = (
                KINDS[q.kind].examples[0] if q.kind else "1" for q in self.quantities
            )
            example = self.about.between.join(examples)
            metavar = self.about.metavar
            wanted = metavar.strip("[]") if self.about.words else metavar
            raise QuantityError(name, f"{wanted}, as {example}", text)
        return found

    def problem(self, value: Any, name: str = "") -> str:
        """Return what is wrong with a value, as a phrase; "" if nothing is.

        Args:
            value: to be checked.
            name: of the setting in the phrase; "" for the one on the command line.
        """
        if name:
            about = replace(self.about, option=name)
            return replace(self, about=about).problem(value)
        if value is None and self.is_optional:
            return ""
        if self.is_tuple and value not in self.about.words:
            return self._tuple_problem(value)
        wanted = self._wanted(value)
        return self._phrase(wanted, value) if wanted else ""

    def _tuple_problem(self, value: Any) -> str:
        if not isinstance(value, tuple | list):
            many = "several" if self.count is None else f"{self.count}"
            return self._phrase(f"{many} values", value)
        most = self.count or len(self.quantities)
        fewest = self.about.fewest or self.count or 0
        is_counted = self.count is not None or most > 1
        if is_counted and not fewest <= len(value) <= most:
            many = f"{most}" if fewest == most else f"{fewest} to {most}"
            return self._phrase(f"{many} values", value)
        wanted = next((w for w in map(self._wanted, value) if w), "")
        return self._phrase(f"values each {wanted}", value) if wanted else ""

    def _wanted(self, value: Any) -> str:
        """Return what is wanted in place of one value; "" where it is allowed."""
        if isinstance(value, str) and value in self.about.words:
            return ""
        if self.choices:
            is_fine = value in self.choices and (self.kind is str or is_whole(value))
            return "" if is_fine else self._listed()
        if self.kind is bool:
            return "" if isinstance(value, bool) else "true or false"
        if self.kind is str:
            return "" if isinstance(value, str | PurePath) else "a word"
        if self.kind is int and not is_whole(value):
            return "a whole number"
        is_fine = is_number(value) and self._is_within(cast("float", value))
        return "" if is_fine else self._limits()

    def _is_within(self, number: Any) -> bool:
        """Return whether a number is within the limits; NaN never is."""
        about = self.about
        return (
            -math.inf < number < math.inf
            and (about.above is None or about.above < number)
            and (about.below is None or number < about.below)
            and (about.least is None or about.least <= number)
            and (about.most is None or number <= about.most)
        )

    def _listed(self) -> str:
        if self.kind is str and len(self.choices) > 2:
            return f"one of {', '.join(self.choices)}"
        *first, last = (repr(choice) for choice in self.choices)
        return f"{', '.join(first)} or {last}" if first else last

    def _limits(self) -> str:
        about = self.about
        unit = f" {about.unit}" if about.unit else ""
        if about.least is not None and about.most is not None:
            return f"{about.least:g} to {about.most:g}{unit}"
        lower = [f"> {about.above:g}"] if about.above is not None else []
        lower += [f">= {about.least:g}"] if about.least is not None else []
        upper = [f"below {about.below:g}"] if about.below is not None else []
        upper += [f"at most {about.most:g}"] if about.most is not None else []
        if not lower and not upper:
            return "a finite number"
        return f"{' and '.join([*lower, *upper])}{unit}"

    def _phrase(self, wanted: str, value: Any) -> str:
        is_word = self.kind is str and bool(self.choices) and isinstance(value, str)
        near = UnknownNameError("", value, self.choices, "").near if is_word else ""
        hint = f" (did you mean '{near}'?)" if near else ""
        return f"{self.option} must be {wanted}, got {value!r}{hint}"


@cache
def described_settings(config: type) -> Mapping[str, FieldSetting]:
    """Return the described fields of a dataclass by name, in their order.

    Args:
        config: the dataclass; the fields of its bases count.
    """
    return MappingProxyType({one.name: one for one in _described(config)})


def offered_names(config: type, door: Door) -> tuple[str, ...]:
    """Return the names of the described fields that a door offers.

    Args:
        config: the dataclass.
        door: which.
    """
    described = described_settings(config).values()
    return tuple(one.name for one in described if one.is_offered(door))


def offer_problems(config: Any, door: Door) -> list[str]:
    """Return what a door does not offer and yet is not at its default, as phrases.

    Args:
        config: an instance of a dataclass with described fields.
        door: which.
    """
    return [
        f"{one.option} must be {one.default!r}, got {getattr(config, one.name)!r}"
        for one in described_settings(type(config)).values()
        if not one.is_offered(door) and getattr(config, one.name) != one.default
    ]


def _described(config: type) -> Iterator[FieldSetting]:
    for field in fields(config):
        hint: Any = field.type
        found = hint.__metadata__ if get_origin(hint) is Annotated else ()
        about = next((one for one in found if isinstance(one, Setting)), None)
        if about is not None and field.init:
            yield _field_setting(field, about, get_args(hint)[0])


def _field_setting(field: Field[Any], about: Setting, hint: Any) -> FieldSetting:
    is_union = get_origin(hint) in (Union, UnionType)
    kinds = [one for one in get_args(hint) if one is not NoneType] if is_union else []
    found = FieldSetting(
        name=field.name,
        about=about,
        kind=float,
        default=_default(field),
        is_optional=is_union and NoneType in get_args(hint),
    )
    return _with_kind(found, kinds[0] if kinds else hint)


def _with_kind(found: FieldSetting, hint: Any) -> FieldSetting:
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        return replace(found, kind=type(choices[0]), choices=choices)
    if get_origin(hint) is tuple:
        first, *rest = get_args(hint)
        count = None if rest == [...] else 1 + len(rest)
        inner = _with_kind(found, first)
        return replace(inner, is_tuple=True, count=count)
    if hint in (int, float, bool, str):
        return replace(found, kind=hint)
    raise TypeError(f"no setting can be a {hint!r}, as '{found.name}' is")


def _yes_or_no(text: str) -> str:
    word = text.lower()
    return {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(word, word)


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def expect_known(
    given: Iterable[str], known: Iterable[str], robot: str, owner: str
) -> None:
    """Refuse settings that are for other robots.

    Args:
        given: names of the settings that were given.
        known: names of those of this robot.
        robot: which was chosen.
        owner: what the others are for, in words.

    Raises:
        ConfigError: names all of them.
    """
    own = tuple(known)
    wrong = [f"--{name.replace('_', '-')}" for name in given if name not in own]
    if wrong:
        verb = "is" if len(wrong) == 1 else "are"
        problem = f"{', '.join(wrong)} {verb} for {owner}, got '{robot}'; leave it out"
        raise ConfigError("the command", [problem])


def expect_fields(config: type, given: Iterable[str], robot: str, owner: str) -> None:
    """Refuse settings of another kind of robot.

    Args:
        config: the dataclass of this kind.
        given: names of the settings that were given.
        robot: which was chosen.
        owner: what the others are for, in words.

    Raises:
        ConfigError: names all of them.
    """
    expect_known(given, [field.name for field in fields(config)], robot, owner)


def usage_problems(config: Any) -> list[str]:
    """Return what is wrong with the described fields of a dataclass, as phrases.

    Args:
        config: an instance.
    """
    described = described_settings(type(config)).values()
    said = (one.problem(getattr(config, one.name)) for one in described)
    return [problem for problem in said if problem]


def _set_problems(config: "Settings") -> list[str]:
    """Return what is wrong with the fields of settings, under their names in --set."""
    return [
        one.problem(value, one.name)
        for one in described_settings(type(config)).values()
        if one.problem(value := getattr(config, one.name))
    ]


def expect_usable(config: Any, where: str, *more: str) -> None:
    """Refuse a dataclass whose fields cannot be, all problems at once.

    Args:
        config: an instance.
        where: what is not usable then, in words.
        more: further problems, of fields together; "" counts as none.

    Raises:
        ConfigError: names every problem.
    """
    problems = [problem for problem in (*usage_problems(config), *more) if problem]
    if problems:
        raise ConfigError(where, problems)


class Settings:
    """Base of a part's described settings: refuses values that cannot be used."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Refuse values that cannot be, all problems at once.

        Raises:
            ConfigError: names every problem.
        """
        problems = _set_problems(self)
        if not problems:  # sentences on several fields count on each one's kind
            problems = [problem for problem in self.problems() if problem]
        if problems:
            raise ConfigError(type(self).__name__, problems)

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with several fields together, as phrases; "" is nothing.

        Each field alone is allowed where this is asked.
        """
        yield from ()
