"""How far the barrier is followed, by precision: rounding decides."""

from dataclasses import dataclass, replace
from typing import final

from equipoise.core.kinds import Precision

__all__ = ["HALFWAY", "MOST_TURNS", "REACHED", "SETTINGS", "SETTLED", "ConeSettings"]

MOST_TURNS = 30
"""Of one direction, and of the last."""
REACHED = 0.999
"""Share of a t that counts as it: rounding may end a little below."""
SETTLED = 0.01
"""Square of the distance to the middle below which the last path is at its end: a tenth
of the ellipsoid inside all cones, where the next turn has a hundredth of it left."""
HALFWAY = 0.25
"""The same for bounds, where forces need only be in their cones."""


@final
@dataclass(frozen=True)
class ConeSettings:
    """Weights t of the aim in the barrier, and what counts as equal."""

    held: float
    """Up to which the direction of the nearest edge is held."""
    coarse: float
    """For bounds: they are within 2 nc / t of the contacts' spread."""
    fine: float
    """For the answer, which is then followed to its end."""
    close: float
    """Bounds this near, over the spread, have met."""
    band: float
    """By how much the answer may be off the bounds, over the spread, and forces off
    their cones, over the weight: rounding."""

    def of(self, contacts: int) -> "ConeSettings":
        """Return them for so many contacts; up to four they are as they stand."""
        return replace(self, close=self.close * max(1.0, contacts / 4))


SETTINGS: dict[Precision, ConeSettings] = {
    "double": ConeSettings(1e3, 1e4, 1e7, 1.2e-3, 1e-6),
    "single": ConeSettings(3e2, 5e3, 5e3, 2.4e-3, 1e-4),
}
