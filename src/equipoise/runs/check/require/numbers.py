"""Which numbers can be required of a check, in what unit, at least or at most.

Most are read off the check. A few are conditions: whether it still stands with so
little friction, on such a slope, on ground so soft is asked of the check itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, final

from equipoise.core.errors import UnknownNameError

__all__ = ["NUMBERS", "CheckedNumber", "number_named"]

Read = Callable[[Mapping[str, Any]], float | None]
Of = Literal["check", "run", "condition", "change"]


@final
@dataclass(frozen=True, kw_only=True)
class CheckedNumber:
    """A number that can be required."""

    name: str
    """As it is typed."""
    what: str
    """In words, after "its"."""
    kind: str
    """Of quantity, for its units; "" for whatever its unit is."""
    unit: str
    """"" where it has none."""
    is_least: bool
    """Whether at least so much is required; else at most."""
    of: Of = "check"
    """Where it comes from: the check, a recorded run, a condition that is tried, or a
    change from an older robot."""
    read: Read = lambda summary: None
    """Returns it from a check's summary, None where there is none."""
    is_of_stance: bool = True
    """Whether it means something only where the robot stands."""

    @property
    def sense(self) -> str:
        """At least or at most."""
        return "at least" if self.is_least else "at most"

    def said(self, value: float) -> str:
        """Return a value with its unit.

        Args:
            value: in the number's unit.
        """
        return f"{value:.4g} {self.unit}".rstrip()


def _lowest(summary: Mapping[str, Any], *keys: str) -> float | None:
    """Return the least of some numbers, of intervals their lower ends."""
    bounds = summary.get("intervals") or {}
    found = [summary[key] for key in keys if summary.get(key) is not None]
    found += [bounds[key][0] for key in keys if bounds.get(key) is not None]
    return None if not found or None in found else float(min(found))


def _part(summary: Mapping[str, Any], block: str, key: str) -> float | None:
    """Return a number of a block, None where there is none."""
    return (summary.get(block) or {}).get(key)


def _reserve(summary: Mapping[str, Any]) -> float | None:
    """Return the share of the torque limits that is left."""
    share = _part(summary, "joints", "torque_share")
    return None if share is None else 1.0 - share


def _height(summary: Mapping[str, Any]) -> float | None:
    """Return how high the centre of mass is above the lowest contact [m]."""
    contacts = summary["contacts"]
    if not contacts:
        return None
    return summary["com"][2] - min(c["position"][2] for c in contacts)


def _softest(summary: Mapping[str, Any]) -> float | None:
    """Return down to which share of every stiffness it stands, at worst."""
    found = _part(summary, "compliance", "multiplier")
    bounds = _part(summary, "intervals", "multiplier")
    high = None if not isinstance(bounds, list) else bounds[1]
    return found if high is None or found is None else max(found, high)


LENGTH, MASS = ("length", "m"), ("mass", "kg")
ROWS: list[tuple[str, str, tuple[str, str], bool, Of, Read, bool]] = [
    ("margin", "margin", LENGTH, True, "check",
     lambda s: _lowest(s, "static_margin_m", "region_margin_m"), True),
    ("static-margin", "static margin", LENGTH, True, "check",
     lambda s: _lowest(s, "static_margin_m"), True),
    ("region-margin", "margin within friction", LENGTH, True, "check",
     lambda s: _lowest(s, "region_margin_m"), True),
    ("energy", "energy margin", ("", "J"), True, "check",
     lambda s: _lowest(s, "energy_margin_j"), True),
    ("area", "area where its centre of mass may be", ("", "m²"), True, "check",
     lambda s: s["region_area_m2"], True),
    ("mass", "mass", MASS, False, "check", lambda s: s["mass"], False),
    ("height", "height of its centre of mass", LENGTH, False, "check", _height, True),
    ("torque-share", "share of its torque limits", ("share", ""), False, "check",
     lambda s: _part(s, "joints", "torque_share"), True),
    ("torque-reserve", "share of its torque limits left", ("share", ""), True, "check",
     _reserve, True),
    ("stiffness-share", "share of every stiffness that it needs", ("share", ""), False,
     "check", _softest, True),
    ("critical-stiffness", "critical stiffness", ("stiffness", "N/m"), False, "check",
     lambda s: _part(s, "compliance", "critical_stiffness"), True),
    ("zmp-margin", "worst zero moment point margin", LENGTH, True, "run",
     lambda s: _part(s, "run", "worst_zmp_margin_m"), False),
    ("friction", "least friction", ("coefficient", ""), False, "condition",
     lambda s: None, True),
    ("slope", "steepest slope", ("slope", "deg"), True, "condition", lambda s: None,
     True),
    ("ground-stiffness", "softest ground", ("stiffness", "N/m"), False, "condition",
     lambda s: None, True),
    ("margin-drop", "loss of margin", LENGTH, False, "change",
     lambda s: _lowest(s, "static_margin_m", "region_margin_m"), True),
    ("energy-drop", "loss of energy margin", ("", "J"), False, "change",
     lambda s: _lowest(s, "energy_margin_j"), True),
    ("mass-rise", "gain of mass", MASS, False, "change", lambda s: s["mass"], False),
]  # fmt: skip
NUMBERS: dict[str, CheckedNumber] = {
    name: CheckedNumber(
        name=name,
        what=what,
        kind=quantity[0],
        unit=quantity[1],
        is_least=is_least,
        of=of,
        read=read,
        is_of_stance=is_of_stance,
    )
    for name, what, quantity, is_least, of, read, is_of_stance in ROWS
}
"""By name; a ``change`` reads the number whose change it is."""


def number_named(name: str) -> CheckedNumber:
    """Return the number of a name.

    Args:
        name: as it is typed; underscores are dashes.

    Raises:
        UnknownNameError: no such number; it names those there are.
    """
    found = NUMBERS.get(name.strip().lower().replace("_", "-"))
    if found is None:
        raise UnknownNameError("number to require", name, NUMBERS, "a check")
    return found
