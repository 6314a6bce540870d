"""Bounds of a force distribution, changed on line by what happens to the machine.

BIPMAN's idea of real-time criteria and constraints adaptation: how a machine answers a
disturbance is changed by the bounds of its distribution, not by its gains
([Ridderstrom2003] sections 3.2.3 and 3.2.4, footnote 15). The numbers are not printed.
Ours: nominal as walking needs it; on a slip no foot may become light, and loads change
more slowly, so that friction is kept; on a push loads may change as fast as it takes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, final

from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError, UnknownNameError

__all__ = ["ConstraintsConfig", "LoadBounds", "LoadLimits", "Situation", "constraints"]

Situation = Literal["nominal", "slip", "push"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LoadBounds:
    """Bounds of any machine's loads, by its weight.

    Raises:
        ConfigError: bounds that are not positive, or that leave nothing between.
    """

    least: float = 0.05
    """min₁, of an equal share of the weight."""
    most: float = 1.0
    """max₁, of the weight."""
    rate: float = 20.0
    """max₂, of the weight in a second: a tenth of it in 5 ms [1/s]."""

    def __post_init__(self) -> None:
        expect_positive(self, "least", "most", "rate")
        if not self.least < min(1.0, self.most):
            problem = f"least must be below 1 and below most, got {self.least!r}"
            raise ConfigError("LoadBounds", [problem])


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ConstraintsConfig:
    """Bounds in each situation."""

    nominal: LoadBounds = field(default_factory=LoadBounds)
    slip: LoadBounds = field(default_factory=lambda: LoadBounds(least=0.3, rate=5.0))
    push: LoadBounds = field(default_factory=lambda: LoadBounds(most=1.5, rate=80.0))


@final
@dataclass(frozen=True, slots=True)
class LoadLimits:
    """min₁, max₁ and max₂ of each foot, for ``forces.vertical``."""

    least: float
    """[N]."""
    most: float
    """[N]."""
    step: float
    """[N]."""


USUAL = ConstraintsConfig()


def constraints(
    situation: Situation,
    weight: float,
    legs: int,
    period: float,
    config: ConstraintsConfig = USUAL,
) -> LoadLimits:
    """Return the bounds of each foot's load.

    Args:
        situation: that the machine finds itself in.
        weight: of the machine [N].
        legs: that stand.
        period: from one distribution to the next [s].
        config: bounds in each situation.

    Raises:
        UnknownNameError: no such situation.
    """
    known: Mapping[str, LoadBounds] = {
        "nominal": config.nominal,
        "slip": config.slip,
        "push": config.push,
    }
    if situation not in known:
        raise UnknownNameError("situation", situation, known, "a distribution")
    bounds = known[situation]
    return LoadLimits(
        least=bounds.least * weight / max(legs, 1),
        most=bounds.most * weight,
        step=bounds.rate * weight * period,
    )
