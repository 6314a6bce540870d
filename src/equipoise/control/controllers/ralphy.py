"""RALPHY's controller: impedances track forces, [Ridderstrom2003] section 3.2.4."""

from typing import ClassVar, final

from equipoise.control.balance.vertical import VerticalConfig
from equipoise.control.fit import Fit
from equipoise.control.leg_programs.cycloid import CycloidConfig
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.pilot import PilotConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.reflexes.reach import ReachConfig
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.walker import WalkerConfig
from equipoise.robots.ralphy.options import SIZE, SPEED
from equipoise.robots.size import Scale

__all__ = ["RalphyRecipe"]


@final
@CONTROLLERS.register("ralphy")
class RalphyRecipe(AbstractRecipe):
    """Parts and settings of RALPHY."""

    fit: ClassVar[Fit] = Fit(legs=(4,), joints=3)
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "crawl"
    pattern: ClassVar[str] = "crawl"

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return parts and settings of RALPHY."""
        return WalkerConfig(
            support="clocked",
            motion="stride",
            balance="vertical",
            legs="cycloid",
            reflexes=("reach",),
            height=self.size.height,
            pilot=PilotConfig(
                acceleration=0.3, turn_acceleration=0.3, lead=0.3, settle=0.5
            ),
            clocked=ClockedConfig(
                gait=asked.gait or self.pattern,
                duty=0.75 if asked.duty is None else asked.duty,
                legs=asked.legs,
                cycle=0.5,
                touch=6.0,
                near=0.05,
                patience=0.06,
            ),
            stride=StrideConfig(leash=0.03, forward=0.0),
            vertical=VerticalConfig(),
            cycloid=CycloidConfig(),
            reach=ReachConfig(speed=0.2, depth=0.08),
            law=LegLawConfig(
                stiffness=(1500.0, 1500.0, 3000.0),
                damping=(59.0, 59.0, 98.0),
                guard_stiffness=62.0,
                guard_damping=2.0,
            ),
            observer=TrunkConfig(loaded=4.0, stands_still=False),
        )
