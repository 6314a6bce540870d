"""As ``posture``, and the trunk hangs on a spring and a damper from the sky.

The force that feet carry is not the weight alone but

    F_z = m g + K_z (z_ref - z) - D_z z'

so that height is damped against the level world and not against ground that goes up and
down, with loads between a least and a largest share of the weight. Attitude is held as
``posture`` does: the suspension of TITAN VI, [Ridderstrom2003] section 3.1.3. Where
feet can be told forces (``LeggedMachine.is_backdrivable``) their own springs do not act
upright; on geared legs they do.
"""

from dataclasses import dataclass, field
from typing import final

from equipoise.control.balance.carry import CarryGains, carry
from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import (
    BALANCES,
    AbstractBalance,
    BalanceCommand,
    Estimate,
    TrunkReference,
    WalkingStance,
)
from equipoise.control.records import (
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.bound import settled
from equipoise.core.checks import expect_positive
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Records, entry, room_like

__all__ = ["SkyhookBalance", "SkyhookConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SkyhookConfig:
    """Of the suspension; defaults are WARP1's: 1.5 Hz, damped by 0.7.

    Raises:
        ConfigError: a number that is negative or not finite, or a least load above the
            largest.
    """

    posture: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    stiffness: float = 5000.0
    """K_z [N/m]."""
    damping: float = 800.0
    """D_z [N s/m]."""
    least: float = 0.01
    """Share of the weight that a foot is loaded with at least."""
    largest: float = 1.2
    """And at most."""
    handover: float = 0.0
    """Share of a plan's easing of loads that is heeded: at 1 they fall to nothing
    before a foot lifts, as [Ridderstrom2003] section 3.1.3 has it; then three of 32
    pushes of 150 N s overthrow TITAN VI, at 0 none."""
    feedback: float = 1.0
    """Share of springs and dampers that act; 0 leaves the weight alone."""

    def __post_init__(self) -> None:
        names = ("stiffness", "damping", "least", "largest", "handover", "feedback")
        expect_positive(self, *names, zero=True)
        if self.least > self.largest:
            problem = f"least must be <= largest, {self.largest!r}, got {self.least!r}"
            raise ConfigError("SkyhookConfig", [problem])


class SkyhookGains(CarryGains):
    """The settings as the kernel takes them."""

    stiffness: float = entry("of the trunk's height", "N/m")
    damping: float = entry("of the trunk's height", "N s/m")
    least: float = entry("share of the weight that a foot is loaded with")
    largest: float = entry("share of the weight that a foot is loaded with")
    handover: float = entry("share of a plan's easing of loads that is heeded")


@final
@BALANCES.register("skyhook")
@dataclass(frozen=True)
class SkyhookBalance(AbstractBalance[Records[LegBalance]]):
    """Loads on standing feet; its state is its last answer."""

    config: SkyhookConfig = field(default_factory=SkyhookConfig)
    gains: Records[SkyhookGains] = field(init=False, repr=False, compare=False)
    _hang = settled(lambda: hang)

    def __post_init__(self) -> None:
        c, gains = self.config, SkyhookGains.zeros()
        c.posture.fill(gains[0])
        for name in ("roll", "pitch"):
            gains[f"{name}_stiffness"] *= c.feedback
            gains[f"{name}_damping"] *= c.feedback
        gains[0].stiffness = c.feedback * c.stiffness
        gains[0].damping = c.feedback * c.damping
        gains[0].least, gains[0].largest = c.least, c.largest
        gains[0].handover = c.handover
        object.__setattr__(self, "gains", gains)

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
        known, after = estimate, room_like(state)
        self._hang(
            known.trunk, known.legs, stance.legs, trunk.pose, self.gains, state, after
        )
        return BalanceCommand(trunk, after), after


@compiled(allocates=False)
def hang(
    trunks: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    poses: Records[TrunkPose],
    gains: Records[SkyhookGains],
    before: Records[LegBalance],
    after: Records[LegBalance],
) -> None:
    """Write each foot's force; arguments as in the class."""
    trunk, pose, gain, up = trunks[0], poses[0], gains[0], trunks[0].R_WB[2]
    weight = GRAVITY * trunk.mass * gain.weight
    spring = gain.stiffness * (pose.p_WB[2] - trunk.p_WB[2])
    pull = weight + spring - gain.damping * trunk.v_WB[2]
    carry(trunk, legs, stance, pose, gain, max(pull, 0.0), before, after)
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
