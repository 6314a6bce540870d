"""Legs step by the clock, as straight lines: ``control.support.clocked``."""

from typing import NamedTuple

from equipoise.control.gaits.named import named_gait
from equipoise.control.straight.known import KnownLeg
from equipoise.control.straight.memory import TickMemory
from equipoise.control.straight.pilot import Wanted
from equipoise.control.support.clocked import ClockedConfig, start_of
from equipoise.equations.tape.functions import less, maximum, minimum, where
from equipoise.equations.tape.tape import Expr

__all__ = ["LegStep", "RunningClock", "running_clock", "step_legs_expr"]


class RunningClock(NamedTuple):
    """The clock by which legs step."""

    phase: Expr
    walking: Expr
    rate: Expr
    cycle: Expr
    lifts: Expr


class LegStep(NamedTuple):
    """Stance of one leg, and the progress of its swing."""

    stands: Expr
    before: Expr
    """1 where it stood at the last tick."""
    progress: Expr
    late: Expr
    swing: Expr
    """Duration of a swing [s]."""
    support: Expr
    """And of a support [s]."""


def running_clock(
    config: ClockedConfig,
    settings: dict[str, Expr],
    wanted: Wanted,
    stood: list[Expr],
    dt: float,
    memory: TickMemory,
) -> RunningClock:
    """Return the clock, advanced; it runs on until all legs stand.

    Args:
        config: of the gait.
        settings: has the cycle.
        wanted: whether to walk.
        stood: 1 for legs that stood at the last tick.
        dt: control period [s].
        memory: has the clock.
    """
    gait = named_gait(config.gait, legs=config.legs, duty=config.duty)
    start, cycle = start_of(gait), settings["clocked.cycle"]
    phase, walking = memory.read("clock.phase", "", start), memory.read("clock.walking")
    swings = wanted.walks.tape.constant(0.0)
    for one in stood:
        swings = maximum(swings, 1.0 - one)
    runs = maximum(wanted.walks, swings)
    begins = runs * (1.0 - walking)
    phase = where(begins, start, phase)
    rate = runs
    if config.start == "slowly":
        walked = where(begins, 0.0, memory.read("clock.walked", "s"))
        rate = runs * minimum(1.0, 0.2 + walked / cycle)
        memory.write("clock.walked", walked + dt * runs)
    phase = _wrapped(phase + rate * dt / cycle)
    memory.write("clock.phase", phase)
    memory.write("clock.walking", runs)
    return RunningClock(phase, runs, rate, cycle, wanted.walks)


def _wrapped(share: Expr) -> Expr:
    """Return a share of the cycle from -1 to 2 as one from 0 to 1."""
    up = where(less(share, 0.0), share + 1.0, share)
    return where(less(up, 1.0), up, up - 1.0)


def step_legs_expr(
    config: ClockedConfig,
    clock: RunningClock,
    legs: list[KnownLeg],
    dt: float,
    memory: TickMemory,
) -> list[LegStep]:
    """Return who stands.

    Args:
        config: of the gait.
        clock: by which legs step.
        legs: what is known of them.
        dt: control period [s].
        memory: has what legs did, and where they were bound for.
    """
    gait = named_gait(config.gait, legs=config.legs, duty=config.duty)
    found: list[LegStep] = []
    for k, leg in enumerate(legs):
        duty, stood = float(gait.duty[k]), leg.stood
        lifted, late = memory.read(f"lifted.{k}"), memory.read(f"late.{k}", "s")
        since = _wrapped(clock.phase - float(gait.phases[k]))
        due = maximum(less(since, duty), 1.0 - clock.walking)
        lifts = (1.0 - due) * clock.lifts * stood * (1.0 - lifted)
        flies = maximum(1.0 - stood, lifts)
        over = (since - duty) * (1.0 / max(1.0 - duty, 1e-9))
        progress = where(flies, where(due, 1.0, over), 0.0)
        late = where(lifts, 0.0, late) + dt * due * flies
        lands = flies * _landed(config, k, due, progress, late, leg, memory)
        stands = maximum(1.0 - flies, lands)
        memory.write(f"lifted.{k}", where(due, 0.0, maximum(lifted, lifts)))
        late = where(stands, 0.0, late)
        memory.write(f"late.{k}", late)
        memory.write(f"stands.{k}", stands)
        swing, support = (1.0 - duty) * clock.cycle, duty * clock.cycle
        found.append(LegStep(stands, stood, progress, late, swing, support))
    return found


def _landed(
    config: ClockedConfig,
    k: int,
    due: Expr,
    progress: Expr,
    late: Expr,
    leg: KnownLeg,
    memory: TickMemory,
) -> Expr:
    """Return 1 where a swinging foot stands from now on: ``support.landing.lands``."""
    bound = [memory.read(f"landing.{k}.{axis}", "m") for axis in "xy"]
    near = less(abs(leg.foot[0] - bound[0]), config.near)
    near = near * less(abs(leg.foot[1] - bound[1]), config.near)
    early = near * less(config.early, progress)
    patient = maximum(near, less(config.patience, late))
    return less(config.touch, leg.load) * where(due, patient, early)
