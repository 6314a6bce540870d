"""Loads of the feet so that both sides carry alike, [Ridderstrom2003] section 3.2.4.

RALPHY's distribution, a linear program over the loads f of the feet that stand::

    least |Σ_left f - Σ_right f - lean|
    Σ f = F,   min₁ <= f_k <= max₁,   |f_k - f_k(last)| <= max₂

As printed no side leans, ``lean`` = 0. What each side carries is fixed so, but not
which foot of it: of all optima the one nearest the last loads is taken. With the sum of
a side known, that is one projection onto {Σ f = S, l <= f <= u} a side: f =
clip(f(last) + λ, l, u), where the λ is found exactly on a piecewise linear and
monotone function. No search, no tolerance.

Where max₂ leaves no loads (after a change of support, say) it is widened, by as little
as will do and by the same for all feet; where min₁ and max₁ leave none, feet share the
force in proportion to the bound that is in the way. Either is told.
"""

import math

from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "AS_ASKED",
    "NO_FOOT",
    "SPLIT",
    "WIDENED",
    "VerticalLoad",
    "VerticalShare",
    "share_vertical",
]

AS_ASKED, WIDENED, SPLIT, NO_FOOT = 0.0, 1.0, 2.0, 3.0


class VerticalLoad(Record):
    """Load of one foot that shares a vertical force."""

    side: float = entry("above zero left, below zero right")
    least: float = entry("min₁", "N")
    most: float = entry("max₁; 0 where it does not stand", "N")
    step: float = entry("max₂, largest change since the last loads; inf: any", "N")
    previous: float = entry("its last load", "N")
    load: float = entry("that it carries now", "N")
    low: float = entry("least of all bounds together", "N")
    high: float = entry("most of all bounds together", "N")


class VerticalShare(Record):
    """Request and result of a vertical distribution."""

    lean: float = entry("what the left side shall carry more than the right", "N")
    uneven: float = entry("by how much it does not", "N")
    widened: float = entry("by how much a load changes by more than max₂", "N")
    missed: float = entry("force wanted less given", "N")
    outcome: float = entry("0 as asked, 1 max₂ widened, 2 bounds broken, 3 no foot")


@compiled(allocates=False)
def share_vertical(
    force: float, feet: Records[VerticalLoad], share: VerticalShare
) -> None:
    """Write the feet's loads, 0 for feet that do not stand.

    Args:
        force: that they shall carry together; below zero is taken for zero [N].
        feet: with sides, bounds and last loads; loads are overwritten, (nl,).
        share: with the lean; what came of it is overwritten.
    """
    wanted = force if force > 0.0 else 0.0
    least, most = _bound(feet)
    if most <= 0.0:
        share.outcome = NO_FOOT
    elif not least <= wanted <= most:
        share.outcome = SPLIT
        _split(wanted, least, most, feet)
    else:
        share.outcome = AS_ASKED
        _widen(wanted, feet)
        _balance(wanted, share.lean, feet)
    _say(force, feet, share)


@compiled(allocates=False)
def _bound(feet: Records[VerticalLoad]) -> tuple[float, float]:
    """Write the bounds with max₂; return the sums of min₁ and max₁."""
    least, most = 0.0, 0.0
    for foot in feet:
        foot.load, foot.low, foot.high = 0.0, 0.0, 0.0
        if foot.most > 0.0:
            least, most = least + foot.least, most + foot.most
            low, high = foot.previous - foot.step, foot.previous + foot.step
            foot.low = min(max(low, foot.least), foot.most)
            foot.high = min(max(high, foot.least), foot.most)
    return least, most


@compiled(allocates=False)
def _split(
    wanted: float, least: float, most: float, feet: Records[VerticalLoad]
) -> None:
    """Share a force in proportion to the bounds that it breaks."""
    for foot in feet:
        if foot.most > 0.0:
            bound = foot.most / most if wanted > most else foot.least / least
            foot.load = wanted * bound


@compiled(allocates=False)
def _widen(wanted: float, feet: Records[VerticalLoad]) -> None:
    """Widen max₂ as little as lets the feet carry what is wanted."""
    low, high = 0.0, 0.0
    for foot in feet:
        low, high = low + foot.low, high + foot.high
    if low <= wanted <= high:
        return
    is_more = wanted > high
    for foot in feet:  # from the ends of their steps on, all by the same
        if foot.most > 0.0:
            up = min(foot.previous + foot.step, foot.most)
            down = max(foot.previous - foot.step, foot.least)
            foot.load = up if is_more else down
            foot.low, foot.high = foot.least, foot.most
    _project(wanted, 0.0, feet)
    for foot in feet:
        foot.low, foot.high = foot.load, foot.load


@compiled(allocates=False)
def _balance(wanted: float, lean: float, feet: Records[VerticalLoad]) -> None:
    """Write the loads of sides as even as can be but for a lean, near the last ones."""
    low_left, high_left, low_right, high_right = 0.0, 0.0, 0.0, 0.0
    for foot in feet:
        foot.load = foot.previous if foot.most > 0.0 else 0.0
        if foot.side > 0.0:
            low_left, high_left = low_left + foot.low, high_left + foot.high
        else:
            low_right, high_right = low_right + foot.low, high_right + foot.high
    low, high = max(low_left, wanted - high_right), min(high_left, wanted - low_right)
    left = min(max(0.5 * (wanted + lean), low), high)
    _project(left, 1.0, feet)
    _project(wanted - left, -1.0, feet)


@compiled(allocates=False)
def _project(total: float, side: float, feet: Records[VerticalLoad]) -> None:
    """Move the loads of a side to the nearest ones of a sum within ``low``, ``high``.

    Args:
        total: what they sum up to, between the sums of ``low`` and of ``high`` [N].
        side: 1 left, -1 right, 0 both.
        feet: loads are overwritten, (nl,).
    """
    at, reached = -math.inf, 0.0
    for foot in feet:  # λ where a foot leaves its lower or comes to its upper bound
        if _is_of(side, foot):
            for bend in (foot.low - foot.load, foot.high - foot.load):
                if at < bend < math.inf:
                    carried = _carried(bend, side, feet)
                    if carried <= total:
                        at, reached = bend, carried
    if at == -math.inf:  # rounding: not even the lower bounds are below the sum
        for foot in feet:
            if _is_of(side, foot):
                foot.load = foot.low
        return
    count = 0.0
    for foot in feet:
        if _is_of(side, foot) and foot.low - foot.load <= at < foot.high - foot.load:
            count += 1.0
    shift = at + (total - reached) / count if count > 0.0 else at
    for foot in feet:
        if _is_of(side, foot):
            foot.load = min(max(foot.load + shift, foot.low), foot.high)


@compiled(allocates=False)
def _is_of(side: float, foot: VerticalLoad) -> bool:
    """Return whether a foot stands on a side."""
    is_left = foot.side > 0.0
    return foot.most > 0.0 and (side == 0.0 or is_left == (side > 0.0))


@compiled(allocates=False)
def _carried(shift: float, side: float, feet: Records[VerticalLoad]) -> float:
    """Return what a side carries with its loads moved by a shift, within bounds."""
    total = 0.0
    for foot in feet:
        if _is_of(side, foot):
            total += min(max(foot.load + shift, foot.low), foot.high)
    return total


@compiled(allocates=False)
def _say(force: float, feet: Records[VerticalLoad], share: VerticalShare) -> None:
    """Write what came of it."""
    uneven, given, widened, size = 0.0, 0.0, 0.0, 0.0
    for foot in feet:
        uneven += foot.load if foot.side > 0.0 else -foot.load
        given += foot.load
        if foot.most > 0.0:
            widened = max(widened, abs(foot.load - foot.previous) - foot.step)
            size = max(size, abs(foot.previous), foot.load)
    share.uneven, share.missed = abs(uneven - share.lean), force - given
    share.widened = widened if widened > 1e-12 * size else 0.0  # rounding
    if share.outcome == AS_ASKED and share.widened > 0.0:
        share.outcome = WIDENED
