"""What ``equipoise gait`` can be asked: which gait, on which machine, walked how."""

import math
from dataclasses import dataclass
from typing import final

from equipoise.control.gaits.foot_path import SWINGS
from equipoise.control.gaits.named import gait_names
from equipoise.core.checks import expect_none, is_number
from equipoise.core.errors import UnknownNameError
from equipoise.robots.builtin import builtin, builtin_names

__all__ = ["GENERATED", "GaitConfig", "machines"]

GENERATED = {  # usual legs and duty factor of gaits that depend on more than a phase
    "crab": (4, 0.85),
    "creep": (4, 0.85),
    "discontinuous": (4, 0.85),
    "follow-the-leader": (6, 0.75),
    "turning": (4, 0.85),
}


def machines() -> tuple[str, ...]:
    """Return the names of the built-in robots that walk on any number of legs."""
    walking = [name for name in builtin_names() if builtin(name).task == "walk"]
    return tuple(n for n in walking if hasattr(builtin(n).options, "legs"))


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class GaitConfig:
    """Which gait, on which machine, walked how.

    Raises:
        ConfigError: numbers that cannot be; all of them are named.
        UnknownNameError: no such gait, machine or swing.
    """

    name: str
    """One of ``gait_names()`` or of ``GENERATED``."""
    duty: float | None = None
    """Share of the cycle for which a leg stands; None for the gait's usual one."""
    legs: int | None = None
    """How many; None for the gait's usual number."""
    angle_deg: float = 0.0
    """Of the direction of travel from straight ahead, to the left [deg]."""
    turn_deg: float | None = None
    """To the left in a cycle; None for 10 with ``turning`` and else 0 [deg]."""
    stroke: float | None = None
    """Of a foot below the centre of mass; None for 0.2, with ``turning`` for 0 [m]."""
    speed: float | None = None
    """Wanted; None for as fast as it can [m/s]."""
    swing: str = "ellipse"
    """How feet swing, one of ``SWINGS``."""
    lift: float = 0.05
    """Of swinging feet [m]."""
    machine: str = "warp1"
    """With as many legs as the gait has."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        known, unknown = (*gait_names(), *GENERATED), list[UnknownNameError]()
        for kind, name, names in (
            ("gait", self.name, known),
            ("machine", self.machine, machines()),
            ("swing", self.swing, SWINGS),
        ):
            if name not in names:
                where = "the library of gaits"
                unknown.append(UnknownNameError(kind, name, names, where))
        problems = list[str]()
        for name in ("angle_deg", "turn_deg"):
            value = getattr(self, name)
            if value is not None and not (is_number(value) and abs(value) <= 360.0):
                said = name.removesuffix("_deg")
                problems.append(f"{said} must be -360 to 360 degrees, got {value!r}")
        for name, least in (("stroke", 0.0), ("speed", 0.0), ("lift", -1.0)):
            value = getattr(self, name)
            is_fine = is_number(value) and least < value < math.inf and value >= 0.0
            if value is not None and not is_fine:
                sign = ">" if least == 0.0 else ">="
                problems.append(f"{name} must be {sign} 0, got {value!r}")
        if self.turn_deg and self.name == "discontinuous":
            problems.append(f"turn is not for it, got {self.turn_deg!r}")
        expect_none(f"gait '{self.name}'", problems, unknown)
