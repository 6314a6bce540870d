"""Follow leg references and nothing else: the structure of figure 5.7 without a trunk.

Leg observer, leg law (5.1) and joint level of [Ridderstrom2003] section 5.3, for
motions that are functions of time.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, final

import numpy as np

from equipoise.control.joints.motor import JointMotors, MotorConfig, motor_volts, motors
from equipoise.control.legs.law import (
    LegGuards,
    LegLaw,
    LegLawConfig,
    leg_law,
    leg_torques,
)
from equipoise.control.observer.legs import first_estimate, observe_legs, read_legs
from equipoise.control.records import LegAim, LegEstimate
from equipoise.core.arrays import VecN
from equipoise.core.bound import cached_dispatch
from equipoise.core.contracts import Command, Readings
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, copied, entry, pooled_empty_like
from equipoise.robots.legs import LegBuild, leg_angles, leg_geometry
from equipoise.robots.robot import Robot

__all__ = ["FollowController", "FollowState", "LegMotion", "follow_controller"]

NEAR = 1e-3  # step of the differences, half a control period [s]


class FollowReport(Record):
    """Telemetry of a tick; feet are the first leg's."""

    foot_x: float = entry("foot from the hip, forward", "m")
    foot_z: float = entry("and upright", "m")
    aim_x: float = entry("where it shall be, forward", "m")
    aim_z: float = entry("and upright", "m")
    limited: float = entry("how many torques and voltages are held at their limits")
    skipped: float = entry("how many angles and speeds were not numbers")


REPORT = FollowReport.zeros()  # whose like is made at every tick


class LegMotion(Protocol):
    """Motion of the feet as a function of time."""

    def write(self, time: float, aim: Records[LegAim]) -> None:
        """Write the aim's positions and velocities, and its forces if there are any."""
        ...


class FollowState(NamedTuple):
    """State of the controller between two ticks."""

    legs: Records[LegEstimate]
    """What was known of the legs, (nl,)."""
    integrals: VecN
    """Of the current controllers, (nu,) [V]."""


@final
@dataclass(frozen=True, eq=False)
class FollowController:
    """Controller that moves a machine's feet along a motion."""

    motion: LegMotion
    law: LegLaw = field(repr=False)
    motors: JointMotors = field(repr=False)
    blank: Records[LegAim] = field(init=False, repr=False)
    """Commands to the legs before the motion adds to them, (nl,)."""
    _follow = cached_dispatch(lambda: follow)
    _motor_volts = cached_dispatch(lambda: motor_volts)
    _tell = cached_dispatch(lambda: tell)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blank", self.law.aim())

    def init(self) -> FollowState:
        """Return the state before the first tick."""
        legs = first_estimate(self.law.build, self.law.joints)
        return FollowState(legs, self.motors.init())

    def step(self, sensed: Readings, state: FollowState) -> tuple[Command, FollowState]:
        """Return this tick's torques and volts, and the next state.

        Args:
            sensed: the readings.
            state: of the last tick; left as it is.
        """
        r, law, aim = sensed, self.law, copied(self.blank)
        self.motion.write(r.time, aim)
        if law.config.inertia_share > 0.0:
            self.lead(r.time, aim)
        legs, integrals, report = (
            pooled_empty_like(state.legs),
            state.integrals.copy(),
            pooled_empty_like(REPORT),
        )
        tau, volts = np.empty_like(integrals), np.empty_like(integrals)
        skipped = read_legs(r.q, r.v, r.current, r.limit, r.load, state.legs, legs)
        limited = self._follow(law.build, legs, aim, law.guards, tau)
        limited += self._motor_volts(
            legs, tau, self.motors.each, r.dt, integrals, volts
        )
        self._tell(legs, aim, limited, skipped, report)
        telemetry = dict(zip(FollowReport.entries, report.item(), strict=True))
        command = Command(tau=tau, telemetry=telemetry, volts=volts)
        return command, FollowState(legs, integrals)

    def lead(self, time: float, aim: Records[LegAim]) -> None:
        """Write the joints' accelerations, q'' of the motion by second differences.

        Args:
            time: [s].
            aim: of the legs; the accelerations are overwritten, (nl,).
        """
        near, build = copied(aim), self.law.build
        lengths, bend = (np.ascontiguousarray(build[n]) for n in ("lengths", "bend"))
        q = np.empty((3, aim["acceleration"].size))
        for k in range(3):
            self.motion.write(time + (k - 1) * NEAR, near)
            leg_angles(np.ascontiguousarray(near["place"]), lengths, bend, q[k])
        bent = (q[2] - 2.0 * q[1] + q[0]) / NEAR**2
        aim["acceleration"] = bent.reshape(len(aim), -1)


def follow_controller(
    robot: Robot,
    motion: LegMotion,
    law: LegLawConfig | None = None,
    motor: MotorConfig | None = None,
) -> FollowController:
    """Return a controller that moves a machine's feet along a motion.

    Args:
        robot: with legs of three hinges, feet and drives.
        motion: where the feet shall be.
        law: gains of the legs.
        motor: of the joint level.

    Raises:
        ConfigError: legs of another kind, or joints without drives.
    """
    legs = leg_law(leg_geometry(robot), robot.drives, law)
    return FollowController(motion, legs, motors(robot.drives, motor))


@compiled(allocates=False)
def follow(
    build: Records[LegBuild],
    legs: Records[LegEstimate],
    aim: Records[LegAim],
    guards: Records[LegGuards],
    tau: VecN,
) -> int:
    """Write where feet are and the torques to where they shall be.

    Args:
        build: of the legs, (nl,).
        legs: joints as read; their feet are overwritten, (nl,).
        aim: of the legs, (nl,).
        guards: of the leg law, (nl,).
        tau: torques, (nu,) [N m]; overwritten.

    Returns:
        How many torques are limited.
    """
    observe_legs(build, legs)
    return leg_torques(legs, aim, guards, tau)


@compiled(allocates=False)
def tell(
    legs: Records[LegEstimate],
    aim: Records[LegAim],
    limited: int,
    skipped: int,
    out: Records[FollowReport],
) -> None:
    """Write the report of a tick."""
    foot, place, report = legs[0].foot, aim[0].place, out[0]
    report.foot_x, report.foot_z = foot[0], foot[2]
    report.aim_x, report.aim_z = place[0], place[2]
    report.limited, report.skipped = limited, skipped
