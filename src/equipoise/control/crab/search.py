"""Steps looked ahead: what one leg could do, and the best of several steps in a row.

All seen from above. A stand is where the feet and the centre of mass are; from each of
some stands each leg is tried, and of what comes out the best are kept and gone on from,
level by level (a beam). Good is far along the path, near it, with legs that can go on.
"""

import math
from typing import NamedTuple

from equipoise.control.crab.regions import (
    MOST,
    CrabBody,
    CrabLeg,
    nearest_in,
    region,
    sum_up,
)
from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "GATHERED_WAYS",
    "WAYS",
    "CrabBench",
    "CrabPath",
    "CrabRoom",
    "CrabTry",
    "best_first",
    "lands_there",
    "lasting_way",
    "lift_off",
    "scattered",
    "set_down",
    "write_feet",
]

ROUNDS = 3  # in which foothold and centre of mass, which moves with it, agree
WAYS = ((1.0, 1.0), (0.0, 1.0), (0.5, 0.4))
"""Shares of a step's way and of its stroke that are tried when looking ahead."""
GATHERED_WAYS = ((0.0, 0.0), (0.0, -0.6), (0.0, 0.6))
"""The same where feet are gathered: in the middle, or behind or before it."""
LOCKED = 0.3
"""Distance from the middle of its reach as which a leg counts that cannot lift [m]."""


class CrabPath(Record):
    """Path of a crab walk, and how its steps are made."""

    ahead: VecN = entry("direction", "", 2)
    origin: VecN = entry("a point of the path", "m", 2)
    way: float = entry("of the centre of mass in a step", "m")
    stroke: float = entry("of a foot under the trunk", "m")
    draw: float = entry("share of what it is off the path that a step takes back")
    airborne: float = entry("share of a step for which its leg is in the air")
    shifted: float = entry("share of a step's way that the trunk goes before lift-off")
    heavy: float = entry("what ways along the path count over those aside")
    lasting: float = entry("worth of way that legs can keep up")
    aside: float = entry("worth of being off the path, per way ahead")
    gathers: float = entry("1 while feet are gathered under the trunk instead")
    soon: float = entry("worth of the stands before, so that way is made early")


class CrabTry(Record):
    """Stance that a step would lead to, and that step."""

    feet: Array = entry("where all feet stand then", "m", 4, 2)
    lifts: VecN = entry("centre of mass as the leg lifts", "m", 2)
    lands: VecN = entry("and as it lands", "m", 2)
    leg: int = entry("that has stepped last; -1 for none", kind=int)
    first: int = entry("step that it began with", kind=int)
    worth: float = entry("how good it is", "m")


class CrabRoom(Record):
    """Scratch memory of the kernels."""

    polygon: Array = entry("two layers of corners", "m", 2, MOST, 2)
    wanted: VecN = entry("centre of mass that a step would like to end with", "m", 2)


class CrabBench(NamedTuple):
    """Inputs that every look ahead needs."""

    legs: Records[CrabLeg]
    """Where they stand, (4,); kernels move their feet."""
    body: Records[CrabBody]
    """Of these legs, (1,)."""
    path: Records[CrabPath]
    """To go, (1,)."""
    order: Ints
    """In which legs usually step, (4,)."""
    room: Records[CrabRoom]
    """(1,)."""


@compiled(allocates=False)
def lasting_way(bench: CrabBench, centre: VecN, leg: int) -> float:
    """Return the way of a step [m] that all legs can keep up until it is their turn.

    The k-th leg from now on lifts after k steps and the shift on four feet; it must not
    have come to the end of its reach by then.

    Args:
        bench: feet where they stand.
        centre: of mass, (2,) [m].
        leg: that steps next; the others follow in their order.
    """
    one, path, order, first = bench.body[0], bench.path[0], bench.order, 0
    for k in range(order.shape[0]):
        if order[k] == leg:
            first = k
    least = math.inf
    for k in range(order.shape[0]):
        own = bench.legs[int(order[(first + k) % order.shape[0]])]
        for i in range(2):
            trunk = one.back[i, 0] * (centre[0] - one.offset[0])
            trunk += one.back[i, 1] * (centre[1] - one.offset[1])
            if path.ahead[i] != 0.0:
                end = own.low[i] if path.ahead[i] > 0.0 else own.high[i]
                left = (own.foot[i] - trunk - end) / path.ahead[i]
                least = min(least, left / (k + path.shifted))
    return max(least, 0.0)


@compiled(allocates=False)
def lift_off(bench: CrabBench, share: float, out: Records[CrabTry]) -> bool:
    """Write where the centre of mass goes until a leg lifts; say whether it may.

    Args:
        bench: feet where they stand; what the step would like to end with is left in
            its room.
        share: of the way that it shall go.
        out: with its leg, and in ``lands`` where the centre of mass is now, (1,).
    """
    one, path = out[0], bench.path[0]
    polygon, wanted = bench.room[0].polygon, bench.room[0].wanted
    count = region(bench.legs, one.leg, bench.body, polygon)
    if count == 0:
        return False
    way = share * min(path.way, lasting_way(bench, one.lands, one.leg))
    before, at = (1.0 - path.airborne) * way, one.lands
    x, y = path.ahead[0], path.ahead[1]
    aside = x * (at[1] - path.origin[1]) - y * (at[0] - path.origin[0])
    aside *= path.draw
    wanted[0] = at[0] + before * x + aside * y
    wanted[1] = at[1] + before * y - aside * x
    nearest_in(polygon[0], count, wanted, path.ahead, path.heavy, one.lifts)
    ahead = x * (at[0] - one.lifts[0]) + y * (at[1] - one.lifts[1]) + way
    wanted[0], wanted[1] = one.lifts[0] + ahead * x, one.lifts[1] + ahead * y
    return True


@compiled(allocates=False)
def set_down(bench: CrabBench, share: float, out: Records[CrabTry]) -> bool:
    """Write where the leg lands by itself, and the centre of mass; say whether it can.

    Args:
        bench: as ``lift_off`` left it; the leg's foot is moved.
        share: of the stroke before its middle that it is put down.
        out: of ``lift_off``, (1,).
    """
    one, path, room = out[0], bench.path[0], bench.room[0]
    leg, body, count = bench.legs[one.leg], bench.body[0], 0
    before = 0.5 * share * path.stroke
    for i in range(2):
        one.lands[i] = room.wanted[i]
    for _ in range(ROUNDS):
        for i in range(2):
            trunk = body.back[i, 0] * (one.lands[0] - body.offset[0])
            trunk += body.back[i, 1] * (one.lands[1] - body.offset[1])
            leg.foot[i] = trunk + leg.middle[i] + before * path.ahead[i]
        count = lands_there(bench, out)
    for i in range(2):
        one.feet[one.leg, i] = leg.foot[i]
    return count > 0


@compiled(allocates=False)
def lands_there(bench: CrabBench, out: Records[CrabTry]) -> int:
    """Write the centre of mass as a leg lands where its foot is put; 0: it cannot be.

    Args:
        bench: as ``lift_off`` left it, the leg's foot where it lands.
        out: of ``lift_off``, (1,).
    """
    one, room, path = out[0], bench.room[0], bench.path[0]
    sum_up(bench.legs, bench.body)
    count = region(bench.legs, one.leg, bench.body, room.polygon)
    if count > 0:
        nearest_in(
            room.polygon[0], count, room.wanted, path.ahead, path.heavy, one.lands
        )
    return count


@compiled(allocates=False)
def worth_of(bench: CrabBench, last: int, centre: VecN) -> float:
    """Return how good a stand is: way ahead, way that legs can keep up, way aside.

    Args:
        bench: feet where they stand.
        last: leg that has stepped.
        centre: of mass, (2,) [m].
    """
    path = bench.path[0]
    if path.gathers > 0.0:
        return -scattered(bench, centre)
    x, y = path.ahead[0], path.ahead[1]
    a, b = centre[0] - path.origin[0], centre[1] - path.origin[1]
    most = 0.0
    for leg in range(bench.legs.shape[0]):
        if leg != last:
            most = max(most, lasting_way(bench, centre, leg))
    ahead, aside = x * a + y * b, abs(x * b - y * a)
    return ahead + path.lasting * min(most, path.way) - path.aside * aside


@compiled(allocates=False)
def scattered(bench: CrabBench, centre: VecN) -> float:
    """Return how far feet are from the middles of their reach, all added up [m].

    A leg that cannot lift, wherever the centre of mass goes, counts more: its foot
    comes under the trunk only after another one has made room.

    Args:
        bench: feet where they stand.
        centre: of mass, (2,) [m].
    """
    one, total = bench.body[0], 0.0
    for leg in bench.legs:
        square = 0.0
        for i in range(2):
            trunk = one.back[i, 0] * (centre[0] - one.offset[0])
            trunk += one.back[i, 1] * (centre[1] - one.offset[1])
            square += (leg.foot[i] - trunk - leg.middle[i]) ** 2
        total += math.sqrt(square)
    for leg in range(bench.legs.shape[0]):
        if region(bench.legs, leg, bench.body, bench.room[0].polygon) == 0:
            total += LOCKED
    return total


@compiled(allocates=False)
def best_first(
    bench: CrabBench,
    depth: int,
    count: int,
    now: Records[CrabTry],
    after: Records[CrabTry],
    one: Records[CrabTry],
) -> int:
    """Return the first step of the best way to go on; ties go to the earlier one.

    Args:
        bench: its feet are overwritten.
        depth: steps that are looked ahead after the first.
        count: stands to begin with.
        now: these stands, and room for as many as are kept; overwritten.
        after: room for as many.
        one: room, (1,).

    Returns:
        ``first`` of the best stand on the last level that was come to; -1 for none.
    """
    best = -1
    for level in range(depth + 1):
        if level > 0:
            count = spread(bench, count, now, after, one)
        top = -math.inf
        for k in range(count):
            if level > 0:
                now[k] = after[k]
            else:
                write_feet(bench, now[k].feet)
                now[k].worth = worth_of(bench, now[k].leg, now[k].lands)
            if now[k].worth > top:
                top, best = now[k].worth, now[k].first
        if count == 0:
            break
    return best


@compiled(allocates=False)
def write_feet(bench: CrabBench, feet: Array) -> None:
    """Put the legs' feet where a stand has them.

    Args:
        bench: changed.
        feet: (4, 2) [m].
    """
    for leg in range(bench.legs.shape[0]):
        for i in range(2):
            bench.legs[leg].foot[i] = feet[leg, i]
    sum_up(bench.legs, bench.body)


@compiled(allocates=False)
def spread(
    bench: CrabBench,
    count: int,
    now: Records[CrabTry],
    after: Records[CrabTry],
    one: Records[CrabTry],
) -> int:
    """Try every leg from every stand; keep the best; return how many."""
    kept = 0
    for k in range(count):
        for leg in range(bench.legs.shape[0]):
            if leg == now[k].leg:
                continue
            gathers = bench.path[0].gathers > 0.0
            for share, stroke in GATHERED_WAYS if gathers else WAYS:
                write_feet(bench, now[k].feet)
                one[0] = now[k]
                one[0].leg = leg
                if not lift_off(bench, share, one):
                    break
                if set_down(bench, stroke, one):
                    one[0].worth = worth_of(bench, leg, one[0].lands)
                    one[0].worth += bench.path[0].soon * now[k].worth
                    kept = insert(after, kept, one)
    return kept


@compiled(allocates=False)
def insert(after: Records[CrabTry], kept: int, one: Records[CrabTry]) -> int:
    """Put a stand where it belongs among the best so far; return how many are kept."""
    at = kept
    while at > 0 and after[at - 1].worth < one[0].worth:
        at -= 1
    if at >= after.shape[0]:
        return kept
    for k in range(min(kept, after.shape[0] - 1), at, -1):
        after[k] = after[k - 1]
    after[at] = one[0]
    return min(kept + 1, after.shape[0])
