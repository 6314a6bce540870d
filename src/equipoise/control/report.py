"""What a tick of a walking controller says of itself: the telemetry of a walk."""

import math
from functools import cache

from equipoise.control.observer.inertial import roll_pitch_yaw
from equipoise.control.records import (
    GaitClock,
    LegBalance,
    LegStance,
    Travel,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "LEG_SIGNALS",
    "LegReport",
    "WalkingReport",
    "describe",
    "describe_legs",
    "leg_signals",
]


class WalkingReport(Record):
    """Telemetry of a tick about the whole machine."""

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
    ref_x: float = entry("where the trunk shall be, by its own reckoning", "m")
    ref_y: float = entry("where the trunk shall be, by its own reckoning", "m")
    ref_z: float = entry("where the trunk shall be, by its own reckoning", "m")
    ref_yaw: float = entry("heading that the trunk shall have", "rad")


class LegReport(Record):
    """Telemetry of a tick about one leg of a machine that plans."""

    goal: Vec3 = entry("foothold in W that it is bound for; nan: none planned", "m", 3)
    asked: float = entry("load that it shall carry; nan where a spring leads it", "N")


LEG_SIGNALS = ("goal_x", "goal_y", "goal_z", "asked_load")
"""Of each leg, with its number behind."""


@cache
def leg_signals(legs: int) -> tuple[str, ...]:
    """Return the names of what is told of all legs, leg by leg.

    Args:
        legs: how many.
    """
    return tuple(f"{name}_{leg}" for leg in range(legs) for name in LEG_SIGNALS)


@compiled(allocates=False)
def describe(
    trunk: Records[TrunkEstimate],
    legs: Records[LegStance],
    clock: Records[GaitClock],
    goal: Records[Travel],
    pose: Records[TrunkPose],
    out: Records[WalkingReport],
) -> None:
    """Write legs as sums of powers of two, clock, goal, speed, attitude, reference."""
    report, wanted, bit = out[0], goal[0].velocity, 1.0
    report.schedule, report.standing = 0.0, 0.0
    for leg in legs:
        report.schedule += bit if leg.scheduled > 0.0 else 0.0
        report.standing += bit if leg.stands > 0.0 else 0.0
        bit *= 2.0
    report.clock, report.walking = clock[0].phase, clock[0].walking
    report.forward, report.left, report.turn = wanted[0], wanted[1], wanted[2]
    R, v, place = trunk[0].R_WB, trunk[0].v_WB, pose[0].p_WB
    report.speed = R[0, 0] * v[0] + R[1, 0] * v[1] + R[2, 0] * v[2]
    report.roll, report.pitch, _ = roll_pitch_yaw(trunk[0])
    report.ref_x, report.ref_y, report.ref_z = place[0], place[1], place[2]
    report.ref_yaw = pose[0].rpy_WB[2]


@compiled(allocates=False)
def describe_legs(
    legs: Records[LegStance],
    balance: Records[LegBalance],
    out: Records[LegReport],
) -> None:
    """Write each leg's foothold to be, and its load where no spring leads it upright.

    Args:
        legs: who stands, (nl,).
        balance: what they shall press with, (nl,).
        out: overwritten, (nl,).
    """
    for one in range(legs.shape[0]):
        leg, foot, report = legs[one], balance[one], out[one]
        for i in range(3):
            report.goal[i] = leg.goal[i]
        report.asked = math.nan
        if leg.stands > 0.0 and foot.spring[2] == 0.0:
            report.asked = foot.load
