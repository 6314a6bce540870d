"""One tick of the posture controller, compiled: from readings to torques and volts."""

from typing import NamedTuple

from equipoise.control.joints.motor import motor_volts
from equipoise.control.legs.law import leg_torques
from equipoise.control.observer.attitude import STATE as ATTITUDE
from equipoise.control.observer.attitude import observe_attitude
from equipoise.control.observer.legs import hold_last, observe_legs
from equipoise.control.observer.posture import observe_posture
from equipoise.control.posture.distribution import share_consistent, share_printed
from equipoise.control.posture.knocker import add_knock
from equipoise.control.posture.reference import lead_reference, plumb_feet
from equipoise.control.posture.wrench import (
    attitude_of,
    posture_wrench,
    weight_moment,
)
from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.jit import compiled
from equipoise.robots.leg_kinematics import centre_of_mass

__all__ = ["SIGNALS", "Machine", "posture_tick", "room_size", "state_size"]

LED = ATTITUDE + 4  # in the state: attitude, integrals, start height,
FIRST = LED + 6  # the led reference, and what is known of the joints
SIGNALS: tuple[str, ...] = (
    "height",
    "roll",
    "pitch",
    "height_error",
    "roll_error",
    "pitch_error",
    "limited",
    "skipped",
)
"""What a tick says of itself, in the order of the kernel's report."""


class Machine(NamedTuple):
    """What does not change from tick to tick.

    The kernel takes its parts one by one: handing over the tuple costs ten times that.
    """

    hips: Array
    """(nl, 3)."""
    lengths: Array
    """(nl, 2)."""
    trunk: VecN
    """Mass and centre, (4,)."""
    limbs: Array
    """(nl, 2, 4)."""
    law: Array
    """Table of the leg law, (6, nu)."""
    motor: Array
    """Table of the motors, (6, nu)."""
    attitude: VecN
    """Table of the attitude observer."""
    gains: Array
    """Of the posture, (3, 4)."""
    aim: Array
    """Of the legs, force still zero, (6, nl, 3)."""
    stands: VecN
    """Ones, (nl,)."""
    setting: VecN
    """Weight, least load, knocker's frequency and amplitude, and choices as 0 or 1:
    consistent sharing, weight along the vertical, height of the hips, feet plumb; and
    the rate at which references are led, (9,)."""


def state_size(nl: int) -> int:
    """Return the length of the controller's state."""
    return FIRST + 9 * nl


def room_size(nl: int) -> int:
    """Return how many numbers a tick needs room for."""
    return 39 * nl + 24 + len(SIGNALS)


@compiled(allocates=False)
def posture_tick(
    time: float,
    dt: float,
    roll: float,
    pitch: float,
    rise: float,
    q_read: VecN,
    v_read: VecN,
    current: VecN,
    limit: VecN,
    gyro: Vec3,
    acceleration: Vec3,
    inclination: Array,
    hips: Array,
    lengths: Array,
    mass: VecN,
    limbs: Array,
    law: Array,
    motor: Array,
    attitude: VecN,
    gains: Array,
    start: Array,
    stands: VecN,
    setting: VecN,
    state: VecN,
    room: VecN,
    tau: VecN,
    volts: VecN,
) -> None:
    """Write torques, volts and a report, and advance the state.

    Args:
        time: [s].
        dt: control period [s].
        roll: wanted [rad].
        pitch: wanted [rad].
        rise: wanted height above the start's [m].
        q_read: joint angles as read, (nu,) [rad].
        v_read: joint speeds, (nu,) [rad/s].
        current: (nu,) [A].
        limit: (nu,).
        gyro: [rad/s].
        acceleration: [m/s²].
        inclination: (2,) [rad].
        hips: as the rest up to ``setting`` of the ``Machine``.
        lengths: see there.
        mass: its ``trunk``.
        limbs: see there.
        law: see there.
        motor: see there.
        attitude: see there.
        gains: see there.
        start: its ``aim``.
        stands: see there.
        setting: see there.
        state: advanced.
        room: overwritten, see ``room_size``; the last numbers are those of ``SIGNALS``.
        tau: torques, (nu,) [N m]; overwritten.
        volts: (nu,) [V]; overwritten.
    """
    nl = hips.shape[0]
    nu = 3 * nl
    machine = Machine(
        hips, lengths, mass, limbs, law, motor, attitude, gains, start, stands, setting
    )
    integral = state[FIRST : FIRST + nu]
    q, v = state[FIRST + nu : FIRST + 2 * nu], state[FIRST + 2 * nu : FIRST + 3 * nu]
    feet, aim = room[: 15 * nl].reshape(nl, 5, 3), room[15 * nl : 33 * nl]
    share = room[33 * nl : 36 * nl].reshape(3, nl)
    places = room[36 * nl : 39 * nl].reshape(nl, 3)
    rest = room[39 * nl :]
    trunk, posture, wrench = rest[:12].reshape(4, 3), rest[12:18], rest[18:21]
    skipped = hold_last(q_read, q) + hold_last(v_read, v)
    observe_legs(q, v, lengths, feet)
    observe_attitude(
        gyro, acceleration, inclination, dt, attitude, state[:ATTITUDE], trunk
    )
    observe_posture(feet, hips, stands, trunk, setting[6] > 0.0, posture)
    led = state[LED : LED + 6]
    if state[LED - 1] == 0.0:
        state[LED - 1] = posture[2]
    wrench[0], wrench[1], wrench[2] = roll, pitch, rise
    lead_reference(wrench, setting[8], dt, led)
    posture[2] -= state[LED - 1]
    sums = state[ATTITUDE : ATTITUDE + 3]
    posture_wrench(posture, trunk, led, gains, dt, sums, wrench)
    forces = aim.reshape(6, nl, 3)
    _share(q, feet, trunk, machine, wrench, rest[21:24], places, share, forces)
    limited = leg_torques(q, v, feet, forces, law, tau)
    add_knock(time, setting[2], setting[3], law[0], tau)
    limited += motor_volts(tau, v, current, limit, motor, dt, integral, volts)
    report = rest[24:]
    _report(posture, trunk, led, limited, skipped + state[16], report)
    report[0] += state[LED - 1]


@compiled(allocates=False)
def _share(
    q: VecN,
    feet: Array,
    trunk: Array,
    machine: Machine,
    wrench: Vec3,
    centre: Vec3,
    places: Array,
    share: Array,
    aim: Array,
) -> None:
    """Write the legs' aim: the constant one, and the force that each shall press."""
    nl, setting, stands = feet.shape[0], machine.setting, machine.stands
    for leg in range(nl):
        for i in range(3):
            places[leg, i] = machine.hips[leg, i] + feet[leg, 0, i]
            for plane in range(6):
                aim[plane, leg, i] = machine.aim[plane, leg, i]
    if setting[7] > 0.0:
        plumb_feet(feet, machine.hips, trunk, aim)
    if setting[5] > 0.0:
        centre_of_mass(
            q, machine.hips, machine.lengths, machine.trunk, machine.limbs, centre
        )
        weight_moment(setting[0], centre, trunk, places, stands, wrench)
        for leg in range(nl):
            aim[2, leg, 0] = -setting[0] * trunk[2, 0] / nl
            aim[2, leg, 1] = -setting[0] * trunk[2, 1] / nl
    else:
        wrench[0] += setting[0]
    if setting[4] > 0.0:
        share_consistent(wrench, places, stands, setting[1], share)
    else:
        share_printed(wrench, machine.hips, stands, share)
    for leg in range(nl):
        aim[2, leg, 2] = -share[0, leg]


@compiled(allocates=False)
def _report(
    posture: VecN,
    trunk: Array,
    reference: VecN,
    limited: int,
    skipped: float,
    out: VecN,
) -> None:
    """Write the numbers of ``SIGNALS``."""
    roll, pitch = attitude_of(trunk)
    out[0], out[1], out[2] = posture[2], roll, pitch
    out[3], out[4] = reference[2] - posture[2], reference[0] - roll
    out[5], out[6], out[7] = reference[1] - pitch, float(limited), skipped
