"""Like ``posture``; in addition, spring and damper suspend the trunk from the sky.

The force that feet carry is not the weight alone but

    F_z = m g + K_z (z_ref - z) - D_z z'

so that height is damped against the level world and not against ground that goes up and
down, with loads between a least and a largest share of the weight. Attitude is held as
``posture`` does: the suspension of TITAN VI, [Ridderstrom2003] section 3.1.3. Where
feet can be told forces (``LeggedMachine.is_backdrivable``) their own springs do not act
upright; on geared legs they do.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, final

from equipoise.control.balance.carry import PostureBalanceConfig, carry
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
from equipoise.core.bound import cached_dispatch
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Records, pooled_empty_like, record_of
from equipoise.core.setting import Setting, Settings

__all__ = ["SkyhookBalance", "SkyhookConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SkyhookConfig(Settings):
    """Settings of the suspension; the defaults are WARP1's: 1.5 Hz, damping ratio 0.7.

    A handover of 1 unloads feet before they lift, as [Ridderstrom2003] section
    3.1.3 has it; then three of 32 pushes of 150 N s overthrow TITAN VI, at 0 none.
    """

    posture: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    stiffness: Annotated[
        float, Setting("Vertical stiffness of the suspension, K_z", "N/m", least=0.0)
    ] = 5000.0
    damping: Annotated[
        float, Setting("Vertical damping of the suspension, D_z", "N s/m", least=0.0)
    ] = 800.0
    least: Annotated[
        float, Setting("Smallest load on a foot, as a share of its weight", least=0.0)
    ] = 0.01
    largest: Annotated[
        float, Setting("Largest load on a foot, as a share of its weight", least=0.0)
    ] = 1.2
    handover: Annotated[
        float,
        Setting("Share of a plan's unloading of feet that is followed", least=0.0),
    ] = 0.0
    feedback: Annotated[
        float,
        Setting(
            "Share of springs and dampers that acts; 0 leaves the weight alone",
            least=0.0,
        ),
    ] = 1.0

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the two loads together."""
        if self.least > self.largest:
            yield f"least must be <= largest, {self.largest!r}, got {self.least!r}"

    def acting(self) -> "SkyhookConfig":
        """Return the settings with the feedback's share of springs and dampers."""
        by, posture = self.feedback, self.posture
        return replace(
            self,
            stiffness=by * self.stiffness,
            damping=by * self.damping,
            posture=replace(
                posture,
                roll_stiffness=by * posture.roll_stiffness,
                roll_damping=by * posture.roll_damping,
                pitch_stiffness=by * posture.pitch_stiffness,
                pitch_damping=by * posture.pitch_damping,
            ),
        )


@final
@BALANCES.register("skyhook")
@dataclass(frozen=True)
class SkyhookBalance(AbstractBalance[Records[LegBalance]]):
    """Balance by a suspension to the sky; the last loads are its state."""

    config: SkyhookConfig = field(default_factory=SkyhookConfig)
    _hang = cached_dispatch(lambda: hang)

    @cached_property
    def settings(self) -> Records[SkyhookConfig]:
        """Settings, with the share of the feedback, as the kernel takes them, (1,)."""
        return record_of(self.config.acting())

    def init(self, machine: LeggedMachine) -> Records[LegBalance]:
        """Return a state in which no foot has taken anything on yet."""
        legs = LegBalance.zeros(machine.legs)
        legs["spring"] = 1.0
        if machine.is_backdrivable:  # upright, feet press and are not led
            legs["spring"][:, 2] = 0.0
        return legs

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: Records[LegBalance],
    ) -> tuple[BalanceCommand, Records[LegBalance]]:
        """Return the loads, and the next state."""
        known, after = estimate, pooled_empty_like(state)
        self._hang(
            known.trunk,
            known.legs,
            stance.legs,
            trunk.pose,
            self.settings,
            state,
            after,
        )
        return BalanceCommand(trunk, after), after


@compiled(allocates=False)
def hang(
    trunks: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    poses: Records[TrunkPose],
    gains: Records[SkyhookConfig],
    before: Records[LegBalance],
    after: Records[LegBalance],
) -> None:
    """Write each foot's force; arguments as in the class."""
    trunk, pose, gain, up = trunks[0], poses[0], gains[0], trunks[0].R_WB[2]
    weight = GRAVITY * trunk.mass * gain.posture.weight
    spring = gain.stiffness * (pose.p_WB[2] - trunk.p_WB[2])
    pull = weight + spring - gain.damping * trunk.v_WB[2]
    carry(trunk, legs, stance, pose, gain.posture, max(pull, 0.0), before, after)
    for one in range(after.shape[0]):
        foot, load = after[one], 0.0
        foot.spring[2] = before[one].spring[2]
        for i in range(3):
            load -= foot.force[i] * up[i]
        least = foot.share * gain.least * weight
        kept = min(max(load, least), foot.share * gain.largest * weight)
        kept *= 1.0 - gain.handover * stance[one].eased
        foot.load = kept
        for i in range(3):
            foot.force[i] = -kept * up[i]
