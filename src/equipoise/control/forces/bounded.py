"""Loads between a least and a largest that give a force and two moments.

Loads f of feet at (x, y) give the force Σ f and the moments Σ y f and -Σ x f. Of all
loads within their bounds the smallest that give what is wanted are taken; where none
do, those that come nearest, force before moments. Both are one problem,

    least ½ |f|² + 1/(2 ε) |A f - b|²,    l <= f <= u

whose answer is f = clip(Aᵀ y, l, u) for the y with A f(y) + ε y = b: three equations,
whatever the number of feet, whose left side is piecewise linear and monotone. Newton's
method with an exact search along each step ends after a few rounds at the root itself
[QiSun1993]. With three feet off their bounds what ε has left is taken out.
"""

import math

from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["BoundedLoad", "share_within"]

FORCE_WEIGHT = 3.0  # of the force, beside 1 of the moments over the feet's mean arm
SLACK = 1e-7  # ε, over the size of A Aᵀ
FLAT = 1e-9  # share of it below which three feet are taken to be in line
ROUNDS = 40

Six = tuple[float, float, float, float, float, float]
Three = tuple[float, float, float]


class BoundedLoad(Record):
    """Load of one foot that shares a force and moments."""

    arm: Vec3 = entry("of the foot from the centre of mass", "m", 3)
    least: float = entry("load that it carries at least", "N")
    most: float = entry("and at most; 0 where it does not stand", "N")
    load: float = entry("that it carries", "N")
    row: Vec3 = entry("what a newton of it gives, weighted", "", 3)
    step: float = entry("of its load, unbounded, along the present search", "N")
    would: float = entry("its load if it were not bounded", "N")


@compiled(allocates=False)
def share_within(f3: float, m1: float, m2: float, feet: Records[BoundedLoad]) -> int:
    """Write the smallest loads within their bounds that provide force and moments.

    Args:
        f3: force along the third axis that the trunk shall feel [N].
        m1: moment about the first axis [N m].
        m2: and about the second [N m].
        feet: with arms and bounds; loads are overwritten, (nl,).

    Returns:
        Rounds that it took; 0 where no foot stands.
    """
    size = 0.0
    count = 0
    for foot in feet:
        if foot.most > 0.0:
            size += foot.arm[0] * foot.arm[0] + foot.arm[1] * foot.arm[1]
            count += 1
    if count == 0:
        for foot in feet:
            foot.load = 0.0
        return 0
    arm = max(math.sqrt(size / count), 1e-6)
    for foot in feet:
        foot.row[0] = FORCE_WEIGHT
        foot.row[1], foot.row[2] = foot.arm[1] / arm, -foot.arm[0] / arm
    b = (FORCE_WEIGHT * f3, m1 / arm, m2 / arm)
    rounds = _search(b, feet)
    for _ in range(2):
        _make_exact(b, feet)
    return rounds


@compiled(allocates=False)
def _search(b: Three, feet: Records[BoundedLoad]) -> int:
    """Find y of A clip(Aᵀ y) + ε y = b and write the loads; return the rounds."""
    y0, y1, y2 = 0.0, 0.0, 0.0
    slack = SLACK * (FORCE_WEIGHT * FORCE_WEIGHT + 1.0) * feet.shape[0]
    rounds = 0
    while rounds < ROUNDS:
        rounds += 1
        g0, g1, g2 = slack * y0 - b[0], slack * y1 - b[1], slack * y2 - b[2]
        for foot in feet:
            r = foot.row
            foot.would = r[0] * y0 + r[1] * y1 + r[2] * y2
            foot.load = min(max(foot.would, foot.least), foot.most)
            g0, g1, g2 = (
                g0 + r[0] * foot.load,
                g1 + r[1] * foot.load,
                g2 + r[2] * foot.load,
            )
        d0, d1, d2 = _solved(_gram(slack, feet), (-g0, -g1, -g2))
        for foot in feet:
            foot.step = foot.row[0] * d0 + foot.row[1] * d1 + foot.row[2] * d2
        value = d0 * g0 + d1 * g1 + d2 * g2
        t = _far(value, slack * (d0 * d0 + d1 * d1 + d2 * d2), feet)
        y0, y1, y2 = y0 + t * d0, y1 + t * d1, y2 + t * d2
        if t == 1.0 or not value < 0.0:
            break
    for foot in feet:
        foot.would = foot.row[0] * y0 + foot.row[1] * y1 + foot.row[2] * y2
        foot.load = min(max(foot.would, foot.least), foot.most)
    return rounds


@compiled(allocates=False)
def _is_free(foot: BoundedLoad) -> bool:
    """Return whether a foot's load is off its bounds."""
    return foot.least < foot.would < foot.most


@compiled(allocates=False)
def _gram(slack: float, feet: Records[BoundedLoad]) -> Six:
    """Return A Aᵀ of the feet off their bounds, and what is added to its diagonal."""
    a, b, c = slack, 0.0, 0.0
    d, e, g = slack, 0.0, slack
    for foot in feet:
        if _is_free(foot):
            r = foot.row
            a, b, c = a + r[0] * r[0], b + r[0] * r[1], c + r[0] * r[2]
            d, e, g = d + r[1] * r[1], e + r[1] * r[2], g + r[2] * r[2]
    return a, b, c, d, e, g


@compiled(allocates=False)
def _far(value: float, steep: float, feet: Records[BoundedLoad]) -> float:
    """Return how far to go along a step: where the slope along it becomes zero.

    Exactly 1 where no load comes to or off a bound before.

    Args:
        value: the slope where it begins, negative.
        steep: how it grows by ε alone.
        feet: with their loads and steps.
    """
    at = 0.0
    for _ in range(2 * feet.shape[0] + 1):
        bend, nearest = steep, math.inf
        for foot in feet:
            if foot.step == 0.0 or foot.most <= foot.least:
                continue
            into = foot.least if foot.step > 0.0 else foot.most
            out = foot.most if foot.step > 0.0 else foot.least
            first, last = (
                (into - foot.would) / foot.step,
                (out - foot.would) / foot.step,
            )
            if first <= at < last:
                bend += foot.step * foot.step
            for edge in (first, last):
                if at < edge < nearest:
                    nearest = edge
        until = nearest if nearest < math.inf else at + 2.0
        if value + bend * (until - at) >= 0.0 or nearest == math.inf:
            ends = at - value / bend
            return 1.0 if at == 0.0 and abs(ends - 1.0) < 1e-9 else ends
        value, at = value + bend * (until - at), until
    return at


@compiled(allocates=False)
def _make_exact(b: Three, feet: Records[BoundedLoad]) -> None:
    """Take out what is still missing by the feet off their bounds, if three are."""
    r0, r1, r2, count = b[0], b[1], b[2], 0
    for foot in feet:
        r, f = foot.row, foot.load
        r0, r1, r2 = r0 - r[0] * f, r1 - r[1] * f, r2 - r[2] * f
        count += 1 if foot.least < f < foot.most else 0
    rows = _gram(0.0, feet)
    a, p, q, d, e, g = rows
    volume = a * (d * g - e * e) - p * (p * g - e * q) + q * (p * e - d * q)
    if count < 3 or volume <= FLAT * a * d * g:
        return
    y0, y1, y2 = _solved(rows, (r0, r1, r2))
    for foot in feet:
        foot.step = 0.0
        if _is_free(foot):
            foot.step = foot.row[0] * y0 + foot.row[1] * y1 + foot.row[2] * y2
            if not foot.least <= foot.load + foot.step <= foot.most:
                return  # feet nearly in line: what is there is nearest
    for foot in feet:
        foot.load += foot.step


@compiled(allocates=False)
def _solved(rows: Six, right: Three) -> Three:
    """Return x of [[a, b, c], [b, d, e], [c, e, g]] x = right by Cholesky.

    Args:
        rows: a, b, c, d, e and g.
        right: hand side.
    """
    a, b, c, d, e, g = rows
    l11 = math.sqrt(a)
    l21, l31 = b / l11, c / l11
    l22 = math.sqrt(max(d - l21 * l21, 1e-300))
    l32 = (e - l31 * l21) / l22
    l33 = math.sqrt(max(g - l31 * l31 - l32 * l32, 1e-300))
    p = right[0] / l11
    q = (right[1] - l21 * p) / l22
    r = (right[2] - l31 * p - l32 * q) / l33
    w = r / l33
    v = (q - l32 * w) / l22
    return (p - l21 * v - l31 * w) / l11, v, w
