"""The least margin of a straight periodic gait, compiled, for searches over phases.

Shares no code with ``margins``, which takes any plan; the two check each other. The
centre of mass is the origin, feet pass below it at constant speed, and each instant of
lift-off or footfall is looked at from both sides.
"""

import math

import numpy as np

from equipoise.control.gaits.phase_gait import TIE
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["least_longitudinal", "least_margin", "least_static"]

NARROW = 1e-12  # width below which a hull has none, for feet about a metre apart


@compiled(allocates=False)
def least_margin(
    phases: Array,
    duty: Array,
    feet: Array,
    stride: Array,
    is_static: bool,
    place: Array,
) -> float:
    """Return the least margin over a cycle [m]; -inf if ever no foot stands.

    Args:
        phases: footfalls, (nl,), in [0, 1).
        duty: factors, (nl,).
        feet: mid-stance places from the centre of mass, (nl, 2) [m].
        stride: of a cycle, (2,) [m].
        is_static: the way to the edge anywhere, instead of ahead and behind (along x).
        place: room for the feet that stand, (nl, 2); overwritten.
    """
    legs = len(phases)
    least = np.inf
    for event in range(4 * legs):
        leg, is_lift, is_after = event // 4, (event // 2) % 2 == 1, event % 2 == 1
        time = phases[leg] + (duty[leg] if is_lift else 0.0)
        count = 0
        for k in range(legs):
            since = time - phases[k]
            since -= math.floor(since)
            if since >= 1.0 - TIE:
                since = 0.0
            if is_after:
                stands = since < duty[k] - TIE
            else:
                stands = TIE < since <= duty[k] + TIE
            if stands:
                back = since - 0.5 * duty[k]
                place[count, 0] = feet[k, 0] - back * stride[0]
                place[count, 1] = feet[k, 1] - back * stride[1]
                count += 1
        margin = static_at(place, count) if is_static else _along_at(place, count)
        least = min(least, margin)
    return least


@compiled(allocates=False)
def static_at(place: Array, count: int) -> float:
    """Return the margin of the origin over the first points, as ``static_margin``."""
    inside, nearest, is_inside = np.inf, np.inf, count >= 3
    for i in range(count):
        nearest = min(nearest, math.hypot(place[i, 0], place[i, 1]))
        for j in range(count):
            wx, wy = place[j, 0] - place[i, 0], place[j, 1] - place[i, 1]
            length = math.hypot(wx, wy)
            if i == j or length <= NARROW:
                continue
            share = -(wx * place[i, 0] + wy * place[i, 1]) / (length * length)
            off = (wy * place[i, 0] - wx * place[i, 1]) / length  # left is positive
            if 0.0 < share < 1.0:
                nearest = min(nearest, abs(off))
            is_edge, width = True, 0.0
            for k in range(count):
                dx, dy = place[k, 0] - place[i, 0], place[k, 1] - place[i, 1]
                side = (wx * dy - wy * dx) / length
                is_edge &= side >= -NARROW
                width = max(width, side)
            if is_edge:
                inside = min(inside, off)
                is_inside &= off >= 0.0 and width > NARROW
    if count == 0:
        return -np.inf
    return inside if is_inside else -nearest


@compiled(allocates=False)
def _along_at(place: Array, count: int) -> float:
    """Return the shorter way along x to the hull's edge, as ``longitudinal_margin``."""
    front, rear = -np.inf, np.inf
    for i in range(count):
        for j in range(count):
            yi, yj = place[i, 1], place[j, 1]
            if yi * yj > 0.0:
                continue
            share = yi / (yi - yj) if yi != yj else 0.0
            x = place[i, 0] + share * (place[j, 0] - place[i, 0])
            front, rear = max(front, x), min(rear, x)
    return min(front, -rear)


def least_static(phases: Array, duty: Array, feet: Array, stride: Array) -> float:
    """Return the least static margin over a cycle [m]; arguments as above."""
    return least_margin(phases, duty, feet, stride, True, np.empty_like(feet))


def least_longitudinal(phases: Array, duty: Array, feet: Array, stride: Array) -> float:
    """Return the least longitudinal margin over a cycle [m]; arguments as above."""
    return least_margin(phases, duty, feet, stride, False, np.empty_like(feet))
