"""TITAN IV's controller: an expanded trot, planned one wave ahead; stiff legs.

[Ridderstrom2003] section 3.1.2. Legs are position controlled: springs as stiff as the
sampled loop holds, and no other balance than the plan's.
"""

from typing import ClassVar, final

from equipoise.control.fit import Fit
from equipoise.control.leg_programs.steps import StepConfig
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.pilot import PilotConfig
from equipoise.control.planners.pacing import ExpandedConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.support.planned import PlannedConfig
from equipoise.control.walker import WalkerConfig
from equipoise.robots.size import Scale
from equipoise.robots.titan4.options import SIZE, SPEED

__all__ = ["Titan4Recipe"]

WAVE, DUTY = 0.6, 0.65


@final
@CONTROLLERS.register("titan4")
class Titan4Recipe(AbstractRecipe):
    """Waves of two diagonal legs, from a trot to a crawl by the duty factor alone."""

    fit: ClassVar[Fit] = Fit(legs=(4,), joints=3)
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "expanded trot"
    pattern: ClassVar[str] = "trot"

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return the settings of TITAN IV for a duty factor."""
        duty = DUTY if asked.duty is None else asked.duty
        waves = ExpandedConfig(duty=duty, wave=WAVE)
        cycle = 2.0 * waves.wave_of(duty).duration
        return WalkerConfig(
            planner="expanded",
            support="planned",
            motion="follow",
            balance="none",
            reflexes=("plant", "reach"),
            height=self.size.height,
            pilot=PilotConfig(acceleration=0.4, lead=0.0, settle=1.5),
            clocked=ClockedConfig(duty=duty, cycle=cycle),
            planned=PlannedConfig(waits=0.3, grace=0.05, early=0.9, touch=150.0),
            observer=TrunkConfig(stands_still=False),
            follow=StrideConfig(forward=0.0, leash=0.1),
            expanded=waves,
            steps=StepConfig(lift=0.1, match=1.0, soft_landing=0.5),
            law=LegLawConfig(
                stiffness=(20e3, 20e3, 60e3),
                damping=(2.5e3, 2.5e3, 5e3),
                inertia_share=1.0,
            ),
        )
