"""Kernels of ``leg_programs.cycloid``: feet that press, and feet that swing."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, final

from equipoise.control.forces.own_weight import force_of_torques, weight_force
from equipoise.control.legs.adaptation import (
    AdaptationConfig,
    GroundEstimate,
    adapt,
    reference_height,
)
from equipoise.control.legs.cycloid import Stroke, transfer
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.legs.stepping import (
    joint_accelerations,
    leave,
    rotation_zyx,
    seen_at_landing,
)
from equipoise.control.legs.swing import Swing
from equipoise.control.observer.softness import foot_height
from equipoise.control.records import (
    LegAim,
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.arrays import Array, Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Records, entry
from equipoise.core.setting import Setting, Settings
from equipoise.robots.legs import LegBuild, moment_columns

__all__ = ["CycloidConfig", "CycloidSwing", "aim_by_cycloid", "aim_by_force"]

Rotation = tuple[tuple[float, float, float], ...]
"""Row by row."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CycloidConfig(Settings):
    """Settings of the legs; the defaults are RALPHY's."""

    adapts: Annotated[
        bool,
        Setting(
            "Whether legs learn the ground's stiffness, instead of keeping the "
            "first guess"
        ),
    ] = False
    guess: Annotated[
        float, Setting("First guess of the ground's stiffness", "N/m", above=0.0)
    ] = 10_000.0
    gain: Annotated[float, Setting("Gain of the adaptation", "1/s", above=0.0)] = 50.0
    sunk: Annotated[
        float,
        Setting(
            "Sinkage above which stiffness is learnt rather than the ground's "
            "height, y_s",
            "m",
            above=0.0,
        ),
    ] = 0.01
    force_least: Annotated[
        float, Setting("Load above which a foot learns", "N", least=0.0)
    ] = 5.0
    lift: Annotated[
        float,
        Setting(
            "Height of a swing; 0 takes the cycloid's own, its length over π",
            "m",
            least=0.0,
        ),
    ] = 0.0
    inertia: Annotated[
        float,
        Setting("Share of the legs' inertia that is fed forward in the air", least=0.0),
    ] = 1.0
    lead: Annotated[
        float,
        Setting(
            "Lead of that feedforward, which makes up for the drives' lag",
            "s",
            least=0.0,
        ),
    ] = 0.005
    singular: Annotated[
        float,
        Setting(
            "Determinant of a foot's Jacobian below which accelerations are not "
            "fed forward",
            "m³/rad³",
            above=0.0,
        ),
    ] = 5e-4

    @property
    def adaptation(self) -> AdaptationConfig:
        """As the law takes it."""
        return AdaptationConfig(
            gain=self.gain,
            scale=self.sunk,
            force_least=self.force_least,
            stiffness=self.guess,
            stiffness_least=min(2e3, self.guess),
            stiffness_most=max(500e3, self.guess),
        )


if TYPE_CHECKING:  # a record extends one other; this one has the entries of three

    class CycloidStep(Stroke, GroundEstimate, Swing):
        """Settings of the kernels of steps, strokes and the adaptation."""
else:
    CycloidStep = Stroke


class CycloidSwing(CycloidStep):
    """Memory of one leg: its step, and its estimate of the ground."""

    stiffness: float = entry("K of the ground, as of ``GroundEstimate``", "N/m")
    offset: float = entry("K y_e", "N")
    error: float = entry("force foreseen less force felt", "N")
    left: Vec3 = entry("where it left the ground, seen from the reference", "m", 3)
    stood: float = entry("1 where it stood at the last tick")
    level: float = entry("height in W at which it met the ground", "m")
    jacobian: Array = entry("of the foot a tick ago", "m/rad", 3, "joints")
    weigh: Array = entry("how joints move its mass", "kg m/rad", 3, "joints")


@compiled(allocates=False)
def aim_by_force(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    told: tuple[Records[TrunkPose], Records[LegBalance], Records[LegBuild]],
    settings: tuple[
        Records[CycloidConfig], Records[LegLawConfig], Records[AdaptationConfig]
    ],
    before: Records[CycloidSwing],
    after: Records[CycloidSwing],
    aims: Records[LegAim],
) -> None:
    """Write the forces of standing feet, and keep where others leave the ground."""
    (poses, balance, build), (setting, law, learning) = told, settings
    pose, up = poses[0], trunk[0].R_WB[2]
    turn = rotation_zyx(pose.rpy_WB[0], pose.rpy_WB[1], pose.rpy_WB[2])
    for one in range(legs.shape[0]):
        after[one] = before[one]
        leg, foot, aim = legs[one], after[one], aims[one]
        moment_columns(build[one], leg.q, foot.weigh)
        if stance[one].stands == 0.0:
            if before[one].stood > 0.0:
                leave(trunk[0], leg, pose, turn, foot)
                _keep_jacobian(leg, foot)
            foot.stood = 0.0
            continue
        height, is_new = foot_height(trunk[0], leg), foot.stood == 0.0
        if is_new:
            foot.level, foot.offset, foot.stood = height, 0.0, 1.0
        if setting[0].adapts and math.isfinite(leg.load):
            adapt(trunk[0].dt, height - foot.level, leg.load, learning[0], foot)
        load, weight = 0.0, weight_force(trunk[0], leg, foot.weigh)
        for i in range(3):
            load -= balance[one].force[i] * up[i]
        _aim_below(leg, pose, turn, foot.level + reference_height(load, foot), aim)
        for i in range(3):
            aim.force[i] = balance[one].force[i] + weight[i]
            aim.stiffness[i] = law[0].stiffness[i]
            aim.damping[i] = law[0].damping[i]
            aim.landing[i], aim.bend[i] = leg.foot[i], 0.0
            if is_new:  # its foothold is known from the next tick on
                aim.place[i] = leg.foot[i]
        _rest(aim)


@compiled(allocates=False)
def _rest(aim: LegAim) -> None:
    """Write that nothing is asked of support and joints."""
    aim.veto, aim.banned = 0.0, 0.0
    for j in range(aim.acceleration.shape[0]):
        aim.acceleration[j], aim.rate[j], aim.servo[j] = 0.0, 0.0, 0.0


@compiled(allocates=False)
def _keep_jacobian(leg: LegEstimate, foot: CycloidSwing) -> None:
    """Keep how joints move a foot, for the next tick."""
    for i in range(3):
        for j in range(leg.jacobian.shape[1]):
            foot.jacobian[i, j] = leg.jacobian[i, j]


@compiled(allocates=False)
def _aim_below(
    leg: LegEstimate, pose: TrunkPose, turn: Rotation, height: float, aim: LegAim
) -> None:
    """Aim at a height in W below a foothold, as it is seen from the reference."""
    p, v, yaw_rate = pose.p_WB, pose.v_WB, pose.yaw_rate
    x, y, z = leg.foothold[0] - p[0], leg.foothold[1] - p[1], height - p[2]
    vx, vy, vz = yaw_rate * y - v[0], -yaw_rate * x - v[1], -v[2]
    for i in range(3):
        place = turn[0][i] * x + turn[1][i] * y + turn[2][i] * z - leg.hip[i]
        aim.place[i] = place
        aim.velocity[i] = turn[0][i] * vx + turn[1][i] * vy + turn[2][i] * vz


@compiled(allocates=False)
def aim_by_cycloid(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    poses: Records[TrunkPose],
    told: tuple[Array, Records[LegBalance], Array],
    settings: tuple[Records[CycloidConfig], Records[LegLawConfig]],
    swings: Records[CycloidSwing],
    aims: Records[LegAim],
) -> None:
    """Write the aims of swinging feet along a cycloid over the ground."""
    (places, balance, inertia), pose = told, poses[0]
    setting, law = settings[0][0], settings[1][0]
    c, s = math.cos(pose.rpy_WB[2]), math.sin(pose.rpy_WB[2])
    vx, vy = c * pose.path[0] + s * pose.path[1], c * pose.path[1] - s * pose.path[0]
    sunk = sunk_by(balance, swings)
    for one in range(legs.shape[0]):
        leg, aim, step, foot = legs[one], aims[one], stance[one], swings[one]
        if step.stands > 0.0:
            continue
        place, shift, T = places[one], balance[one].shift, step.swing
        drift = (vx - pose.yaw_rate * place[1], vy + pose.yaw_rate * place[0], 0.0)
        seen, length = seen_at_landing(step, pose), 0.0
        for i in range(3):
            goal = seen[i] if math.isfinite(seen[i]) else place[i]
            if not math.isfinite(seen[i]):
                goal += 0.5 * step.support * drift[i]
            goal += shift[i] if i < 2 else sunk
            aim.landing[i] = goal - leg.hip[i]
            way = goal - foot.left[i] + drift[i] * T  # over the ground
            length += way * way if i < 2 else 0.0
        foot.length, foot.swing = math.sqrt(length) + 1e-6, max(T, 1e-3)
        _follow_cycloid(leg, step, drift, setting, foot, aim)
        _see_from_trunk(trunk[0], leg, pose, aim)
        _feed_forward(trunk[0], leg, inertia[one], (setting, law), foot, aim)
        _rest(aim)
        _keep_jacobian(leg, foot)


@compiled(allocates=False)
def sunk_by(balance: Records[LegBalance], feet: Records[CycloidSwing]) -> float:
    """Return how deep standing feet are in the ground on average, as they know it [m].

    Footholds are where feet are, so that ground that carries nothing is higher.
    """
    depth, count = 0.0, 0.0
    for one in range(feet.shape[0]):
        if feet[one].stood > 0.0:
            depth += max(balance[one].load, 0.0) / feet[one].stiffness
            count += 1.0
    return depth / max(count, 1.0)


@compiled(allocates=False)
def _follow_cycloid(
    leg: LegEstimate,
    step: LegStance,
    drift: tuple[float, float, float],
    setting: CycloidConfig,
    foot: CycloidSwing,
    aim: LegAim,
) -> None:
    """Write place, velocity and acceleration of a swinging foot."""
    T, t = foot.swing, step.progress * foot.swing
    if step.late > 0.0:
        t = T
    x, z, rate, rise, _, _ = transfer(t, foot)
    _, _, _, _, bend, pull = transfer(t + setting.lead, foot)
    x, rate, bend = x / foot.length, rate / foot.length, bend / foot.length
    lift = step.clearance if step.clearance > 0.0 else setting.lift
    high = lift * math.pi / foot.length if lift > 0.0 else 1.0
    for i in range(3):
        goal = aim.landing[i] + leg.hip[i]
        way = goal - foot.left[i] + drift[i] * T
        at = foot.left[i] + way * x - drift[i] * (t + step.late)
        aim.place[i] = at - leg.hip[i]
        aim.velocity[i] = way * rate - drift[i]
        aim.bend[i] = way * bend
    aim.place[2] += high * z
    aim.velocity[2] += high * rise
    aim.bend[2] += high * pull


@compiled(allocates=False)
def _see_from_trunk(
    trunk: TrunkEstimate, leg: LegEstimate, pose: TrunkPose, aim: LegAim
) -> None:
    """Turn a place seen from the trunk's reference into one seen from the trunk.

    So a foot comes down on the ground where it shall, however the trunk rocks.
    """
    turn = rotation_zyx(pose.rpy_WB[0], pose.rpy_WB[1], pose.rpy_WB[2])
    x, y, z = (
        aim.place[0] + leg.hip[0],
        aim.place[1] + leg.hip[1],
        aim.place[2] + leg.hip[2],
    )
    vx, vy, vz = aim.velocity[0], aim.velocity[1], aim.velocity[2]
    R, w = trunk.R_WB, trunk.w_WB_B
    for i in range(3):
        aim.place[i], aim.velocity[i] = -leg.hip[i], 0.0
    for k in range(3):
        off, rate = pose.p_WB[k] - trunk.p_WB[k], pose.v_WB[k] - trunk.v_WB[k]
        off += turn[k][0] * x + turn[k][1] * y + turn[k][2] * z
        rate += turn[k][0] * vx + turn[k][1] * vy + turn[k][2] * vz
        for i in range(3):
            aim.place[i] += R[k, i] * off
            aim.velocity[i] += R[k, i] * rate
    x, y, z = (
        aim.place[0] + leg.hip[0],
        aim.place[1] + leg.hip[1],
        aim.place[2] + leg.hip[2],
    )
    aim.velocity[0] -= w[1] * z - w[2] * y
    aim.velocity[1] -= w[2] * x - w[0] * z
    aim.velocity[2] -= w[0] * y - w[1] * x


@compiled(allocates=False)
def _feed_forward(
    trunk: TrunkEstimate,
    leg: LegEstimate,
    inertia: Array,
    settings: tuple[CycloidConfig, LegLawConfig],
    foot: CycloidSwing,
    aim: LegAim,
) -> None:
    """Write gains in the air, and what the leg's weight and inertia ask for.

    Joints accelerate by J⁻¹ (x'' - J' q'), with J' from the tick before.
    """
    (setting, law), J, dt = settings, leg.jacobian, max(trunk.dt, 1e-6)
    for i in range(3):
        for j in range(J.shape[1]):
            aim.bend[i] -= (J[i, j] - foot.jacobian[i, j]) / dt * leg.v[j]
    joint_accelerations(leg, setting.singular, aim)
    a, pull = aim.acceleration, (0.0, 0.0, 0.0)
    weight = weight_force(trunk, leg, foot.weigh)
    if a.shape[0] == 3:
        pull = force_of_torques(
            leg,
            inertia[0, 0] * a[0] + inertia[0, 1] * a[1] + inertia[0, 2] * a[2],
            inertia[1, 0] * a[0] + inertia[1, 1] * a[1] + inertia[1, 2] * a[2],
            inertia[2, 0] * a[0] + inertia[2, 1] * a[1] + inertia[2, 2] * a[2],
        )
    for i in range(3):
        aim.force[i] = setting.inertia * pull[i] + weight[i]
        aim.stiffness[i], aim.damping[i] = law.stiffness[i], law.damping[i]
