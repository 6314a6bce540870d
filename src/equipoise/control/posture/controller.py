"""Posture controller: hold a legged machine's height, roll and pitch on any ground.

Force control along the trunk's upright axis, position control of the feet across it,
[Ridderstrom2003] section 11.2. It knows nothing of the ground, which may be tilted or
even rock, and reads the machine's own sensors only. A planar model of the same law and
the gains at which it falls are in ``stability.posture``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, final

import numpy as np

from equipoise.control.joints.motor import JointMotors, motor_volts, motors
from equipoise.control.legs.law import LegLaw, LegLawConfig, leg_law
from equipoise.control.observer.attitude import AttitudeObserver
from equipoise.control.observer.inertial import read_trunk
from equipoise.control.observer.legs import first_estimate, read_legs
from equipoise.control.posture.config import PostureControllerConfig
from equipoise.control.posture.tick import (
    PostureMemory,
    PostureReport,
    PostureSettings,
    find_wrench,
    press_feet,
    report_posture,
    share_wrench,
)
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    SharedLoad,
    TrunkEstimate,
)
from equipoise.core.arrays import VecN
from equipoise.core.bound import cached_dispatch
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Command, Readings
from equipoise.core.records import Records, copied, pooled_empty_like, record_of
from equipoise.robots.legs import LegGeometry, leg_geometry
from equipoise.robots.robot import Robot

__all__ = [
    "PostureController",
    "PostureReference",
    "PostureState",
    "posture_controller",
]

TRUNK, REPORT = TrunkEstimate.zeros(), PostureReport.zeros()
"""Whose like is made at every tick."""
PostureReference = Callable[[float], tuple[float, float, float]]
"""From time [s] to roll, pitch [rad] and rise above the height at the start [m]."""


def _stay(_time: float) -> tuple[float, float, float]:
    """Return the reference of a trunk that stays level and as high as it was."""
    return 0.0, 0.0, 0.0


class PostureState(NamedTuple):
    """State of the controller between ticks."""

    memory: Records[PostureMemory]
    """(1,)."""
    legs: Records[LegEstimate]
    """What was known of the legs, (nl,)."""
    integrals: VecN
    """Of the current controllers, (nu,) [V]."""


@final
@dataclass(frozen=True, eq=False)
class PostureController:
    """Controller of a machine's posture; see ``posture_controller``.

    A reading that is not a number is replaced by the last one that was; telemetry
    ``skipped`` counts them.
    """

    config: PostureControllerConfig
    geometry: LegGeometry = field(repr=False)
    settings: Records[PostureSettings] = field(repr=False)
    law: LegLaw = field(repr=False)
    motors: JointMotors = field(repr=False)
    reference: PostureReference = _stay
    blank: Records[LegAim] = field(init=False, repr=False)
    """Commands to the legs beside forces, (nl,)."""
    loads: Records[SharedLoad] = field(init=False, repr=False)
    """Template of the loads of every tick, (nl,)."""
    _find_wrench = cached_dispatch(lambda: find_wrench)
    _share_wrench = cached_dispatch(lambda: share_wrench)
    _press_feet = cached_dispatch(lambda: press_feet)
    _motor_volts = cached_dispatch(lambda: motor_volts)
    _report_posture = cached_dispatch(lambda: report_posture)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blank", self.law.aim())
        object.__setattr__(self, "loads", SharedLoad.zeros(len(self.blank)))

    def init(self) -> PostureState:
        """Return the state before the first tick: all feet stand."""
        memory = PostureMemory.zeros()
        memory[0].quat_WB[0] = 1.0
        legs = first_estimate(self.geometry.legs, self.law.joints)
        legs["stood"] = 1.0
        return PostureState(memory, legs, self.motors.init())

    def step(
        self, sensed: Readings, state: PostureState
    ) -> tuple[Command, PostureState]:
        """Return this tick's torques and volts, and the next state.

        Args:
            sensed: the readings.
            state: of the last tick; left as it is.
        """
        r, settings, built, law = sensed, self.settings, self.geometry, self.law
        roll, pitch, rise = self.reference(r.time)
        target = float(roll), float(pitch), float(rise)
        memory, legs = pooled_empty_like(state.memory), pooled_empty_like(state.legs)
        integrals, aims = state.integrals.copy(), copied(self.blank)
        trunk, loads, report = (
            pooled_empty_like(TRUNK),
            pooled_empty_like(self.loads),
            pooled_empty_like(REPORT),
        )
        tau, volts = np.empty_like(integrals), np.empty_like(integrals)
        read_trunk(
            r.gyro, r.acceleration, r.inclination, r.time, r.dt, state.memory, memory
        )
        skipped = read_legs(r.q, r.v, r.current, r.limit, r.load, state.legs, legs)
        self._find_wrench(
            target, built.trunk, built.legs, settings, memory, trunk, legs
        )
        self._share_wrench(settings, memory, trunk, legs, loads, aims)
        limited = self._press_feet(settings, memory, legs, aims, law.guards, tau)
        limited += self._motor_volts(
            legs, tau, self.motors.each, r.dt, integrals, volts
        )
        self._report_posture(memory, trunk, limited, skipped, report)
        telemetry = dict(zip(PostureReport.entries, report.item(), strict=True))
        command = Command(tau=tau, telemetry=telemetry, volts=volts)
        return command, PostureState(memory, legs, integrals)


def posture_controller(
    robot: Robot,
    config: PostureControllerConfig | None = None,
    reference: PostureReference = _stay,
    *,
    gravity: float = GRAVITY,
) -> PostureController:
    """Return a posture controller for a machine with legs of three hinges.

    Feet are to stay straight below their hips, as seen from the trunk.

    Args:
        robot: with legs, feet and drives.
        config: gains and rules.
        reference: roll, pitch and rise over time.
        gravity: [m/s²].

    Raises:
        ConfigError: legs of another kind, or joints without drives.
    """
    c = config or PostureControllerConfig()
    legs = leg_geometry(robot)
    stiffness = LegLawConfig(
        stiffness=(c.leg_stiffness, c.leg_stiffness, 0.0),
        damping=(c.leg_damping, c.leg_damping, 0.0),
    )
    law = leg_law(legs, robot.drives, stiffness)
    settings = PostureSettings.zeros()
    AttitudeObserver(c.attitude).fill(settings[0])
    settings["rules"], settings["weight"] = record_of(c), legs.mass * gravity
    drives = motors(robot.drives, c.motor)
    return PostureController(c, legs, settings, law, drives, reference)
