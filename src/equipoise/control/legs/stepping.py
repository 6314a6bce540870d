"""Kernels of ``leg_programs.steps``: feet that hold their footholds, and that swing.

Other leg programs share them: where a foothold will be seen as its foot lands, what a
leg is told wherever it is, and the accelerations of the joints.
"""

import math

from equipoise.control.legs.law import LegLawConfig
from equipoise.control.legs.swing import StepConfig, Swing, along
from equipoise.control.records import (
    LegAim,
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = [
    "aim_standing",
    "aim_swinging",
    "hold_by_spring",
    "joint_accelerations",
    "leave",
    "rotation_zyx",
    "seen_at_landing",
]

Rotation = tuple[tuple[float, float, float], ...]
"""Row by row."""


@compiled(allocates=False)
def aim_standing(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    poses: Records[TrunkPose],
    balance: Records[LegBalance],
    standing: tuple[bool, tuple[float, float, float]],
    swings: tuple[Records[Swing], Records[Swing]],
    aims: Records[LegAim],
) -> None:
    """Aim standing feet at their footholds; keep where others leave the ground."""
    pose, (lands, steady), (before, after) = poses[0], standing, swings
    turn = rotation_zyx(pose.rpy_WB[0], pose.rpy_WB[1], pose.rpy_WB[2])
    R, v, wanted = trunk[0].R_WB, trunk[0].v_WB, pose.v_WB
    vx, vy, vz = v[0] - wanted[0], v[1] - wanted[1], v[2] - wanted[2]
    for one in range(legs.shape[0]):
        after[one] = before[one]
        leg, swing = legs[one], after[one]
        swing.low = pose.p_WB[2] - trunk[0].p_WB[2]
        if stance[one].stands > 0.0:
            aim = aims[one]
            _aim_at_foothold(leg, pose, turn, aim)
            is_new = swing.stood == 0.0 and lands
            for i in range(3):
                if is_new:
                    aim.place[i] = leg.foot[i]
                aim.force[i] = balance[one].force[i]
                if steady[i] > 0.0:
                    aim.force[i] += (
                        balance[one].share
                        * steady[i]
                        * (R[0, i] * vx + R[1, i] * vy + R[2, i] * vz)
                    )
                aim.landing[i] = leg.foot[i]
        elif swing.stood > 0.0 or _swings_anew(stance[one], swing):
            leave(trunk[0], leg, pose, turn, swing)
        swing.stood, swing.progress = stance[one].stands, stance[one].progress


@compiled(allocates=False)
def _swings_anew(leg: LegStance, swing: Swing) -> bool:
    """Return whether a leg in the air has been given another foothold to swing to."""
    return math.isfinite(leg.goal[0]) and leg.progress < swing.progress - 0.02


@compiled(allocates=False)
def rotation_zyx(roll: float, pitch: float, yaw: float) -> Rotation:
    """Return the rotation by yaw, then pitch, then roll, row by row."""
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


@compiled(allocates=False)
def _aim_at_foothold(
    leg: LegEstimate, pose: TrunkPose, turn: Rotation, aim: LegAim
) -> None:
    """Aim at a foothold as it is seen from the trunk's reference."""
    p, v, yaw_rate = pose.p_WB, pose.v_WB, pose.yaw_rate
    x, y, z = leg.foothold[0] - p[0], leg.foothold[1] - p[1], leg.foothold[2] - p[2]
    vx, vy, vz = yaw_rate * y - v[0], -yaw_rate * x - v[1], -v[2]
    for i in range(3):
        place = turn[0][i] * x + turn[1][i] * y + turn[2][i] * z - leg.hip[i]
        aim.place[i] = place
        aim.velocity[i] = turn[0][i] * vx + turn[1][i] * vy + turn[2][i] * vz


@compiled(allocates=False)
def leave(
    trunk: TrunkEstimate, leg: LegEstimate, pose: TrunkPose, turn: Rotation, out: Swing
) -> None:
    """Keep where a foot leaves the ground, seen from the trunk's reference."""
    for i in range(3):
        out.left[i] = 0.0
    for k in range(3):
        place = trunk.p_WB[k] - pose.p_WB[k]
        for j in range(3):
            place += trunk.R_WB[k, j] * (leg.hip[j] + leg.foot[j])
        for i in range(3):
            out.left[i] += turn[k][i] * place


@compiled(allocates=False)
def aim_swinging(
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    poses: Records[TrunkPose],
    places: Array,
    balance: Records[LegBalance],
    settings: tuple[Records[StepConfig], Records[LegLawConfig]],
    swings: Records[Swing],
    aims: Records[LegAim],
) -> None:
    """Aim swinging feet along their way to where they belong, shifted as told."""
    setting, law = settings[0][0], settings[1][0]
    for one in range(legs.shape[0]):
        leg, aim, pose, place = legs[one], aims[one], poses[0], places[one]
        hold_by_spring(law, stance[one].stands > 0.0, balance[one], aim)
        if stance[one].stands > 0.0:
            continue
        c, s = math.cos(pose.rpy_WB[2]), math.sin(pose.rpy_WB[2])
        vx, vy = (
            c * pose.path[0] + s * pose.path[1],
            c * pose.path[1] - s * pose.path[0],
        )
        low = min(max(swings[one].low, -0.02), setting.sink)
        told = seen_at_landing(stance[one], pose)
        for i in range(3):
            drift, shift = 0.0, low
            if i == 0:
                drift, shift = vx - pose.yaw_rate * place[1], balance[one].shift[0]
            elif i == 1:
                drift, shift = vy + pose.yaw_rate * place[0], balance[one].shift[1]
            goal = place[i] + 0.5 * stance[one].support * drift + shift
            if math.isfinite(told[i]):
                goal = told[i] + shift
            aim.landing[i] = goal - leg.hip[i]
            at, rate, bend = along(i, drift, goal, stance[one], setting, swings[one])
            swing = stance[one].swing
            aim.place[i], aim.velocity[i] = at - leg.hip[i], rate / swing
            aim.bend[i] = bend / (swing * swing)
        joint_accelerations(leg, setting.singular, aim)


@compiled(allocates=False)
def seen_at_landing(leg: LegStance, pose: TrunkPose) -> tuple[float, float, float]:
    """Return where a leg's foothold in W will be seen from the reference; nan: none."""
    if not math.isfinite(leg.goal[0]):
        return math.nan, math.nan, math.nan
    rest = (1.0 - leg.progress) * leg.swing
    yaw = pose.rpy_WB[2] + pose.yaw_rate * rest
    turn = rotation_zyx(pose.rpy_WB[0], pose.rpy_WB[1], yaw)
    x = leg.goal[0] - pose.p_WB[0] - pose.v_WB[0] * rest
    y = leg.goal[1] - pose.p_WB[1] - pose.v_WB[1] * rest
    z = leg.goal[2] - pose.p_WB[2]
    level = math.isfinite(z)
    z = z if level else 0.0
    return (
        turn[0][0] * x + turn[1][0] * y + turn[2][0] * z,
        turn[0][1] * x + turn[1][1] * y + turn[2][1] * z,
        turn[0][2] * x + turn[1][2] * y + turn[2][2] * z if level else math.nan,
    )


@compiled(allocates=False)
def hold_by_spring(
    law: LegLawConfig, stands: bool, balance: LegBalance, aim: LegAim
) -> None:
    """Write what is told to a leg wherever it is; in the air it presses on nothing."""
    aim.veto, aim.banned = 0.0, 0.0
    for i in range(3):
        acts = balance.spring[i] if stands else 1.0
        aim.stiffness[i] = acts * law.stiffness[i]
        aim.damping[i] = acts * law.damping[i]
        aim.bend[i] = 0.0
        if not stands:
            aim.force[i] = 0.0
    for j in range(aim.acceleration.shape[0]):
        aim.acceleration[j], aim.rate[j], aim.servo[j] = 0.0, 0.0, 0.0


@compiled(allocates=False)
def joint_accelerations(leg: LegEstimate, singular: float, aim: LegAim) -> None:
    """Turn the foot's wanted acceleration into the joints' by J⁻¹.

    They stay zero where J is singular, and for legs that have not three joints.
    """
    J, out = leg.jacobian, aim.acceleration
    if J.shape[1] != 3:
        return
    a, b, c = J[0, 0], J[0, 1], J[0, 2]
    d, e, f = J[1, 0], J[1, 1], J[1, 2]
    g, h, i = J[2, 0], J[2, 1], J[2, 2]
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    x, y, z = aim.bend[0], aim.bend[1], aim.bend[2]
    if abs(det) < singular:
        x, y, z, det = 0.0, 0.0, 0.0, 1.0
    out[0] = ((e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e) * z) / det
    out[1] = ((f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f) * z) / det
    out[2] = ((d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d) * z) / det
