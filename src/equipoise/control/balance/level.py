"""TITAN III's attitude law: legs are lengthened on the low side of the trunk.

[Ridderstrom2003] section 3.1.1, its symbols put right: a standing foot at (x, y) from
the trunk is told to be

    z_d = z_m + (z* - mean z_m) + C₁ (-x θ_p + y θ_r)

lower or higher than it is measured, with θ_p nose down and θ_r right side down. The
first two terms are the trunk's height over its footholds, as the motion part has it and
as footholds are followed; the third is a trunk's reference that leans the other way by
C₁ times as much as the trunk does, which is what this part gives. It is sampled, as the
machine's was, at 50 Hz. Feet carry the weight between them beside that.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, NamedTuple, final

from equipoise.control.balance.carry import PostureBalanceConfig, carry
from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.inertial import roll_pitch_yaw
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
from equipoise.core.records import Record, Records, entry, pooled_empty_like, record_of
from equipoise.core.setting import Setting, Settings

__all__ = ["LevelBalance", "LevelConfig", "LevelState"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LevelConfig(Settings):
    """Settings of the attitude law; the defaults are TITAN III's."""

    gain: Annotated[
        float,
        Setting("Counter-lean of the reference per lean of the trunk, C₁", least=0.0),
    ] = 0.2
    sample: Annotated[float, Setting("Sampling period of the lean", "s", above=0.0)] = (
        0.02
    )
    stiffness: Annotated[
        float,
        Setting(
            "Stiffness of roll and pitch by the feet's loads, at every tick",
            "N m/rad",
            least=0.0,
        ),
    ] = 20_000.0
    damping: Annotated[
        float,
        Setting(
            "Damping of roll and pitch by the feet's loads", "N m s/rad", least=0.0
        ),
    ] = 1500.0
    take_on: Annotated[
        float,
        Setting(
            "Time constant with which a foot that begins to stand takes on its share",
            "s",
            above=0.0,
        ),
    ] = 0.04


class Lean(Record):
    """Lean of the trunk when it was last measured."""

    roll: float = entry("right side down", "rad")
    pitch: float = entry("nose down", "rad")
    age: float = entry("of the measurement", "s")


class LevelState(NamedTuple):
    """State of the attitude law between two ticks."""

    legs: Records[LegBalance]
    """(nl,)."""
    lean: Records[Lean]
    """(1,)."""


@final
@BALANCES.register("level")
@dataclass(frozen=True)
class LevelBalance(AbstractBalance[LevelState]):
    """Balance by a trunk reference that leans against the trunk's lean."""

    config: LevelConfig = field(default_factory=LevelConfig)
    _hold_level = cached_dispatch(lambda: hold_level)
    _carry_weight = cached_dispatch(lambda: carry_weight)

    @cached_property
    def gains(self) -> Records[PostureBalanceConfig]:
        """Settings of the load on standing feet as the kernel takes them, (1,)."""
        c = self.config
        posture = PostureBalanceConfig(
            roll_stiffness=c.stiffness,
            roll_damping=c.damping,
            pitch_stiffness=c.stiffness,
            pitch_damping=c.damping,
            take_on=c.take_on,
        )
        return record_of(posture)

    def init(self, machine: LeggedMachine) -> LevelState:
        """Return a state in which the lean is not known yet."""
        lean = Lean.zeros()
        lean["age"] = 1e3
        return LevelState(LegBalance.zeros(machine.legs), lean)

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: LevelState,
    ) -> tuple[BalanceCommand, LevelState]:
        """Return the reference that leans the other way, and the feet's loads."""
        c, known = self.config, estimate.trunk
        legs, lean, pose = (
            pooled_empty_like(state.legs),
            pooled_empty_like(state.lean),
            pooled_empty_like(trunk.pose),
        )
        self._hold_level(known, trunk.pose, c.gain, c.sample, state.lean, lean, pose)
        self._carry_weight(
            known,
            estimate.legs,
            stance.legs,
            trunk.pose,
            self.gains,
            state.legs,
            legs,
        )
        command = BalanceCommand(TrunkReference(pose, trunk.places), legs)
        return command, LevelState(legs, lean)


@compiled(allocates=False)
def hold_level(
    trunk: Records[TrunkEstimate],
    told: Records[TrunkPose],
    gain: float,
    sample: float,
    before: Records[Lean],
    after: Records[Lean],
    out: Records[TrunkPose],
) -> None:
    """Write the reference, leaning the other way; arguments as in the class."""
    after[0], out[0] = before[0], told[0]
    lean, pose = after[0], out[0]
    lean.age += trunk[0].dt
    if not lean.age < sample:
        roll, pitch, _ = roll_pitch_yaw(trunk[0])
        lean.roll, lean.pitch, lean.age = roll, pitch, 0.0
    pose.rpy_WB[0] -= gain * (lean.roll - pose.rpy_WB[0])
    pose.rpy_WB[1] -= gain * (lean.pitch - pose.rpy_WB[1])


@compiled(allocates=False)
def carry_weight(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    pose: Records[TrunkPose],
    gains: Records[PostureBalanceConfig],
    before: Records[LegBalance],
    after: Records[LegBalance],
) -> None:
    """Share the weight between the feet that stand; arguments as in the class."""
    weight = GRAVITY * trunk[0].mass * gains[0].weight
    carry(trunk[0], legs, stance, pose[0], gains[0], weight, before, after)
