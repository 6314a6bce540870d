"""Settings of a module: its trust in old values, and how its joints hold."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from equipoise.control.com.brain.hold import HoldGains
from equipoise.control.com.brain.program import ThinkNumbers
from equipoise.control.com.brain.state import OLD
from equipoise.core.checks import is_number
from equipoise.core.constants import GRAVITY
from equipoise.core.setting import Setting, Settings
from equipoise.modules.rules import Rules

__all__ = ["BrainConfig", "act_settings", "think_settings"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BrainConfig(Settings):
    """Settings of a module: its trust in old values, and how its joints hold."""

    rules: Rules = field(default_factory=Rules)
    """The protocol's constants."""
    dt: Annotated[
        float, Setting("Control period, one round of the protocol", "s", above=0.0)
    ] = 0.001
    trust: Annotated[
        float, Setting("Age from which numbers are too old to steer by", "s", above=0.0)
    ] = 0.15
    gravity: Annotated[float, Setting("Acceleration of gravity, downwards", "m/s²")] = (
        GRAVITY
    )
    gravity_compensation: Annotated[
        bool, Setting("Whether each joint holds the weight that it knows it carries")
    ] = True
    hold_stiffness: Annotated[
        float,
        Setting("Torque per radian from the angle that is held", "N m/rad", least=0.0),
    ] = 60.0
    hold_damping: Annotated[
        float,
        Setting(
            "Torque against the rate of a joint that holds its place",
            "N m s/rad",
            least=0.0,
        ),
    ] = 1.0
    fade: float = math.inf
    """Time in which the last known weight is given up while holding; infinite keeps
    it [s]."""
    blend: Annotated[
        float,
        Setting("Time in which a joint goes from holding to steering", "s", above=0.0),
    ] = 0.05
    foot_step: Annotated[
        float,
        Setting(
            "Distance from which a contact that moved counts as another one",
            "m",
            above=0.0,
        ),
    ] = 0.002

    def problems(self) -> Iterator[str]:
        """Yield a phrase for an invalid time, of those that may be infinite."""
        if not (is_number(self.fade) and self.fade > 0.0):
            yield f"fade must be > 0, got {self.fade!r}"


def think_settings(config: BrainConfig) -> ThinkNumbers:
    """Return the numbers that ``think`` reads."""
    trust = min(round(config.trust / config.dt), OLD)
    return ThinkNumbers(trust=trust, dt=config.dt, foot_step=config.foot_step)


def act_settings(config: BrainConfig, stamina: float) -> HoldGains:
    """Return the numbers that ``act`` reads."""
    return HoldGains(
        gravity=config.gravity if config.gravity_compensation else 0.0,
        stiffness=config.hold_stiffness,
        damping=config.hold_damping,
        keep=math.exp(-config.dt / config.fade),
        step=min(1.0, config.dt / config.blend),
        stamina=stamina,
        dt=config.dt,
    )
