"""What the operator wants, ramped, as straight lines: ``control.pilot``."""

from typing import NamedTuple

from equipoise.control.pilot import PilotConfig, WalkingGoal
from equipoise.control.straight.memory import TickMemory
from equipoise.equations.tape.functions import less, maximum, minimum, where
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.tape import Expr

__all__ = ["Wanted", "pilot_settings", "ramped"]

NEVER = 1e9  # [s]


class Wanted(NamedTuple):
    """Velocity command at a tick."""

    velocity: tuple[Expr, Expr, Expr]
    """Forward, left [m/s] and turn to the left [rad/s]."""
    walks: Expr
    """1 while the machine shall step."""


def pilot_settings(goal: WalkingGoal) -> list[NamedNumber]:
    """Return what may vary of the goal.

    Args:
        goal: where to, and from when.
    """
    return [
        NamedNumber("speed", "m/s", goal.forward, "commanded, forward"),
        NamedNumber("left", "m/s", goal.left, "commanded, to the left"),
        NamedNumber("turn", "rad/s", goal.turn, "commanded, to the left"),
        NamedNumber("start", "s", goal.time, "when it begins to walk"),
        NamedNumber("stop", "s", NEVER, "when it is told to stop"),
    ]


def ramped(
    config: PilotConfig,
    settings: dict[str, Expr],
    time: Expr,
    dt: float,
    memory: TickMemory,
) -> Wanted:
    """Return the command, approaching what is wanted now.

    Args:
        config: how fast commands may change.
        settings: the goal, by name.
        time: since the start [s].
        dt: control period [s].
        memory: has the last command.
    """
    begun = 1.0 - less(time, settings["start"])
    walks = begun * less(time, settings["stop"])
    walked = memory.read("wanted.walked", "s")
    before = memory.read("wanted.walks")
    rested = memory.read("wanted.rested", "s")
    goes = walks * (1.0 - less(walked, config.lead))
    told: list[Expr] = []
    rest = time.tape.constant(1.0)
    limits = (config.acceleration, config.acceleration, config.turn_acceleration)
    for name, limit in zip(("speed", "left", "turn"), limits, strict=True):
        last = memory.read(f"wanted.{name}", _settings_unit(name))
        off, most = where(goes, settings[name], 0.0) - last, dt * limit
        told.append(last + minimum(maximum(off, -most), most))
        memory.write(f"wanted.{name}", told[-1])
        rest = rest * less(abs(told[-1]), 1e-9)
    slows = (1.0 - walks) * rest * before
    waited = where(walks, 0.0, rested + dt * slows)
    stays = where(slows, 1.0 - less(config.settle, waited), before)
    now = where(walks, 1.0, stays)
    memory.write("wanted.walked", where(before, walked + dt, 0.0))
    memory.write("wanted.walks", now)
    memory.write("wanted.rested", waited)
    return Wanted((told[0], told[1], told[2]), now)


def _settings_unit(name: str) -> str:
    """Return the unit of a command."""
    return "rad/s" if name == "turn" else "m/s"
