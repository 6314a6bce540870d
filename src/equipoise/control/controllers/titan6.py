"""TITAN VI's controller: an intermittent trot on virtual legs, with the Sky-hook.

[Ridderstrom2003] sections 3.1.3 and 3.1.4: legs are led along horizontally and press
upright. Steps are short and quick on level ground, long and slow over what is not seen.
"""

from dataclasses import replace
from typing import ClassVar, final

from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.balance.skyhook import SkyhookConfig
from equipoise.control.fit import Fit
from equipoise.control.leg_programs.steps import StepConfig
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.pilot import PilotConfig
from equipoise.control.planners.intermittent import IntermittentConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.reflexes.reach import ReachConfig
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.support.planned import PlannedConfig
from equipoise.control.walker import WalkerConfig
from equipoise.robots.size import Scale
from equipoise.robots.titan6.options import SIZE, SPEED

__all__ = ["Titan6Recipe"]

LEVEL = IntermittentConfig()
ROUGH = IntermittentConfig(step=0.5, duty=0.6, clearance=0.2)
GEARED = IntermittentConfig(step=0.436, clearance=0.09)
"""Of legs whose drives are slow and weigh much at the foot: longer, lower steps."""
LIGHT_LEGS = LegLawConfig(
    stiffness=(20_000.0, 20_000.0, 20_000.0),
    damping=(2500.0, 2500.0, 2500.0),
    inertia_share=1.0,
)
GEARED_LEGS = LegLawConfig(
    stiffness=(7200.0, 7200.0, 36_000.0),
    damping=(1700.0, 1700.0, 3900.0),
    guard_stiffness=2900.0,
    guard_damping=90.0,
    inertia_share=0.5,
)
"""Led upright too, forces beside: WARP1's springs at TITAN VI's size."""


@final
@CONTROLLERS.register("titan6")
class Titan6Recipe(AbstractRecipe):
    """Parts and settings of TITAN VI."""

    fit: ClassVar[Fit] = Fit(legs=(4,), joints=3)
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "intermittent trot"
    pattern: ClassVar[str] = "trot"

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return the settings for level or rough ground."""
        gait = ROUGH if asked.rough > 0.0 else LEVEL
        if not asked.is_backdrivable:
            gait = GEARED
        if asked.duty is not None:
            gait = replace(gait, duty=asked.duty)
        return WalkerConfig(
            planner="intermittent",
            support="planned",
            motion="follow",
            balance="skyhook",
            reflexes=("plant", "reach"),
            height=self.size.height,
            pilot=PilotConfig(
                acceleration=0.4, turn_acceleration=0.3, lead=0.35, settle=1.0
            ),
            clocked=ClockedConfig(gait="trot", duty=gait.duty, cycle=2.0 * gait.step),
            planned=PlannedConfig(),
            intermittent=gait,
            follow=StrideConfig(leash=0.15, forward=0.0, level_up_to=0.35),
            skyhook=SkyhookConfig(
                posture=PostureBalanceConfig(
                    roll_stiffness=9000.0,
                    roll_damping=1300.0,
                    pitch_stiffness=9000.0,
                    pitch_damping=1300.0,
                ),
                stiffness=17_000.0,
                damping=3500.0,
            ),
            reach=ReachConfig(speed=0.5, depth=0.3),
            observer=TrunkConfig(stands_still=False),
            steps=StepConfig(lift=gait.clearance, lands_where_seen=True),
            law=LIGHT_LEGS if asked.is_backdrivable else GEARED_LEGS,
        )
