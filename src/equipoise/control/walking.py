"""A walking controller: its parts, between sensors and drives.

A pilot says where to, a planner looks ahead, if there is one. Support decides who
stands, motion where the trunk goes, balance how hard feet press and where they step;
reflexes come last. Below them are the levels of [Ridderstrom2003] section 5.3: the
leg's spring law and the joint's current and voltage.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import numpy as np

from equipoise.control.ground_map import GroundMap, located
from equipoise.control.joints.motor import JointMotors, Motor, motor_volts
from equipoise.control.legs.law import LegGuards, leg_torques
from equipoise.control.observer.trunk import TrunkObserver, TrunkState
from equipoise.control.parts import (
    AbstractBalance,
    AbstractLegProgram,
    AbstractMotion,
    AbstractPilot,
    AbstractPlanner,
    AbstractReflex,
    AbstractSupport,
)
from equipoise.control.records import (
    ClockRequest,
    GaitClock,
    LegAim,
    LegEstimate,
    LegStance,
    Travel,
)
from equipoise.control.report import (
    LegReport,
    WalkingReport,
    describe,
    describe_legs,
    leg_signals,
)
from equipoise.control.signals import (
    NO_MAP,
    BalanceCommand,
    Estimate,
    SupportRequest,
    WalkingStance,
    nothing_asked,
)
from equipoise.core.arrays import VecN
from equipoise.core.bound import cached_dispatch
from equipoise.core.contracts import Command, Readings
from equipoise.core.jit import compiled
from equipoise.core.records import Records, pooled_empty_like

__all__ = ["WalkingController", "WalkingState"]


REPORT = WalkingReport.zeros()  # whose like is made at every tick
SIGNALS = tuple(WalkingReport.entries)
CLOCK = ClockRequest.dtype()


class WalkingState(NamedTuple):
    """All parts' states, and what the last tick leaves behind."""

    observer: TrunkState
    pilot: Any
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
    ground: GroundMap
    """Where the map lies in W."""
    wanted: Records[Travel]
    """By the pilot, (1,)."""


@final
@dataclass(frozen=True, eq=False)
class WalkingController:
    """Readings in, torques and voltages out; same input and state, same output."""

    observer: TrunkObserver
    pilot: AbstractPilot[Any]
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
    tells_legs: bool = False
    """Whether it tells of each leg, where it is bound for and what it shall carry."""
    _torques = cached_dispatch(lambda: leg_torques)
    _drive = cached_dispatch(lambda: _drive_legs)
    _describe = cached_dispatch(lambda: describe)
    _describe_legs = cached_dispatch(lambda: describe_legs)

    def init(self) -> WalkingState:
        """Return the state before the first tick: at rest on all feet."""
        machine = self.observer.machine
        legs = LegStance.zeros(machine.legs)
        legs["stands"], legs["goal"] = 1.0, math.nan
        return WalkingState(
            self.observer.init(),
            self.pilot.init(machine),
            self.support.init(machine),
            self.motion.init(machine),
            self.balance.init(machine),
            self.program.init(),
            np.zeros(len(machine.drives)),
            WalkingStance(legs, GaitClock.zeros()),
            self.planner.init(machine),
            nothing_asked(machine),
            tuple(reflex.init(machine) for reflex in self.reflexes),
            self.ground,
            Travel.zeros(),
        )

    def step(
        self, readings: Readings, state: WalkingState
    ) -> tuple[Command, WalkingState]:
        """Return this tick's command and the next state."""
        walks = bool(state.wanted["walks"][0] > 0.0)
        estimate, seen = self.observer.step(
            readings, state.stance.legs, walks, state.observer
        )
        ground = located(
            self.ground, state.ground, readings, estimate.p_WB, estimate.R_WB
        )
        estimate.ground = ground
        wanted, pilot = self.pilot.step(
            estimate, state.stance, state.asked, state.pilot
        )
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
        reflexes: list[Any] = []
        for reflex, before in zip(self.reflexes, state.reflexes, strict=True):
            asked, after = reflex.step(estimate, stance, asked, before)
            reflexes.append(after)
        aim = asked.legs
        tau, volts, motors = self.drive(readings.dt, estimate, aim, state.motors)
        told = self.telemetry(estimate, stance, goal, balance)
        command = Command(tau, told, volts)
        command.telemetry.update(self.pilot.tell(pilot))
        command.telemetry.update(self.planner.tell(p))
        command.telemetry.update(self.balance.tell(b))
        for reflex, after in zip(self.reflexes, reflexes, strict=True):
            command.telemetry.update(reflex.tell(after))
        return command, WalkingState(
            seen, pilot, s, m, b, program, motors, stance, p, asked, tuple(reflexes),
            ground, wanted,
        )  # fmt: skip

    def drive(
        self, dt: float, estimate: Estimate, aim: Records[LegAim], integrals: VecN
    ) -> tuple[VecN, VecN | None, VecN]:
        """Return torques, voltages where motors are driven, and the next integrals.

        Args:
            dt: control period [s].
            estimate: of this tick.
            aim: of the legs, (nl,).
            integrals: of the current controllers, (nu,).
        """
        legs, motors, guards = estimate.legs, self.motors, self.program.law.guards
        tau, volts = np.empty(len(integrals)), None
        if motors is None:
            self._torques(legs, aim, guards, tau)
        else:
            volts, integrals = np.empty(len(integrals)), integrals.copy()
            self._drive(legs, aim, guards, motors.each, dt, tau, integrals, volts)
        return tau, volts, integrals

    def telemetry(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        goal: Records[Travel],
        balance: BalanceCommand,
    ) -> dict[str, float]:
        """Return the telemetry of a tick.

        Args:
            estimate: of this tick.
            stance: of this tick.
            goal: of this tick.
            balance: of this tick.
        """
        report = pooled_empty_like(REPORT)
        pose, trunk = balance.trunk.pose, estimate.trunk
        self._describe(trunk, stance.legs, stance.clock, goal, pose, report)
        telemetry = dict(zip(SIGNALS, report.item(), strict=False))
        if self.tells_legs:
            legs = LegReport.zeros(len(stance.legs))
            self._describe_legs(stance.legs, balance.legs, legs)
            values = np.asarray(legs).view(np.float64).ravel().tolist()
            telemetry.update(zip(leg_signals(len(legs)), values, strict=True))
        return telemetry


@compiled(allocates=False)
def _drive_legs(
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
