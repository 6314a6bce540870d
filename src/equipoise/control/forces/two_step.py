"""Two-step force distribution, [Ridderstrom2003] section 3.2.2.

First, level forces: feet share them by their loads, as friction lets them. With weights
w = μ f3 and the feet's weighted middle c they are

    h = w (a + λ b3 × (r - c)),   a = (F1, F2) / Σ w,   λ = (M3 - c × F) / Σ w |r - c|²

all of one direction but for the couple that turns: no two feet pull against each other.
Then loads: the smallest within their bounds that give F3 and the moments M1 and M2,
what the level forces do about the centre of mass taken off (``forces.bounded``). Loads
weigh level forces and level forces have a say in loads, so both are done twice. Last, a
level force beyond friction is cut; what the wrench misses by is told.

The third axis is the ground's normal, so that friction is a cone about it.
"""

import math

from equipoise.control.forces.bounded import BoundedLoad, share_within
from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["FootForce", "ForceMiss", "TrunkWrench", "distribute"]

TWICE = 2


class FootForce(BoundedLoad):
    """Force of the ground on one foot."""

    grip: float = entry("coefficient of friction that is trusted")
    weight: float = entry("by which it shares level forces", "N")
    level: Vec3 = entry("level force; its third entry is not used", "N", 3)


class TrunkWrench(Record):
    """Wrench requested of the ground, about the centre of mass."""

    force: Vec3 = entry("along the axes of the ground", "N", 3)
    moment: Vec3 = entry("about them", "N m", 3)


class ForceMiss(Record):
    """Part of a wrench that a distribution could not provide."""

    force: Vec3 = entry("wanted less given", "N", 3)
    moment: Vec3 = entry("wanted less given", "N m", 3)
    cut: float = entry("how many feet had their level force cut by friction")
    rounds: float = entry("of the search for loads")


@compiled(allocates=False)
def distribute(wanted: TrunkWrench, feet: Records[FootForce], miss: ForceMiss) -> None:
    """Write the feet's forces: ``load`` along the normal, ``level`` across it.

    Args:
        wanted: force and moment.
        feet: with arms, bounds and friction; forces are overwritten, (nl,).
        miss: what they do not give; overwritten.
    """
    F, M = wanted.force, wanted.moment
    mean, count = 0.0, 0.0
    for foot in feet:
        if foot.most > 0.0:
            mean, count = mean + foot.arm[2], count + 1.0
    mean = mean / max(count, 1.0)
    miss.cut = 0.0
    miss.rounds = share_within(F[2], M[0] + mean * F[1], M[1] - mean * F[0], feet)
    for _ in range(TWICE):
        _share_level(F[0], F[1], M[2], feet)
        miss.cut = _cut(feet)
        m1, m2 = M[0], M[1]
        for foot in feet:
            m1 += foot.arm[2] * foot.level[1]
            m2 -= foot.arm[2] * foot.level[0]
        miss.rounds += share_within(F[2], m1, m2, feet)
    miss.cut = max(miss.cut, _cut(feet))
    _say_miss(wanted, feet, miss)


@compiled(allocates=False)
def _share_level(f1: float, f2: float, m3: float, feet: Records[FootForce]) -> None:
    """Write the level forces, weighted by the loads that feet have so far."""
    total, x, y = 0.0, 0.0, 0.0
    for foot in feet:
        foot.weight = foot.grip * foot.load
        total += foot.weight
        x += foot.weight * foot.arm[0]
        y += foot.weight * foot.arm[1]
    for foot in feet:
        foot.level[0], foot.level[1], foot.level[2] = 0.0, 0.0, 0.0
    if not total > 0.0:
        return
    x, y, spread, size = x / total, y / total, 0.0, 0.0
    for foot in feet:
        a, b = foot.arm[0] - x, foot.arm[1] - y
        spread += foot.weight * (a * a + b * b)
        size += foot.weight * (foot.arm[0] ** 2 + foot.arm[1] ** 2)
    turn = (m3 - x * f2 + y * f1) / spread if spread > 1e-9 * size else 0.0
    for foot in feet:
        a, b = foot.arm[0] - x, foot.arm[1] - y
        foot.level[0] = foot.weight * (f1 / total - turn * b)
        foot.level[1] = foot.weight * (f2 / total + turn * a)


@compiled(allocates=False)
def _cut(feet: Records[FootForce]) -> float:
    """Cut level forces beyond friction; return of how many feet."""
    count = 0.0
    for foot in feet:
        most = foot.grip * foot.load
        size = math.hypot(foot.level[0], foot.level[1])
        if size > most:
            share = most / size
            foot.level[0] *= share
            foot.level[1] *= share
            count += 1.0 if share < 1.0 - 1e-9 else 0.0
    return count


@compiled(allocates=False)
def _say_miss(wanted: TrunkWrench, feet: Records[FootForce], miss: ForceMiss) -> None:
    """Write what is wanted less what the feet give."""
    for i in range(3):
        miss.force[i], miss.moment[i] = wanted.force[i], wanted.moment[i]
    for foot in feet:
        x, y, z = foot.arm[0], foot.arm[1], foot.arm[2]
        a, b, c = foot.level[0], foot.level[1], foot.load
        miss.force[0] -= a
        miss.force[1] -= b
        miss.force[2] -= c
        miss.moment[0] -= y * c - z * b
        miss.moment[1] -= z * a - x * c
        miss.moment[2] -= x * b - y * a
