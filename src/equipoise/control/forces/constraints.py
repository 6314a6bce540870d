"""Bounds of a force distribution, changed on line by what happens to the machine.

BIPMAN's idea of real-time criteria and constraints adaptation: how a machine answers a
disturbance is changed by the bounds of its distribution, not by its gains
([Ridderstrom2003] sections 3.2.3 and 3.2.4, footnote 15). The numbers are not printed.
Ours: nominal as walking needs it; on a slip no foot may become light, and loads change
more slowly, so that friction is kept; on a push loads may change as fast as it takes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, final

from equipoise.core.errors import UnknownNameError
from equipoise.core.setting import Setting, Settings

__all__ = ["ConstraintsConfig", "LoadBounds", "LoadLimits", "Situation", "constraints"]

Situation = Literal["nominal", "slip", "push"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LoadBounds(Settings):
    """Bounds of any machine's foot loads, relative to its weight."""

    least: Annotated[
        float,
        Setting(
            "Smallest load, as a part of an equal share of the weight, min₁", above=0.0
        ),
    ] = 0.05
    most: Annotated[
        float, Setting("Largest load, as a share of the weight, max₁", above=0.0)
    ] = 1.0
    rate: Annotated[
        float,
        Setting(
            "Largest rate of change, as a share of the weight, max₂", "1/s", above=0.0
        ),
    ] = 20.0

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the two loads together."""
        if not self.least < min(1.0, self.most):
            yield f"least must be below 1 and below most, got {self.least!r}"


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
    """Limits of each foot's load for ``forces.vertical``: min₁, max₁ and max₂."""

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
