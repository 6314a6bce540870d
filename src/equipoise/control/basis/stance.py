"""A machine on four legs as the control basis sees it: feet, trunk, joints.

The trunk is level. Joint angles are kept with the feet, so that the next solution is
found from the last one.
"""

import math

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.legs import KNEE, LegBuild, foot_jacobian, foot_place, place_foot

__all__ = [
    "FIRM",
    "BasisBody",
    "BasisLeg",
    "BasisParts",
    "BasisScratch",
    "BasisStance",
    "centre_xy",
    "leg_posture",
    "reaches",
    "tripod_margin",
]  # fmt: skip

ROUNDS = 20  # of Newton's method, from a pose near by
NEAR = 1e-7  # where a foot has come to its place, in lengths of a leg
FIRM = 4.0  # power of the cosines in the posture measure
LONGEST = 0.3  # that a joint goes in a round [rad, or lengths of a leg]


class BasisStance(Record):
    """Places of feet and trunk."""

    feet: Array = entry("foot points in W", "m", "legs", 3)
    q: Array = entry("joint angles that put them there", "rad or m", "legs", "joints")
    p_WB: Vec3 = entry("place of the trunk", "m", 3)
    yaw: float = entry("heading of the trunk", "rad")


class BasisLeg(Record):
    """Data of one leg for the control basis, beside its build."""

    lower: VecN = entry("least angles of its joints", "rad or m", 3)
    upper: VecN = entry("largest", "rad or m", 3)
    neutral: VecN = entry("their middle, from which cosines go", "rad or m", 3)
    stand: VecN = entry("its joints as it stands", "rad or m", 3)
    inner: float = entry("least distance of its foot from the trunk's middle", "m")
    outer: float = entry("largest", "m")
    home: Vec3 = entry("its foot then, in B", "m", 3)
    share: Array = entry("of its foot's way in the centre of mass's", "", 2, 2)


class BasisBody(Record):
    """Data of the whole machine for the control basis, and its largest steps."""

    centre: VecN = entry("of mass in B, all feet at home, level", "m", 2)
    margin: float = entry("of the centre of mass over which a tripod is stable", "m")
    spare: float = entry("beyond it, at which contact controllers stop", "m")
    kept: float = entry("margin that no dominated controller may take away", "m")
    step: float = entry("longest that a controller goes at once", "m")
    turn: float = entry("largest that it turns at once", "rad")
    still: float = entry("way below which it has converged", "m")
    steady: float = entry("turn below which it has", "rad")


class BasisScratch(Record):
    """Scratch memory of the kernels."""

    q: VecN = entry("of a leg that is tried", "rad or m", 3)
    rest: VecN = entry("speeds, none", "rad/s", 3)
    place: Vec3 = entry("where the foot shall be, from its hip", "m", 3)
    foot: Vec3 = entry("where it is", "m", 3)
    spin: Vec3 = entry("of its last link", "rad/s", 3)
    jacobian: Array = entry("of the foot", "m/rad", 3, 3)


BasisParts = tuple[
    Records[LegBuild], Records[BasisLeg], Records[BasisBody], Records[BasisScratch]
]
"""All that kernels know of a machine."""


@compiled(allocates=False)
def _solve_leg(
    build: LegBuild, leg: BasisLeg, rooms: Records[BasisScratch]
) -> tuple[bool, float]:
    """Move the scratch's joints to its place; say whether it is reached, and det J.

    Newton's method with steps of bounded length, joints kept in their ranges.

    Args:
        build: how the leg is built.
        leg: its limits.
        rooms: with the joints and the place, (1,).
    """
    room = rooms[0]
    q, J, foot, size = (
        room.q,
        room.jacobian,
        room.foot,
        build.lengths[0] + build.lengths[1],
    )
    det = 0.0
    for _ in range(ROUNDS):
        if build.kind == KNEE:
            foot_place(q, build.lengths.reshape(1, 2), foot.reshape(1, 3))
            foot_jacobian(q, build.lengths.reshape(1, 2), J.reshape(1, 3, 3))
        else:
            place_foot(build, q, room.rest, foot, J, room.spin)
        x, y, z = (
            room.place[0] - foot[0],
            room.place[1] - foot[1],
            room.place[2] - foot[2],
        )
        a, b, c = J[0, 0], J[0, 1], J[0, 2]
        d, e, f = J[1, 0], J[1, 1], J[1, 2]
        g, h, i = J[2, 0], J[2, 1], J[2, 2]
        det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        if abs(x) + abs(y) + abs(z) < NEAR * size:
            return True, det
        if det == 0.0:
            return False, 0.0
        moves = (
            ((e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e) * z) / det,
            ((f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f) * z) / det,
            ((d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d) * z) / det,
        )
        for j in range(3):
            most = LONGEST if build.slides[j] == 0.0 else LONGEST * size
            by = min(max(moves[j], -most), most)
            q[j] = min(max(q[j] + by, leg.lower[j]), leg.upper[j])
    return False, 0.0


@compiled(allocates=False)
def leg_posture(stance: Records[BasisStance], one: int, parts: BasisParts) -> float:
    """Return ln m of a leg, -inf where its foot is out of reach; its joints are found.

    [Ridderstrom2003] section 3.3.2: m = p Π cos θ, p = √det(J Jᵀ) = |det J|, θ the
    joints' angles from their middle, ±π/2 at the ends of their ranges. Here cosines are
    raised to a power, or manipulability stretches legs more than servos can carry.

    Args:
        stance: whose ``q`` is written where the foot is reached, (1,).
        one: which leg.
        parts: of the machine.
    """
    builds, legs, _, rooms = parts
    at, build, leg, room = stance[0], builds[one], legs[one], rooms[0]
    c, s = math.cos(at.yaw), math.sin(at.yaw)
    x, y = at.feet[one, 0] - at.p_WB[0], at.feet[one, 1] - at.p_WB[1]
    room.place[0] = c * x + s * y - build.hip[0]
    room.place[1] = c * y - s * x - build.hip[1]
    room.place[2] = at.feet[one, 2] - at.p_WB[2] - build.hip[2]
    for j in range(3):
        room.q[j] = at.q[one, j]
    is_reached, det = _solve_leg(build, leg, rooms)
    if not is_reached or not leg.inner <= math.hypot(x, y) <= leg.outer:
        return -math.inf
    found = math.log(abs(det)) if det != 0.0 else -math.inf
    for j in range(3):
        off, end = room.q[j] - leg.neutral[j], leg.upper[j]
        if off < 0.0:
            end = leg.lower[j]
        near = math.cos(0.5 * math.pi * off / (end - leg.neutral[j]))
        found += FIRM * math.log(near) if near > 1e-9 else -math.inf
    if found > -math.inf:
        for j in range(3):
            at.q[one, j] = room.q[j]
    return found


@compiled(allocates=False)
def reaches(stance: Records[BasisStance], one: int, parts: BasisParts) -> bool:
    """Return whether a leg reaches its foot, or all do for a negative number."""
    if one >= 0:
        return leg_posture(stance, one, parts) > -math.inf
    for leg in range(stance[0].feet.shape[0]):
        if not leg_posture(stance, leg, parts) > -math.inf:
            return False
    return True


@compiled(allocates=False)
def centre_xy(stance: Records[BasisStance], parts: BasisParts) -> tuple[float, float]:
    """Return the centre of mass in W, seen from above [m]: feet carry a share of it."""
    at, body = stance[0], parts[2][0]
    c, s = math.cos(at.yaw), math.sin(at.yaw)
    u, w = body.centre[0], body.centre[1]
    for one in range(at.feet.shape[0]):
        leg = parts[1][one]
        x, y = at.feet[one, 0] - at.p_WB[0], at.feet[one, 1] - at.p_WB[1]
        dx, dy = c * x + s * y - leg.home[0], c * y - s * x - leg.home[1]
        u += leg.share[0, 0] * dx + leg.share[0, 1] * dy
        w += leg.share[1, 0] * dx + leg.share[1, 1] * dy
    return at.p_WB[0] + c * u - s * w, at.p_WB[1] + s * u + c * w


@compiled(allocates=False)
def tripod_margin(
    stance: Records[BasisStance], a: int, b: int, d: int, parts: BasisParts
) -> float:
    """Return how far inside three feet the centre of mass is, negative outside [m].

    Args:
        stance: of the machine, (1,).
        a: a foot.
        b: another.
        d: the third.
        parts: of the machine.
    """
    feet = stance[0].feet
    x, y = centre_xy(stance, parts)
    area = (feet[b, 0] - feet[a, 0]) * (feet[d, 1] - feet[a, 1]) - (
        feet[b, 1] - feet[a, 1]
    ) * (feet[d, 0] - feet[a, 0])
    turn = 1.0 if area >= 0.0 else -1.0
    least = math.inf
    for i, j in ((a, b), (b, d), (d, a)):
        wx, wy = feet[j, 0] - feet[i, 0], feet[j, 1] - feet[i, 1]
        length = math.hypot(wx, wy)
        if length == 0.0:
            return -math.inf
        off = wx * (y - feet[i, 1]) - wy * (x - feet[i, 0])
        least = min(least, turn * off / length)
    return least
