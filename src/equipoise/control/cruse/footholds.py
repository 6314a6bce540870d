"""Where neighbours have a leg put its foot: rules 4 and 6, [Ridderstrom2003] 3.4.1.

By rule 4 a foot is bound for a place behind that of the leg before it, as far as that
is within reach; legs then step where others have stood. By rule 6 a foot that comes
down on another is put down anew, farther back. Both read the leg's own foot and that of
the leg before it.
"""

import math

from equipoise.control.cruse.rules import CruseRules, RuleLeg, next_leg
from equipoise.control.records import LegEstimate, LegStance, TrunkEstimate
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["follow_leader", "leg_before", "step_back"]

AGAIN = 0.5  # share of a swing at which a foot goes on that is put down anew


@compiled(allocates=False)
def leg_before(
    one: int, places: Ints, heard: Records[RuleLeg], legs: Records[LegEstimate]
) -> int:
    """Return which leg is before one and stands; -1 for none.

    Args:
        one: which leg.
        places: of the legs among all that there were, (nl,).
        heard: what legs told.
        legs: what is known of them, (nl,).
    """
    place = next_leg(places[one], -2, heard)
    if place < 0 or heard[place].swings > 0.0:
        return -1
    for other in range(legs.shape[0]):
        if places[other] == place:
            return other
    return -1


@compiled(allocates=False)
def _heading_of(
    trunk: TrunkEstimate, leg: LegEstimate, v: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return where the point over a leg's stand is in W, and where it goes, level.

    Args:
        trunk: its place and attitude.
        leg: what is known of it.
        v: velocity of that point, forward and left [m/s].
    """
    R, p, hip = trunk.R_WB, trunk.p_WB, leg.hip
    c, s = R[0, 0], R[1, 0]
    norm = max(math.hypot(c, s), 1e-9)
    c, s = c / norm, s / norm
    x, y = p[0] + c * hip[0] - s * hip[1], p[1] + s * hip[0] + c * hip[1]
    return (x, y), (c * v[0] - s * v[1], s * v[0] + c * v[1])


@compiled(allocates=False)
def follow_leader(
    trunk: TrunkEstimate,
    legs: tuple[LegEstimate, LegEstimate],
    v: tuple[float, float],
    rule: CruseRules,
    stride: float,
    out: LegStance,
) -> None:
    """Move the foothold of a leg that lifts to behind that of the leg before: rule 4.

    Args:
        trunk: its place and attitude.
        legs: the leg that lifts, and the one before it, which stands.
        v: velocity of the leg's stand over the ground, forward and left [m/s].
        rule: of all legs.
        stride: length of a stance [m].
        out: its goal is written.
    """
    (x, y), (vx, vy) = _heading_of(trunk, legs[0], v)
    speed, foot = max(math.hypot(vx, vy), 1e-9), legs[1].foothold
    ahead = out.swing + 0.5 * stride / speed  # until it is there, and on by half
    x, y = x + ahead * vx, y + ahead * vy
    behind, most = rule.target_behind * stride / speed, rule.target * stride
    dx, dy = foot[0] - behind * vx - x, foot[1] - behind * vy - y
    far = math.hypot(dx, dy)
    share = min(most / max(far, 1e-9), 1.0)
    out.goal[0], out.goal[1] = x + share * dx, y + share * dy
    out.goal[2] = foot[2] if share == 1.0 else math.nan


@compiled(allocates=False)
def step_back(
    trunk: TrunkEstimate,
    legs: tuple[LegEstimate, LegEstimate],
    v: tuple[float, float],
    rule: CruseRules,
    stride: float,
    out: LegStance,
) -> bool:
    """Return whether a landing foot is on another, and place it anew: rule 6.

    Args:
        trunk: its place and attitude.
        legs: the leg that lands, and the one before it, which stands.
        v: velocity of the leg's stand over the ground, forward and left [m/s].
        rule: of all legs.
        stride: length of a stance [m].
        out: its goal and progress are written, if so.
    """
    (own, other), (_, (vx, vy)) = legs, _heading_of(trunk, legs[0], v)
    x = own.hip[0] + own.foot[0] - other.hip[0] - other.foot[0]
    y = own.hip[1] + own.foot[1] - other.hip[1] - other.foot[1]
    if not math.hypot(x, y) < rule.tread * stride:
        return False
    back = rule.tread_back * stride / max(math.hypot(vx, vy), 1e-9)
    out.goal[0] = other.foothold[0] - back * vx
    out.goal[1] = other.foothold[1] - back * vy
    out.goal[2], out.progress, out.late = math.nan, AGAIN, 0.0
    return True
