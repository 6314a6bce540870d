"""How long a module trusts what it heard, and how its joints hold otherwise."""

import math
from dataclasses import dataclass, field

from equipoise.control.com.brain.hold import HoldGains
from equipoise.control.com.brain.program import ThinkNumbers
from equipoise.control.com.brain.state import OLD
from equipoise.core.checks import is_number
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.modules.rules import Rules

__all__ = ["BrainConfig", "act_settings", "think_settings"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BrainConfig:
    """How long a module trusts what it heard, and how its joints hold otherwise."""

    rules: Rules = field(default_factory=Rules)
    """The protocol's constants."""
    dt: float = 0.001
    """Control period, one round of the protocol [s]."""
    trust: float = 0.15
    """Age from which numbers are too old to steer by [s]."""
    gravity: float = GRAVITY
    """Downwards [m/s²]."""
    gravity_compensation: bool = True
    """Whether each joint holds the weight it knows it carries."""
    hold_stiffness: float = 60.0
    """Torque per radian from the angle that is held [N m/rad]."""
    hold_damping: float = 1.0
    """Torque against the joint's rate while it holds [N m s/rad]."""
    fade: float = math.inf
    """Time in which the last known weight is given up while holding; infinite keeps
    it [s]."""
    blend: float = 0.05
    """Time in which a joint goes from holding to steering [s]."""
    foot_step: float = 0.002
    """A contact that has moved this far counts as another one [m]."""

    def __post_init__(self) -> None:
        """Report all problems together.

        Raises:
            ConfigError: a number out of its range.
        """
        problems: list[str] = []
        for name in ("dt", "trust", "fade", "blend", "foot_step"):
            value = getattr(self, name)
            if not (is_number(value) and value > 0.0):
                problems.append(f"{name} must be > 0, got {value!r}")
        for name in ("hold_stiffness", "hold_damping"):
            value = getattr(self, name)
            if not (is_number(value) and 0.0 <= value < math.inf):
                problems.append(f"{name} must be >= 0 and finite, got {value!r}")
        if not (is_number(self.gravity) and math.isfinite(self.gravity)):
            problems.append(f"gravity must be finite, got {self.gravity!r}")
        if problems:
            raise ConfigError("BrainConfig", problems)


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
