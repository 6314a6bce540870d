"""Follow leg references and nothing else: the structure of figure 5.7 without a trunk.

Leg observer, leg law (5.1) and joint level of [Ridderstrom2003] section 5.3, for
motions that are functions of time.
"""

from dataclasses import dataclass, field
from typing import Protocol, final

import numpy as np

from equipoise.control.joints.motor import MotorConfig, motor_volts, motors
from equipoise.control.legs.law import (
    ACCELERATION,
    LegLaw,
    LegLawConfig,
    leg_law,
    leg_torques,
)
from equipoise.control.observer.legs import hold_last, observe_legs
from equipoise.core.arrays import Array, VecN
from equipoise.core.contracts import Command, Readings
from equipoise.core.jit import compiled
from equipoise.robots.leg_kinematics import leg_angles, leg_geometry
from equipoise.robots.robot import Robot

__all__ = ["FollowController", "LegMotion", "follow_controller"]

SIGNALS: tuple[str, ...] = ("foot_x", "foot_z", "aim_x", "aim_z", "limited", "skipped")
NEAR = 1e-3  # step of the differences, half a control period [s]


class LegMotion(Protocol):
    """Where the feet shall be, as a function of time."""

    def write(self, time: float, aim: Array) -> None:
        """Write the aim's places and velocities, and forces where there are some."""
        ...


@final
@dataclass(frozen=True, eq=False)
class FollowController:
    """Leads the feet of a machine along a motion; see ``follow_controller``.

    Telemetry is of the first leg: foot and aim from the hip, along x and z [m].
    """

    motion: LegMotion
    law: LegLaw = field(repr=False)
    motor: Array = field(repr=False)
    """Table of the motors, (6, nu)."""
    bend: VecN = field(repr=False)
    """Sign of each knee's angle, (nl,)."""

    def init(self) -> VecN:
        """Return the state: integrals, last angles and speeds, (3 nu,)."""
        return np.zeros(9 * len(self.law.lengths))

    def step(self, sensed: Readings, state: VecN) -> tuple[Command, VecN]:
        """Return this tick's torques and volts, and the next state.

        Args:
            sensed: the readings.
            state: of the last tick; left as it is.
        """
        law, after = self.law, state.copy()
        nl = len(law.lengths)
        aim = law.aim()
        self.motion.write(sensed.time, aim)
        if law.config.inertia_share > 0.0:
            self.lead(sensed.time, aim)
        tau, volts, report = np.empty(3 * nl), np.empty(3 * nl), np.empty(6)
        follow_tick(
            sensed.dt, sensed.q, sensed.v, sensed.current, sensed.limit, law.lengths,
            law.table, self.motor, aim, after, np.empty((nl, 5, 3)), tau, volts, report,
        )  # fmt: skip
        telemetry = dict(zip(SIGNALS, report.tolist(), strict=True))
        return Command(tau=tau, telemetry=telemetry, volts=volts), after

    def lead(self, time: float, aim: Array) -> None:
        """Write the joints' accelerations, q'' of the motion by second differences.

        Args:
            time: [s].
            aim: plane ACCELERATION is overwritten, (6, nl, 3).
        """
        near, q = aim.copy(), np.empty((3, aim[0].size))
        for k in range(3):
            self.motion.write(time + (k - 1) * NEAR, near)
            leg_angles(near[0], self.law.lengths, self.bend, q[k])
        aim[ACCELERATION].flat = (q[2] - 2.0 * q[1] + q[0]) / NEAR**2


def follow_controller(
    robot: Robot,
    motion: LegMotion,
    law: LegLawConfig | None = None,
    motor: MotorConfig | None = None,
) -> FollowController:
    """Return a controller that leads a machine's feet along a motion.

    Args:
        robot: with legs of three hinges, feet and drives.
        motion: where the feet shall be.
        law: gains of the legs.
        motor: of the joint level.

    Raises:
        ConfigError: legs of another kind, or joints without drives.
    """
    geometry = leg_geometry(robot)
    legs = leg_law(geometry, robot.drives, law)
    table = motors(robot.drives, motor).table
    return FollowController(motion, legs, table, geometry.bend)


@compiled(allocates=False)
def follow_tick(
    dt: float,
    q_read: VecN,
    v_read: VecN,
    current: VecN,
    limit: VecN,
    lengths: Array,
    law: Array,
    motor: Array,
    aim: Array,
    state: VecN,
    feet: Array,
    tau: VecN,
    volts: VecN,
    report: VecN,
) -> None:
    """Write torques, volts and a report, and advance the state.

    Args:
        dt: control period [s].
        q_read: joint angles as read, (nu,) [rad].
        v_read: joint speeds, (nu,) [rad/s].
        current: (nu,) [A].
        limit: (nu,).
        lengths: of thighs and shanks, (nl, 2) [m].
        law: table of the leg law, (6, nu).
        motor: table of the motors, (6, nu).
        aim: (6, nl, 3).
        state: advanced, (3 nu,).
        feet: room, (nl, 5, 3).
        tau: torques, (nu,) [N m]; overwritten.
        volts: (nu,) [V]; overwritten.
        report: numbers of ``SIGNALS``, (6,); overwritten.
    """
    nu = tau.shape[0]
    q, v = state[nu : 2 * nu], state[2 * nu :]
    skipped = hold_last(q_read, q) + hold_last(v_read, v)
    observe_legs(q, v, lengths, feet)
    limited = leg_torques(q, v, feet, aim, law, tau)
    limited += motor_volts(tau, v, current, limit, motor, dt, state[:nu], volts)
    report[0], report[1] = feet[0, 0, 0], feet[0, 0, 2]
    report[2], report[3] = aim[0, 0, 0], aim[0, 0, 2]
    report[4], report[5] = limited, skipped
