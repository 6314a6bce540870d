"""Which leg carries what: from force and moment on the trunk to loads on the feet.

Loads N_l >= 0 press on the ground along the trunk's axis b3. Two rules,

printed, [Ridderstrom2003] section 11.2.2, with a lever arm (r1, r2) for each leg:

    N_l = (1/L) (f3 + m1 / r2_l - m2 / r1_l)

It gives the wanted force and moment only where Σ r1 = Σ r2 = Σ r1/r2 = Σ r2/r1 = 0,
which a machine with its hips off the middle, or a tilted one, is not.

consistent: the smallest loads that give them exactly with the feet's own arms and none
of which pulls; where the wanted force and moment cannot be had, the nearest ones, force
before moments. The active-set method of [LawsonHanson1974]; as force and moments are
three numbers, each of its rounds is one 3 × 3 system, for any number of legs.
"""

import math

from equipoise.control.records import SharedLoad
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["share_consistent", "share_printed"]

SHORTEST_ARM = 0.02  # below it a leg is left out of a moment [m]
FORCE_WEIGHT = 10.0  # per newton, beside 1 per N m at an arm of a metre
SLACK = 1e-9  # share of the loads' own size that the solution may cost


@compiled(allocates=False)
def share_printed(f3: float, m1: float, m2: float, feet: Records[SharedLoad]) -> None:
    """Write the loads of the printed rule.

    Args:
        f3: force that the trunk shall feel [N].
        m1: moment about its forward axis [N m].
        m2: and about the one to the left [N m].
        feet: with their lever arms; loads are overwritten, (nl,).
    """
    count = 0.0
    for foot in feet:
        if foot.stands > 0.0:
            count += 1.0
    for foot in feet:
        load = 0.0
        if foot.stands > 0.0:
            load = f3
            if abs(foot.arm[1]) > SHORTEST_ARM:
                load += m1 / foot.arm[1]
            if abs(foot.arm[0]) > SHORTEST_ARM:
                load -= m2 / foot.arm[0]
            load /= count
        foot.load = load


@compiled(allocates=False)
def share_consistent(
    f3: float, m1: float, m2: float, least: float, feet: Records[SharedLoad]
) -> int:
    """Write the smallest loads above the least that give a force and moment.

    Args:
        f3: force that the trunk shall feel [N].
        m1: moment about its forward axis [N m].
        m2: and about the one to the left [N m].
        least: load that no standing foot goes below [N].
        feet: with their places as arms; loads are overwritten, (nl,).

    Returns:
        Rounds that it took; 1 where no load was in danger of pulling, 0 where no leg
        stands.
    """
    f, m, n = FORCE_WEIGHT * f3, m1, m2
    count = 0
    for foot in feet:
        foot.load, foot.tried, foot.free = 0.0, 0.0, 0.0
        if foot.stands > 0.0:
            count += 1
            f -= FORCE_WEIGHT * least
            m -= foot.arm[1] * least
            n += foot.arm[0] * least
            foot.load, foot.free = 1.0, 1.0  # inside, and free
    rounds = 0
    while count > 0 and rounds < 4 * feet.shape[0]:
        rounds += 1
        if not _solve_free(f, m, n, feet):
            continue
        if not _free_one_more(f, m, n, feet):
            break
    for foot in feet:
        if foot.stands > 0.0:
            foot.load += least
    return rounds


@compiled(allocates=False)
def _solve_free(f: float, m: float, n: float, feet: Records[SharedLoad]) -> bool:
    """Solve for the free loads; where one would pull go only as far as zero, hold it.

    Returns:
        Whether none would.
    """
    a, b, c = 0.0, 0.0, 0.0
    d, e, g = 0.0, 0.0, 0.0
    for foot in feet:
        if foot.free > 0.0:
            x, y = -foot.arm[0], foot.arm[1]
            a += FORCE_WEIGHT * FORCE_WEIGHT
            b += FORCE_WEIGHT * y
            c += FORCE_WEIGHT * x
            d += y * y
            e += x * y
            g += x * x
    slack = SLACK * (a + d + g) + 1e-30
    u, v, w = _solved((a + slack, b, c, d + slack, e, g + slack), (f, m, n))
    share, whole = 1.0, True
    for foot in feet:
        if foot.free > 0.0:
            foot.tried = FORCE_WEIGHT * u + foot.arm[1] * v - foot.arm[0] * w
            if foot.tried <= 0.0:
                whole = False
                share = min(share, foot.load / (foot.load - foot.tried + 1e-300))
    for foot in feet:
        if foot.free > 0.0:
            before = foot.load
            foot.load += share * (foot.tried - before)
            if not whole and foot.tried <= 0.0 and foot.load <= 1e-12 * before:
                foot.load, foot.free = 0.0, 0.0
    return whole


@compiled(allocates=False)
def _solved(
    rows: tuple[float, float, float, float, float, float],
    right: tuple[float, float, float],
) -> tuple[float, float, float]:
    """Return x of [[a, b, c], [b, d, e], [c, e, g]] x = right by Cholesky.

    Args:
        rows: a, b, c, d, e and g.
        right: hand side.
    """
    a, b, c, d, e, g = rows
    f, m, n = right
    l11 = math.sqrt(a)
    l21, l31 = b / l11, c / l11
    l22 = math.sqrt(max(d - l21 * l21, 1e-300))
    l32 = (e - l31 * l21) / l22
    l33 = math.sqrt(max(g - l31 * l31 - l32 * l32, 1e-300))
    p = f / l11
    q = (m - l21 * p) / l22
    r = (n - l31 * p - l32 * q) / l33
    w = r / l33
    v = (q - l32 * w) / l22
    u = (p - l21 * v - l31 * w) / l11
    return u, v, w


@compiled(allocates=False)
def _free_one_more(f: float, m: float, n: float, feet: Records[SharedLoad]) -> bool:
    """Free the held load that would help most; False if none would."""
    for foot in feet:
        if foot.free > 0.0:
            f -= FORCE_WEIGHT * foot.load
            m -= foot.arm[1] * foot.load
            n += foot.arm[0] * foot.load
    best, most = -1, 1e-6 * FORCE_WEIGHT  # a newton's effect: rounding is far below
    for one in range(feet.shape[0]):
        foot = feet[one]
        if foot.stands > 0.0 and foot.free == 0.0:
            gain = FORCE_WEIGHT * f + foot.arm[1] * m - foot.arm[0] * n
            if gain > most:
                best, most = one, gain
    if best < 0:
        return False
    feet[best].load, feet[best].free = 1e-9, 1.0
    return True
