"""Thing's controller: a supervisor over a control basis; legs hold positions.

[Ridderstrom2003] section 3.3. Balance is the supervisor's: no leg lifts but over three
feet that carry.
"""

from typing import ClassVar, final

from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.basis.build import BasisConfig
from equipoise.control.fit import Fit
from equipoise.control.leg_programs.steps import StepConfig
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.pilot import PilotConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.reflexes.plant import PlantReflexConfig
from equipoise.control.reflexes.relent import RelentConfig
from equipoise.control.reflexes.seek import SeekConfig
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.support.planned import PlannedConfig
from equipoise.control.walker import WalkerConfig
from equipoise.robots.size import Scale
from equipoise.robots.thing.options import SIZE, SPEED

__all__ = ["ThingRecipe"]


@final
@CONTROLLERS.register("thing")
class ThingRecipe(AbstractRecipe):
    """Parts and settings of Thing."""

    fit: ClassVar[Fit] = Fit(legs=(4,), joints=3)
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "supervised walk"
    pattern: ClassVar[str] = "crawl"
    is_guarded: ClassVar[bool] = True

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return the settings."""
        return WalkerConfig(
            planner="basis",
            support="planned",
            motion="follow",
            balance="posture",
            reflexes=("plant", "seek", "relent"),
            relent=RelentConfig(lag=0.006),
            height=self.size.height,
            pilot=PilotConfig(
                acceleration=200.0, turn_acceleration=200.0, lead=0.0, settle=0.5
            ),
            clocked=ClockedConfig(gait="crawl", duty=0.9, cycle=2.0),
            basis=BasisConfig(clearance=0.04, uneven=True)
            if asked.rough > 0.0
            else BasisConfig(),
            planned=PlannedConfig(touch=1.0, near=0.03, waits=3.0, early=0.8),
            follow=StrideConfig(leash=0.03, forward=0.0, level_up_to=0.35),
            observer=TrunkConfig(stands_still=False, loaded=0.7),
            plant=PlantReflexConfig(speed=0.04, depth=0.012, carries=0.7),
            seek=SeekConfig(speed=0.06, depth=0.04, patience=0.3, clear=0.02),
            posture=self.sized(PostureBalanceConfig()),
            steps=StepConfig(
                lift=0.02, lands_where_seen=True, match=1.0, singular=1e-5
            ),
            law=LegLawConfig(
                stiffness=(1500.0, 1500.0, 2000.0),
                damping=(30.0, 30.0, 30.0),
                inertia_share=1.0,
            ),
        )
