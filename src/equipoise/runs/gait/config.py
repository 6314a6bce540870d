"""What ``equipoise gait`` can be asked: which gait, on which machine, walked how."""

from dataclasses import dataclass
from typing import Annotated, Literal, final

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
    """Settings of a gait: its name, machine and walk.

    Raises:
        ConfigError: numbers that cannot be; all of them are named.
        UnknownNameError: no such gait, machine or swing.
    """

    name: str
    """One of ``gait_names()`` or of ``GENERATED``."""
    duty: Annotated[
        float | None,
        Setting(
            "Duty factor: share of the cycle during which a leg stands",
            kind="share",
            usual="the gait's own",
        ),
    ] = None
    legs: Annotated[int | None, Setting("Number of legs", usual="the gait's own")] = (
        None
    )
    angle_deg: Annotated[
        float,
        Setting(
            "Direction of travel, positive to the left",
            "deg",
            kind="angle",
            least=-360.0,
            most=360.0,
            option="angle",
        ),
    ] = 0.0
    turn_deg: Annotated[
        float | None,
        Setting(
            "Turn per cycle, positive to the left",
            "deg",
            kind="angle",
            least=-360.0,
            most=360.0,
            option="turn",
            usual="10 for turning, otherwise 0",
        ),
    ] = None
    stroke: Annotated[
        float | None,
        Setting(
            "Stroke: way of a standing foot under the trunk",
            "m",
            above=0.0,
            usual="0.2; 0 for turning",
        ),
    ] = None
    speed: Annotated[
        float | None,
        Setting("Desired speed", "m/s", above=0.0, usual="the fastest possible"),
    ] = None
    swing: Annotated[
        Literal["ellipse", "hermite", "cycloid"], Setting("Path of a swinging foot")
    ] = "ellipse"
    lift: Annotated[float, Setting("Height of swinging feet", "m", least=0.0)] = 0.05
    machine: Annotated[
        str,
        Setting(
            "Machine with as many legs as the gait",
            metavar="|".join(machines()),
            completion="machines",
        ),
    ] = "warp1"

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        from equipoise.control.gaits.named import gait_names  # brings NumPy

        known, unknown = (*gait_names(), *GENERATED), list[UnknownNameError]()
        for kind, name, names in (
            ("gait", self.name, known),
            ("machine", self.machine, machines()),
        ):
            if name not in names:
                where = "the library of gaits"
                unknown.append(UnknownNameError(kind, name, names, where))
        problems = usage_problems(self)
        if self.turn_deg and self.name == "discontinuous":
            problems.append(f"turn is not for it, got {self.turn_deg!r}")
        expect_none(f"gait '{self.name}'", problems, unknown)
