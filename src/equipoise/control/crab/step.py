"""Which leg steps next, where to, and how far the centre of mass goes meanwhile.

The standard crab walk of [Ridderstrom2003] section 3.1.1: the usual order of legs for
the heading where it can be kept for a while, else the leg and foothold from which the
next steps lead farthest. The centre of mass is shifted on four feet until the leg may
lift, and on three while it is in the air. It may leave the path to the side for that
and is drawn back: held on the path, the machine locks.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.crab.footing import Footing, footholds_near
from equipoise.control.crab.regions import CrabBody, CrabLeg
from equipoise.control.crab.search import (
    GATHERED_WAYS,
    WAYS,
    CrabBench,
    CrabPath,
    CrabRoom,
    CrabTry,
    best_first,
    lands_there,
    lasting_way,
    lift_off,
    set_down,
    write_feet,
)
from equipoise.core.arrays import Ints, Vec2
from equipoise.core.records import Records

__all__ = ["CrabPlan", "CrabStand", "leg_order", "next_step"]

FULL = 0.8  # share of the way that a usual step makes at least


@final
@dataclass(frozen=True, eq=False)
class CrabStand:
    """Stance seen from above in the heading's frame."""

    stand: Records[CrabTry]
    """Feet, centre of mass in ``lands``, and the leg that stepped last, (1,)."""
    legs: Records[CrabLeg]
    """Reach and mass of the legs, (4,)."""
    body: Records[CrabBody]
    """(1,)."""
    ground: Footing | None = field(default=None)


@final
@dataclass(frozen=True, eq=False)
class CrabPlan:
    """Depth and width of the look ahead."""

    depth: int = 4
    """Steps after the next one."""
    kept: int = 12
    """Stands that are gone on from."""
    footholds: int = 4
    """Of each leg that are looked ahead from."""


def leg_order(legs: Records[CrabLeg], ahead: Vec2) -> Ints:
    """Return the usual order of four legs for a heading: hind, then fore, side by side.

    Which legs are the hind ones is a matter of the heading over the diagonal of the
    stance: forward beyond it is sideways, with right legs for hind ones.

    Args:
        legs: with the middles of their reach, (4,).
        ahead: direction, (2,).
    """
    place = legs["middle"] - legs["middle"].mean(axis=0)
    X, Y = np.abs(place).mean(axis=0)
    along = 0 if abs(ahead[0]) * Y >= abs(ahead[1]) * X else 1
    sign = math.copysign(1.0, ahead[along])
    side = place[:, 1 - along]
    order: list[int] = []
    for one_side in (side > 0.0, side <= 0.0):
        own = np.flatnonzero(one_side)
        order += [int(k) for k in own[np.argsort(sign * place[own, along])]]
    return np.array(order)


def next_step(
    start: CrabStand, path: Records[CrabPath], plan: CrabPlan
) -> Records[CrabTry] | None:
    """Return the next step, (1,); None where none is possible: a deadlock.

    Args:
        start: where the machine stands.
        path: where it shall go, (1,).
        plan: how far it looks.
    """
    order = leg_order(start.legs, path[0].ahead)
    bench = CrabBench(
        start.legs.copy(), start.body.copy(), path, order, CrabRoom.zeros()
    )
    if path[0].gathers == 0.0:
        usual = _usual_step(start, bench)
        if usual is not None:
            return usual
    last = int(start.stand[0].leg)
    for legs in ([k for k in range(len(start.legs)) if k != last], [last]):
        tries = [
            step
            for leg in legs
            for way in (GATHERED_WAYS if path[0].gathers else WAYS)
            for step in _steps_of(start, bench, leg, way, plan.footholds)
            if leg >= 0
        ]
        best = _best_of(tries, bench, plan)
        if best is not None:
            return best
    return None


def _best_of(
    tries: list[Records[CrabTry]], bench: CrabBench, plan: CrabPlan
) -> Records[CrabTry] | None:
    """Return the step from which the next ones lead farthest; None of none."""
    if not tries:
        return None
    room = CrabTry.zeros(max(plan.kept, len(tries)))
    for k, one in enumerate(tries):
        one[0].first, room[k] = k, one[0]
    after = CrabTry.zeros(plan.kept)
    best = best_first(bench, plan.depth, len(tries), room, after, CrabTry.zeros())
    return tries[best] if best >= 0 else None


def _usual_step(start: CrabStand, bench: CrabBench) -> Records[CrabTry] | None:
    """Return the usual leg's step if a whole round in the usual order can follow it."""
    order, path = list(bench.order), bench.path[0]
    last = int(start.stand[0].leg)
    leg = order[(order.index(last) + 1) % len(order)] if last >= 0 else order[0]
    for step in _steps_of(start, bench, leg, WAYS[0], 1):
        on, one = leg, step.copy()
        for _ in order:
            write_feet(bench, one[0].feet)
            on = order[(order.index(on) + 1) % len(order)]
            if lasting_way(bench, one[0].lands, on) < FULL * path.way:
                return None
            one[0].leg = on
            if not (lift_off(bench, 1.0, one) and set_down(bench, 1.0, one)):
                return None
        return step
    return None


def _steps_of(
    start: CrabStand,
    bench: CrabBench,
    leg: int,
    way: tuple[float, float],
    most: int,
) -> list[Records[CrabTry]]:
    """Return steps of one leg, shares of way and stroke given, best footholds first."""
    one, found = start.stand.copy(), list[Records[CrabTry]]()
    one[0].leg = leg
    write_feet(bench, one[0].feet)
    if not lift_off(bench, way[0], one) or not set_down(bench, way[1], one):
        return found
    wish, own, body = one[0].feet[leg].copy(), bench.legs[leg], bench.body[0]
    trunk = body.back @ (one[0].lands - body.offset)
    low, high = trunk + own.low, trunk + own.high
    for place in footholds_near(start.ground, wish, low, high, most):
        own.foot[:] = one[0].feet[leg] = place
        if lands_there(bench, one):
            found.append(one.copy())
    return found
