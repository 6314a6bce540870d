"""What ``equipoise gait`` can be asked: which gait, on which machine, walked how."""

from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.gaits.foot_path import SWINGS
from equipoise.control.gaits.named import gait_names
from equipoise.core.checks import expect_none
from equipoise.core.errors import UnknownNameError
from equipoise.core.setting import Setting, usage_problems
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
    duty: Annotated[
        float | None,
        Setting(
            "Share of the cycle for which a leg stands", usual="the gait's usual one"
        ),
    ] = None
    legs: Annotated[
        int | None, Setting("Number of legs", usual="the gait's usual number")
    ] = None
    angle_deg: Annotated[
        float,
        Setting(
            "Direction of travel from straight ahead, to the left",
            "deg",
            least=-360.0,
            most=360.0,
            option="angle",
        ),
    ] = 0.0
    turn_deg: Annotated[
        float | None,
        Setting(
            "Turn to the left in a cycle",
            "deg",
            least=-360.0,
            most=360.0,
            option="turn",
            usual="10 with turning, else 0",
        ),
    ] = None
    stroke: Annotated[
        float | None,
        Setting(
            "Stroke of a foot below the centre of mass",
            "m",
            above=0.0,
            usual="0.2, with turning 0",
        ),
    ] = None
    speed: Annotated[
        float | None,
        Setting("Wanted speed", "m/s", above=0.0, usual="as fast as it can"),
    ] = None
    swing: str = "ellipse"
    """How feet swing, one of ``SWINGS``."""
    lift: Annotated[
        float, Setting("Height by which swinging feet are lifted", "m", least=0.0)
    ] = 0.05
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
        problems = usage_problems(self)
        if self.turn_deg and self.name == "discontinuous":
            problems.append(f"turn is not for it, got {self.turn_deg!r}")
        expect_none(f"gait '{self.name}'", problems, unknown)
