"""Swings by polynomials of fifth order, sent in pieces of second order.

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
from typing import ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.legs.law import LegLaw
from equipoise.control.legs.pieces import (
    QuinticConfig,
    QuinticSwing,
    keep_standing,
    swing_by_pieces,
)
from equipoise.control.legs.stepping import aim_standing
from equipoise.control.machine import foot_mobility
from equipoise.control.parts import LEG_PROGRAMS, AbstractLegProgram
from equipoise.control.records import (
    LegAim,
)
from equipoise.control.signals import BalanceCommand, Estimate, WalkingStance
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Records, pooled_empty_like

__all__ = ["QuinticConfig", "QuinticProgram", "QuinticState"]

UNSTEADIED = (0.0, 0.0, 0.0)  # damping of the trunk by standing feet [N s/m]


class QuinticState(NamedTuple):
    """State of the program between two ticks."""

    swings: Records[QuinticSwing]
    """(nl,)."""
    moved: Array
    """What each foot weighs along the axes of B, (nl, 3, 3) [kg]; empty at first."""


@final
@LEG_PROGRAMS.register("quintic")
@dataclass(frozen=True, eq=False)
class QuinticProgram(AbstractLegProgram[QuinticState]):
    """Leg program by polynomials of fifth order."""

    law: LegLaw
    made_for: ClassVar[str | None] = "asv"
    config: QuinticConfig = field(default_factory=QuinticConfig)
    _aim_standing = cached_dispatch(lambda: aim_standing)
    _keep_standing = cached_dispatch(lambda: keep_standing)
    _aim_swinging = cached_dispatch(lambda: swing_by_pieces)

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
        swings, aim = pooled_empty_like(state.swings), pooled_empty_like(self.blank)
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
            (True, UNSTEADIED),
            (state.swings, swings),
            aim,
        )
        self._keep_standing(
            trunk, legs, stance.legs, balance.legs, (self.settings, self.law.settings),
            state.swings, swings, aim,
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
