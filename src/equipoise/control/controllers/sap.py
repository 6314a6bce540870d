"""SAP's experiments: two legs track cycloids by position or force and push wheels.

[Ridderstrom2003] section 3.2.4: tracked by position feet slipped and the machine barely
moved; with the way of a foot rotated, so that it pushes into the ground, it was better;
with force tracking it worked.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar, cast, final

from equipoise.control.fit import Fit
from equipoise.control.machine import LeggedMachine
from equipoise.control.recipe import CONTROLLERS, AbstractWholeRecipe, AskedWalk
from equipoise.control.tracking.controller import (
    TRACKINGS,
    Tracking,
    TrackingConfig,
    tracking_controller,
)
from equipoise.core.contracts import Controller
from equipoise.core.settings import with_settings
from equipoise.robots.sap.options import SIZE, SPEED
from equipoise.robots.size import Scale

__all__ = ["SapRecipe"]


@final
@CONTROLLERS.register("sap")
class SapRecipe(AbstractWholeRecipe):
    """Settings at the size of SAP."""

    fit: ClassVar[Fit] = Fit(legs=(2,), joints=2)
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "cycloids"
    pattern: ClassVar[str] = "walk"
    trackings: ClassVar[tuple[str, ...]] = TRACKINGS

    def controller(
        self, machine: LeggedMachine, asked: AskedWalk, gains: Mapping[str, Any]
    ) -> tuple[Controller[Any], Mapping[str, Any]]:
        """Return the controller of one trial, and its settings."""
        config = with_settings(TrackingConfig(), gains, "controller 'sap'")
        tracking = cast("Tracking", asked.tracking or "force")
        speed = self.speed if asked.speed is None else asked.speed
        own = tracking_controller(machine, tracking, speed, config)
        told = {"tracking": tracking, "speed": speed, **asdict(config)}
        return own, told | {"cycle": 1.0 / config.frequency}
