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
    LEG,
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

SIGNALS = 10  # numbers of the telemetry
NO_MOTORS = np.empty((6, 0))  # where drives take torques


class WalkingState(NamedTuple):
    """All parts' states, and what the last tick leaves behind."""

    observer: Any
    pilot: VecN
    support: Any
    motion: Any
    balance: Any
    steps: Array
    motors: VecN
    legs: Array
    """Of the last ``Stance``, (nl, 6)."""
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
            np.ones((nl, LEG)),
            nothing_asked(nl),
            tuple(reflex.init() for reflex in self.reflexes),
        )

    def step(
        self, readings: Readings, state: WalkingState
    ) -> tuple[Command, WalkingState]:
        """Return this tick's command and the next state."""
        walks = bool(state.pilot[3] > 0.0)
        estimate, seen = self.observer.step(readings, state.legs, walks, state.observer)
        goal, pilot = self.pilot.step(readings.time, readings.dt, state.pilot)
        stance, s = self.support.step(estimate, goal, state.asked, state.support)
        trunk, m = self.motion.step(estimate, goal, stance, state.motion)
        effort, b = self.balance.step(estimate, stance, trunk, state.balance)
        aim, landing, steps = self.steps.step(estimate, stance, effort, state.steps)
        asked = Asked(np.zeros(len(landing)), 0.0, 0.0, landing)
        reflexes: list[Any] = []
        for k, reflex in enumerate(self.reflexes):
            after = reflex.step(estimate, stance, aim, asked, state.reflexes[k])
            reflexes.append(after)
        command, motors = self.command(
            readings, estimate, stance, goal, aim, state.motors
        )
        return command, WalkingState(
            seen, pilot, s, m, b, steps, motors, stance.legs, asked, tuple(reflexes)
        )

    def command(
        self,
        readings: Readings,
        estimate: Estimate,
        stance: Stance,
        goal: VecN,
        aim: Array,
        integrals: VecN,
    ) -> tuple[Command, VecN]:
        """Return torques, voltages where motors are driven, and the next integrals.

        Args:
            readings: of this tick.
            estimate: of this tick.
            stance: of this tick.
            goal: of this tick.
            aim: of the legs, (6, nl, 3).
            integrals: of the current controllers, (nu,).
        """
        nu, motors = len(integrals), self.motors
        tau, said, after = np.empty(nu), np.empty(SIGNALS), integrals.copy()
        volts = tau if motors is None else np.empty(nu)
        drive_legs(
            estimate.q, estimate.v, estimate.feet, aim, self.steps.law.table,
            readings.current, readings.limit, readings.dt,
            NO_MOTORS if motors is None else motors.table,
            estimate.trunk, stance.legs, stance.clock, goal, after, tau, volts, said,
        )  # fmt: skip
        telemetry = named(*said.tolist())
        return Command(tau, telemetry, None if motors is None else volts), after


def named(
    schedule: float,
    standing: float,
    clock: float,
    walking: float,
    forward: float,
    left: float,
    turn: float,
    speed: float,
    roll: float,
    pitch: float,
) -> dict[str, float]:
    """Return the telemetry by name; written out, which is three times as quick."""
    return {
        "schedule": schedule,
        "standing": standing,
        "clock": clock,
        "walking": walking,
        "forward": forward,
        "left": left,
        "turn": turn,
        "speed": speed,
        "roll": roll,
        "pitch": pitch,
    }


@compiled(allocates=False)
def drive_legs(
    q: VecN,
    v: VecN,
    feet: Array,
    aim: Array,
    law: Array,
    current: VecN,
    limit: VecN,
    dt: float,
    motors: Array,
    trunk: VecN,
    legs: Array,
    clock: VecN,
    goal: VecN,
    integrals: VecN,
    tau: VecN,
    volts: VecN,
    said: VecN,
) -> None:
    """Write torques, voltages if there are motors, and telemetry: one call for all."""
    leg_torques(q, v, feet, aim, law, tau)
    if motors.shape[1] > 0:
        motor_volts(tau, v, current, limit, motors, dt, integrals, volts)
    describe(trunk, legs, clock, goal, said)


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
