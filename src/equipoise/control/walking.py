"""A walking controller: four parts, between sensors and drives.

Support decides who stands, motion where the trunk goes, balance how hard feet press and
where they step; reflexes come last. Below them are the levels of [Ridderstrom2003]
section 5.3: the leg's spring law and the joint's current and voltage.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import numpy as np

from equipoise.control.balance.effort import tilt_of
from equipoise.control.joints.motor import Motors, motor_volts
from equipoise.control.legs.law import leg_torques
from equipoise.control.legs.steps import Steps
from equipoise.control.observer.trunk import TrunkObserver
from equipoise.control.parts import (
    AbstractBalance,
    AbstractMotion,
    AbstractReflex,
    AbstractSupport,
    Asked,
    Estimate,
    Stance,
    nothing_asked,
)
from equipoise.control.pilot import Pilot
from equipoise.core.arrays import Array, VecN
from equipoise.core.contracts import Command, Readings
from equipoise.core.jit import compiled

__all__ = ["WalkingController", "WalkingState"]


class WalkingState(NamedTuple):
    """All parts' states, and what the last tick leaves behind."""

    observer: Any
    pilot: VecN
    support: Any
    motion: Any
    balance: Any
    steps: Array
    motors: VecN
    stands: VecN
    asked: Asked
    reflexes: tuple[Any, ...]


@final
@dataclass(frozen=True, eq=False)
class WalkingController:
    """Readings in, torques and voltages out; same input and state, same output."""

    observer: TrunkObserver
    pilot: Pilot
    support: AbstractSupport[Any]
    motion: AbstractMotion[Any]
    balance: AbstractBalance[Any]
    reflexes: tuple[AbstractReflex[Any], ...]
    steps: Steps
    motors: Motors | None = field(default=None)
    """The joint level; None where drives take torques."""

    def init(self) -> WalkingState:
        """Return the state before the first tick: at rest on all feet."""
        nl = self.observer.machine.legs
        return WalkingState(
            self.observer.init(),
            self.pilot.init(),
            self.support.init(),
            self.motion.init(),
            self.balance.init(),
            self.steps.init(),
            np.zeros(3 * nl) if self.motors is None else self.motors.init(),
            np.ones(nl),
            nothing_asked(nl),
            tuple(reflex.init() for reflex in self.reflexes),
        )

    def step(
        self, readings: Readings, state: WalkingState
    ) -> tuple[Command, WalkingState]:
        """Return this tick's command and the next state."""
        walks = bool(state.pilot[3] > 0.0)
        estimate, seen = self.observer.step(
            readings, state.stands, walks, state.observer
        )
        goal, pilot = self.pilot.step(readings.time, readings.dt, state.pilot)
        stance, s = self.support.step(estimate, goal, state.asked, state.support)
        trunk, m = self.motion.step(estimate, goal, stance, state.motion)
        effort, b = self.balance.step(estimate, stance, trunk, state.balance)
        aim, landing, steps = self.steps.step(estimate, stance, effort, state.steps)
        asked = Asked(np.zeros(len(landing)), 0.0, 0.0, landing)
        after = tuple(
            reflex.step(estimate, stance, aim, asked, r)
            for reflex, r in zip(self.reflexes, state.reflexes, strict=True)
        )
        tau, volts, motors = self.torques(readings, estimate, aim, state.motors)
        said = telemetry(estimate, stance, goal)
        stands = stance.legs[:, 1]
        return Command(tau, said, volts), WalkingState(
            seen, pilot, s, m, b, steps, motors, stands, asked, after
        )

    def torques(
        self, readings: Readings, estimate: Estimate, aim: Array, integrals: VecN
    ) -> tuple[VecN, VecN | None, VecN]:
        """Return torques, voltages where motors are driven, and the next integrals.

        Args:
            readings: of this tick.
            estimate: of this tick.
            aim: of the legs, (6, nl, 3).
            integrals: of the current controllers, (nu,).
        """
        tau = np.empty_like(estimate.q)
        leg_torques(
            estimate.q, estimate.v, estimate.feet, aim, self.steps.law.table, tau
        )
        if self.motors is None:
            return tau, None, integrals
        volts, after = np.empty_like(tau), integrals.copy()
        motor_volts(
            tau, estimate.v, readings.current, readings.limit, self.motors.table,
            readings.dt, after, volts,
        )  # fmt: skip
        return tau, volts, after


def telemetry(estimate: Estimate, stance: Stance, goal: VecN) -> dict[str, float]:
    """Return what the controller says about itself.

    Args:
        estimate: what it knows.
        stance: who stands.
        goal: what it was told.
    """
    out = np.empty(10)
    describe(estimate.trunk, stance.legs, stance.clock, goal, out)
    numbers = out.tolist()
    return {
        "schedule": numbers[0],
        "standing": numbers[1],
        "clock": numbers[2],
        "walking": numbers[3],
        "forward": numbers[4],
        "left": numbers[5],
        "turn": numbers[6],
        "speed": numbers[7],
        "roll": numbers[8],
        "pitch": numbers[9],
    }


@compiled(allocates=False)
def describe(trunk: VecN, legs: Array, clock: VecN, goal: VecN, out: VecN) -> None:
    """Write legs as sums of powers of two, clock, goal, speed and attitude."""
    out[0], out[1], bit = 0.0, 0.0, 1.0
    for leg in range(legs.shape[0]):
        out[0] += bit if legs[leg, 0] > 0.0 else 0.0
        out[1] += bit if legs[leg, 1] > 0.0 else 0.0
        bit *= 2.0
    out[2], out[3] = clock[0], clock[2]
    out[4], out[5], out[6] = goal[0], goal[1], goal[2]
    out[7] = trunk[9] * trunk[3] + trunk[12] * trunk[4] + trunk[15] * trunk[5]
    out[8], out[9], _ = tilt_of(trunk)
