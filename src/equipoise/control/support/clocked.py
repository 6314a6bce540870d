"""Legs step by the clock: a gait's phases and duty factors, run in time.

A foot stands from the moment it feels the ground, which may be before or after the
clock says so: an early foot counts only near its foothold and late in its swing, else
it has stumbled. A leg lifts when the clock says so and not before.
"""

import math
from dataclasses import dataclass, field
from typing import Literal, final

import numpy as np

from equipoise.control.gaits.named import named_gait
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.parts import (
    LEG,
    SUPPORTS,
    AbstractSupport,
    Asked,
    Estimate,
    Stance,
)
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = ["ClockedConfig", "ClockedSupport"]

CLOCK = 5  # numbers before those of the legs: phase, walked, held, was walking, calm


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ClockedConfig:
    """Of a clocked gait; defaults are WARP1's trot.

    Raises:
        ConfigError: a gait that is not known or has other legs, or a number out of
            range.
    """

    gait: str = "trot"
    """A name that ``control.gaits`` knows."""
    duty: float | None = None
    """Share of a cycle for which a leg stands; None for the gait's own."""
    legs: int = 4
    cycle: float = 0.65
    """Duration of a cycle [s]."""
    start: Literal["at once", "slowly"] = "at once"
    """Whether the first cycle is slower: a gait that is balanced at every instant can
    do so, one that is not would fall."""
    touch: float = 30.0
    """Load from which a foot stands [N]."""
    early: float = 0.6
    """Share of a swing from which a foot may stand before its time."""
    near: float = 0.08
    """How close to its foothold it must be then [m]."""
    patience: float = 0.1
    """How long a foot that is late must have been so to stand anywhere [s]."""

    def __post_init__(self) -> None:
        expect_positive(self, "cycle", "touch", "early", "near", "patience")


@final
@SUPPORTS.register("clocked")
@dataclass(frozen=True)
class ClockedSupport(AbstractSupport[VecN]):
    """A gait in time; state is the clock and, per leg, who stands and for how long."""

    config: ClockedConfig = field(default_factory=ClockedConfig)
    gait: PhaseGait = field(init=False, repr=False)
    table: VecN = field(init=False, repr=False)

    def __post_init__(self) -> None:
        c = self.config
        gait = named_gait(c.gait, legs=c.legs, duty=c.duty)
        slow = 1.0 if c.start == "slowly" else 0.0
        numbers = [c.cycle, c.touch, c.early, c.near, c.patience, slow, start_of(gait)]
        object.__setattr__(self, "gait", gait)
        object.__setattr__(self, "table", np.array(numbers))

    def init(self) -> VecN:
        """Return the clock at its start, all legs standing."""
        state = np.zeros(CLOCK + 3 * self.gait.legs)
        state[0] = self.table[6]
        state[CLOCK : CLOCK + self.gait.legs] = 1.0
        return state

    def step(
        self, estimate: Estimate, goal: VecN, asked: Asked, state: VecN
    ) -> tuple[Stance, VecN]:
        """Return who stands, and the next state."""
        after, legs = state.copy(), np.empty((self.gait.legs, LEG))
        clock = np.empty(4)
        tick(
            estimate.dt, goal, estimate.feet, estimate.load, asked.veto, asked.hold,
            asked.halt, asked.landing, self.gait.phases, self.gait.duty, self.table,
            after, legs, clock,
        )  # fmt: skip
        return Stance(legs, clock), after


def start_of(gait: PhaseGait) -> float:
    """Return where the clock starts: amid the longest time on all legs, else at 0.

    Args:
        gait: whose clock it is.
    """
    shares = np.arange(1000) / 1000.0
    all_stand = np.all(gait.is_standing(shares), axis=1)
    if not all_stand.any() or all_stand.all():
        return 0.0
    shift = int(np.argmin(all_stand))
    run, best, middle = 0, 0, 0.0
    for k in range(1000):
        run = run + 1 if all_stand[(k + shift) % 1000] else 0
        if run > best:
            best, middle = run, ((k + shift) - 0.5 * (run - 1)) / 1000.0
    return middle % 1.0


@compiled(allocates=False)
def tick(
    dt: float,
    goal: VecN,
    feet: Array,
    load: VecN,
    veto: VecN,
    hold: float,
    halt: float,
    landing: Array,
    phases: VecN,
    duty: VecN,
    table: VecN,
    state: VecN,
    legs: Array,
    clock: VecN,
) -> None:
    """Advance the clock and say who stands; arguments as in the class."""
    nl, cycle = phases.shape[0], table[0]
    walks = goal[3] > 0.0 and halt == 0.0
    swings = False
    for leg in range(nl):
        swings = swings or state[CLOCK + leg] == 0.0
    runs = walks or swings
    if runs and state[3] == 0.0:
        state[0], state[1] = table[6], 0.0
    state[3] = 1.0 if runs else 0.0
    rate = 0.0
    if runs and hold == 0.0:
        rate = 1.0 if table[5] == 0.0 else min(1.0, 0.2 + state[1] / cycle)
        state[0] = (state[0] + rate * dt / cycle) % 1.0
        state[1] += dt
    for leg in range(nl):
        since = (state[0] - phases[leg]) % 1.0
        is_scheduled = since < duty[leg] or not runs
        swing = (since - duty[leg]) / max(1.0 - duty[leg], 1e-9)
        stand, done, late = CLOCK + leg, CLOCK + nl + leg, CLOCK + 2 * nl + leg
        if is_scheduled:
            state[done] = 0.0
        elif walks and state[stand] > 0.0 and state[done] == 0.0 and veto[leg] == 0.0:
            state[stand], state[done], state[late] = 0.0, 1.0, 0.0
        if state[stand] == 0.0:
            progress = 1.0 if is_scheduled else swing
            if is_scheduled:
                state[late] += dt
            if lands(
                is_scheduled, progress, float(state[late]), load[leg], feet[leg],
                landing[leg], table,
            ):  # fmt: skip
                state[stand] = 1.0
        else:
            progress = 0.0
        legs[leg, 0] = 1.0 if is_scheduled else 0.0
        legs[leg, 1], legs[leg, 2] = state[stand], progress
        legs[leg, 3], legs[leg, 4] = (1.0 - duty[leg]) * cycle, duty[leg] * cycle
        legs[leg, 5] = state[late] if state[stand] == 0.0 else 0.0
    clock[0], clock[1] = state[0], cycle
    clock[2], clock[3] = (1.0 if runs else 0.0), rate


@compiled(allocates=False)
def lands(
    is_due: bool,
    progress: float,
    late: float,
    load: float,
    foot: Array,
    landing: VecN,
    table: VecN,
) -> bool:
    """Say whether a swinging foot stands from now on."""
    if math.isnan(load):  # nothing feels the ground: trust the clock
        return is_due and late > 0.02
    if not load > table[1]:
        return False
    x, y = foot[0, 0] - landing[0], foot[0, 1] - landing[1]
    is_near = abs(x) < table[3] and abs(y) < table[3]
    if is_due:
        return is_near or late > table[4]
    return is_near and progress > table[2]
