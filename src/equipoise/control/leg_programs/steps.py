"""Springs to footholds, and cubic swings between them.

A foot that stands aims at its foothold as it would be seen from the trunk's reference.
A foot that swings goes, seen from the trunk, from where it left the ground to its next
foothold: level by a cubic with given end velocities, upright by a bump on top. Cubics
need the least peak speed where the ends are slow: 1.5 times the mean, against π/2 for
half an ellipse and 2 for a cycloid, and WARP1's hips have little to spare.
"""

from dataclasses import dataclass, field
from typing import final

from equipoise.control.legs.law import LegLaw
from equipoise.control.legs.stepping import aim_standing, aim_swinging
from equipoise.control.legs.swing import StepConfig, Swing
from equipoise.control.parts import LEG_PROGRAMS, AbstractLegProgram
from equipoise.control.records import LegAim
from equipoise.control.signals import BalanceCommand, Estimate, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Records, pooled_empty_like

__all__ = ["StepConfig", "Steps"]


@final
@LEG_PROGRAMS.register("steps")
@dataclass(frozen=True, eq=False)
class Steps(AbstractLegProgram[Records[Swing]]):
    """Leg program that holds footholds and swings along cubics."""

    law: LegLaw
    config: StepConfig = field(default_factory=StepConfig)
    _aim_standing = cached_dispatch(lambda: aim_standing)
    _aim_swinging = cached_dispatch(lambda: aim_swinging)

    def init(self) -> Records[Swing]:
        """Return a state in which all feet stand, (nl,)."""
        state = Swing.zeros(len(self.law.build))
        state["stood"] = 1.0
        return state

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        balance: BalanceCommand,
        state: Records[Swing],
    ) -> tuple[Records[LegAim], Records[Swing]]:
        """Return what each leg is told, and the next state."""
        after, aim = pooled_empty_like(state), pooled_empty_like(self.blank)
        trunk, legs, told = estimate.trunk, estimate.legs, balance.trunk
        self._aim_standing(
            trunk,
            legs,
            stance.legs,
            told.pose,
            balance.legs,
            (self.config.lands_where_seen, self.config.steady),
            (state, after),
            aim,
        )
        self._aim_swinging(
            legs,
            stance.legs,
            told.pose,
            told.places,
            balance.legs,
            (self.settings, self.law.settings),
            after,
            aim,
        )
        return aim, after
