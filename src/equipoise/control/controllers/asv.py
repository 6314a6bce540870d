"""Controller of the Adaptive Suspension Vehicle, [Ridderstrom2003] section 3.2.2."""

from dataclasses import replace
from typing import ClassVar, final

from equipoise.control.balance.two_step import TwoStepConfig
from equipoise.control.fit import Fit
from equipoise.control.leg_programs.quintic import QuinticConfig
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.modes import FREE_MODES, MODES
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.pilot import PilotConfig
from equipoise.control.planners.stopping import StoppingConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.reflexes.reach import ReachConfig
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.support.free import FreeConfig
from equipoise.control.walker import WalkerConfig
from equipoise.robots.asv.options import SIZE, SPEED
from equipoise.robots.size import Scale

__all__ = ["AsvRecipe"]

CROSSING = 0.2  # over what lies about, that feet are lifted to cross it [m]
SUPPORT = {"utility": "standing", "precision": "standing"} | dict.fromkeys(
    FREE_MODES, "free"
)
FREE_DUTY = 0.85  # at which free gaits are counted on to keep up


@final
@CONTROLLERS.register("asv")
class AsvRecipe(AbstractRecipe):
    """Forces carry the trunk: servo, wrench, two-step sharing; legs by quintics."""

    fit: ClassVar[Fit] = Fit(legs=(6,), joints=3, by_force=True)
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "tripod"
    pattern: ClassVar[str] = "tripod"
    modes: ClassVar[tuple[str, ...]] = MODES
    is_guarded: ClassVar[bool] = True

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return parts and settings of the ASV."""
        mode = asked.mode or "tripod"
        return WalkerConfig(
            planner="stopping",
            support=SUPPORT.get(mode, "clocked"),
            motion="jog" if mode == "precision" else "stride",
            balance="two_step",
            legs="quintic",
            reflexes=("reach",),
            height=1.5,
            pilot=PilotConfig(
                acceleration=20.0, turn_acceleration=20.0, lead=0.5, settle=0.1
            ),
            stopping=self.plans(mode, asked),
            free=FreeConfig(
                follows=mode in ("leader", "crossing"),
                clearance=CROSSING + asked.rough if mode == "crossing" else 0.0,
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

    def plans(self, mode: str, asked: AskedWalk) -> StoppingConfig:
        """Return the planner's settings in a mode.

        Args:
            mode: that the operator wants.
            asked: how it shall walk.
        """
        is_told = asked.is_commanded
        config = StoppingConfig(
            mode=mode,
            gait=asked.gait or self.pattern,
            duty=asked.duty,
            is_limited=not is_told,
            keeps_margin=is_told or mode != "tripod",
            margin=0.2 if is_told else 0.1,
        )
        if mode not in FREE_MODES:
            return config
        free = FreeConfig()
        return replace(
            config,
            gait="wave",
            duty=FREE_DUTY,
            cycle=free.swing / (1.0 - FREE_DUTY),
            swing=free.swing,
            patience=free.patience,
            workspace=free.workspace,
        )
