"""A walking controller: its parts, between sensors and drives.

A planner looks ahead, if there is one. Support decides who stands, motion where the
trunk goes, balance how hard feet press and where they step; reflexes come last. Below
them are the levels of [Ridderstrom2003] section 5.3: the leg's spring law and the
joint's current and voltage.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import numpy as np

from equipoise.control.balance.carry import tilt_of
from equipoise.control.ground_map import GroundMap
from equipoise.control.joints.motor import JointMotors, Motor, motor_volts
from equipoise.control.legs.law import LegGuards, leg_torques
from equipoise.control.observer.trunk import TrunkObserver, TrunkState
from equipoise.control.parts import (
    NO_MAP,
    AbstractBalance,
    AbstractLegProgram,
    AbstractMotion,
    AbstractPlanner,
    AbstractReflex,
    AbstractSupport,
    Estimate,
    SupportRequest,
    WalkingStance,
    nothing_asked,
)
from equipoise.control.pilot import Pilot
from equipoise.control.records import (
    ClockRequest,
    GaitClock,
    LegAim,
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.core.arrays import VecN
from equipoise.core.bound import settled
from equipoise.core.contracts import Command, Readings
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, room_like

__all__ = ["WalkingController", "WalkingReport", "WalkingState"]


class WalkingReport(Record):
    """What a tick says of itself: the telemetry of a walk."""

    schedule: float = entry("legs that are scheduled to stand, powers of two added up")
    standing: float = entry("legs that do stand, powers of two added up")
    clock: float = entry("share of the cycle")
    walking: float = entry("1 while the clock runs")
    forward: float = entry("commanded velocity", "m/s")
    left: float = entry("commanded velocity", "m/s")
    turn: float = entry("commanded rate of turn to the left", "rad/s")
    speed: float = entry("of the trunk along its own forward axis", "m/s")
    roll: float = entry("of the trunk", "rad")
    pitch: float = entry("of the trunk", "rad")


REPORT = WalkingReport.zeros()  # whose like is made at every tick
SIGNALS = tuple(WalkingReport.entries)
CLOCK = ClockRequest.dtype()


class WalkingState(NamedTuple):
    """All parts' states, and what the last tick leaves behind."""

    observer: TrunkState
    pilot: Records[Travel]
    support: Any
    motion: Any
    balance: Any
    program: Any
    motors: VecN
    """Integrals of the current controllers, (nu,) [V]."""
    stance: WalkingStance
    """Who stood."""
    planner: Any
    asked: SupportRequest
    reflexes: tuple[Any, ...]


@final
@dataclass(frozen=True, eq=False)
class WalkingController:
    """Readings in, torques and voltages out; same input and state, same output."""

    observer: TrunkObserver
    pilot: Pilot
    planner: AbstractPlanner[Any]
    support: AbstractSupport[Any]
    motion: AbstractMotion[Any]
    balance: AbstractBalance[Any]
    reflexes: tuple[AbstractReflex[Any], ...]
    program: AbstractLegProgram[Any]
    motors: JointMotors | None = field(default=None)
    """The joint level; None where drives take torques."""
    ground: GroundMap = field(default=NO_MAP, repr=False)
    """What it knows of the ground beforehand."""
    _torques = settled(lambda: leg_torques)
    _drive = settled(lambda: drive_legs)
    _describe = settled(lambda: describe)

    def init(self) -> WalkingState:
        """Return the state before the first tick: at rest on all feet."""
        machine = self.observer.machine
        legs = LegStance.zeros(machine.legs)
        legs["stands"], legs["goal"] = 1.0, math.nan
        return WalkingState(
            self.observer.init(),
            self.pilot.init(),
            self.support.init(machine),
            self.motion.init(machine),
            self.balance.init(machine),
            self.program.init(),
            np.zeros(len(machine.drives)),
            WalkingStance(legs, GaitClock.zeros()),
            self.planner.init(machine),
            nothing_asked(machine),
            tuple(reflex.init(machine) for reflex in self.reflexes),
        )

    def step(
        self, readings: Readings, state: WalkingState
    ) -> tuple[Command, WalkingState]:
        """Return this tick's command and the next state."""
        walks = bool(state.pilot["walks"][0] > 0.0)
        estimate, seen = self.observer.step(
            readings, state.stance.legs, walks, state.observer
        )
        wanted, pilot = self.pilot.step(readings.time, readings.dt, state.pilot)
        estimate.ground = self.ground
        estimate.plan, p = self.planner.step(
            estimate, wanted, state.stance, state.asked, state.planner
        )
        goal = estimate.plan.travel
        stance, s = self.support.step(estimate, goal, state.asked, state.support)
        trunk, m = self.motion.step(estimate, goal, stance, state.motion)
        balance, b = self.balance.step(estimate, stance, trunk, state.balance)
        aim, program = self.program.step(estimate, stance, balance, state.program)
        nothing: Any = np.zeros(1, CLOCK)
        asked = SupportRequest(aim, nothing)
        reflexes = [
            reflex.step(estimate, stance, asked, before)
            for reflex, before in zip(self.reflexes, state.reflexes, strict=True)
        ]
        command, motors = self.command(
            readings.dt, estimate, stance, goal, aim, state.motors
        )
        command.telemetry.update(self.planner.tell(p))
        command.telemetry.update(self.balance.tell(b))
        for reflex, after in zip(self.reflexes, reflexes, strict=True):
            command.telemetry.update(reflex.tell(after))
        return command, WalkingState(
            seen, pilot, s, m, b, program, motors, stance, p, asked, tuple(reflexes)
        )

    def command(
        self,
        dt: float,
        estimate: Estimate,
        stance: WalkingStance,
        goal: Records[Travel],
        aim: Records[LegAim],
        integrals: VecN,
    ) -> tuple[Command, VecN]:
        """Return torques, voltages where motors are driven, and the next integrals.

        Args:
            dt: control period [s].
            estimate: of this tick.
            stance: of this tick.
            goal: of this tick.
            aim: of the legs, (nl,).
            integrals: of the current controllers, (nu,).
        """
        legs, motors = estimate.legs, self.motors
        guards, report = self.program.law.guards, room_like(REPORT)
        tau, volts = np.empty(len(integrals)), None
        if motors is None:
            self._torques(legs, aim, guards, tau)
        else:
            volts, integrals = np.empty(len(integrals)), integrals.copy()
            self._drive(legs, aim, guards, motors.each, dt, tau, integrals, volts)
        self._describe(estimate.trunk, stance.legs, stance.clock, goal, report)
        telemetry = dict(zip(SIGNALS, report.item(), strict=False))
        return Command(tau, telemetry, volts), integrals


@compiled(allocates=False)
def drive_legs(
    legs: Records[LegEstimate],
    aim: Records[LegAim],
    guards: Records[LegGuards],
    motors: Records[Motor],
    dt: float,
    tau: VecN,
    integrals: VecN,
    volts: VecN,
) -> None:
    """Write torques and the voltages that shall bring them about."""
    leg_torques(legs, aim, guards, tau)
    motor_volts(legs, tau, motors, dt, integrals, volts)


@compiled(allocates=False)
def describe(
    trunk: Records[TrunkEstimate],
    legs: Records[LegStance],
    clock: Records[GaitClock],
    goal: Records[Travel],
    out: Records[WalkingReport],
) -> None:
    """Write legs as sums of powers of two, clock, goal, speed and attitude."""
    report, wanted, bit = out[0], goal[0].velocity, 1.0
    report.schedule, report.standing = 0.0, 0.0
    for leg in legs:
        report.schedule += bit if leg.scheduled > 0.0 else 0.0
        report.standing += bit if leg.stands > 0.0 else 0.0
        bit *= 2.0
    report.clock, report.walking = clock[0].phase, clock[0].walking
    report.forward, report.left, report.turn = wanted[0], wanted[1], wanted[2]
    R, v = trunk[0].R_WB, trunk[0].v_WB
    report.speed = R[0, 0] * v[0] + R[1, 0] * v[1] + R[2, 0] * v[2]
    report.roll, report.pitch, _ = tilt_of(trunk[0])
