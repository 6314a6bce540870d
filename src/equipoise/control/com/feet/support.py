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
from typing import Annotated

from equipoise.control.com.brain.contact import ContactEntry
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = [
    "SupportConfig",
    "Verdict",
    "balance_verdict",
    "hull_margin",
]

LEVEL = 0.01  # [m] and [rad]; contacts nearer than this to one level plane are level


class Verdict(IntEnum):
    """An answer about balance; never a guess."""

    NOT_KNOWN = -1
    NO = 0
    YES = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class SupportConfig(Settings):
    """Margins that a verdict requires; defaults suit modules of 84 mm."""

    margin: Annotated[
        float,
        Setting(
            "Least distance from the edge of the support, all errors subtracted",
            "m",
            least=0.0,
        ),
    ] = 0.02
    place_error: Annotated[
        float,
        Setting(
            "Distance that a contact may have moved without a new message, and "
            "rounding; twice the step from which a module counts a contact as another "
            "one",
            "m",
            least=0.0,
        ),
    ] = 0.004
    jolt: Annotated[
        float,
        Setting("Acceleration that old numbers may not show yet", "m/s²", least=0.0),
    ] = 4.0


@compiled(allocates=False)
def hull_margin(
    contacts: Records[ContactEntry], chosen: Ints, count: int, x: float, y: float
) -> float:
    """Return how far a point is inside the hull of some contacts, seen from above.

    Args:
        contacts: a contact table.
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
            first = contacts[chosen[a]].place.point
            second = contacts[chosen[b]].place.point
            ax, ay = first[0], first[1]
            ex, ey = second[0] - ax, second[1] - ay
            length = math.sqrt(ex * ex + ey * ey)
            if not length > 0.0:
                continue
            widest, is_edge = 0.0, True
            for c in range(count):
                third = contacts[chosen[c]].place.point
                cx, cy = third[0] - ax, third[1] - ay
                left = (ex * cy - ey * cx) / length
                widest = max(widest, left)
                is_edge = is_edge and left >= -1e-9  # a nanometre is rounding
            if is_edge and widest > 1e-9:
                least = min(least, (ex * (y - ay) - ey * (x - ax)) / length)
    return least if least < math.inf else -math.inf


@compiled(allocates=False)
def balance_verdict(
    contacts: Records[ContactEntry],
    chosen: Ints,
    count: int,
    xy: tuple[float, float],
    slack: float,
    need: float,
) -> int:
    """Return whether some contacts hold up a centre of mass: 1, 0, or -1 for unknown.

    Args:
        contacts: a contact table.
        chosen: which rows of it, (any,); sorted anew, usable ones first.
        count: how many of ``chosen``.
        xy: of the centre of mass [m].
        slack: how wrong the numbers may be [m].
        need: how far inside it must be beside that [m].
    """
    able, level = 0, True
    low, high = math.inf, -math.inf
    for k in range(count):
        row = chosen[k]
        place = contacts[row].place
        nx, ny, nz = place.normal[0], place.normal[1], place.normal[2]
        side = math.sqrt(nx * nx + ny * ny)
        low, high = min(low, place.point[2]), max(high, place.point[2])
        level = level and side <= LEVEL * nz
        if nz > 0.0 and side <= place.friction * nz:
            chosen[k], chosen[able] = chosen[able], row
            able += 1
    margin = hull_margin(contacts, chosen, able, xy[0], xy[1])
    if margin >= slack + need:
        return 1
    is_flat = level and able == count and high - low <= LEVEL and count > 0
    if count == 0 or (is_flat and count > 2 and margin < -slack):
        return 0
    return -1
