"""Yes, no or unknown: what the lamp says of a robot that runs, and why.

Yes is an observation, not a promise: it is upright, and its capture point is inside the
hull of all that it stood on within the last ``RECENT`` seconds, where its feet come
down: standing, it comes to rest as a pendulum; walking, its next steps are as its last
ones. A trot stands on a line at a time, inside which no point is. No: it fell. All else
is unknown.
"""

import math
from collections import deque
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.stability.rigid.hull import support_corners
from equipoise.stability.rigid.support import static_margin
from equipoise.viz.live.markup import Lamp

__all__ = ["RECENT", "BalanceStatus"]

RECENT = 0.8  # [s]
MILLI = 1e3


@final
@dataclass
class BalanceStatus:
    """Remembers where the robot stood of late, and when it fell."""

    stood: deque[tuple[float, Array]] = field(default_factory=deque, repr=False)
    """When, and on which corners, (n, 3) [m]."""
    fell_at: float | None = None
    """When it fell first; None if it has not [s]."""
    how: str = ""
    """It fell, a word or two."""
    broken: str = ""
    """Why nothing is known any more, in a sentence."""

    def fall(self, time: float, how: str) -> None:
        """Take note of a fall; only the first one counts.

        Args:
            time: of it [s].
            how: a word or two; may be empty.
        """
        if self.fell_at is None:
            self.fell_at, self.how = time, how

    def look(self, time: float, support: Array, capture: Vec3) -> tuple[Lamp, str]:
        """Return the verdict now, and why.

        Args:
            time: now, not before the last look [s].
            support: corners of what it stands on, (n, 3) [m].
            capture: its capture point, (3,) [m]; NaN where it has none.
        """
        margin = self.margin(time, support, capture)
        said = self.ended()
        if said is not None:
            return said
        if math.isnan(margin):
            return "unknown", "Upright, but it stands on nothing."
        if margin > 0.0:
            where = (
                f"its capture point is {margin:.0f} mm inside the area where "
                "its feet stood"
            )
            return "yes", f"Upright; {where} of late."
        where = (
            f"its capture point is {-margin:.0f} mm outside the area where its "
            "feet stood"
        )
        return "unknown", f"Upright, but {where}: only other steps can catch it."

    def margin(self, time: float, support: Array, capture: Vec3) -> float:
        """Return how far inside recent footholds the capture point is [mm].

        Args:
            time: now [s].
            support: corners of what it stands on now, (n, 3) [m].
            capture: its capture point, (3,) [m].

        Returns:
            The margin; NaN where it stood on nothing, or has no such point.
        """
        self.stood.append((time, support))
        while time - self.stood[0][0] > RECENT:
            self.stood.popleft()
        points = np.concatenate([corners for _, corners in self.stood])
        if not len(points) or not np.isfinite(capture).all():
            return math.nan
        hull = points[support_corners(points)]
        return MILLI * float(static_margin(capture[:2], hull))

    def ended(self) -> tuple[Lamp, str] | None:
        """Return the verdict that holds for good; None while it goes on."""
        if self.fell_at is not None:
            how = f": {self.how}" if self.how else ""
            return "no", f"It fell at {self.fell_at:.2f} s{how}."
        return ("unknown", self.broken) if self.broken else None
