"""Swings by polynomials of fifth order, sent on in pieces of second order.

As the Adaptive Suspension Vehicle has it, [Ridderstrom2003] section 3.2.2: a swing is
split into segments, lift, traverse and lower, each a polynomial of fifth order between
states of given place and velocity,

    x = x0 + v0 T s + (10 d - (6 v0 + 4 v1) T) s³ + (-15 d + (8 v0 + 7 v1) T) s⁴
        + (6 d - 3 (v0 + v1) T) s⁵,    d = x1 - x0,  s = t / T

Upright there are the three of them; level, one over the whole swing, which needs the
least force. Every 50 ms the polynomial is evaluated, and a piece of second order that
leads to where it will be then is what the leg follows meanwhile. Drives are told the
leg's own weight and inertia beforehand, and what is still missing is learnt slowly as
an offset of each leg. Feet leave and meet the ground with the ground's own speed.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, final

import numpy as np

from equipoise.control.legs.law import LegLaw
from equipoise.control.legs.pieces import (
    QuinticSettings,
    QuinticSwing,
    keep_standing,
    swing_by_pieces,
)
from equipoise.control.legs.programs.steps import (
    aim_standing,
)
from equipoise.control.machine import foot_mobility
from equipoise.control.parts import (
    LEG_PROGRAMS,
    AbstractLegProgram,
    BalanceCommand,
    Estimate,
    WalkingStance,
)
from equipoise.control.records import (
    LegAim,
)
from equipoise.core.arrays import Array
from equipoise.core.bound import settled
from equipoise.core.checks import expect_positive, expect_within
from equipoise.core.records import Records, room_like

__all__ = ["QuinticConfig", "QuinticProgram", "QuinticState"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class QuinticConfig:
    """Of the swing; defaults are the Adaptive Suspension Vehicle's.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    lift: float = 0.2
    """Of the foot over the higher of its footholds [m]."""
    rising: float = 0.45
    """Share of a swing in which it rises."""
    lowering: float = 0.45
    """And in which it is lowered."""
    touch_speed: float = 0.2
    """Downwards, at which it meets the ground [m/s]."""
    piece: float = 0.05
    """Duration of a piece of second order [s]."""
    bias_time: float = 5.0
    """In which a leg's offset is learnt [s]."""
    most_bias: float = 2000.0
    """Largest offset [N]."""
    inertia: float = 1.0
    """Share of the legs' inertia that is fed forward."""
    keep: float = 4000.0
    """Damping of a standing foot's own motion over the ground, where forces carry the
    trunk [N s/m]."""
    sink: float = 0.18
    """How far the trunk may hang below its reference for feet to be lifted higher by as
    much [m]."""

    def __post_init__(self) -> None:
        expect_positive(self, "lift", "piece", "bias_time", "sink")
        expect_positive(self, "touch_speed", "most_bias", "inertia", "keep", zero=True)
        expect_within(self, "rising", 0.1, 0.5)
        expect_within(self, "lowering", 0.1, 0.5)


class QuinticState(NamedTuple):
    """What the program carries from tick to tick."""

    swings: Records[QuinticSwing]
    """(nl,)."""
    moved: Array
    """What each foot weighs along the axes of B, (nl, 3, 3) [kg]; empty at first."""


@final
@LEG_PROGRAMS.register("quintic")
@dataclass(frozen=True, eq=False)
class QuinticProgram(AbstractLegProgram[QuinticState]):
    """Writes aims by polynomials; its state is where each swing is."""

    law: LegLaw
    config: QuinticConfig = field(default_factory=QuinticConfig)
    settings: Records[QuinticSettings] = field(init=False, repr=False)
    blank: Records[LegAim] = field(init=False, repr=False)
    """Whose like is made at every tick, (nl,)."""
    _aim_standing = settled(lambda: aim_standing)
    _keep_standing = settled(lambda: keep_standing)
    _aim_swinging = settled(lambda: swing_by_pieces)

    def __post_init__(self) -> None:
        c, settings = self.config, QuinticSettings.zeros()
        for name in c.__slots__:
            settings[name] = getattr(c, name)
        settings["lands_where_seen"] = settings["match"] = 1.0
        settings["stiffness"], law = self.law.config.stiffness, self.law.config
        settings["damping"] = law.damping
        object.__setattr__(self, "settings", settings)
        object.__setattr__(self, "blank", self.law.aim())

    def init(self) -> QuinticState:
        """Return a state in which all feet stand."""
        swings = QuinticSwing.zeros(len(self.law.build))
        swings["stood"] = 1.0
        return QuinticState(swings, np.zeros((0, 3, 3)))

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        balance: BalanceCommand,
        state: QuinticState,
    ) -> tuple[Records[LegAim], QuinticState]:
        """Return what each leg is told, and the next state."""
        swings, aim = room_like(state.swings), room_like(self.blank)
        moved = state.moved
        if len(moved) == 0:
            moved = np.asarray(np.linalg.inv(foot_mobility(estimate.machine)), float)
        trunk, legs, told = estimate.trunk, estimate.legs, balance.trunk
        self._aim_standing(
            trunk,
            legs,
            stance.legs,
            told.pose,
            balance.legs,
            self.settings,
            (state.swings, swings),
            aim,
        )
        self._keep_standing(
            trunk, legs, stance.legs, balance.legs, self.settings, state.swings, swings,
            aim,
        )  # fmt: skip
        self._aim_swinging(
            trunk,
            legs,
            stance.legs,
            told.pose,
            (told.places, balance.legs, moved),
            self.settings,
            swings,
            aim,
        )
        return aim, QuinticState(swings, moved)
