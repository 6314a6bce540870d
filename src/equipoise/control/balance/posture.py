"""Feet carry the weight and hold the attitude, [Ridderstrom2003] section 11.2."""

from dataclasses import dataclass, field
from typing import Literal, final

from equipoise.control.balance.carry import CarryGains, carry
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
from equipoise.core.jit import compiled
from equipoise.core.records import Records, room_like

__all__ = ["PostureBalance", "PostureBalanceConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PostureBalanceConfig:
    """Gains; defaults are WARP1's while it walks.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    roll_stiffness: float = 1000.0
    """[N m/rad]."""
    roll_damping: float = 100.0
    """[N m s/rad]."""
    pitch_stiffness: float = 1000.0
    """[N m/rad]."""
    pitch_damping: float = 100.0
    """[N m s/rad]."""
    take_on: float = 0.04
    """Time in which a foot that begins to stand takes its share on [s]."""
    weight: float = 1.0
    """Share of the machine's weight that is fed forward."""
    sharing: Literal["printed", "consistent"] = "consistent"
    """How feet share: by the printed rule, or so that force and moments are right."""

    def __post_init__(self) -> None:
        names = [n for n in self.__slots__ if n != "sharing"]
        expect_positive(self, *names, zero=True)

    def fill(self, gains: CarryGains) -> None:
        """Write the settings into the record that ``carry`` takes.

        Args:
            gains: overwritten.
        """
        gains.roll_stiffness, gains.roll_damping = (
            self.roll_stiffness,
            self.roll_damping,
        )
        gains.pitch_stiffness = self.pitch_stiffness
        gains.pitch_damping = self.pitch_damping
        gains.take_on, gains.weight = self.take_on, self.weight
        gains.printed = 1.0 if self.sharing == "printed" else 0.0


@final
@BALANCES.register("posture")
@dataclass(frozen=True)
class PostureBalance(AbstractBalance[Records[LegBalance]]):
    """Loads on standing feet; its state is its last answer."""

    config: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    gains: Records[CarryGains] = field(init=False, repr=False, compare=False)
    _hold_up = settled(lambda: hold_up)

    def __post_init__(self) -> None:
        gains = CarryGains.zeros()
        self.config.fill(gains[0])
        object.__setattr__(self, "gains", gains)

    def init(self, machine: LeggedMachine) -> Records[LegBalance]:
        """Return a state in which no foot has taken anything on yet."""
        return LegBalance.zeros(machine.legs)

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: Records[LegBalance],
    ) -> tuple[BalanceCommand, Records[LegBalance]]:
        """Return the loads, and the next state."""
        known, after = estimate, room_like(state)
        self._hold_up(
            known.trunk, known.legs, stance.legs, trunk.pose, self.gains, state, after
        )
        return BalanceCommand(trunk, after), after


@compiled(allocates=False)
def hold_up(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    pose: Records[TrunkPose],
    gains: Records[CarryGains],
    before: Records[LegBalance],
    after: Records[LegBalance],
) -> None:
    """Write each foot's force; arguments as in the class."""
    weight = GRAVITY * trunk[0].mass * gains[0].weight
    carry(trunk[0], legs, stance, pose[0], gains[0], weight, before, after)
