"""WARP1 written for any kind of symbols: what others' expressions have to work on.

Mass matrix by composite inertias, forcing by the recursion of Newton and Euler, rates
of the coordinates, with the tables' zeros left out and every other number a symbol:
what ``equations`` counts, in the same order of work, so that only the expressions
differ. Knee angles are relative to the thigh here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

__all__ = ["Algebra", "Model", "solved", "warp1"]

Vec = list[Any]


@final
@dataclass
class Algebra:
    """Symbols and functions of a package, and the symbols made so far."""

    symbol: Callable[[str], Any]
    sin: Callable[[Any], Any]
    cos: Callable[[Any], Any]
    inputs: list[Any] = field(default_factory=list)
    parameters: list[Any] = field(default_factory=list)

    def given(self, *names: str) -> list[Any]:
        """Return symbols given at every step."""
        self.inputs += (made := [self.symbol(n) for n in names])
        return made

    def fixed(self, *names: str) -> list[Any]:
        """Return parameters."""
        self.parameters += (made := [self.symbol(n) for n in names])
        return made


@final
@dataclass(frozen=True)
class Model:
    """What is computed."""

    M: dict[tuple[int, int], Any]
    F: list[Any]
    rates: list[Any]


@final
@dataclass
class Link:
    """A link on a hinge."""

    parent: int
    axis: int
    s: Any
    c: Any
    v: Any
    place: Vec
    mass: Any
    centre: Vec
    about: Vec
    force: Vec | None = None
    at: Vec | None = None

    def out(self, a: Vec) -> Vec:
        """Return a vector in the parent's axes."""
        i, j, k = self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3
        found: Vec = [0, 0, 0]
        found[i] = a[i]
        found[j] = self.c * a[j] - self.s * a[k]
        found[k] = self.s * a[j] + self.c * a[k]
        return found

    def back(self, a: Vec) -> Vec:
        """Return a vector of the parent in the link's axes."""
        i, j, k = self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3
        found: Vec = [0, 0, 0]
        found[i] = a[i]
        found[j] = self.c * a[j] + self.s * a[k]
        found[k] = self.c * a[k] - self.s * a[j]
        return found


def _cross(a: Vec, b: Vec) -> Vec:
    """Return a x b."""
    return [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]


def _plus(*vectors: Vec) -> Vec:
    """Return the sum."""
    return [sum(x[1:], x[0]) for x in zip(*vectors, strict=True)]


def _times(matrix: list[Vec], a: Vec) -> Vec:
    """Return a matrix times a vector."""
    return [row[0] * a[0] + row[1] * a[1] + row[2] * a[2] for row in matrix]


def _square(h: Vec, p: Vec) -> list[Vec]:
    """Return the change of an inertia by h and p: (h.p) 1 - (h p' + p h') / 2."""
    dot = h[0] * p[0] + h[1] * p[1] + h[2] * p[2]
    return [
        [(dot if i == j else 0) - (h[i] * p[j] + p[i] * h[j]) / 2 for j in range(3)]
        for i in range(3)
    ]


def warp1(a: Algebra, *, has_pads: bool = True) -> Model:
    """Return WARP1's equations in symbols of a package.

    Args:
        a: the package.
        has_pads: forces act on the pads and torques at the joints; else there are
            forces along all speeds and none on the pads.
    """
    a.given("x", "y", "z")
    yaw, pitch, roll = a.given("yaw", "pitch", "roll")
    u, w = a.given("ux", "uy", "uz"), a.given("wx", "wy", "wz")
    g, m, *about = a.fixed("g", "m", "Ix", "Iy", "Iz")
    turns = [
        Link(-1, k, a.sin(q), a.cos(q), 0, [0] * 3, 0, [0] * 3, [0] * 3)
        for k, q in ((2, yaw), (1, pitch), (0, roll))
    ]
    legs = [link for k in range(4) for link in _leg(a, k, turns if has_pads else [])]
    down = _inwards(turns, [0, 0, -g])
    F = _forcing(legs, m, about, u, w, down)
    none = [0] * 6 if has_pads else a.given(*(f"b{k}" for k in range(6)))
    torques = [*none, *a.given(*(f"t{k}" for k in range(12)))]
    F = [t - e for t, e in zip(torques, F, strict=True)]
    sp, cp = turns[1].s, turns[1].c
    sr, cr = turns[2].s, turns[2].c
    heading = (sr * w[1] + cr * w[2]) / cp
    velocity = turns[0].out(turns[1].out(turns[2].out(u)))
    rates = [*velocity, heading, cr * w[1] - sr * w[2], w[0] + sp * heading]
    return Model(_mass_matrix(legs, m, about), F, rates + [link.v for link in legs])


def _inwards(turns: list[Link], vector: Vec) -> Vec:
    """Return a vector of the world in the axes of the last of some turns."""
    for turn in turns:
        vector = turn.back(vector)
    return vector


def _leg(a: Algebra, k: int, turns: list[Link]) -> list[Link]:
    """Return the three links of a leg; the first has no mass.

    Args:
        a: the package.
        k: number of the leg.
        turns: from the world to the trunk; with them a force acts on its pad.
    """
    q = a.given(*(f"q{k}{i}" for i in range(3)))
    v = a.given(*(f"v{k}{i}" for i in range(3)))
    hip = a.fixed(*(f"hip{k}{i}" for i in range(3)))
    length, pad = a.fixed(f"lt{k}", f"ls{k}")
    places = [hip, [0, 0, 0], [0, 0, length]]
    found: list[Link] = []
    for i, axis in enumerate((0, 1, 1)):
        mass, centre, about = 0, [0, 0, 0], [0, 0, 0]
        if i:
            mass, cy, cz = a.fixed(f"m{k}{i}", f"cy{k}{i}", f"cz{k}{i}")
            centre = [0, cy, cz]
            about = a.fixed(*(f"I{c}{k}{i}" for c in "xyz"))
        parent = 3 * k + i - 1 if i else -1
        s, c = a.sin(q[i]), a.cos(q[i])
        found.append(Link(parent, axis, s, c, v[i], places[i], mass, centre, about))
    if turns:
        force = _inwards([*turns, *found], a.given(*(f"f{k}{i}" for i in range(3))))
        found[2].force, found[2].at = force, [0, 0, pad]
    return found


def _forcing(
    links: list[Link], m: Any, about: Vec, u: Vec, w: Vec, down: Vec
) -> list[Any]:
    """Return the bias less the forces on the pads, (18,)."""
    base = [x - y for x, y in zip(_cross(w, u), down, strict=True)]
    motions: list[tuple[Vec, Vec, Vec]] = []
    wrenches: list[tuple[Vec, Vec]] = []
    for link in links:
        W, dW, A = motions[link.parent] if link.parent >= 0 else (w, [0] * 3, base)
        A = _plus(A, _cross(dW, link.place), _cross(W, _cross(W, link.place)))
        W, dW, A = link.back(W), link.back(dW), link.back(A)
        along: Vec = [0, 0, 0]
        along[link.axis] = link.v
        dW, W = _plus(dW, _cross(W, along)), _plus(W, along)
        motions.append((W, dW, A))
        r, about_r = link.centre, link.about
        at = _plus(A, _cross(dW, r), _cross(W, _cross(W, r)))
        f = [link.mass * x for x in at]
        spun = [about_r[i] * dW[i] for i in range(3)]
        n = _plus(spun, _cross(W, [about_r[i] * W[i] for i in range(3)]), _cross(r, f))
        if link.force is not None and link.at is not None:
            f = [x - y for x, y in zip(f, link.force, strict=True)]
            n = [x - y for x, y in zip(n, _cross(link.at, link.force), strict=True)]
        wrenches.append((f, n))
    total = ([m * x for x in base], _cross(w, [about[i] * w[i] for i in range(3)]))
    tau: list[Any] = [0] * len(links)
    for k in reversed(range(len(links))):
        link, (f, n) = links[k], wrenches[k]
        tau[k] = n[link.axis]
        f = link.out(f)
        n = _plus(link.out(n), _cross(link.place, f))
        if link.parent >= 0:
            F, N = wrenches[link.parent]
            wrenches[link.parent] = (_plus(F, f), _plus(N, n))
        else:
            total = (_plus(total[0], f), _plus(total[1], n))
    return [*total[0], *total[1], *tau]


def _mass_matrix(links: list[Link], m: Any, about: Vec) -> dict[tuple[int, int], Any]:
    """Return the upper triangle of the mass matrix by row and column."""
    whole = []
    for link in links:
        h = [link.mass * x for x in link.centre]
        moved = _square(h, link.centre)
        inertia = [
            [moved[i][j] + (link.about[i] if i == j else 0) for j in range(3)]
            for i in range(3)
        ]
        whole.append((link.mass, h, inertia))
    base = (
        m,
        [0, 0, 0],
        [[about[i] if i == j else 0 for j in range(3)] for i in range(3)],
    )
    entries: dict[tuple[int, int], Any] = {}
    for k in reversed(range(len(links))):
        link, (mass, h, inertia) = links[k], whole[k]
        axis: Vec = [0, 0, 0]
        axis[link.axis] = 1
        f, n = _cross(axis, h), [inertia[i][link.axis] for i in range(3)]
        entries[6 + k, 6 + k] = n[link.axis]
        at = k
        while at >= 0:
            here = links[at]
            f = here.out(f)
            n = _plus(here.out(n), _cross(here.place, f))
            at = here.parent
            if at >= 0:
                entries[6 + at, 6 + k] = n[links[at].axis]
        entries |= {(i, 6 + k): e for i, e in enumerate([*f, *n])}
        part = _as_part(link, mass, h, inertia)
        if link.parent >= 0:
            whole[link.parent] = _joined(whole[link.parent], part)
        else:
            base = _joined(base, part)
    mass, h, inertia = base
    return entries | _base_block(mass, h, inertia)


def _as_part(link: Link, mass: Any, h: Vec, inertia: list[Vec]) -> Any:
    """Return a link's inertia as a part of its parent."""
    columns = [link.out([inertia[i][j] for i in range(3)]) for j in range(3)]
    rows = [link.out([columns[j][i] for j in range(3)]) for i in range(3)]
    h, p = link.out(h), link.place
    twice = [2 * h[i] + mass * p[i] for i in range(3)]
    moved = _square(twice, p)
    inertia = [[rows[i][j] + moved[i][j] for j in range(3)] for i in range(3)]
    return mass, _plus(h, [mass * x for x in p]), inertia


def _joined(a: Any, b: Any) -> Any:
    """Return two inertias together."""
    return (
        a[0] + b[0],
        _plus(a[1], b[1]),
        [_plus(x, y) for x, y in zip(a[2], b[2], strict=True)],
    )


def _base_block(m: Any, h: Vec, inertia: list[Vec]) -> dict[tuple[int, int], Any]:
    """Return the mass matrix of the floating body with all it carries."""
    found = {(i, i): m for i in range(3)}
    found |= {(0, 4): h[2], (0, 5): -h[1], (1, 3): -h[2]}
    found |= {(1, 5): h[0], (2, 3): h[1], (2, 4): -h[0]}
    return found | {
        (3 + i, 3 + j): inertia[i][j] for i in range(3) for j in range(i, 3)
    }


def solved(M: dict[tuple[int, int], Any], b: list[Any]) -> list[Any]:
    """Return x with M x = b, by factors L' D L that keep the zeros between legs."""
    n, a, x = len(b), dict(M), list(b)
    above = [[i for i in range(k) if (i, k) in a or (k < 6)] for k in range(n)]
    factor: dict[tuple[int, int], Any] = {}
    for k in reversed(range(n)):
        for i in above[k]:
            factor[i, k] = a.get((i, k), 0) / a[k, k]
            x[i] = x[i] - factor[i, k] * x[k]
            for j in above[k]:
                if j <= i:
                    a[j, i] = a.get((j, i), 0) - factor[i, k] * a.get((j, k), 0)
    for k in range(n):
        x[k] = x[k] / a[k, k]
        for i in above[k]:
            x[k] = x[k] - factor[i, k] * x[i]
    return x
