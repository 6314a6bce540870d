"""Legs that learn how stiff the ground is, and where; [Ridderstrom2003] section 3.2.4.

Ground that gives way elastically carries F = K (y_e - y) at a height y of the foot. A
leg estimates K and y_e from force and height and puts its reference where the ground
would carry what is wanted, y_d = y_e - F_d / K. The printed law lacks its derivatives;
with them it is the gradient law of θ₁ = K and θ₂ = K y_e on the error e = F̂ - F,

    θ₁' = γ₁ y e,   θ₂' = -γ₂ e

which, sampled, blows up where (γ₁ y² + γ₂) dt > 2. So it is taken normalised, by one
gain γ and a height y_s that makes both alike, r = y / y_s::

    θ₁' = γ r e / ((1 + r²) y_s),   θ₂' = -γ e / (1 + r²)

whose error shrinks by γ dt a tick whatever y is, with K kept between bounds and no
learning from feet that hardly press. Heights are from a level near the ground, where
they are some y_s; the K of one force level is not the ground's, but its forces are.
"""

from dataclasses import dataclass
from typing import final

from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "AdaptationConfig",
    "AdaptationSettings",
    "GroundEstimate",
    "adapt",
    "first_guess",
    "ground_height",
    "reference_height",
    "steady_force",
]


class GroundEstimate(Record):
    """What a leg knows of the ground under its foot."""

    stiffness: float = entry("θ₁ = K", "N/m")
    offset: float = entry("θ₂ = K y_e", "N")
    error: float = entry("e, force foreseen less force felt, at the last tick", "N")


class AdaptationSettings(Record):
    """The settings as the kernel takes them."""

    gain: float = entry("γ", "1/s")
    scale: float = entry("y_s", "m")
    force_least: float = entry("below which nothing is learnt", "N")
    stiffness_least: float = entry("that is believed", "N/m")
    stiffness_most: float = entry("that is believed", "N/m")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class AdaptationConfig:
    """Settings of the adaptation; defaults suit a machine of about 10 kg.

    Raises:
        ConfigError: a setting that is not positive, or no stiffness between bounds.
    """

    gain: float = 50.0
    """γ [1/s]."""
    scale: float = 0.002
    """y_s, a height that feet sink by [m]."""
    force_least: float = 3.0
    """Of a foot that learns [N]."""
    stiffness: float = 50e3
    """First guess [N/m]."""
    stiffness_least: float = 2e3
    """That is believed [N/m]."""
    stiffness_most: float = 500e3
    """That is believed [N/m]."""

    def __post_init__(self) -> None:
        names = ("gain", "scale", "force_least", "stiffness")
        expect_positive(self, *names, "stiffness_least", "stiffness_most")
        if not self.stiffness_least <= self.stiffness <= self.stiffness_most:
            problem = (
                f"stiffness must be from {self.stiffness_least:g} to "
                f"{self.stiffness_most:g} N/m, got {self.stiffness!r}"
            )
            raise ConfigError("AdaptationConfig", [problem])

    def record(self) -> Records[AdaptationSettings]:
        """Return the settings as the kernel takes them, (1,)."""
        settings = AdaptationSettings.zeros()
        for name in AdaptationSettings.entries:
            settings[name] = getattr(self, name)
        return settings


def first_guess(config: AdaptationConfig, legs: int) -> Records[GroundEstimate]:
    """Return what legs know before their first step: ground at height 0, (nl,).

    Args:
        config: with the stiffness to begin with.
        legs: how many.
    """
    estimates = GroundEstimate.zeros(legs)
    estimates["stiffness"] = config.stiffness
    return estimates


@compiled(allocates=False)
def adapt(
    dt: float,
    height: float,
    force: float,
    setting: AdaptationSettings,
    estimate: GroundEstimate,
) -> None:
    """Learn from one tick of one foot.

    Args:
        dt: since the last tick [s].
        height: y of the foot, from a level near the ground [m].
        force: F of the ground on it, upward [N].
        setting: of the law.
        estimate: changed.
    """
    if not force > setting.force_least:
        estimate.error = 0.0
        return
    r = height / setting.scale
    error = estimate.offset - estimate.stiffness * height - force
    part = min(setting.gain * dt, 1.0) * error / (1.0 + r * r)
    stiffness = estimate.stiffness + r * part / setting.scale
    kept = min(max(stiffness, setting.stiffness_least), setting.stiffness_most)
    estimate.stiffness, estimate.offset = kept, estimate.offset - part
    estimate.error = error


@compiled(allocates=False)
def ground_height(estimate: GroundEstimate) -> float:
    """Return y_e [m].

    Args:
        estimate: of the ground.
    """
    return estimate.offset / estimate.stiffness


@compiled(allocates=False)
def reference_height(force: float, estimate: GroundEstimate) -> float:
    """Return y_d = y_e - F_d / K [m], where the ground would carry a force.

    Args:
        force: F_d, that it shall carry [N].
        estimate: of the ground.
    """
    return (estimate.offset - force) / estimate.stiffness


def steady_force(
    ground: float, leg: float, force: float, height: float, place: float
) -> float:
    """Return F = K_e / (K_r + K_e) (F_d + K_r (x_e - x_d)) of an impedance leg at rest.

    Args:
        ground: K_e, its stiffness [N/m].
        leg: K_r, of leg and leg control [N/m].
        force: F_d, told [N].
        height: x_e of the ground [m].
        place: x_d, told [m].
    """
    return ground / (leg + ground) * (force + leg * (height - place))
