"""The farthest centre of mass in one direction, by a barrier on true friction cones.

Forces in the cones hold a unit of weight, all along u, at places whose farthest in a
direction d square to u is, by duality, the least v_z of all motions (v, ω) of a rigid
body with ω = (-d_y, d_x, w) that move no contact out of its cone's dual ([Bretl2006]
section III)::

    h(d) = min v_z,    q_i = (1 + μ²) (n·g_i)² - μ² |g_i|² >= 0,   g_i = v + ω × p_i

The barrier t v_z - Σ log q_i has four unknowns however many contacts there are. Where
its slope is zero, f_i = 2 Q_i g_i / (t q_i) are forces in the cones that hold the
weight, and reach to within 2 nc / t of h. One turn goes back to the middle and on along
the path of middles, with one and the same matrix. With the direction set free, a fifth
unknown turns d, and v_z - d·c is least: the distance to the edge.

Lengths are over the contacts' spread and measured from their mean, along axes of which
the third is u.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from equipoise.equations.tape.functions import less, maximum, minimum, sqrt, where
from equipoise.equations.tape.tape import Expr, Value
from equipoise.equations.tape.vectors import Vec, cross_product, inner_product, total

__all__ = [
    "ConeContact",
    "Middle",
    "balancing_forces",
    "barrier_iteration",
    "barrier_start",
    "middle",
]

BACK = 0.9
"""Share of the way to the nearest cone's edge that a turn goes at most."""
GROWTH = 20.0
"""Times that t grows in a turn at most."""
SMALL = 1e-30
"""Below this a way out of a cone has no end."""
FAR = 1e3
"""Spreads beyond which the region counts as empty."""


@final
@dataclass(frozen=True)
class ConeContact:
    """One contact: where it is, its cone, and whether it is there."""

    p: Vec
    normal: Vec
    """Unit normal times √(1 + μ²)."""
    square: Expr
    """μ²."""
    is_on: Expr
    """1, or 0 where there is none; its place and cone must then be harmless."""

    def motion(self, d: Sequence[Expr], unknowns: Sequence[Expr]) -> Vec:
        """Return g = v + ω × p."""
        x, y, z, w = unknowns
        px, py, pz = self.p
        return (
            x + d[0] * pz - w * py,
            y + d[1] * pz + w * px,
            z - (d[0] * px + d[1] * py),
        )

    def changed(self, d: Sequence[Expr], step: Sequence[Expr]) -> Vec:
        """Return the change of g by a step of the unknowns, four or five."""
        px, py, _ = self.p
        by = [step[0] - step[3] * py, step[1] + step[3] * px, step[2]]
        if len(step) == 5:
            by = [a + step[4] * b for a, b in zip(by, self.swung(d), strict=True)]
        return (by[0], by[1], by[2])

    def swung(self, d: Sequence[Expr]) -> Vec:
        """Return the change of g as d turns to its left."""
        px, py, pz = self.p
        return (-d[1] * pz, d[0] * pz, d[1] * px - d[0] * py)

    def pushed(self, g: Vec) -> Vec:
        """Return Q g."""
        n, along, square = self.normal, inner_product(self.normal, g), self.square
        return (
            n[0] * along - square * g[0],
            n[1] * along - square * g[1],
            n[2] * along - square * g[2],
        )

    def columns(self, d: Sequence[Expr], count: int) -> list[Vec]:
        """Return the derivatives of g by the unknowns."""
        px, py, _ = self.p
        one, zero = 0 * px + 1, 0 * px
        turn = (-py, px, zero)
        found = [(one, zero, zero), (zero, one, zero), (zero, zero, one), turn]
        return [*found, self.swung(d)][:count]


@final
@dataclass(frozen=True)
class Middle:
    """Slope and curvature of the barrier at some unknowns, and both of its ways."""

    back: list[Expr]
    """The way to the middle."""
    along: list[Expr]
    """The way along which v_z falls, to be taken minus t times a share."""
    motions: list[Vec]
    pushes: list[Vec]
    """Q g of each contact."""
    depths: list[Expr]
    """q of each contact."""
    off: Expr
    """Square of the distance to the middle, over the ellipsoid inside all cones."""


def _ldl_solved(
    matrix: dict[tuple[int, int], Expr], rights: Sequence[Sequence[Expr]]
) -> list[list[Expr]]:
    """Return the solutions of A x = b; pivots that are not positive are made so."""
    n, a = len(rights[0]), dict(matrix)
    factor: dict[tuple[int, int], Expr] = {}
    inverse: list[Expr] = []
    for k in range(n):
        inverse.append(1 / a[k, k])
        for i in range(k + 1, n):
            factor[i, k] = a[k, i] * inverse[k]
        for i in range(k + 1, n):
            for j in range(i, n):
                a[i, j] = a[i, j] - factor[i, k] * a[k, j]
        if k == 3 and n == 5:  # the direction's own: where it is a hill, stay
            a[4, 4] = where(less(SMALL, a[4, 4]), a[4, 4], 1e30)
    found: list[list[Expr]] = []
    for right in rights:
        x = list(right)
        for k in range(n):
            for i in range(k + 1, n):
                x[i] = x[i] - factor[i, k] * x[k]
        x = [value * inv for value, inv in zip(x, inverse, strict=True)]
        for k in reversed(range(n)):
            for i in range(k + 1, n):
                x[k] = x[k] - factor[i, k] * x[i]
        found.append(x)
    return found


def middle(
    contacts: Sequence[ConeContact],
    d: Sequence[Expr],
    unknowns: Sequence[Expr],
    t: Expr,
    com: Sequence[Expr] | None = None,
) -> Middle:
    """Return where the barrier's middle is from here.

    Args:
        contacts: at least one.
        d: direction, unit, (2,).
        unknowns: v and w, (4,).
        t: weight of v_z in the barrier.
        com: centre of mass, (2,), to set the direction free; None to hold it.
    """
    n = 4 if com is None else 5
    zero = 0 * t
    matrix = {(i, j): zero for i in range(n) for j in range(i, n)}
    slope = [zero] * n
    motions, pushes, depths = [], [], []
    for contact in contacts:
        g = contact.motion(d, unknowns)
        y = contact.pushed(g)
        q = where(contact.is_on, inner_product(g, y), 1.0)
        r = contact.is_on * 2 / q
        columns = contact.columns(d, n)
        b = [r * inner_product(column, y) for column in columns]
        s = [inner_product(column, contact.normal) for column in columns]
        rs, less_of = [r * x for x in s], r * contact.square
        for i in range(n):
            slope[i] = slope[i] - b[i]
            for j in range(i, n):
                square = less_of * inner_product(columns[i], columns[j])
                entry = matrix[i, j] + (b[i] * b[j] - (rs[i] * s[j] - square))
                matrix[i, j] = entry
        if com is not None:  # d'' = -d
            spin = cross_product((-d[1], d[0], zero), contact.p)
            matrix[4, 4] = matrix[4, 4] + r * inner_product(y, spin)
        motions.append(g)
        pushes.append(y)
        depths.append(q)
    fall = [zero, zero, 0 * t + 1, zero]
    if com is not None:
        fall.append(d[1] * com[0] - d[0] * com[1])
        matrix[4, 4] = matrix[4, 4] + t * (d[0] * com[0] + d[1] * com[1])
    ridge = 1e-12 * total([matrix[i, i] for i in range(4)])
    for i in range(4):  # a lone contact leaves one motion free
        matrix[i, i] = matrix[i, i] + ridge
    rest = [-(a + t * b) for a, b in zip(slope, fall, strict=True)]
    back, along = _ldl_solved(matrix, [rest, fall])
    off = total([a * b for a, b in zip(back, rest, strict=True)])
    return Middle(back, along, motions, pushes, depths, off)


def _reached(
    contacts: Sequence[ConeContact],
    d: Sequence[Expr],
    at: Middle,
    step: Sequence[Expr],
) -> Expr:
    """Return how many steps lead to the first cone's edge, at most 1 / BACK."""
    most: Expr | None = None
    parts = zip(contacts, at.pushes, at.depths, strict=True)
    for contact, y, q in parts:
        by = contact.changed(d, step)
        b, a = inner_product(by, y), inner_product(by, contact.pushed(by))
        down = sqrt(maximum(b * b - a * q, 0.0)) - b
        ends = contact.is_on * less(BACK * q, down)
        way = where(ends, q / down, 1 / BACK)
        most = way if most is None else minimum(most, way)
    if most is None:
        raise AssertionError("a barrier without contacts")
    return most


def barrier_iteration(
    contacts: Sequence[ConeContact],
    d: Sequence[Expr],
    unknowns: Sequence[Expr],
    t: Expr,
    end: Value,
    com: Sequence[Expr] | None = None,
) -> tuple[list[Expr], list[Expr], Expr, Expr]:
    """Return direction, unknowns and t after one turn, and how far off it was before.

    That is far where the turn leapt ahead along the path.

    A step is straight in all unknowns, so that it cannot leave a cone; a direction set
    free is then of another length, by which everything is divided.

    Args:
        contacts: at least one.
        d: direction, unit, (2,).
        unknowns: v and w, (4,).
        t: weight of v_z in the barrier.
        end: the largest t.
        com: centre of mass, (2,), to set the direction free; None to hold it.
    """
    at = middle(contacts, d, unknowns, t, com)
    share = 1 - t / minimum(GROWTH * t, end)
    step = [a - share * t * b for a, b in zip(at.back, at.along, strict=True)]
    size = minimum(BACK * _reached(contacts, d, at, step), 1.0)
    moved = [x + size * by for x, by in zip(unknowns, step, strict=False)]
    later = minimum(t / (1 - size * share), end)
    # rounding may be too coarse to go on, or nothing holds the weight: stay, and end
    goes = less(at.off, 1e30) * less(-FAR, unknowns[2])
    off = where(less(share, 1e-3), at.off, FAR)  # a leap is not where it was
    later, off = where(goes, later, end), where(goes, off, 0.0)
    if com is None:
        moved = [where(goes, b, a) for a, b in zip(unknowns, moved, strict=True)]
        return list(d), moved, later, off
    swing = where(goes, size * step[4], 0.0)
    scale = 1 / sqrt(1 + swing * swing)
    moved = [where(goes, scale * b, a) for a, b in zip(unknowns, moved, strict=True)]
    d = [scale * (d[0] - swing * d[1]), scale * (d[1] + swing * d[0])]
    return d, moved, later, off


def barrier_start(
    contacts: Sequence[ConeContact], d: Sequence[Expr], way: Sequence[Expr], room: Expr
) -> tuple[list[Expr], Expr]:
    """Return unknowns inside all cones, and t.

    Args:
        contacts: at least one.
        d: direction, unit, (2,).
        way: a translation inside all cones' duals, unit, (3,).
        room: how far inside, the least n·way - μ |way_t|.
    """
    zero = 0 * room
    far = zero
    for contact in contacts:
        g = contact.motion(d, [zero, zero, zero, zero])
        size = sqrt(inner_product(contact.normal, contact.normal) * inner_product(g, g))
        far = maximum(far, contact.is_on * size)
    size = (far + 0.5) / room
    return [size * way[0], size * way[1], size * way[2], zero], 2 / size


def balancing_forces(
    contacts: Sequence[ConeContact], at: Middle, t: Expr, d: Sequence[Expr]
):
    """Return forces that balance to rounding: those at the end of the way back."""
    found: list[Vec] = []
    parts = zip(contacts, at.pushes, at.depths, strict=True)
    for contact, y, q in parts:
        by = contact.changed(d, at.back)
        r = contact.is_on * 2 / q
        more, share = contact.pushed(by), r * inner_product(by, y)
        f = [r * (a + b - share * a) / t for a, b in zip(y, more, strict=True)]
        found.append((f[0], f[1], f[2]))
    return found
