"""What each foot shall carry by RALPHY's trunk controller, see ``balance.vertical``."""

import math
from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.forces.force_reference import ForceReference, force_reference
from equipoise.control.forces.servo import ServoState
from equipoise.control.forces.two_step import TrunkWrench
from equipoise.control.forces.vertical import (
    VerticalLoad,
    VerticalShare,
    share_vertical,
)
from equipoise.control.records import (
    GaitClock,
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = [
    "SharingLeg",
    "SharingWatch",
    "SituationBounds",
    "VerticalConfig",
    "share_trunk",
]

NOMINAL, SLIP, PUSH = range(3)
LASTING = 0.1  # for which a slip or a push is answered after it was seen last [s]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class VerticalConfig(Settings):
    """Settings of the trunk controller and of its forces; the defaults are RALPHY's."""

    period: Annotated[
        float, Setting("Time between force distributions", "s", least=0.0)
    ] = 0.005
    height: Annotated[
        float, Setting("Vertical acceleration per height error", "1/s²", least=0.0)
    ] = 100.0
    sink: Annotated[
        float,
        Setting("Vertical acceleration per vertical velocity error", "1/s", least=0.0),
    ] = 15.0
    attitude: Annotated[
        float,
        Setting("Angular acceleration per roll and pitch error", "1/s²", least=0.0),
    ] = 300.0
    rolling: Annotated[
        float, Setting("Angular acceleration per roll and pitch rate", "1/s", least=0.0)
    ] = 30.0
    dip: Annotated[
        float, Setting("Third harmonic of the force reference, q", least=0.0)
    ] = 0.2
    take_on: Annotated[
        float,
        Setting(
            "Time after touch-down until a foot may be fully loaded", "s", least=0.0
        ),
    ] = 0.02
    ease: Annotated[
        float,
        Setting("Time before lift-off in which a foot is unloaded", "s", least=0.0),
    ] = 0.02
    slipping: Annotated[
        float,
        Setting(
            "Speed of a standing foot over the ground above which it slips",
            "m/s",
            least=0.0,
        ),
    ] = 0.3
    pushed: Annotated[
        float,
        Setting(
            "Horizontal velocity error of the trunk above which it was pushed",
            "m/s",
            least=0.0,
        ),
    ] = 0.3
    step_out: Annotated[
        float, Setting("Shift of the next foothold per excess velocity", "s", least=0.0)
    ] = 0.05
    reach: Annotated[
        float, Setting("Largest shift of the next foothold", "m", least=0.0)
    ] = 0.05
    rock: Annotated[
        float,
        Setting(
            "Share of its load a foot exchanges with the other diagonal at "
            "rest, to test force tracking",
            least=0.0,
        ),
    ] = 0.0
    rock_time: Annotated[float, Setting("Period of that exchange", "s", least=0.0)] = (
        0.5
    )


class SituationBounds(Record):
    """Bounds of a foot's load in one situation."""

    least: float = entry("load", "N")
    most: float = entry("load", "N")
    step: float = entry("change from one distribution to the next", "N")


class SharingLeg(VerticalLoad):
    """Memory of one foot of the distribution."""

    began: float = entry("clock's phase at which its support began; nan: unknown")
    scheduled: float = entry("1 where it was scheduled to stand at the last tick")
    share: float = entry("of its load that it may have taken on, 0 to 1")
    last: float = entry("its last load", "N")
    target: float = entry("load that it is drawn to", "N")
    time: float = entry("from the middle of its support", "s")
    arm: float = entry("ahead of the centre of mass", "m")
    aside: float = entry("left of the centre of mass", "m")


class SharingWatch(ForceReference):
    """Situation of the machine, and its force reference by the clock."""

    situation: float = entry("0 nominal, 1 slip, 2 push")
    since: float = entry("for how long nothing amiss was seen", "s")
    full: float = entry("C at a duty factor of 1", "N")


@compiled(allocates=False)
def share_trunk(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    told: tuple[Records[LegStance], Records[GaitClock], Records[TrunkPose]],
    settings: tuple[Records[VerticalConfig], Records[SituationBounds]],
    feet: tuple[Records[SharingLeg], Records[SharingLeg], Records[LegBalance]],
    shares: tuple[Records[VerticalShare], Records[VerticalShare]],
    watches: tuple[Records[SharingWatch], Records[SharingWatch]],
    asked: tuple[Records[TrunkWrench], Records[ServoState]],
) -> None:
    """Write each foot's force; arguments as in ``VerticalBalance.step``."""
    (stance, clock, poses), (gains, bounds) = told, settings
    (before, after, answers), (wrench, servo) = feet, asked
    gain, pose, watch, share = gains[0], poses[0], watches[1], shares[1]
    watch[0], share[0] = watches[0][0], shares[0][0]
    _set_reference(clock[0], stance[0], pose, watch[0])
    _watch_situation(trunk[0], legs, stance, servo[0], pose, gain, watch[0])
    for one in range(legs.shape[0]):
        after[one] = before[one]
        _follow_support(trunk[0].dt, stance[one], clock[0], gain, after[one])
        _place_below(trunk[0], legs[one], pose, after[one])
    if servo[0].due >= gain.period - 1e-9:  # a new wrench was asked for
        bound = bounds[int(watch[0].situation)]
        rock = 0.0
        if clock[0].walking == 0.0 and gain.rock_time > 0.0:
            rock = gain.rock * math.sin(math.tau * trunk[0].time / gain.rock_time)
        _aim_loads(stance, rock, wrench[0], bound, watch[0], after)
        share[0].lean = _lean_of(wrench[0], after)
        share_vertical(wrench[0].force[2], after, share[0])
        for foot in after:
            foot.last = foot.load
    for one in range(legs.shape[0]):
        _press_with(
            trunk[0], stance[one], pose, gain, watch[0], after[one], answers[one]
        )
        sx, sy = _step_out(servo[0], pose, gain, stance[one].support)
        answers[one].shift[0], answers[one].shift[1] = sx, sy


@compiled(allocates=False)
def _set_reference(
    clock: GaitClock, leg: LegStance, pose: TrunkPose, watch: SharingWatch
) -> None:
    """Set the force reference to the clock and to the trunk's speed."""
    cycle = max(clock.cycle, 1e-3)
    watch.frequency = 1.0 / cycle
    watch.duty = min(max(leg.support / cycle, 0.05), 1.0)
    watch.peak = watch.full / watch.duty
    watch.speed = math.hypot(pose.path[0], pose.path[1])


@compiled(allocates=False)
def _watch_situation(
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    servo: ServoState,
    pose: TrunkPose,
    gain: VerticalConfig,
    watch: SharingWatch,
) -> None:
    """Say what the machine finds itself in: a push counts more than a slip."""
    found = NOMINAL
    R, v, w = trunk.R_WB, trunk.v_WB, trunk.w_WB_B
    for one in range(legs.shape[0]):
        leg, slide = legs[one], 0.0
        if stance[one].stands == 0.0:
            continue
        x, y, z = (
            leg.hip[0] + leg.foot[0],
            leg.hip[1] + leg.foot[1],
            leg.hip[2] + leg.foot[2],
        )
        back = (
            leg.foot_rate[0] + w[1] * z - w[2] * y,
            leg.foot_rate[1] + w[2] * x - w[0] * z,
            leg.foot_rate[2] + w[0] * y - w[1] * x,
        )
        for k in range(2):
            over = v[k]
            for i in range(3):
                over += R[k, i] * back[i]
            slide += over * over
        found = SLIP if slide > gain.slipping * gain.slipping else found
    off = math.hypot(servo.centre[0] - pose.v_WB[0], servo.centre[1] - pose.v_WB[1])
    found = PUSH if off > gain.pushed else found
    watch.since = 0.0 if found > NOMINAL else watch.since + trunk.dt
    if found > NOMINAL or watch.since > LASTING:
        watch.situation = float(found)


@compiled(allocates=False)
def _follow_support(
    dt: float, leg: LegStance, clock: GaitClock, gain: VerticalConfig, foot: SharingLeg
) -> None:
    """Advance how far a foot's support is, and how much it may carry."""
    if leg.scheduled > 0.0 and foot.scheduled == 0.0:
        foot.began = clock.phase
    if clock.walking == 0.0:
        foot.began = math.nan
    foot.scheduled = leg.scheduled if clock.walking > 0.0 else 1.0
    since = ((clock.phase - foot.began) % 1.0) * clock.cycle
    foot.time = since - 0.5 * leg.support if math.isfinite(foot.began) else 0.0
    if leg.stands == 0.0:
        foot.share, foot.last = 0.0, 0.0
        return
    foot.share = min(foot.share + dt / max(gain.take_on, dt), 1.0)
    if math.isfinite(foot.began):
        left = max(leg.support - since, 0.0) if leg.scheduled > 0.0 else 0.0
        foot.share = min(foot.share, max(left / max(gain.ease, 1e-9), 0.02))


@compiled(allocates=False)
def _place_below(
    trunk: TrunkEstimate, leg: LegEstimate, pose: TrunkPose, foot: SharingLeg
) -> None:
    """Write where a foot is from the centre of mass, along the heading and left."""
    R, p = trunk.R_WB, trunk.p_BC
    c, s = math.cos(pose.rpy_WB[2]), math.sin(pose.rpy_WB[2])
    x, y = 0.0, 0.0
    for j in range(3):
        arm = leg.hip[j] + leg.foot[j] - p[j]
        x, y = x + R[0, j] * arm, y + R[1, j] * arm
    foot.arm, foot.aside = c * x + s * y, c * y - s * x


@compiled(allocates=False)
def _aim_loads(
    stance: Records[LegStance],
    rock: float,
    wrench: TrunkWrench,
    bound: SituationBounds,
    watch: SharingWatch,
    feet: Records[SharingLeg],
) -> None:
    """Write each foot's bounds, and the load near which it is looked for.

    That is half a step at most from its last load and bounds are half a step about it,
    so that no load changes by more than a step.
    """
    total, sum_arm, count = 0.0, 0.0, 0.0
    for one in range(feet.shape[0]):
        foot = feet[one]
        stands = stance[one].stands > 0.0
        foot.least = foot.share * bound.least if stands else 0.0
        foot.most = foot.share * bound.most if stands else 0.0
        foot.target = 0.0
        if stands:
            _, up = force_reference(foot.time, watch)
            way = math.copysign(1.0, foot.arm * foot.aside)
            foot.target = max(up, foot.least) * (1.0 + rock * way)
            total += foot.target
            sum_arm, count = sum_arm + foot.arm, count + 1.0
    if count == 0.0:
        return
    scale, middle = wrench.force[2] / max(total, 1e-9), sum_arm / count
    moment, spread = wrench.moment[1], 1e-9
    for foot in feet:
        if foot.most > 0.0:
            foot.target *= scale
            spread += (foot.arm - middle) * (foot.arm - middle)
    for foot in feet:
        if foot.most > 0.0:
            foot.target -= moment * (foot.arm - middle) / spread
            way = foot.target - foot.last
            half = 0.5 * bound.step
            foot.previous = foot.last + min(max(way, -half), half)
            foot.step = half


@compiled(allocates=False)
def _lean_of(wrench: TrunkWrench, feet: Records[SharingLeg]) -> float:
    """Return what the left side carries more for a moment about the way ahead [N]."""
    left, right, lefts, rights = 0.0, 0.0, 0.0, 0.0
    for foot in feet:
        if foot.most > 0.0 and foot.side > 0.0:
            left, lefts = left + foot.aside, lefts + 1.0
        elif foot.most > 0.0:
            right, rights = right + foot.aside, rights + 1.0
    if lefts == 0.0 or rights == 0.0:
        return 0.0
    left, right = left / lefts, right / rights
    off, half = 0.5 * (left + right), max(0.5 * (left - right), 1e-3)
    return (wrench.moment[0] - off * wrench.force[2]) / half


@compiled(allocates=False)
def _press_with(
    trunk: TrunkEstimate,
    leg: LegStance,
    pose: TrunkPose,
    gain: VerticalConfig,
    watch: SharingWatch,
    foot: SharingLeg,
    answer: LegBalance,
) -> None:
    """Write a foot's force on the ground, to the hip: F_x = v t / h F_z."""
    load = foot.last if leg.stands > 0.0 else 0.0
    lean = foot.time / max(watch.height, 1e-6)
    level = (pose.path[0] * lean * load, pose.path[1] * lean * load, load)
    answer.arm[0], answer.arm[1], answer.stands = foot.arm, foot.aside, leg.stands
    answer.load, answer.tried, answer.free, answer.share = load, 0.0, 0.0, foot.share
    for i in range(3):
        push = 0.0
        for k in range(3):
            push += trunk.R_WB[k, i] * level[k]
        answer.force[i] = -push
        answer.spring[i] = 1.0 if i < 2 else 0.0


@compiled(allocates=False)
def _step_out(
    servo: ServoState, pose: TrunkPose, gain: VerticalConfig, support: float
) -> tuple[float, float]:
    """Return by how much footholds are shifted, forward and left [m]."""
    c, s = math.cos(pose.rpy_WB[2]), math.sin(pose.rpy_WB[2])
    x, y = servo.centre[0] - pose.v_WB[0], servo.centre[1] - pose.v_WB[1]
    most = gain.reach
    ahead, aside = gain.step_out * (c * x + s * y), gain.step_out * (c * y - s * x)
    return min(max(ahead, -most), most), min(max(aside, -most), most)
