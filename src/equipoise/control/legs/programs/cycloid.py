"""Impedance legs that track a force: cycloids in the air, learnt ground below.

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
from typing import final

from equipoise.control.legs.adaptation import (
    AdaptationConfig,
    AdaptationSettings,
    first_guess,
)
from equipoise.control.legs.impedance import (
    CycloidSettings,
    CycloidSwing,
    aim_by_cycloid,
    aim_by_force,
)
from equipoise.control.legs.law import LegLaw
from equipoise.control.parts import (
    LEG_PROGRAMS,
    AbstractLegProgram,
    BalanceCommand,
    Estimate,
    WalkingStance,
)
from equipoise.control.records import LegAim
from equipoise.core.bound import settled
from equipoise.core.checks import expect_positive
from equipoise.core.records import Records, room_like

__all__ = ["CycloidConfig", "CycloidProgram"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CycloidConfig:
    """Of the legs; defaults are RALPHY's.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    adapts: bool = False
    """Whether legs learn the ground; else they keep their first guess."""
    guess: float = 10_000.0
    """Stiffness of the ground before anything is learnt [N/m]."""
    gain: float = 50.0
    """With which it is learnt [1/s]."""
    sunk: float = 0.01
    """y_s, depth from which on stiffness is learnt rather than where the ground is; of
    feet that sink by less, height is what is off most as they walk [m]."""
    force_least: float = 5.0
    """Load from which a foot learns [N]."""
    lift: float = 0.0
    """Of a swing; 0 for a cycloid's own, its length over π [m]."""
    inertia: float = 1.0
    """Share of the legs' inertia that is fed forward in the air."""
    lead: float = 0.005
    """Ahead of time, as drives lag [s]."""
    singular: float = 5e-4
    """Determinant of a foot's Jacobian below which none is [m³/rad³]."""

    def __post_init__(self) -> None:
        expect_positive(self, "guess", "gain", "sunk")
        expect_positive(self, "force_least", "lift", "inertia", "lead", zero=True)
        expect_positive(self, "singular")

    @property
    def adaptation(self) -> AdaptationConfig:
        """As the law takes it."""
        return AdaptationConfig(
            gain=self.gain,
            scale=self.sunk,
            force_least=self.force_least,
            stiffness=self.guess,
            stiffness_least=min(2e3, self.guess),
            stiffness_most=max(500e3, self.guess),
        )


@final
@LEG_PROGRAMS.register("cycloid")
@dataclass(frozen=True, eq=False)
class CycloidProgram(AbstractLegProgram[Records[CycloidSwing]]):
    """Writes aims by force and by cycloid."""

    law: LegLaw
    config: CycloidConfig = field(default_factory=CycloidConfig)
    settings: Records[CycloidSettings] = field(init=False, repr=False)
    adaptation: Records[AdaptationSettings] = field(init=False, repr=False)
    blank: Records[LegAim] = field(init=False, repr=False)
    """Whose like is made at every tick, (nl,)."""
    _aim_by_force = settled(lambda: aim_by_force)
    _aim_by_cycloid = settled(lambda: aim_by_cycloid)

    def __post_init__(self) -> None:
        c, settings, law = self.config, CycloidSettings.zeros(), self.law.config
        settings["stiffness"], settings["damping"] = law.stiffness, law.damping
        settings["inertia"], settings["adapts"] = c.inertia, float(c.adapts)
        settings["lift"] = c.lift
        settings["lead"], settings["singular"] = c.lead, c.singular
        object.__setattr__(self, "settings", settings)
        object.__setattr__(self, "adaptation", c.adaptation.record())
        object.__setattr__(self, "blank", self.law.aim())

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
        swings, aim = room_like(state), room_like(self.blank)
        trunk, legs, told = estimate.trunk, estimate.legs, balance.trunk
        self._aim_by_force(
            trunk,
            legs,
            stance.legs,
            (told.pose, balance.legs, self.law.build),
            (self.settings, self.adaptation),
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
            self.settings,
            swings,
            aim,
        )
        return aim, swings
