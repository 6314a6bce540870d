"""TITAN III's controller: a static crab walk over forbidden ground, in three levels.

[Ridderstrom2003] section 3.1.1. Level A is the goal, level B the planner ``crab``;
level C, which follows it, is ``planned``, ``follow`` and ``level``, with the emergency
reflexes, each of which lets everything else wait.
"""

from typing import ClassVar, final

from equipoise.control.crab.gait import CrabConfig
from equipoise.control.fit import Fit
from equipoise.control.leg_programs.steps import StepConfig
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.pilot import PilotConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.support.planned import PlannedConfig
from equipoise.control.walker import WalkerConfig
from equipoise.robots.size import Scale
from equipoise.robots.titan3.options import SIZE, SPEED

__all__ = ["Titan3Recipe"]

AT_ONCE = PilotConfig(acceleration=200.0, lead=0.0, settle=0.5)
"""Steps begin from rest anyway; planned by a ramp's first speed one never ends."""
PICKY = CrabConfig(margin=0.045, stroke=0.8, footholds=10, kept=24)
"""Where places are forbidden: shorter strokes and more footholds to choose from, with
less margin, or it marks time at crab angles about 30 degrees."""
STIFF_LEGS = LegLawConfig(
    stiffness=(20_000.0, 20_000.0, 40_000.0),
    damping=(2500.0, 2500.0, 2500.0),
    inertia_share=1.0,
)
GEARED_LEGS = LegLawConfig(
    stiffness=(2900.0, 2900.0, 14_600.0),
    damping=(690.0, 690.0, 1570.0),
    inertia_share=0.5,
)
"""Of legs whose drives are slow and weigh much at the foot: WARP1's, at this size."""


@final
@CONTROLLERS.register("titan3")
class Titan3Recipe(AbstractRecipe):
    """Parts and settings of TITAN III."""

    fit: ClassVar[Fit] = Fit(legs=(4,), joints=3)
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "crab walk"
    pattern: ClassVar[str] = "crawl"
    turns: ClassVar[bool] = False

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return the settings, for a map with forbidden places or none."""
        return WalkerConfig(
            planner="crab",
            support="planned",
            motion="follow",
            balance="level",
            reflexes=("plant", "tread", "retract", "seek"),
            height=self.size.height,
            pilot=AT_ONCE,
            clocked=ClockedConfig(gait="crawl", duty=0.8, cycle=2.2),
            planned=PlannedConfig(touch=40.0, near=0.1, waits=5.0),
            crab=PICKY if asked.is_mapped else CrabConfig(),
            follow=StrideConfig(leash=0.15, forward=0.0, level_up_to=0.35),
            observer=TrunkConfig(stands_still=False),
            steps=StepConfig(lift=0.05, lands_where_seen=True, match=1.0),
            law=STIFF_LEGS if asked.is_backdrivable else GEARED_LEGS,
        )
