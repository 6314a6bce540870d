"""Moves of a supervisor: which leg one lifts, whether the others carry, how it is told.

A move leads from a stance to another, from rest to rest, and carries at most one foot
over. Support and motion parts take it as a ``WalkingPlan``'s legs and knots.
"""

import math

import numpy as np

from equipoise.control.basis.compose import Ending, Instance, bind, subject_to
from equipoise.control.basis.predicates import TRIPODS, margins, name_of, predicates
from equipoise.control.basis.stance import BasisParts, BasisStance, reaches
from equipoise.control.basis.supervisor import Supervisor, SupervisorState
from equipoise.control.records import PlannedLeg, PlannedTrunk
from equipoise.core.arrays import Array
from equipoise.core.records import Records

__all__ = [
    "Mends", "carries", "following", "homeward", "lifted", "mended", "planned_move",
    "put_back", "seen_state", "standing_legs", "strays",
]  # fmt: skip

LACKED = (4, 3, 1, 2)
"""Leg that is not in each of the tripods."""
SHIFTED = 1e-3  # way of the trunk below which it has not gone anywhere [m]
Mends = tuple[tuple[int, float, float], ...]
"""Legs that are to be set anew, 1 to 4, and where to in W [m]."""


def lifted(
    told: SupervisorState, before: Records[BasisStance], after: Records[BasisStance]
) -> int:
    """Return the leg that a state lifts, 1 to 4, or that was moved; 0 for none.

    Args:
        told: the state.
        before: stance from which its composition went, (1,).
        after: to which it led, (1,).
    """
    if told.lifts:
        return told.lifts
    moved = np.abs(after["feet"] - before["feet"])[0].max(axis=1)
    return int(moved.argmax()) + 1 if moved.max() > 0.0 else 0


def seen_state(
    supervisor: Supervisor, usual: str, stance: Records[BasisStance], parts: BasisParts
) -> str:
    """Return the state that the predicates name, the usual one where there is none.

    Args:
        supervisor: whose state it is.
        usual: a state of it; where it tells what follows, it is kept.
        stance: that is seen, (1,).
        parts: of the machine.
    """
    if supervisor.states[usual].then:
        return usual
    seen = name_of(predicates(stance, parts))
    return seen if seen in supervisor.states else usual


def following(
    supervisor: Supervisor,
    name: str,
    after: Records[BasisStance],
    outcome: Ending,
    parts: BasisParts,
) -> str:
    """Return the name of the state that follows one.

    Args:
        supervisor: in charge.
        name: of the state.
        after: stance to which it led, (1,).
        outcome: of its composition.
        parts: of the machine.
    """
    told = supervisor.states[name]
    to = told.otherwise if outcome is Ending.FAILED else told.then
    return to or seen_state(supervisor, name, after, parts)


def carries(
    leg: int,
    before: Records[BasisStance],
    after: Records[BasisStance],
    parts: BasisParts,
    least: float,
) -> bool:
    """Return whether the machine stands on its other legs throughout a step.

    Args:
        leg: that steps, 1 to 4.
        before: stance from which it goes, (1,).
        after: to which it leads, (1,).
        parts: of the machine.
        least: margin that it must have [m].
    """
    at = LACKED.index(leg)
    return min(margins(before, parts)[at], margins(after, parts)[at]) > least


def homeward(stance: Records[BasisStance], parts: BasisParts) -> Mends:
    """Return all legs and where each belongs under a trunk amid its feet.

    Farthest away first.

    Args:
        stance: in which the next step cannot be made, (1,).
        parts: of the machine.
    """
    feet, yaw, home = stance["feet"][0], float(stance["yaw"][0]), parts[1]["home"]
    c, s = math.cos(yaw), math.sin(yaw)
    belongs = home[:, :2] @ np.array([[c, s], [-s, c]])
    belongs += feet[:, :2].mean(axis=0) - belongs.mean(axis=0)
    off = np.linalg.norm(feet[:, :2] - belongs, axis=1)
    order = [int(k) for k in np.argsort(-off, kind="stable")]
    return tuple((k + 1, float(belongs[k, 0]), float(belongs[k, 1])) for k in order)


def strays(mends: Mends, stance: Records[BasisStance]) -> float:
    """Return how far the foot is from where it belongs that is farthest [m].

    Args:
        mends: where feet belong.
        stance: where they are, (1,).
    """
    feet = stance["feet"][0]
    return max(math.hypot(feet[k - 1, 0] - x, feet[k - 1, 1] - y) for k, x, y in mends)


def mended(
    mends: Mends, stance: Records[BasisStance], parts: BasisParts, least: float
) -> tuple[Records[BasisStance], int, Mends]:
    """Return a stance from which to go on, the leg set anew for it, and what is left.

    The first leg of those to be mended is set where it belongs if the others carry;
    else the trunk goes over them first. One that they cannot carry is passed over.

    Args:
        mends: legs that are to be set anew, and where to.
        stance: now, (1,).
        parts: of the machine.
        least: margin that a step must have [m].
    """
    while mends:
        (leg, x, y), rest = mends[0], mends[1:]
        after = stance.copy()
        after["feet"][0, leg - 1, :2] = x, y
        if reaches(after, leg - 1, parts) and carries(leg, stance, after, parts, least):
            return after, leg, rest
        tripod = TRIPODS[LACKED.index(leg)]
        over, _ = subject_to(bind([Instance("phi1", tripod, "xy")]), stance, parts)
        moved = float(np.linalg.norm((over["p_WB"] - stance["p_WB"])[0]))
        if margins(over, parts)[LACKED.index(leg)] > least and moved > SHIFTED:
            return over, 0, mends
        mends = rest
    return stance, 0, ()


def standing_legs() -> Records[PlannedLeg]:
    """Return a plan on which all legs stay."""
    legs = PlannedLeg.zeros(4)
    legs["lift"] = legs["land"] = math.inf
    legs["foothold"] = math.nan
    return legs


def planned_move(
    before: Records[BasisStance],
    after: Records[BasisStance],
    leg: int,
    now: float,
    lasts: float,
) -> tuple[Records[PlannedLeg], Records[PlannedTrunk]]:
    """Return a move as support and motion parts take it, on level ground.

    Args:
        before: where it begins, (1,).
        after: where it leads, (1,).
        leg: that is carried over, 1 to 4; 0 for none.
        now: when it begins, by the clock [s].
        lasts: how long it takes [s].
    """
    legs, knots = standing_legs(), PlannedTrunk.zeros(2)
    if leg:
        one = legs[leg - 1]
        one.lift, one.land = now, now + lasts
        one.foothold[:2] = after["feet"][0, leg - 1, :2]
    for knot, stance, time in zip(knots, (before, after), (0.0, lasts), strict=True):
        knot.time, knot.rpy_WB[2] = now + time, stance["yaw"][0]
        knot.p_WB[:2] = stance["p_WB"][0, :2]
        knot.p_WB[2] = math.nan
    return legs, knots


def put_back(
    legs: Records[PlannedLeg], one: int, foothold: Array, now: float, lasts: float
) -> Records[PlannedLeg]:
    """Return a plan on which a leg in the air goes back to where it stood.

    Args:
        legs: as they were planned, (4,).
        one: which leg, from 0.
        foothold: where it stood last, in W, (3,) [m].
        now: by the clock [s].
        lasts: how long it takes [s].
    """
    legs = legs.copy()
    legs[one].lift, legs[one].land = now, now + lasts
    legs[one].foothold[:] = foothold
    return legs
