"""The trunk is carried by forces alone: servo, wrench, and force distribution.

Standing legs have no spring of their own: what the trunk misses becomes a wrench
(``forces.servo``), and the wrench the feet's forces (``forces.two_step``),
[Ridderstrom2003] section 3.2.2. Of a machine whose gears do not let forces through,
feet keep their springs.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.forces.servo import (
    ServoConfig,
    ServoState,
    ground_axes,
    servo_trunk,
)
from equipoise.control.forces.two_step import (
    FootForce,
    ForceMiss,
    TrunkWrench,
    distribute,
)
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import BALANCES, AbstractBalance
from equipoise.control.records import (
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.control.signals import (
    BalanceCommand,
    Estimate,
    TrunkReference,
    WalkingStance,
)
from equipoise.core.arrays import Array, Vec3
from equipoise.core.bound import cached_dispatch
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, pooled_empty_like
from equipoise.core.setting import Setting

__all__ = ["TwoStepBalance", "TwoStepConfig", "TwoStepState"]

TOLERATED, LASTING = 0.3, 0.25
"""Share of a wrench that may be missed, and the time after which it is told [s]."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class TwoStepConfig(ServoConfig):
    """Settings of the trunk servo and limits of the feet; defaults are the ASV's."""

    friction: Annotated[
        float,
        Setting("Coefficient of friction that feet are trusted to have", least=0.0),
    ] = 0.55
    least: Annotated[
        float,
        Setting(
            "Smallest load on a standing foot, as a share of the weight", least=0.0
        ),
    ] = 0.01
    most: Annotated[
        float,
        Setting("Largest load on a standing foot, as a share of the weight", least=0.0),
    ] = 0.9
    take_on: Annotated[
        float,
        Setting(
            "Time constant with which a foot that begins to stand takes on its share",
            "s",
            least=0.0,
        ),
    ] = 0.05
    step_out: Annotated[
        float, Setting("Shift of the next foothold per excess velocity", "s", least=0.0)
    ] = 0.08
    reach: Annotated[
        float, Setting("Largest shift of the next foothold", "m", least=0.0)
    ] = 0.3


class MissWatch(Record):
    """Watch of the time for which feet could not provide the requested wrench."""

    shares: Vec3 = entry("of load, roll and pitch moment that are missed", "", 3)
    lasts: float = entry("for how long more than is tolerated was missed", "s")
    infeasible: float = entry("1 where that has lasted")
    seconds: float = entry("for how long it has lasted so, all in all", "s")


class TwoStepState(NamedTuple):
    """State of the trunk servo and of the distribution between two ticks."""

    servo: Records[ServoState]
    """(1,)."""
    legs: Records[LegBalance]
    """Its last answer, (nl,)."""
    inertia: Array
    """Of the machine about its centre of mass, (3, 3) [kg m²]; never changed."""
    radius: float
    """Radius of a foot's ball [m]."""
    spring: float
    """Share of the feet's springs that is kept."""
    feet: Records[FootForce]
    """Last forces, (nl,)."""
    wrench: Records[TrunkWrench]
    """Last asked for, (1,)."""
    miss: Records[ForceMiss]
    """Of it, (1,)."""
    watch: Records[MissWatch]
    """(1,)."""


@final
@BALANCES.register("two_step")
@dataclass(frozen=True)
class TwoStepBalance(AbstractBalance[TwoStepState]):
    """Balance by forces of standing feet in two steps, and shifted footholds."""

    made_for: ClassVar[str | None] = "asv"
    config: TwoStepConfig = field(default_factory=TwoStepConfig)
    _serve = cached_dispatch(lambda: servo_trunk)
    _press = cached_dispatch(lambda: press)
    _watch_miss = cached_dispatch(lambda: watch_miss)

    def init(self, machine: LeggedMachine) -> TwoStepState:
        """Return a state in which nothing is summed up and nothing taken on yet."""
        return TwoStepState(
            ServoState.zeros(),
            LegBalance.zeros(machine.legs),
            np.array(machine.turning, dtype=np.float64),
            machine.geometry.foot_radius,
            0.0 if machine.is_backdrivable else 1.0,
            FootForce.zeros(machine.legs),
            TrunkWrench.zeros(),
            ForceMiss.zeros(),
            MissWatch.zeros(),
        )

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: TwoStepState,
    ) -> tuple[BalanceCommand, TwoStepState]:
        """Return forces and shifts, and the next state."""
        known, inertia, own = estimate, state.inertia, (state.radius, state.spring)
        servo, legs, feet = (
            pooled_empty_like(state.servo),
            pooled_empty_like(state.legs),
            pooled_empty_like(state.feet),
        )
        wrench, miss, watch = (
            pooled_empty_like(state.wrench),
            pooled_empty_like(state.miss),
            pooled_empty_like(state.watch),
        )
        self._serve(
            known.trunk, known.legs, stance.clock, trunk.pose, (self.settings, inertia),
            (state.servo, servo), (state.wrench, wrench),
        )  # fmt: skip
        self._press(
            known.trunk, known.legs, (stance.legs, trunk.pose), (self.settings, *own),
            (state.legs, legs), (wrench, feet, miss), servo,
        )  # fmt: skip
        self._watch_miss(known.trunk, feet, miss, state.watch, watch)
        after = TwoStepState(servo, legs, inertia, *own, feet, wrench, miss, watch)
        return BalanceCommand(trunk, legs), after

    def tell(self, state: TwoStepState) -> Mapping[str, float]:
        """Return what the feet could not give, and for how long."""
        watch, miss = state.watch[0], state.miss[0]
        load, roll, pitch = watch.shares
        return {
            "wrench_miss_x": float(roll),
            "wrench_miss_y": float(pitch),
            "wrench_miss_z": float(load),
            "infeasible": float(watch.infeasible),
            "infeasible_s": float(watch.seconds),
            "friction_cut": float(miss.cut),
        }


@compiled(allocates=False)
def press(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    told: tuple[Records[LegStance], Records[TrunkPose]],
    given: tuple[Records[TwoStepConfig], float, float],
    answers: tuple[Records[LegBalance], Records[LegBalance]],
    forces: tuple[Records[TrunkWrench], Records[FootForce], Records[ForceMiss]],
    servo: Records[ServoState],
) -> None:
    """Share the wrench and write each foot's force; arguments as in the class."""
    (stance, poses), (before, after), (wrench, feet, miss) = told, answers, forces
    (gains, radius, spring), pose, R = given, poses[0], trunk[0].R_WB
    gain = gains[0]
    axes = ground_axes(legs, pose.rpy_WB[2])
    weight, dt = GRAVITY * trunk[0].mass, trunk[0].dt
    for one in range(legs.shape[0]):
        leg, foot, answer = legs[one], feet[one], after[one]
        share = before[one].share
        share = share + dt / (gain.take_on + dt) * (1.0 - share)
        answer.share = share if stance[one].stands > 0.0 else 0.0
        answer.stands = stance[one].stands
        foot.grip = gain.friction
        foot.least = answer.share * gain.least * weight
        foot.most = answer.share * gain.most * weight
        _place_foot_below(trunk[0], leg, axes, radius, foot)
    distribute(wrench[0], feet, miss[0])
    for one in range(legs.shape[0]):
        foot, answer = feet[one], after[one]
        late = gain.step_out + 0.5 * stance[one].support
        sx, sy = _step_out(servo[0], pose, late, gain.reach)
        answer.shift[0], answer.shift[1] = sx, sy
        answer.load, answer.tried, answer.free = foot.load, 0.0, 0.0
        answer.arm[0], answer.arm[1] = foot.arm[0], foot.arm[1]
        for i in range(3):
            push = 0.0
            for k in range(3):  # in W, then along B
                there = axes[0][k] * foot.level[0] + axes[1][k] * foot.level[1]
                push += R[k, i] * (there + axes[2][k] * foot.load)
            answer.force[i] = -push
            answer.spring[i] = spring


@compiled(allocates=False)
def _place_foot_below(
    trunk: TrunkEstimate,
    leg: LegEstimate,
    axes: tuple[tuple[float, float, float], ...],
    radius: float,
    foot: FootForce,
) -> None:
    """Write where a foot touches, from the centre of mass, along the ground's axes."""
    R, c = trunk.R_WB, trunk.p_BC
    x, y, z = (
        leg.hip[0] + leg.foot[0] - c[0],
        leg.hip[1] + leg.foot[1] - c[1],
        leg.hip[2] + leg.foot[2] - c[2],
    )
    for i in range(3):
        e, arm = axes[i], 0.0
        for k in range(3):
            arm += e[k] * (R[k, 0] * x + R[k, 1] * y + R[k, 2] * z)
        foot.arm[i] = arm - (radius if i == 2 else 0.0)
        foot.row[i], foot.level[i] = 0.0, 0.0
    foot.load, foot.would, foot.step, foot.weight = 0.0, 0.0, 0.0, 0.0


@compiled(allocates=False)
def _step_out(
    servo: ServoState, pose: TrunkPose, late: float, most: float
) -> tuple[float, float]:
    """Return the shift of a next foothold, forward and left [m]: (T/2 + k) (v - v_d).

    Args:
        servo: with the centre of mass's velocity v.
        pose: of the reference, with v_d.
        late: T/2 + k, half a support and what is added to it [s].
        most: largest shift [m].
    """
    c, s = math.cos(pose.rpy_WB[2]), math.sin(pose.rpy_WB[2])
    x, y = servo.centre[0] - pose.v_WB[0], servo.centre[1] - pose.v_WB[1]
    ahead, aside = late * (c * x + s * y), late * (c * y - s * x)
    return min(max(ahead, -most), most), min(max(aside, -most), most)


@compiled(allocates=False)
def watch_miss(
    trunk: Records[TrunkEstimate],
    feet: Records[FootForce],
    miss: Records[ForceMiss],
    before: Records[MissWatch],
    after: Records[MissWatch],
) -> None:
    """Write the missed share of force and moments, and whether that lasts.

    Of the weight, and of the weight at the feet's mean arm: what is asked for itself
    may be next to nothing.
    """
    after[0] = before[0]
    watch, weight, arm, count = after[0], GRAVITY * trunk[0].mass, 0.0, 0
    for foot in feet:
        if foot.most > 0.0:
            arm += math.hypot(foot.arm[0], foot.arm[1])
            count += 1
    arm = max(arm / max(count, 1), 1e-6)
    force, moment = miss[0].force, miss[0].moment
    watch.shares[0] = abs(force[2]) / weight
    watch.shares[1] = abs(moment[0]) / (weight * arm)
    watch.shares[2] = abs(moment[1]) / (weight * arm)
    misses = max(watch.shares[0], watch.shares[1], watch.shares[2]) > TOLERATED
    watch.lasts = watch.lasts + trunk[0].dt if misses else 0.0
    watch.infeasible = 1.0 if watch.lasts > LASTING else 0.0
    watch.seconds += trunk[0].dt if watch.infeasible > 0.0 else 0.0
