"""One state as the barrier wants it, and the answer back in the world.

The contacts' push is along b = a + g e_z for a centre of mass with acceleration a. Seen
along b the state is at rest: the axes' third is u = b / |b|, lengths are over the
contacts' spread and measured from their mean.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from equipoise.equations.margins.cone.barrier import (
    ConeContact,
    balancing_forces,
    middle,
)
from equipoise.equations.margins.cone.polygon import Known, sorted_round, widened
from equipoise.equations.tape.functions import less, maximum, minimum, sqrt, where
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import (
    Vec,
    cross_product,
    inner_product,
    plus,
    scaled_vector,
    vector_difference,
)

__all__ = [
    "RawContact",
    "View",
    "initial_cone_state",
    "margin_and_derivatives",
    "viewed",
]

LEAST_ROOM = 0.02
"""How far inside all cones' duals a translation must be for the state to be judged."""


@final
@dataclass(frozen=True)
class RawContact:
    """A contact in the world."""

    p: Vec
    n: Vec
    mu: Expr
    is_on: Expr


@final
@dataclass(frozen=True)
class View:
    """A state seen along its push."""

    axes: tuple[Vec, Vec, Vec]
    """The view's axes in the world; the last is u."""
    push: Expr
    """|b| [m/s²]."""
    spread: Expr
    contacts: list[ConeContact]
    normals: list[Vec]
    """Unit."""
    sizes: list[Expr]
    """Lengths of the normals as they came."""
    com: Vec

    def out(self, v: Vec) -> Vec:
        """Return a vector of the view in the world."""
        x, y, z = self.axes
        return plus(
            plus(scaled_vector(v[0], x), scaled_vector(v[1], y)), scaled_vector(v[2], z)
        )


def _vec(axes: Iterable[Expr]) -> Vec:
    """Return three expressions as a vector."""
    x, y, z = axes
    return (x, y, z)


def _total_of(terms: Sequence[Expr]) -> Expr:
    """Return a sum, one term after the other."""
    found = terms[0]
    for term in terms[1:]:
        found = found + term
    return found


def seen_axes(u: Vec) -> tuple[Vec, Vec, Vec]:
    """Return axes of which the third is u, those of [Duff2017], without a pole."""
    x, y, z = u
    sign = where(less(z, 0.0), -1.0, 0 * z + 1)
    part = -1 / (sign + z)
    one = (1 + sign * x * x * part, sign * x * y * part, -sign * x)
    two = (x * y * part, sign + y * y * part, -y)
    return one, two, u


def viewed(com: Vec, push: Vec, raw: Sequence[RawContact]) -> View:
    """Return a state seen along its push; contacts that are not there are harmless.

    Args:
        com: centre of mass, (3,) [m].
        push: b, (3,) [m/s²].
        raw: contacts.
    """
    size = sqrt(inner_product(push, push))
    axes = seen_axes(scaled_vector(1 / size, push))
    count = maximum(_total_of([c.is_on for c in raw]), 1.0)
    centre = _vec(
        _total_of([where(c.is_on, c.p[k], 0.0) for c in raw]) / count for k in range(3)
    )
    arms = [vector_difference(c.p, centre) for c in raw]
    squares = [
        where(c.is_on, inner_product(arm, arm), 0.0)
        for c, arm in zip(raw, arms, strict=True)
    ]
    most = squares[0]
    for square in squares[1:]:
        most = maximum(most, square)
    spread = sqrt(most)
    spread = where(less(1e-9, spread), spread, 1.0)

    def seen(v: Vec, scale: Expr) -> Vec:
        return (
            scale * inner_product(axes[0], v),
            scale * inner_product(axes[1], v),
            scale * inner_product(axes[2], v),
        )

    contacts: list[ConeContact] = []
    normals: list[Vec] = []
    sizes: list[Expr] = []
    for c, arm in zip(raw, arms, strict=True):
        length = where(c.is_on, sqrt(inner_product(c.n, c.n)), 1.0)
        at, n = seen(arm, 1 / spread), seen(c.n, 1 / length)
        at = _vec(where(c.is_on, x, 0.0) for x in at)
        n = _vec(where(c.is_on, x, float(k == 2)) for k, x in enumerate(n))
        square = where(c.is_on, c.mu * c.mu, 0.0)
        steep = scaled_vector(sqrt(1 + square), n)
        contacts.append(ConeContact(at, steep, square, c.is_on))
        normals.append(n)
        sizes.append(length)
    there = seen(vector_difference(com, centre), 1 / spread)
    return View(axes, size, spread, contacts, normals, sizes, there)


def _room_of(view: View, way: Vec, mus: Sequence[Expr]) -> Expr:
    """Return the least n·way - μ |way_t| of the contacts that are there."""
    least = 0 * way[0] + 1
    for c, n, mu in zip(view.contacts, view.normals, mus, strict=True):
        along = inner_product(n, way)
        aside = sqrt(maximum(inner_product(way, way) - along * along, 0.0))
        least = minimum(least, where(c.is_on, along - mu * aside, 1.0))
    return least


def initial_cone_state(
    view: View, mus: Sequence[Expr], places: int
) -> tuple[Vec, Expr, Known, Expr]:
    """Return a translation inside all cones' duals, its room, and a first polygon.

    The corners are contacts that hold the whole weight alone, if there are three; else
    there are none, and the last answer is 1.

    Args:
        view: the state.
        mus: friction of each contact.
        places: of the polygon.
    """
    zero = 0 * view.push
    up = (zero, zero, zero + 1)
    mean = _vec(
        _total_of(
            [
                where(c.is_on, n[k], 0.0)
                for c, n in zip(view.contacts, view.normals, strict=True)
            ]
        )
        for k in range(3)
    )
    length = sqrt(inner_product(mean, mean))
    mean = scaled_vector(1 / where(less(1e-9, length), length, 1.0), mean)
    rooms = _room_of(view, up, mus), _room_of(view, mean, mus)
    second = less(rooms[0], rooms[1])
    way = _vec(where(second, b, a) for a, b in zip(up, mean, strict=True))
    alone: list[Expr] = []
    for c, n, mu in zip(view.contacts, view.normals, mus, strict=True):
        side = sqrt(n[0] * n[0] + n[1] * n[1])
        alone.append(c.is_on * less(0.0, n[2]) * (1 - less(mu * n[2], side)))
    points = [(c.p[0], c.p[1]) for c in view.contacts]
    known = widened(sorted_round(points, alone), places)
    ring = less(known.count, 2.5)
    known = Known(known.corners, where(ring, 0.0, known.count))
    return way, maximum(rooms[0], rooms[1]), known, ring


def held_place(
    contacts: Sequence[ConeContact],
    d: Sequence[Expr],
    unknowns: Sequence[Expr],
    t: Expr,
    band: float,
) -> tuple[tuple[Expr, Expr], Expr]:
    """Return the place that the middle's forces hold, and whether they are in cones."""
    at = middle(contacts, d, unknowns, t)
    found = balancing_forces(contacts, at, t, d)
    x, y, fits = 0 * t, 0 * t, 0 * t + 1
    for c, f in zip(contacts, found, strict=True):
        x = x + (c.p[0] * f[2] - c.p[2] * f[0])
        y = y + (c.p[1] * f[2] - c.p[2] * f[1])
        fits = fits * _is_in_cone(c, f, band)
    return (x, y), fits


def _is_in_cone(contact: ConeContact, f: Vec, band: float) -> Expr:
    """Return 1 where a force is in its friction cone, to a part of the weight."""
    along = inner_product(contact.normal, f)  # √(1 + μ²) times the normal force
    over = inner_product(f, f) - (along + band) * (along + band)
    return less(-band, along) * less(over, 1e-30)  # 0 for what is not a number


def margin_and_derivatives(
    view: View,
    d: Sequence[Expr],
    unknowns: Sequence[Expr],
    t: Expr,
    band: float,
) -> tuple[Expr, Expr, list[list[Expr]]]:
    """Return the margin over the spread, whether it is good, and all derivatives.

    The path of middles is followed to its end in one step, t without end. What the
    derivatives are says ``docs/margins.md``.

    Args:
        view: the state.
        d: direction of the nearest edge, unit, (2,).
        unknowns: of the motion that belongs to it, (4,).
        t: as far as the path was followed.
        band: part of the weight by which forces may be off their cones.
    """
    com = view.com
    at = middle(view.contacts, d, unknowns, t, com[:2])
    ends = [a - t * b for a, b in zip(at.back, at.along, strict=True)]
    swing = ends[4]
    there = [x + by for x, by in zip(unknowns, ends, strict=False)]
    scale = 1 / sqrt(1 + swing * swing)
    there = [scale * x for x in there]
    way = [scale * (d[0] - swing * d[1]), scale * (d[1] + swing * d[0])]
    margin = there[2] - (way[0] * com[0] + way[1] * com[1])
    good = less(swing * swing, 1e-4)
    v = (there[0], there[1], there[2])
    w = (-way[1], way[0], there[3])
    pushes = balancing_forces(view.contacts, at, t, d)
    rows: list[list[Expr]] = []
    for k, (c, f) in enumerate(zip(view.contacts, pushes, strict=True)):
        good = good * _is_in_cone(c, f, band)
        n = view.normals[k]
        g = c.motion(way, there)
        aside = vector_difference(g, scaled_vector(inner_product(g, n), n))
        load = c.is_on * inner_product(f, n)
        by_p = view.out(cross_product(w, f))
        factor = -load * (1 + c.square) * view.spread / view.sizes[k]
        by_n = view.out(scaled_vector(factor, aside))
        by_mu = load * sqrt(inner_product(aside, aside)) * view.spread
        rows.append([*(where(c.is_on, x, 0.0) for x in (*by_p, *by_n, by_mu))])
    by_com = view.out((-way[0], -way[1], 0 * t))
    tilt = plus(plus(v, cross_product(w, com)), scaled_vector(margin * w[2], w))
    level = (tilt[0], tilt[1], 0 * t)
    by_push = view.out(scaled_vector(view.spread / view.push, level))
    return margin, good, [list(by_com), list(by_push), *rows]
