"""The Adaptive Suspension Vehicle's controller, [Ridderstrom2003] section 3.2.2."""

from typing import ClassVar, final

from equipoise.control.balance.two_step import TwoStepConfig
from equipoise.control.fit import Fit
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.legs.programs.quintic import QuinticConfig
from equipoise.control.modes import MODES
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.pilot import PilotConfig
from equipoise.control.planners.stopping import StoppingConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.reflexes.reach import ReachConfig
from equipoise.control.scaling import Scale
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.walker import ASV, WalkerConfig

__all__ = ["AsvRecipe"]


@final
@CONTROLLERS.register("asv")
class AsvRecipe(AbstractRecipe):
    """Forces carry the trunk: servo, wrench, two-step sharing; legs by quintics."""

    fit: ClassVar[Fit] = Fit(legs=(6,), joints=3)
    size: ClassVar[Scale] = ASV
    speed: ClassVar[float] = 3.4
    gait: ClassVar[str] = "tripod"
    pattern: ClassVar[str] = "tripod"
    modes: ClassVar[tuple[str, ...]] = MODES
    is_guarded: ClassVar[bool] = True

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return parts and settings of the ASV."""
        return WalkerConfig(
            planner="stopping",
            balance="two_step",
            legs="quintic",
            reflexes=("reach",),
            height=1.5,
            pilot=PilotConfig(
                acceleration=20.0, turn_acceleration=20.0, lead=0.5, settle=0.1
            ),
            stopping=StoppingConfig(
                mode=asked.mode or "tripod",
                gait=asked.gait or self.pattern,
                duty=asked.duty,
                is_limited=not asked.is_commanded,
                keeps_margin=asked.is_commanded,
                margin=0.2 if asked.is_commanded else 0.1,
            ),
            clocked=ClockedConfig(
                gait=asked.gait or self.pattern,
                duty=asked.duty,
                legs=asked.legs,
                cycle=1.0,
                touch=1300.0,
                near=0.4,
                patience=0.1,
            ),
            stride=StrideConfig(leash=0.2, slope_time=0.5, forward=0.0),
            two_step=TwoStepConfig(),
            quintic=QuinticConfig(),
            law=LegLawConfig(
                stiffness=(60_000.0, 60_000.0, 200_000.0),
                damping=(16_000.0, 12_000.0, 9_000.0),
            ),
            observer=TrunkConfig(
                velocity_time=0.02,
                place_time=0.35,
                height_time=0.02,
                slip_time=0.5,
                sink_time=0.2,
                loaded=900.0,
                feel_time=0.015,
                level_rate=1.2,
            ),
            reach=ReachConfig(speed=0.5, depth=0.4),
        )
