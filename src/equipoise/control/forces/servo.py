"""Trunk servo: from what the trunk misses to the wrench that the ground shall give.

    a = K_p e_p + K_d e_v + K_i ∫ e_v,   F = m (a + g),   M = I α

[Ridderstrom2003] section 3.2.2. Velocity is the centre of mass's: legs that swing push
the trunk to and fro, a sixth of the machine's mass each way, and only the centre of
mass is the feet's to move. Its error is averaged over a step before it is summed up.
"""

import math
from dataclasses import dataclass
from typing import Annotated

from equipoise.control.forces.two_step import TrunkWrench
from equipoise.control.observer.footing import foothold_plane
from equipoise.control.records import (
    GaitClock,
    LegEstimate,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["ServoConfig", "ServoState", "ask_wrench", "ground_axes", "servo_trunk"]

Rotation = tuple[tuple[float, float, float], ...]
"""Row by row."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServoConfig(Settings):
    """Settings of the trunk servo; the defaults are the ASV's."""

    period: Annotated[
        float, Setting("Time between wrenches; 0.06 s historically", "s", least=0.0)
    ] = 0.01
    speed: Annotated[
        float, Setting("Acceleration per velocity error", "1/s", least=0.0)
    ] = 4.0
    integral: Annotated[
        float, Setting("Acceleration per integrated velocity error", "1/s²", least=0.0)
    ] = 1.5
    most_integral: Annotated[
        float, Setting("Largest acceleration by that integral", "m/s²", least=0.0)
    ] = 0.6
    place: Annotated[
        float, Setting("Acceleration per horizontal position error", "1/s²", least=0.0)
    ] = 1.0
    height: Annotated[
        float, Setting("Vertical acceleration per height error", "1/s²", least=0.0)
    ] = 60.0
    sink: Annotated[
        float, Setting("Vertical acceleration per velocity error", "1/s", least=0.0)
    ] = 12.0
    attitude: Annotated[
        float,
        Setting("Angular acceleration per roll and pitch error", "1/s²", least=0.0),
    ] = 80.0
    rolling: Annotated[
        float, Setting("Angular acceleration per roll and pitch rate", "1/s", least=0.0)
    ] = 14.0
    heading: Annotated[
        float, Setting("Angular acceleration per heading error", "1/s²", least=0.0)
    ] = 20.0
    turning: Annotated[
        float, Setting("Angular acceleration per yaw rate error", "1/s", least=0.0)
    ] = 8.0


class ServoState(Record):
    """State of the trunk servo between two ticks."""

    lag: VecN = entry("error of the velocity over a step, forward, left", "m/s", 2)
    summed: VecN = entry("acceleration by its sum, forward and left", "m/s^2", 2)
    centre: Vec3 = entry("velocity of the centre of mass, in W", "m/s", 3)
    due: float = entry("time until the next wrench", "s")


@compiled(allocates=False)
def _centre_velocity(
    trunk: TrunkEstimate, legs: Records[LegEstimate], out: Vec3
) -> None:
    """Write the velocity of the centre of mass in W.

    Args:
        trunk: what is known of it.
        legs: and of the legs, (nl,).
        out: overwritten, (3,) [m/s].
    """
    w, c = trunk.w_WB_B, trunk.p_BC
    x, y, z = (
        w[1] * c[2] - w[2] * c[1],
        w[2] * c[0] - w[0] * c[2],
        w[0] * c[1] - w[1] * c[0],
    )
    for leg in legs:
        for j in range(leg.v.shape[0]):
            x += leg.weigh[0, j] * leg.v[j] / trunk.mass
            y += leg.weigh[1, j] * leg.v[j] / trunk.mass
            z += leg.weigh[2, j] * leg.v[j] / trunk.mass
    for i in range(3):
        R = trunk.R_WB[i]
        out[i] = trunk.v_WB[i] + R[0] * x + R[1] * y + R[2] * z


@compiled(allocates=False)
def ground_axes(legs: Records[LegEstimate], yaw: float) -> Rotation:
    """Return the ground's axes in W, ahead, left and its normal, row by row.

    Args:
        legs: with their footholds, (nl,).
        yaw: of the heading [rad].
    """
    c, s = math.cos(yaw), math.sin(yaw)
    _, (up, left) = foothold_plane(legs, c, s)
    u, v = up * c - left * s, up * s + left * c
    size = math.sqrt(1.0 + u * u + v * v)
    n = (-u / size, -v / size, 1.0 / size)
    size = math.sqrt(1.0 + up * up)
    e = (c / size, s / size, up / size)
    f = (
        n[1] * e[2] - n[2] * e[1],
        n[2] * e[0] - n[0] * e[2],
        n[0] * e[1] - n[1] * e[0],
    )
    return e, f, n


@compiled(allocates=False)
def ask_wrench(
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    clock: GaitClock,
    pose: TrunkPose,
    given: tuple[ServoConfig, Array],
    axes: Rotation,
    state: ServoState,
    out: TrunkWrench,
) -> None:
    """Write the wrench about the centre of mass, along the ground's axes.

    Args:
        trunk: what is known of it.
        legs: and of the legs, (nl,).
        clock: by which they step.
        pose: of the trunk's reference.
        given: settings of the servo, and the machine's inertia, (3, 3) [kg m²].
        axes: of the ground, see ``ground_axes``.
        state: of the last tick; advanced.
        out: overwritten.
    """
    gains, inertia = given
    _centre_velocity(trunk, legs, state.centre)
    c, s, dt = (
        math.cos(pose.rpy_WB[2]),
        math.sin(pose.rpy_WB[2]),
        max(gains.period, trunk.dt),
    )
    ex, ey = pose.v_WB[0] - state.centre[0], pose.v_WB[1] - state.centre[1]
    px, py = pose.p_WB[0] - trunk.p_WB[0], pose.p_WB[1] - trunk.p_WB[1]
    runs, most = clock.walking > 0.0, gains.most_integral
    level = (0.0, 0.0)
    for i in range(2):
        off = c * ex + s * ey if i == 0 else c * ey - s * ex
        far = c * px + s * py if i == 0 else c * py - s * px
        state.lag[i] += dt / (0.5 * clock.cycle + dt) * (off - state.lag[i])
        if runs:
            more = state.summed[i] + gains.integral * state.lag[i] * dt
            state.summed[i] = min(max(more, -most), most)
        else:
            state.summed[i] *= 1.0 - dt / (0.5 + dt)
        a = gains.speed * off + gains.place * far + state.summed[i]
        level = (a, level[1]) if i == 0 else (level[0], a)
    rise = gains.height * (pose.p_WB[2] - trunk.p_WB[2])
    rise += gains.sink * (pose.v_WB[2] - trunk.v_WB[2])
    ax, ay = c * level[0] - s * level[1], s * level[0] + c * level[1]
    mx, my, mz = _wanted_moment(trunk, pose, gains, inertia)
    m = trunk.mass
    for i in range(3):
        e = axes[i]
        out.force[i] = m * (e[0] * ax + e[1] * ay + e[2] * (rise + GRAVITY))
        out.moment[i] = e[0] * mx + e[1] * my + e[2] * mz


@compiled(allocates=False)
def _wanted_moment(
    trunk: TrunkEstimate, pose: TrunkPose, gains: ServoConfig, inertia: Array
) -> tuple[float, float, float]:
    """Return the moment in W that turns the trunk to its reference [N m]."""
    R, w = trunk.R_WB, trunk.w_WB_B
    x, y, z = _attitude_error(trunk, pose)
    vx = R[0, 0] * w[0] + R[0, 1] * w[1] + R[0, 2] * w[2]
    vy = R[1, 0] * w[0] + R[1, 1] * w[1] + R[1, 2] * w[2]
    vz = R[2, 0] * w[0] + R[2, 1] * w[1] + R[2, 2] * w[2] - pose.yaw_rate
    a = gains.attitude * x - gains.rolling * vx
    b = gains.attitude * y - gains.rolling * vy
    d = gains.heading * z - gains.turning * vz
    out = (0.0, 0.0, 0.0)
    for i in range(3):
        bent = 0.0
        for j in range(3):
            bent += inertia[i, j] * (R[0, j] * a + R[1, j] * b + R[2, j] * d)
        out = (
            out[0] + R[0, i] * bent,
            out[1] + R[1, i] * bent,
            out[2] + R[2, i] * bent,
        )
    return out


@compiled(allocates=False)
def _attitude_error(
    trunk: TrunkEstimate, pose: TrunkPose
) -> tuple[float, float, float]:
    """Return the turn in W that is missing, ½ Σ b × b_ref over the axes [rad]."""
    roll, pitch, yaw = pose.rpy_WB[0], pose.rpy_WB[1], pose.rpy_WB[2]
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    columns = (
        (cy * cp, sy * cp, -sp),
        (cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr),
        (cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr),
    )
    x, y, z = 0.0, 0.0, 0.0
    for j in range(3):
        a, b, d = trunk.R_WB[0, j], trunk.R_WB[1, j], trunk.R_WB[2, j]
        u = columns[j]
        x += 0.5 * (b * u[2] - d * u[1])
        y += 0.5 * (d * u[0] - a * u[2])
        z += 0.5 * (a * u[1] - b * u[0])
    return x, y, z


@compiled(allocates=False)
def servo_trunk(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    clock: Records[GaitClock],
    pose: Records[TrunkPose],
    given: tuple[Records[ServoConfig], Array],
    servos: tuple[Records[ServoState], Records[ServoState]],
    wrenches: tuple[Records[TrunkWrench], Records[TrunkWrench]],
) -> None:
    """Advance the servo where a wrench is due, else keep the last one.

    Args:
        trunk: what is known of it, (1,).
        legs: and of the legs, (nl,).
        clock: by which they step, (1,).
        pose: of the trunk's reference, (1,).
        given: settings of the servo, (1,), and the machine's inertia, (3, 3) [kg m²].
        servos: its states of the last tick and of this one, which is overwritten.
        wrenches: and what it asked for.
    """
    (gains, inertia), (before, after), (last, wrench) = given, servos, wrenches
    after[0], wrench[0] = before[0], last[0]
    after[0].due -= trunk[0].dt
    if after[0].due > 0.5 * trunk[0].dt:
        return
    after[0].due = gains[0].period
    axes = ground_axes(legs, pose[0].rpy_WB[2])
    own = (gains[0], inertia)
    ask_wrench(trunk[0], legs, clock[0], pose[0], own, axes, after[0], wrench[0])
