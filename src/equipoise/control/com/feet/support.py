"""What a module's contact table says about standing: margin and verdict, compiled.

A table lists contacts: place, normal and friction. On level ground the centre of mass
must be above the hull of the contacts, the support polygon; with friction and ground
that faces any way, inside the region of static equilibrium ([Moll2006] section IV asks
for it, [Bretl2006] computes it; ``support_region`` returns it).

Inside a control tick one cannot solve cones. ``hull_margin`` is then on the safe side:
a contact whose friction cone holds the vertical could carry the weight alone, so the
hull of such contacts lies inside the region, and "yes" is never wrong. "No" is said on
level ground only, where hull and region are the same. Torque limits are not looked at.
"""

import math
from dataclasses import dataclass
from enum import IntEnum

from equipoise.core.arrays import Array, Ints
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = [
    "SupportConfig",
    "Verdict",
    "balance_verdict",
    "hull_margin",
]

LEVEL = 0.01  # [m] and [rad]; contacts nearer than this to one level plane are level
POINT, NORMAL, FRICTION = 0, 3, 6
"""Columns of ``Mind.place``."""


class Verdict(IntEnum):
    """An answer about balance; never a guess."""

    NOT_KNOWN = -1
    NO = 0
    YES = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class SupportConfig:
    """How far inside the centre of mass must be; for modules of 84 mm."""

    margin: float = 0.02
    """Least distance from the edge of the support, all errors taken off [m]."""
    place_error: float = 0.004
    """What a contact may have moved without being told anew, and rounding [m]; twice
    the step from which a brain counts a contact as another one."""
    jolt: float = 4.0
    """Change of speed that old numbers may not show yet [m/s²]."""

    def __post_init__(self) -> None:
        """Refuse margins that are none."""
        expect_positive(self, "margin", "place_error", "jolt", zero=True)


@compiled(allocates=False)
def hull_margin(place: Array, chosen: Ints, count: int, x: float, y: float) -> float:
    """Return how far a point is inside the hull of some contacts, seen from above.

    Args:
        place: contacts, (any, PLACE).
        chosen: which rows of it, (any,).
        count: how many of ``chosen``.
        x: of the point [m].
        y: of the point [m].

    Returns:
        The distance to the nearest edge [m]; outside, minus at most the distance to the
        hull; minus infinity where the hull has no area.
    """
    least = math.inf
    for a in range(count):
        for b in range(count):
            ax, ay = place[chosen[a], 0], place[chosen[a], 1]
            ex, ey = place[chosen[b], 0] - ax, place[chosen[b], 1] - ay
            length = math.sqrt(ex * ex + ey * ey)
            if not length > 0.0:
                continue
            widest, is_edge = 0.0, True
            for c in range(count):
                cx, cy = place[chosen[c], 0] - ax, place[chosen[c], 1] - ay
                left = (ex * cy - ey * cx) / length
                widest = max(widest, left)
                is_edge = is_edge and left >= -1e-9  # a nanometre is rounding
            if is_edge and widest > 1e-9:
                least = min(least, (ex * (y - ay) - ey * (x - ax)) / length)
    return least if least < math.inf else -math.inf


@compiled(allocates=False)
def balance_verdict(
    place: Array,
    chosen: Ints,
    count: int,
    x: float,
    y: float,
    slack: float,
    need: float,
) -> int:
    """Return whether some contacts hold up a centre of mass: 1, 0, or -1 for unknown.

    Args:
        place: contacts, (any, PLACE).
        chosen: which rows of it, (any,); sorted anew, usable ones first.
        count: how many of ``chosen``.
        x: of the centre of mass [m].
        y: of the centre of mass [m].
        slack: how wrong the numbers may be [m].
        need: how far inside it must be beside that [m].
    """
    able, level = 0, True
    low, high = math.inf, -math.inf
    for k in range(count):
        row = chosen[k]
        nx, ny, nz = place[row, NORMAL], place[row, NORMAL + 1], place[row, NORMAL + 2]
        side = math.sqrt(nx * nx + ny * ny)
        low, high = min(low, place[row, 2]), max(high, place[row, 2])
        level = level and side <= LEVEL * nz
        if nz > 0.0 and side <= place[row, FRICTION] * nz:
            chosen[k], chosen[able] = chosen[able], row
            able += 1
    margin = hull_margin(place, chosen, able, x, y)
    if margin >= slack + need:
        return 1
    is_flat = level and able == count and high - low <= LEVEL and count > 0
    if count == 0 or (is_flat and count > 2 and margin < -slack):
        return 0
    return -1
