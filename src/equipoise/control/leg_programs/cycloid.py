"""Impedances that track forces: cycloids in the air, learnt ground below.

RALPHY's and SAP's, [Ridderstrom2003] section 3.2.4. A foot is a mass on a spring and a
damper about its reference, told a force beside,

    M e'' + D e' + K e = F_d - F

with M the leg's own: torques are Jᵀ (K (x_d - x) + D (x_d' - x') + F_d) and what its
weight asks for. On ground of stiffness K_e at height y_e the force at rest is F_d only
if the reference lies y_e - F_d / K_e high. So each leg puts its reference there, by its
own estimate of the ground (``legs.adaptation``), which it learns while it stands, or
keeps where it shall not learn; K goes on from step to step, y_e begins where the foot
meets the ground.

In the air a foot goes by a cycloid, laid out over the ground so that it leaves and
meets it at rest; the thesis thinks the formula's frame is one that moves evenly, in
which the foot would meet the ground at the trunk's speed.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, final

from equipoise.control.legs.adaptation import (
    AdaptationConfig,
    first_guess,
)
from equipoise.control.legs.impedance import (
    CycloidConfig,
    CycloidSwing,
    aim_by_cycloid,
    aim_by_force,
)
from equipoise.control.legs.law import LegLaw
from equipoise.control.parts import LEG_PROGRAMS, AbstractLegProgram
from equipoise.control.records import LegAim
from equipoise.control.signals import BalanceCommand, Estimate, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Records, pooled_empty_like, record_of

__all__ = ["CycloidConfig", "CycloidProgram"]


@final
@LEG_PROGRAMS.register("cycloid")
@dataclass(frozen=True, eq=False)
class CycloidProgram(AbstractLegProgram[Records[CycloidSwing]]):
    """Leg program by force on the ground and by cycloid in the air."""

    law: LegLaw
    made_for: ClassVar[str | None] = "ralphy"
    config: CycloidConfig = field(default_factory=CycloidConfig)
    _aim_by_force = cached_dispatch(lambda: aim_by_force)
    _aim_by_cycloid = cached_dispatch(lambda: aim_by_cycloid)

    @cached_property
    def adaptation(self) -> Records[AdaptationConfig]:
        """Settings of the adaptation as its kernel takes them, (1,)."""
        return record_of(self.config.adaptation)

    def init(self) -> Records[CycloidSwing]:
        """Return a state in which all feet stand on ground as it is guessed."""
        swings = CycloidSwing.zeros(len(self.law.build), joints=self.law.joints)
        guess = first_guess(self.config.adaptation, len(swings))
        swings["stood"], swings["stiffness"] = 0.0, guess["stiffness"]
        return swings

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        balance: BalanceCommand,
        state: Records[CycloidSwing],
    ) -> tuple[Records[LegAim], Records[CycloidSwing]]:
        """Return what each leg is told, and the next state."""
        swings, aim = pooled_empty_like(state), pooled_empty_like(self.blank)
        trunk, legs, told = estimate.trunk, estimate.legs, balance.trunk
        self._aim_by_force(
            trunk,
            legs,
            stance.legs,
            (told.pose, balance.legs, self.law.build),
            (self.settings, self.law.settings, self.adaptation),
            state,
            swings,
            aim,
        )
        self._aim_by_cycloid(
            trunk,
            legs,
            stance.legs,
            told.pose,
            (told.places, balance.legs, estimate.machine.inertia),
            (self.settings, self.law.settings),
            swings,
            aim,
        )
        return aim, swings
