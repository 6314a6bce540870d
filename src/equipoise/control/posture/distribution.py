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

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.jit import compiled

__all__ = ["share_consistent", "share_printed"]

SHORTEST_ARM = 0.02  # below it a leg is left out of a moment [m]
FORCE_WEIGHT = 10.0  # per newton, beside 1 per N m at an arm of a metre
SLACK = 1e-9  # share of the loads' own size that the solution may cost


@compiled(allocates=False)
def share_printed(wrench: Vec3, arms: Array, stands: VecN, out: Array) -> None:
    """Write the loads of the printed rule.

    Args:
        wrench: f3, m1 and m2 that the trunk shall feel, (3,) [N, N m].
        arms: lever arms r1 and r2, first two columns, (nl, 3) [m].
        stands: above zero for legs that stand, (nl,).
        out: loads in row 0, (3, nl) [N]; overwritten.
    """
    count = 0.0
    for leg in range(arms.shape[0]):
        if stands[leg] > 0.0:
            count += 1.0
    for leg in range(arms.shape[0]):
        load = 0.0
        if stands[leg] > 0.0:
            load = wrench[0]
            if abs(arms[leg, 1]) > SHORTEST_ARM:
                load += wrench[1] / arms[leg, 1]
            if abs(arms[leg, 0]) > SHORTEST_ARM:
                load -= wrench[2] / arms[leg, 0]
            load /= count
        out[0, leg] = load


@compiled(allocates=False)
def share_consistent(
    wrench: Vec3, arms: Array, stands: VecN, least: float, out: Array
) -> int:
    """Write the smallest loads above the least that give a force and moment.

    Args:
        wrench: f3, m1 and m2 that the trunk shall feel, (3,) [N, N m].
        arms: places of the feet, first two columns, (nl, 3) [m].
        stands: above zero for legs that stand, (nl,).
        least: load that no standing foot goes below [N].
        out: loads in row 0, rest is room, (3, nl) [N]; overwritten.

    Returns:
        Rounds that it took; 1 where no load was in danger of pulling, 0 where no leg
        stands.
    """
    f, m, n = FORCE_WEIGHT * wrench[0], wrench[1], wrench[2]
    count = 0
    for leg in range(arms.shape[0]):
        out[0, leg], out[1, leg], out[2, leg] = 0.0, 0.0, 0.0
        if stands[leg] > 0.0:
            count += 1
            f -= FORCE_WEIGHT * least
            m -= arms[leg, 1] * least
            n += arms[leg, 0] * least
            out[0, leg], out[2, leg] = 1.0, 1.0  # inside, and free
    rounds = 0
    while count > 0 and rounds < 4 * arms.shape[0]:
        rounds += 1
        if not _solve_free(f, m, n, arms, out):
            continue
        if not _free_one_more(f, m, n, arms, stands, out):
            break
    for leg in range(arms.shape[0]):
        if stands[leg] > 0.0:
            out[0, leg] += least
    return rounds


@compiled(allocates=False)
def _solve_free(f: float, m: float, n: float, arms: Array, out: Array) -> bool:
    """Solve for the free loads; where one would pull go only as far as zero, hold it.

    Returns:
        Whether none would.
    """
    a, b, c = 0.0, 0.0, 0.0
    d, e, g = 0.0, 0.0, 0.0
    for leg in range(arms.shape[0]):
        if out[2, leg] > 0.0:
            x, y = -arms[leg, 0], arms[leg, 1]
            a += FORCE_WEIGHT * FORCE_WEIGHT
            b += FORCE_WEIGHT * y
            c += FORCE_WEIGHT * x
            d += y * y
            e += x * y
            g += x * x
    slack = SLACK * (a + d + g) + 1e-30
    u, v, w = _solved(a + slack, b, c, d + slack, e, g + slack, f, m, n)
    share, whole = 1.0, True
    for leg in range(arms.shape[0]):
        if out[2, leg] > 0.0:
            out[1, leg] = FORCE_WEIGHT * u + arms[leg, 1] * v - arms[leg, 0] * w
            if out[1, leg] <= 0.0:
                whole = False
                share = min(share, out[0, leg] / (out[0, leg] - out[1, leg] + 1e-300))
    for leg in range(arms.shape[0]):
        if out[2, leg] > 0.0:
            before = out[0, leg]
            out[0, leg] += share * (out[1, leg] - before)
            if not whole and out[1, leg] <= 0.0 and out[0, leg] <= 1e-12 * before:
                out[0, leg], out[2, leg] = 0.0, 0.0
    return whole


@compiled(allocates=False)
def _solved(
    a: float,
    b: float,
    c: float,
    d: float,
    e: float,
    g: float,
    f: float,
    m: float,
    n: float,
) -> tuple[float, float, float]:
    """Return x of [[a, b, c], [b, d, e], [c, e, g]] x = (f, m, n) by Cholesky."""
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
def _free_one_more(
    f: float, m: float, n: float, arms: Array, stands: VecN, out: Array
) -> bool:
    """Free the held load that would help most; False if none would."""
    for leg in range(arms.shape[0]):
        if out[2, leg] > 0.0:
            f -= FORCE_WEIGHT * out[0, leg]
            m -= arms[leg, 1] * out[0, leg]
            n += arms[leg, 0] * out[0, leg]
    best, most = -1, 1e-6 * FORCE_WEIGHT  # a newton's effect: rounding is far below
    for leg in range(arms.shape[0]):
        if stands[leg] > 0.0 and out[2, leg] == 0.0:
            gain = FORCE_WEIGHT * f + arms[leg, 1] * m - arms[leg, 0] * n
            if gain > most:
                best, most = leg, gain
    if best < 0:
        return False
    out[0, best], out[2, best] = 1e-9, 1.0
    return True
