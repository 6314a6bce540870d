"""Is what modules say about the ground true: leaders, and whether the robot stands.

Modules have random places and weights in the plane. One that is steady gives a verdict:
the centre of mass of its set lies inside the polygon of the feet it believes to touch,
or not. It holds a digest of those feet only, so they must have stood like that, under
just that robot, at one instant of the window; the verdict is then the one of that
instant. Dead modules weigh as well.
"""

from typing import NamedTuple

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules.kernels.rows import FEET, IS_LEADER, STEADY, Seats
from equipoise_lab.torture.chronicle import RING, Chronicle, Scene
from equipoise_lab.torture.claims import Ledger, blame

__all__ = ["SEEN", "Weights", "does_stand", "judge_feet", "judge_leaders"]

SEEN = ("claims", "names", "verdicts", "standing", "late", "two leaders")
"""Plain counts of a ledger; late are verdicts that are no longer true."""
VERDICTS, STANDING, LATE, RIVALS = 2, 3, 4, 5
TWO_LEADERS, AIR, VERDICT = 5, 6, 7
DIGEST = 0xFFFFFF
STRIDE = 0.4  # m; a foot comes down within half of it from its module's place


class Weights(NamedTuple):
    """Where modules are and what they weigh."""

    place: Array
    """(n, 2) [m]."""
    mass: Array
    """(n,) [kg]."""


@compiled(allocates=False)
def does_stand(weights: Weights, feet: Ints, members: int) -> bool:
    """Return whether the centre of mass of a set lies inside its polygon of feet.

    It does when, seen from there, every foot has others both to its left and to its
    right; on the polygon's edge it does not.

    Args:
        weights: places and masses.
        feet: (n,) digest of each module's foot, 0 in the air; it says where in the
            module's reach the foot stands.
        members: the set.
    """
    mass, x, y, count = 0.0, 0.0, 0.0, 0
    for j in range(feet.shape[0]):
        if (members >> j) & 1:
            mass += weights.mass[j]
            x += weights.mass[j] * weights.place[j, 0]
            y += weights.mass[j] * weights.place[j, 1]
            count += feet[j] != 0
    for j in range(feet.shape[0]):
        if (members >> j) & 1 and feet[j]:
            if not _has_both_sides(weights, feet, members, j, x / mass, y / mass):
                return False
    return count > 0


@compiled(allocates=False)
def _has_both_sides(
    weights: Weights, feet: Ints, members: int, j: int, x: float, y: float
) -> bool:
    """Return whether feet stand to the left and to the right of foot j, from (x, y)."""
    jx, jy = _foot_place(weights, feet, j)
    left, right = False, False
    for k in range(feet.shape[0]):
        if (members >> k) & 1 and feet[k]:
            kx, ky = _foot_place(weights, feet, k)
            cross = (jx - x) * (ky - y) - (jy - y) * (kx - x)
            left = left or cross > 0.0
            right = right or cross < 0.0
    return left and right


@compiled(allocates=False)
def _foot_place(weights: Weights, feet: Ints, j: int) -> tuple[float, float]:
    """Return where module j's foot stands, by its digest [m]."""
    dx = STRIDE * ((feet[j] & 0xFFF) / 4096.0 - 0.5)
    dy = STRIDE * ((feet[j] >> 12) / 4096.0 - 0.5)
    return weights.place[j, 0] + dx, weights.place[j, 1] + dy


@compiled(allocates=False)
def _digest_of(feet: Ints, members: int) -> int:
    """Return the digest of the feet of a set."""
    total = 0
    for j in range(feet.shape[0]):
        if (members >> j) & 1:
            total += feet[j]
    return total & DIGEST


@compiled(allocates=False)
def judge_feet(
    ledger: Ledger,
    past: Chronicle,
    seats: Seats,
    weights: Weights,
    now: int,
    window: int,
) -> None:
    """Judge the verdict of every module that is steady in one round.

    Args:
        ledger: what is found goes here.
        past: the rounds up to this one.
        seats: the modules' programs.
        weights: of which the verdicts speak.
        now: number of the round.
        window: how old the instant may be of which a verdict speaks [rounds].
    """
    row, judged, said, body = now % RING, 0, 0, 0
    instant, stands, is_late = -1, False, False
    for i in range(seats.node.shape[0]):
        members, feet = ledger.claim[i], seats.node[i, FEET]
        if not seats.node[i, STEADY] or members <= 0:
            continue
        is_like_last = members == judged and feet == said and past.body[row, i] == body
        if not is_like_last:  # most say what the one before said
            judged, said, is_late = members, feet, False
            body = past.body[row, i]
            instant = _instant_of(past, i, members, feet, now, window)
            if instant >= 0:
                stands = does_stand(weights, past.feet[instant], members)
            if instant >= 0 and instant != row:
                is_late = stands != does_stand(weights, past.feet[row], body)
        if instant < 0:
            blame(ledger, now, i, VERDICT)
            continue
        ledger.seen[VERDICTS] += 1
        ledger.seen[STANDING] += stands
        ledger.seen[LATE] += is_late


@compiled(allocates=False)
def _instant_of(
    past: Chronicle, i: int, members: int, feet: int, now: int, window: int
) -> int:
    """Return the last row in which a set was a body and stood on just these feet.

    Args:
        past: the rounds up to this one.
        i: one of the set.
        members: the set.
        feet: digest of its feet.
        now: number of the round.
        window: how far to look back [rounds].

    Returns:
        -1 for none.
    """
    for back in range(min(window, now) + 1):
        row = (now - back) % RING
        is_body = past.body[row, i] == members
        if is_body and _digest_of(past.feet[row], members) == feet:
            return row
    return -1


@compiled(allocates=False)
def judge_leaders(
    ledger: Ledger,
    parts: Ints,
    scene: Scene,
    seats: Seats,
    now: int,
    is_late: bool,
) -> None:
    """Judge who says to be leader in one round.

    Args:
        ledger: what is found goes here.
        parts: (n,) the robot of which each module is a member.
        scene: the world.
        seats: the modules' programs.
        now: number of the round.
        is_late: whether the time is over in which one robot may have two leaders.
    """
    rivals = False
    for i in range(seats.node.shape[0]):
        if not (seats.node[i, IS_LEADER] and scene.alive[i]):
            continue
        if not scene.touching[i]:
            blame(ledger, now, i, AIR)
        for j in range(i):
            is_leader = seats.node[j, IS_LEADER] and scene.alive[j]
            if is_leader and (parts[i] >> j) & 1:
                rivals = True
                if is_late:
                    blame(ledger, now, i, TWO_LEADERS)
    ledger.seen[RIVALS] += rivals
