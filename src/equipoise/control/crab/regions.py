"""Where the centre of mass may be while one leg is in the air.

Seen from above, in the heading's frame. Two things bound it: the triangle of the three
feet that stay, drawn in by a margin, and the reach of each leg, which is a box about
its hip. Both are half-planes, so that what is left is a convex polygon, cut out of the
triangle one half-plane after the other.

The centre of mass is the whole machine's: legs have mass, so that it lies

    c = A p + s,   A = 1 - Σ M_k,   s = c₀ + Σ M_k (f_k - m_k)

for a trunk at p and feet at f_k, with m_k a foot's middle under the trunk, M_k the
share of the centre's way in its foot's, and c₀ the centre with all feet in the middle.
"""

import math

from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["MOST", "CrabBody", "CrabLeg", "nearest_in", "region", "sum_up"]

MOST = 32  # corners that a polygon may have: 3, and one more for each half-plane
FLAT = 1e-9  # twice the area below which a triangle is none [m^2]


class CrabLeg(Record):
    """Leg seen from above."""

    foot: VecN = entry("where it stands", "m", 2)
    middle: VecN = entry("of its reach under the trunk", "m", 2)
    low: VecN = entry("least of its reach from the trunk", "m", 2)
    high: VecN = entry("largest of its reach from the trunk", "m", 2)
    share: Array = entry("way of the centre of mass over its foot's", "", 2, 2)


class CrabBody(Record):
    """Relation of the centre of mass to trunk and feet; see the file."""

    centre: VecN = entry("of mass, all feet in the middle", "m", 2)
    back: Array = entry("A⁻¹", "", 2, 2)
    offset: VecN = entry("s, of the feet as they stand", "m", 2)
    margin: float = entry("of the centre of mass in its triangle", "m")


@compiled(allocates=False)
def sum_up(legs: Records[CrabLeg], body: Records[CrabBody]) -> None:
    """Write A⁻¹ and s of feet as they stand."""
    one = body[0]
    a, b, c, d = 1.0, 0.0, 0.0, 1.0
    one.offset[0], one.offset[1] = one.centre[0], one.centre[1]
    for leg in legs:
        x, y = leg.foot[0] - leg.middle[0], leg.foot[1] - leg.middle[1]
        a, b = a - leg.share[0, 0], b - leg.share[0, 1]
        c, d = c - leg.share[1, 0], d - leg.share[1, 1]
        one.offset[0] += leg.share[0, 0] * x + leg.share[0, 1] * y
        one.offset[1] += leg.share[1, 0] * x + leg.share[1, 1] * y
    over = a * d - b * c
    one.back[0, 0], one.back[0, 1] = d / over, -b / over
    one.back[1, 0], one.back[1, 1] = -c / over, a / over


@compiled(allocates=False)
def region(
    legs: Records[CrabLeg], lifts: int, body: Records[CrabBody], out: Array
) -> int:
    """Write the corners of where the centre of mass may be; return how many there are.

    Args:
        legs: where they stand and how far they reach, (4,).
        lifts: the leg in the air; it must reach its foothold all the same, whether it
            has not left it yet or is about to land on it.
        body: with margin, A⁻¹ and s, (1,).
        out: room, two layers, (2, MOST, 2) [m]; the corners are in the first.

    Returns:
        How many corners; 0 where it may be nowhere.
    """
    one, count = body[0], 0
    for k in range(legs.shape[0]):
        if k != lifts:
            out[0, count, 0], out[0, count, 1] = legs[k].foot[0], legs[k].foot[1]
            count += 1
    count = _drawn_in(out, one.margin)
    for leg in legs:
        for i in range(2):  # p = A⁻¹ (c - s) with low <= foot - p <= high
            a, b = one.back[i, 0], one.back[i, 1]
            at = leg.foot[i] + a * one.offset[0] + b * one.offset[1]
            count = _cut(out, count, a, b, at - leg.low[i])
            count = _cut(out, count, -a, -b, leg.high[i] - at)
    return count


@compiled(allocates=False)
def _drawn_in(out: Array, margin: float) -> int:
    """Draw the triangle in the first layer in by a margin; return its corners."""
    x, y = out[0, 0, 0], out[0, 0, 1]
    ax, ay = out[0, 1, 0] - x, out[0, 1, 1] - y
    bx, by = out[0, 2, 0] - x, out[0, 2, 1] - y
    twice = ax * by - ay * bx
    if abs(twice) < FLAT:
        return 0
    turn = math.copysign(1.0, twice)
    corners = ((x, y), (x + ax, y + ay), (x + bx, y + by))
    count = 3
    for k in range(3):
        (px, py), (qx, qy) = corners[k], corners[(k + 1) % 3]
        a, b = turn * (qy - py), turn * (px - qx)  # out of the triangle
        size = math.sqrt(a * a + b * b)
        count = _cut(out, count, a / size, b / size, (a * px + b * py) / size - margin)
    return count


@compiled(allocates=False)
def _cut(out: Array, count: int, a: float, b: float, most: float) -> int:
    """Keep what of the first layer's polygon has a x + b y <= most; return corners."""
    kept = 0
    for k in range(count):
        x, y = out[0, k, 0], out[0, k, 1]
        after = (k + 1) % count
        u, v = out[0, after, 0], out[0, after, 1]
        here, there = a * x + b * y - most, a * u + b * v - most
        if here <= 0.0 and kept < out.shape[1]:
            out[1, kept, 0], out[1, kept, 1] = x, y
            kept += 1
        if (here < 0.0 < there or there < 0.0 < here) and kept < out.shape[1]:
            share = here / (here - there)
            out[1, kept, 0], out[1, kept, 1] = x + share * (u - x), y + share * (v - y)
            kept += 1
    for k in range(kept):
        out[0, k, 0], out[0, k, 1] = out[1, k, 0], out[1, k, 1]
    return kept


@compiled(allocates=False)
def nearest_in(
    corners: Array, count: int, point: VecN, ahead: VecN, heavy: float, out: VecN
) -> float:
    """Write the point of a convex polygon nearest to one; return how far it is.

    Args:
        corners: in either sense of turn, (>= count, 2) [m].
        count: how many there are; 0 writes the point itself and returns infinity.
        point: (2,) [m].
        ahead: direction along which ways count more, (2,).
        heavy: by how much; 1 for distances as they are.
        out: (2,) [m]; overwritten.
    """
    x, y = point[0], point[1]
    out[0], out[1] = x, y
    if count == 0:
        return math.inf
    u, v = ahead[0], ahead[1]
    least, lefts, rights = math.inf, 0, 0
    for k in range(count):
        after = (k + 1) % count
        px, py = corners[k, 0], corners[k, 1]
        dx, dy = corners[after, 0] - px, corners[after, 1] - py
        side = dx * (y - py) - dy * (x - px)
        lefts, rights = lefts + (side > 0.0), rights + (side < 0.0)
        d1, d2 = heavy * (u * dx + v * dy), u * dy - v * dx  # ways as they count
        e1 = heavy * (u * (x - px) + v * (y - py))
        e2 = u * (y - py) - v * (x - px)
        square = d1 * d1 + d2 * d2
        share = (e1 * d1 + e2 * d2) / square if square > 0.0 else 0.0
        share = min(max(share, 0.0), 1.0)
        far = math.sqrt((e1 - share * d1) ** 2 + (e2 - share * d2) ** 2)
        if far < least:
            least, out[0], out[1] = far, px + share * dx, py + share * dy
    if count > 2 and (lefts == 0 or rights == 0):
        out[0], out[1] = x, y
        return 0.0
    return least
