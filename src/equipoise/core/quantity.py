"""Numbers as people write them: ``20deg``, ``35%``, ``2cm``, ``15kN/m``, ``1.8km/h``.

A number alone is in the unit that its reader expects, so ``0.4`` keeps its meaning
wherever it had one. A number with a unit is converted, exactly where no π is between:
``7cm`` is the same float as ``0.07``. Case does not count, nor do blanks, ``·`` and
``*`` between units; a typographic minus, ``²`` and ``°`` are read as what they mean.
"""

import math
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple, final

from equipoise.core.digits import foreign_digit, plain_float
from equipoise.core.errors import QuantityError

__all__ = ["Quantity", "number_of", "numbers_of", "quantity_in"]


class UnitOfMeasure(NamedTuple):
    """Unit of measure in m, kg, s and rad, with their powers."""

    factor: Fraction
    powers: tuple[int, int, int, int]
    turns: int = 0
    """How often degrees are in it: the power of π/180 beside the factor."""


class Kind(NamedTuple):
    """Kind of quantity: its name, and the ways of writing it."""

    what: str
    examples: tuple[str, ...]


KINDS: Final = {
    "angle": Kind("an angle", ("20deg", "0.35rad")),
    "slope": Kind("an angle or a grade", ("20deg", "0.35rad", "35%")),
    "turning speed": Kind("a turning speed", ("0.4rad/s", "23deg/s")),
    "length": Kind("a length", ("0.2m", "2cm", "20mm")),
    "speed": Kind("a speed", ("0.5m/s", "1.8km/h")),
    "time": Kind("a time", ("2s", "20ms")),
    "mass": Kind("a mass", ("3kg", "500g")),
    "force": Kind("a force", ("40N", "1.5kN")),
    "stiffness": Kind("a stiffness", ("3000N/m", "15kN/m")),
    "damping": Kind("a damping", ("2000Ns/m", "2kNs/m")),
    "impulse": Kind("an impulse", ("40Ns", "40kgm/s")),
    "impulse per mass": Kind("an impulse per mass", ("0.2Ns/kg",)),
    "torque": Kind("a torque", ("40Nm", "0.04kNm")),
    "share": Kind("a share", ("0.35", "35%")),
    "coefficient": Kind("a coefficient", ("0.35", "35%")),
}
"""Of what options take numbers, by name."""
BY_UNIT: Final = {
    "": "share",
    "rad": "angle",
    "rad/s": "turning speed",
    "m": "length",
    "m/s": "speed",
    "s": "time",
    "kg": "mass",
    "N": "force",
    "N/m": "stiffness",
    "N s/m": "damping",
    "N m": "torque",
}
"""What a number is of where only its unit is known."""
NONE: Final = (0, 0, 0, 0)
NAMES: Final = {
    "m": UnitOfMeasure(Fraction(1), (1, 0, 0, 0)),
    "g": UnitOfMeasure(Fraction(1, 1000), (0, 1, 0, 0)),
    "s": UnitOfMeasure(Fraction(1), (0, 0, 1, 0)),
    "min": UnitOfMeasure(Fraction(60), (0, 0, 1, 0)),
    "h": UnitOfMeasure(Fraction(3600), (0, 0, 1, 0)),
    "rad": UnitOfMeasure(Fraction(1), (0, 0, 0, 1)),
    "deg": UnitOfMeasure(Fraction(1), (0, 0, 0, 1), 1),
    "n": UnitOfMeasure(Fraction(1), (1, 1, -2, 0)),
    "j": UnitOfMeasure(Fraction(1), (2, 1, -2, 0)),
    "w": UnitOfMeasure(Fraction(1), (2, 1, -3, 0)),
    "hz": UnitOfMeasure(Fraction(1), (0, 0, -1, 0)),
    "1": UnitOfMeasure(Fraction(1), NONE),
}
"""Units by name, small letters; newton, joule and watt are n, j and w."""
PREFIXES: Final = {"k": 1000, "c": Fraction(1, 100), "m": Fraction(1, 1000)}
PREFIXED: Final = ("m", "g", "s", "n", "j", "w", "rad")
WORDS: Final = {"degrees": "deg", "degree": "deg", "°": "deg", "seconds": "s"}
NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(.*)")
FACTOR = re.compile(r"([^\W\d_]+|1)\^?(-?\d)?")
LARGEST = 1e30  # in the unit of a number; its square and cube are numbers still
LONGEST = 80
"""Characters of a number with a unit."""
PERCENT, RIGHT_ANGLE = "%", math.pi / 2.0


@final
@dataclass(frozen=True, slots=True)
class Quantity:
    """Quantity: its kind, and the unit of a plain number.

    Raises:
        KeyError: no such kind.
    """

    kind: str
    """One of ``KINDS``, or "" for whatever its unit is."""
    unit: str = ""
    """As ``m/s``; "%" for a grade or share in percent, "" for a plain share."""

    def __post_init__(self) -> None:
        """Refuse a kind that there is not."""
        if self.kind:
            KINDS[self.kind]

    @property
    def wanted(self) -> str:
        """Accepted values, with examples."""
        if not self.kind:
            return f"a number of {self.unit}" if self.unit else "a number"
        what, examples = KINDS[self.kind]
        *most, last = examples
        return f"{what}: {', '.join(most)} or {last}" if most else f"{what}: {last}"


def quantity_in(unit: str) -> Quantity:
    """Return what a number is of, by its unit.

    Args:
        unit: as ``m/s``; "" for none.
    """
    return Quantity(BY_UNIT.get(unit, ""), unit)


def number_of(text: str, quantity: Quantity, name: str) -> float:
    """Return a number in the unit of its quantity.

    Args:
        text: as it was typed, with a unit or without.
        quantity: what is wanted.
        name: whose number it is, for an error.

    Raises:
        QuantityError: it is no number, not finite, absurdly large, of another kind, or
            in other digits than 0 to 9.
    """
    if foreign_digit(text):
        raise QuantityError(name, f"{quantity.wanted} in the digits 0 to 9", text)
    plain = _normal(text)
    try:
        value = plain_float(plain)
    except ValueError:
        value = _with_unit(plain, quantity)
    if value is None or not math.isfinite(value):
        raise QuantityError(name, quantity.wanted, text)
    if abs(value) > LARGEST:
        raise QuantityError(name, f"{quantity.wanted}, at most {LARGEST:g}", text)
    return value


def numbers_of(
    text: str, quantities: tuple[Quantity, ...], name: str, between: str = ","
) -> tuple[float, ...]:
    """Return several numbers, each in the unit of its quantity.

    Args:
        text: as it was typed; it may have fewer numbers than there are quantities.
        quantities: what is wanted of each.
        name: whose numbers they are, for an error.
        between: what stands between them.

    Raises:
        QuantityError: one is no number, of another kind, or one too many.
    """
    parts = text.split(between)
    if len(parts) > len(quantities):
        raise QuantityError(name, f"{len(quantities)} numbers at most", text)
    pairs = zip(parts, quantities, strict=False)
    return tuple(number_of(part, quantity, name) for part, quantity in pairs)


def _normal(text: str) -> str:
    """Return a text in small letters, its minus, powers and blanks as one types them.

    Args:
        text: as it was typed.
    """
    for ring in "º˚":  # that keyboards have for a degree sign
        text = text.replace(ring, "°")
    folded = unicodedata.normalize("NFKC", text).casefold().strip()
    return folded.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")


def _with_unit(text: str, quantity: Quantity) -> float | None:
    """Return a number that has a unit, in the unit wanted; None where it does not fit.

    Args:
        text: in small letters.
        quantity: what is wanted.
    """
    match = NUMBER.fullmatch(text) if len(text) <= LONGEST else None
    if match is None or not math.isfinite(float(match[1])):
        return None
    given, wanted = match[2], _normal(quantity.unit)
    number = float(match[1])
    if number and given != PERCENT and given != wanted:
        exact = Fraction(Decimal(match[1]))
    else:
        exact = Fraction(0)
    if given == wanted:
        return number
    if given == PERCENT:
        return _of_percent(match[1], quantity.kind, wanted)
    if wanted == PERCENT:
        return _in_percent(exact, given, quantity.kind)
    try:
        return _converted(exact, _unit_of(given), _unit_of(wanted or "1"))
    except OverflowError:
        return math.inf


def _converted(
    number: Fraction, given: UnitOfMeasure | None, wanted: UnitOfMeasure | None
) -> float | None:
    """Return a number in another unit of its kind; None where it has none."""
    if given is None or wanted is None or given.powers != wanted.powers:
        return None
    ratio, turns = (
        float(number * given.factor / wanted.factor),
        given.turns - wanted.turns,
    )
    if turns == -1:
        return math.degrees(ratio)
    return ratio * (math.pi / 180.0) ** turns


def _of_percent(digits: str, kind: str, wanted: str) -> float | None:
    """Return a percentage as a share, or as the angle of that slope."""
    if kind in ("share", "coefficient"):
        return float(Fraction(Decimal(digits)) / 100) if float(digits) else 0.0
    if kind != "slope":
        return None
    angle = math.atan(float(digits) / 100.0)
    return math.degrees(angle) if wanted == "deg" else angle


def _in_percent(number: Fraction, given: str, kind: str) -> float | None:
    """Return the grade of an angle; None where there is none."""
    angle = _converted(number, _unit_of(given), NAMES["rad"])
    if kind != "slope" or angle is None or abs(angle) >= RIGHT_ANGLE:
        return None
    return 100.0 * math.tan(angle)


@cache
def _unit_of(text: str) -> UnitOfMeasure | None:
    """Return what a unit means; None where nobody knows it.

    Args:
        text: as ``n m/rad``, in small letters; all after a slash is below it.
    """
    above, *below = text.replace("(", " ").replace(")", " ").split("/")
    found = [_one_unit(word, 1) for word in re.split(r"[\s*·.]+", above) if word]
    for part in below:
        found += [_one_unit(word, -1) for word in re.split(r"[\s*·.]+", part) if word]
    known = [unit for unit in found if unit is not None]
    if not known or len(known) < len(found):
        return None
    product = known[0]
    for unit in known[1:]:
        product = _times(product, unit)
    return product


def _one_unit(word: str, sign: int) -> UnitOfMeasure | None:
    """Return a unit without blanks, as ``m``, ``kg``, ``ns`` or ``s2``."""
    word = WORDS.get(word, word)
    match = FACTOR.fullmatch(word)
    if match is None:
        return None
    names = _split_names(match[1])
    if not names:
        return None
    power = int(match[2] or 1)
    product = NAMES["1"]
    for name in names[:-1]:
        product = _times(product, _raised(_named(name), sign))
    return _times(product, _raised(_named(names[-1]), sign * power))


def _split_names(word: str) -> list[str]:
    """Return the names that a word is made of, as ``n`` and ``s``; none if of none."""
    if _is_named(word):
        return [word]
    for end in range(len(word) - 1, 0, -1):
        if _is_named(word[:end]) and (rest := _split_names(word[end:])):
            return [word[:end], *rest]
    return []


def _is_named(word: str) -> bool:
    """Return whether a word is one unit, with a prefix or without."""
    return word in NAMES or (word[:1] in PREFIXES and word[1:] in PREFIXED)


def _named(word: str) -> UnitOfMeasure:
    """Return the unit of a name."""
    if word in NAMES:
        return NAMES[word]
    unit = NAMES[word[1:]]
    return unit._replace(factor=unit.factor * PREFIXES[word[0]])


def _times(one: UnitOfMeasure, other: UnitOfMeasure) -> UnitOfMeasure:
    """Return the product of two units."""
    m, kg, s, rad = (a + b for a, b in zip(one.powers, other.powers, strict=True))
    return UnitOfMeasure(
        one.factor * other.factor, (m, kg, s, rad), one.turns + other.turns
    )


def _raised(unit: UnitOfMeasure, power: int) -> UnitOfMeasure:
    """Return a power of a unit."""
    m, kg, s, rad = (power * p for p in unit.powers)
    return UnitOfMeasure(unit.factor**power, (m, kg, s, rad), power * unit.turns)
