"""Like ``posture``; in addition, feet step towards where the machine is moving.

A machine that moves faster than commanded by dv must put its feet down farther out: for
a point mass on massless legs of height h, with steps of duration t, by

    dv coth(w t) / w,   w² = g / h

to be at the commanded velocity a step later [Pratt2006]; here by a gain times dv. A
slow integral of dv takes out what a model of massless legs leaves. Another one, of the
trunk's tilt, lengthens the legs on the side to which it hangs, as TITAN III does
[Ridderstrom2003] section 3.1.1.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, final

from equipoise.control.balance.carry import PostureBalanceConfig, carry
from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.inertial import roll_pitch_yaw
from equipoise.control.parts import BALANCES, AbstractBalance
from equipoise.control.records import (
    GaitClock,
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
from equipoise.core.arrays import VecN
from equipoise.core.bound import cached_dispatch
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, pooled_empty_like
from equipoise.core.setting import Setting, Settings

__all__ = ["CaptureBalance", "CaptureConfig", "CaptureState"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CaptureConfig(Settings):
    """Settings of capture stepping; the defaults suit WARP1's trot."""

    posture: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    gain: Annotated[
        float, Setting("Shift of the footholds per excess velocity", "s", least=0.0)
    ] = 0.2
    integral: Annotated[
        float, Setting("Shift of the footholds per excess distance", least=0.0)
    ] = 0.1
    reach: Annotated[
        float,
        Setting(
            "Largest shift of the footholds by the excess velocity", "m", least=0.0
        ),
    ] = 0.2
    slow_reach: Annotated[
        float, Setting("Largest shift of the footholds by the integral", "m", least=0.0)
    ] = 0.06
    levelling: Annotated[
        float,
        Setting(
            "Rate at which the attitude's reference is corrected by the error",
            "1/s",
            least=0.0,
        ),
    ] = 1.0
    most_levelling: Annotated[
        float,
        Setting("Largest correction of the attitude's reference", "rad", least=0.0),
    ] = 0.06


class Slowly(Record):
    """Slowly learnt corrections, and the present shift of the footholds."""

    gone: VecN = entry("shift by distance gone too far, forward and left", "m", 2)
    level: VecN = entry("correction of roll and pitch", "rad", 2)
    shift: VecN = entry("of the next footholds, forward and left", "m", 2)


class CaptureState(NamedTuple):
    """State of capture stepping between two ticks."""

    slow: Records[Slowly]
    """(1,)."""
    legs: Records[LegBalance]
    """Its last answer, (nl,)."""


@final
@BALANCES.register("capture")
@dataclass(frozen=True)
class CaptureBalance(AbstractBalance[CaptureState]):
    """Balance by foot loads and by footholds shifted with the excess velocity."""

    config: CaptureConfig = field(default_factory=CaptureConfig)
    _correct = cached_dispatch(lambda: correct)
    _capture = cached_dispatch(lambda: capture)

    def init(self, machine: LeggedMachine) -> CaptureState:
        """Return a state in which nothing is learnt and nothing taken on yet."""
        return CaptureState(Slowly.zeros(), LegBalance.zeros(machine.legs))

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: CaptureState,
    ) -> tuple[BalanceCommand, CaptureState]:
        """Return loads and shifts, and the next state."""
        known, gains = estimate, self.settings
        slow, legs, pose = (
            pooled_empty_like(state.slow),
            pooled_empty_like(state.legs),
            pooled_empty_like(trunk.pose),
        )
        self._correct(
            known.trunk, stance.clock, trunk.pose, gains, state.slow, slow, pose
        )
        self._capture(
            known.trunk, known.legs, stance.legs, pose, gains, slow, state.legs, legs
        )
        reference = TrunkReference(pose, trunk.places)
        return BalanceCommand(reference, legs), CaptureState(slow, legs)


@compiled(allocates=False)
def correct(
    trunks: Records[TrunkEstimate],
    clock: Records[GaitClock],
    wanted: Records[TrunkPose],
    gains: Records[CaptureConfig],
    before: Records[Slowly],
    after: Records[Slowly],
    poses: Records[TrunkPose],
) -> None:
    """Correct the reference by the integral of what is missing, and say the shift."""
    after[0], poses[0] = before[0], wanted[0]
    trunk, gain, slow, pose = trunks[0], gains[0], after[0], poses[0]
    runs, dt, rpy = clock[0].walking > 0.0, trunk.dt, pose.rpy_WB
    roll, pitch, _ = roll_pitch_yaw(trunk)
    c, s = math.cos(rpy[2]), math.sin(rpy[2])
    dx, dy = trunk.v_WB[0] - pose.v_WB[0], trunk.v_WB[1] - pose.v_WB[1]
    for i in range(2):
        missing = rpy[i] - (roll if i == 0 else pitch)
        gone = c * dx + s * dy if i == 0 else c * dy - s * dx
        if runs:
            level = slow.level[i] + gain.levelling * missing * dt
            slow.level[i] = min(max(level, -gain.most_levelling), gain.most_levelling)
            far = slow.gone[i] + gain.integral * gone * dt
            slow.gone[i] = min(max(far, -gain.slow_reach), gain.slow_reach)
        rpy[i] += slow.level[i]
        fast = min(max(gain.gain * gone, -gain.reach), gain.reach)
        slow.shift[i] = fast + slow.gone[i]


@compiled(allocates=False)
def capture(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    pose: Records[TrunkPose],
    gains: Records[CaptureConfig],
    slow: Records[Slowly],
    before: Records[LegBalance],
    after: Records[LegBalance],
) -> None:
    """Write each foot's force and shift; arguments as in the class."""
    weight = GRAVITY * trunk[0].mass * gains[0].posture.weight
    carry(trunk[0], legs, stance, pose[0], gains[0].posture, weight, before, after)
    for foot in after:
        foot.shift[0], foot.shift[1] = slow[0].shift[0], slow[0].shift[1]
