"""Clocked gaits on leg springs, WARP1's controller: trot, crawl and all named gaits."""

from typing import ClassVar, final

from equipoise.control.fit import Fit
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.walker import WalkerConfig, walker_config
from equipoise.robots.size import Scale
from equipoise.robots.warp1.options import SIZE, SPEED

__all__ = ["WalkingRecipe"]


@final
@CONTROLLERS.register("walking")
class WalkingRecipe(AbstractRecipe):
    """Any gait that has a name, with the settings of the robot that walks it."""

    fit: ClassVar[Fit] = Fit()
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "trot"
    pattern: ClassVar[str] = "trot"

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return the settings of a gait, as its robot's folder has them."""
        return walker_config(
            asked.gait or self.gait,
            asked.duty,
            payload=asked.payload,
            is_soft=asked.is_soft,
            robot=asked.robot,
            ground=asked.ground,
            actuators=asked.actuators,
        )
