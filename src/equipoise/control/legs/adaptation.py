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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, final

from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = [
    "AdaptationConfig",
    "GroundEstimate",
    "adapt",
    "first_guess",
    "ground_height",
    "reference_height",
    "steady_force",
]


class GroundEstimate(Record):
    """Estimate of the ground under one foot."""

    stiffness: float = entry("θ₁ = K", "N/m")
    offset: float = entry("θ₂ = K y_e", "N")
    error: float = entry("e, force foreseen less force felt, at the last tick", "N")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class AdaptationConfig(Settings):
    """Settings of the adaptation; the defaults suit a machine of about 10 kg."""

    gain: Annotated[float, Setting("Gain of the adaptation, γ", "1/s", above=0.0)] = (
        50.0
    )
    scale: Annotated[
        float, Setting("Sinkage that scales the adaptation, y_s", "m", above=0.0)
    ] = 0.002
    force_least: Annotated[
        float, Setting("Load above which a foot learns", "N", above=0.0)
    ] = 3.0
    stiffness: Annotated[
        float, Setting("First guess of the ground's stiffness", "N/m", above=0.0)
    ] = 50e3
    stiffness_least: Annotated[
        float, Setting("Smallest stiffness that is believed", "N/m", above=0.0)
    ] = 2e3
    stiffness_most: Annotated[
        float, Setting("Largest stiffness that is believed", "N/m", above=0.0)
    ] = 500e3

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the first guess and its bounds together."""
        if not self.stiffness_least <= self.stiffness <= self.stiffness_most:
            yield (
                f"stiffness must be from {self.stiffness_least:g} to "
                f"{self.stiffness_most:g} N/m, got {self.stiffness!r}"
            )


def first_guess(config: AdaptationConfig, legs: int) -> Records[GroundEstimate]:
    """Return the estimates before the first step: ground at height 0, (nl,).

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
    setting: AdaptationConfig,
    estimate: GroundEstimate,
) -> None:
    """Update the estimate of the ground by one tick of one foot.

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
    """Return the height of the unloaded ground, y_e [m].

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
