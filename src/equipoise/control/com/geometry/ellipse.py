"""The points of an ellipse that are nearest to a point, to the last digits.

Seen along a line, a circle is an ellipse. In its principal axes and in units of the
longer half axis the squared distance from (x, y) to the point at angle φ is::

    g(φ) = (x - cos φ)² + (y - s sin φ)²,      |s| <= 1,  k = 1 - s²
    F(φ) = g'/2 = x sin φ - s y cos φ - k sin φ cos φ

With X = |x| and Y = |s y|, a zero of F has cos φ = X/(k + δ) and sin φ = Y/δ, where δ
solves S(δ) = (X/(k + δ))² + (Y/δ)² = 1. The nearest point has δ > 0; a second minimum
lies beyond the long axis, has -k < δ < 0, and exists exactly when the point is inside
the evolute, X^⅔ + Y^⅔ < k^⅔. Between its poles 1/√S is concave (Cauchy-Schwarz), so
Newton's rule on 1/√S = 1 climbs to the root from one side and never leaves it; the
unknown is δ itself, so nothing cancels when Y is far below k.

``nearest_angle`` adds limits on the angle, ties and the memory of a last choice.
"""

import math
from typing import NamedTuple, TypeAlias

import numpy as np

from equipoise.core.jit import compiled

__all__ = [
    "Choice",
    "Ellipse",
    "angle_within",
    "far_foot",
    "near_foot",
    "nearest_angle",
]


class Ellipse(NamedTuple):
    """An ellipse and a target; lengths are in long half axes.

    The point at φ has height √k sin φ.
    """

    x: float
    """Of the target, along the long axis."""
    y: float
    """Of the target, along the short axis."""
    s: float
    """The short half axis, signed."""
    k: float
    """1 - s², known to more digits than s tells."""
    cos0: float
    """Of the angle φ0 of a turn of zero."""
    sin0: float
    """Likewise."""


class Choice(NamedTuple):
    """Turns that are allowed, and which of them was taken last."""

    lower: float
    """Smallest turn from here [rad]; -inf for none."""
    upper: float
    """Largest turn from here [rad]; inf for none; >= lower."""
    previous: float
    """The turn chosen last time, relative to now [rad]; NaN for none."""
    hold: float
    """Leave the branch of ``previous`` only for a gain above this, >= 0, in the units
    of the distance."""


Angles: TypeAlias = tuple[float, float, float, float]
Place: TypeAlias = tuple[float, float, float]
"""A turn and the cos φ and sin φ it leads to."""

TURN = 2.0 * math.pi
LONGEST_TURN = 1.25 * math.pi
"""A kept turn that drifts past half a circle is given up for the shorter way here."""
SLOPE_NOISE = 1e-12
"""An end of the limits whose slope is this close to level counts as a minimum."""
STEPS = 30
"""Newton steps at most. Seven is the most that was seen, at a cusp."""
NO_OFFSET = 1e-30
"""A Y below this is zero: either s or y is then below 1e-15, and so is its effect."""


@compiled
def near_foot(x_abs: float, y_abs: float, k: float) -> tuple[float, float]:
    """Return (cos φ, sin φ) of the nearest point, both >= 0.

    Args:
        x_abs: X = |x| >= 0, in long half axes.
        y_abs: Y = |s y| >= 0; X + Y + k > 0.
        k: 1 - s², in [0, 1].
    """
    if k == 0.0:
        size = math.hypot(x_abs, y_abs)
        return x_abs / size, y_abs / size
    if y_abs < NO_OFFSET:
        if x_abs >= k:
            return 1.0, 0.0
        return x_abs / k, math.sqrt((1.0 - x_abs / k) * (1.0 + x_abs / k))
    # S >= 1 here: (1 - v)² >= 1 - 2v turns S = 1 into δ² (δ + k - X) = k Y²/2.
    cube = 0.5 * k * y_abs * y_abs
    delta = math.sqrt(cube / (max(k - x_abs, 0.0) + np.cbrt(cube)))
    delta = max(y_abs, x_abs - k, delta)
    for _ in range(STEPS):
        p = x_abs / (k + delta)
        q = y_abs / delta
        square = p * p + q * q
        fall = p * p / (k + delta) + q * q / delta
        step = (math.sqrt(square) - 1.0) * square / fall
        delta += step
        if not step > 2e-16 * delta:
            break
    return x_abs / (k + delta), y_abs / delta


@compiled
def far_foot(x_abs: float, y_abs: float, k: float) -> tuple[float, float]:
    """Return (cos φ >= 0, sin φ <= 0) of the second minimum, or (NaN, NaN) if none.

    Args:
        x_abs: X = |x| >= 0, in long half axes.
        y_abs: Y = |s y| >= 0.
        k: 1 - s², in [0, 1].
    """
    if x_abs + y_abs >= k:
        return math.nan, math.nan
    if y_abs < NO_OFFSET:
        return x_abs / k, -math.sqrt((1.0 - x_abs / k) * (1.0 + x_abs / k))
    if x_abs < 1e-20 * k:  # cos φ < X^⅓ changes the distance by less than X cos φ
        return 0.0, -1.0
    x_part, y_part = np.cbrt(x_abs * x_abs), np.cbrt(y_abs * y_abs)
    both = x_part + y_part
    least = both * both * both / (k * k)  # of S, and outside the evolute above 1
    if least >= 1.0:
        return math.nan, math.nan
    last, rest = k * y_part / both, k * x_part / both  # -δ and k + δ, where it is
    bend = 6.0 * (x_abs**2 / rest**4 + y_abs**2 / last**4)  # of S, at its least
    # S >= 1 also here, as above: (X/(k + δ))² >= 1 - 2 (k - X)/k.
    first = y_abs * max(1.0, math.sqrt(0.5 * k / (k - x_abs)))
    delta = max(first, last - math.sqrt(2.0 * (1.0 - least) / bend))
    for i in range(STEPS):
        p = x_abs / (k - delta)
        q = y_abs / delta
        square = p * p + q * q
        fall = q * q / delta - p * p / (k - delta)
        step = (math.sqrt(square) - 1.0) * square / fall
        step = min(max(step, first - delta), last - delta)
        if not (abs(step) > 2e-16 * delta and (step > 0.0 or i == 0)):
            break  # the first step may go back, all others climb
        delta += step
    return x_abs / (k - delta), -y_abs / delta


@compiled
def _place(ellipse: Ellipse, turn: float) -> Place:
    """Return the turn with the cosine and sine of φ = φ0 + turn."""
    ct, st = math.cos(turn), math.sin(turn)
    cos0, sin0 = ellipse.cos0, ellipse.sin0
    return turn, cos0 * ct - sin0 * st, sin0 * ct + cos0 * st


@compiled
def _slope(ellipse: Ellipse, at: Place) -> float:
    """Return F = g'/2 at a place."""
    x, y, s, k, _, _ = ellipse
    _, cos, sin = at
    return x * sin - s * y * cos - k * sin * cos


@compiled
def _distance_gap(ellipse: Ellipse, one: Place, two: Place) -> float:
    """Return the target's distance to one place minus to the other, to a few eps.

    Close by, the distances themselves are subtracted; far away they share most digits,
    so the difference of their squares is formed term by term and divided by their sum.
    """
    x, y, s, k, _, _ = ellipse
    _, c1, s1 = one
    _, c2, s2 = two
    x1, y1, x2, y2 = x - c1, y - s * s1, x - c2, y - s * s2
    d1, d2 = math.sqrt(x1 * x1 + y1 * y1), math.sqrt(x2 * x2 + y2 * y2)
    total = d1 + d2
    if total < 4.0:
        return d1 - d2
    squares = -2.0 * x * (c1 - c2) - 2.0 * s * y * (s1 - s2)
    squares -= k * (s1 - s2) * (s1 + s2)
    return squares / total


@compiled
def angle_within(angle: float, lower: float, upper: float, near: float) -> float:
    """Return angle + 2πn in [lower, upper] that is nearest ``near``; NaN if none is."""
    turn = angle + TURN * np.round((near - angle) / TURN)
    if turn > upper:
        turn -= TURN * math.ceil((turn - upper) / TURN)
    if turn < lower:
        turn += TURN * math.ceil((lower - turn) / TURN)
    return turn if lower <= turn <= upper else math.nan


@compiled
def _beats(ellipse: Ellipse, rival: Place, holder: Place, tie: float) -> bool:
    """Return whether a rival is nearer, else lower, else the smaller turn."""
    gap = _distance_gap(ellipse, rival, holder)
    if abs(gap) > tie:
        return gap < 0.0
    rise = math.sqrt(ellipse.k) * (rival[2] - holder[2])
    if abs(rise) > tie:
        return rise < 0.0
    return abs(rival[0]) < abs(holder[0])


@compiled
def _best_of(ellipse: Ellipse, turns: Angles, tie: float) -> Place:
    """Return the best of these turns; NaN stands for one that is not allowed."""
    best = (math.nan, 1.0, 0.0)
    for turn in turns:
        if not math.isnan(turn):
            rival = _place(ellipse, turn)
            if math.isnan(best[0]) or _beats(ellipse, rival, best, tie):
                best = rival
    return best


@compiled
def _stay(
    ellipse: Ellipse, turns: Angles, best: Place, previous: float, hold: float
) -> float:
    """Return the minimum nearest ``previous`` that is within ``hold`` of the best.

    The first two turns are minima anyway; the ends, third and fourth, are minima of
    the limited problem only where the distance rises into the interval.
    """
    chosen, away = best[0], math.inf
    longest = max(LONGEST_TURN, abs(best[0]))
    noise = SLOPE_NOISE * (1.0 + abs(ellipse.x) + abs(ellipse.y))
    for i in range(4):
        turn = turns[i]
        if math.isnan(turn) or (i < 2 and abs(turn) > longest):
            continue
        at = _place(ellipse, turn)
        rising = _slope(ellipse, at)
        if (i == 2 and rising < -noise) or (i == 3 and rising > noise):
            continue
        if abs(turn - previous) < away and _distance_gap(ellipse, at, best) <= hold:
            chosen, away = turn, abs(turn - previous)
    return chosen


@compiled
def nearest_angle(ellipse: Ellipse, choice: Choice, tie: float) -> float:
    """Return the turn in [lower, upper] that brings the point nearest to the target.

    Args:
        ellipse: and the target.
        choice: what is allowed; its ``hold`` in long half axes.
        tie: differences of distance and height up to this are rounding. Where no turn
            changes the distance by more, the allowed turn nearest 0 is returned.
    """
    x, y, s, k, cos0, sin0 = ellipse
    lower, upper, previous, hold = choice
    x_abs, y_abs = abs(x), abs(s * y)
    if not x_abs + y_abs + k > tie:
        return min(max(0.0, lower), upper)
    x_sign, y_sign = math.copysign(1.0, x), math.copysign(1.0, s * y)
    cos, sin = near_foot(x_abs, y_abs, k)
    cos, sin = cos * x_sign, sin * y_sign
    one = math.atan2(sin * cos0 - cos * sin0, cos * cos0 + sin * sin0)
    cos, sin = far_foot(x_abs, y_abs, k)
    cos, sin = cos * x_sign, sin * y_sign
    two = math.atan2(sin * cos0 - cos * sin0, cos * cos0 + sin * sin0)
    first, last = math.nan, math.nan
    if math.isfinite(lower):
        first = lower
    if math.isfinite(upper):
        last = upper
    turns = (angle_within(one, lower, upper, 0.0), angle_within(two, lower, upper, 0.0))
    if math.isnan(previous) and math.isnan(two) and not math.isnan(turns[0]):
        return turns[0]
    best = _best_of(ellipse, (turns[0], turns[1], first, last), tie)
    if math.isnan(previous):
        return best[0]
    one = angle_within(one, lower, upper, previous)
    two = angle_within(two, lower, upper, previous)
    return _stay(ellipse, (one, two, first, last), best, previous, hold + tie)
