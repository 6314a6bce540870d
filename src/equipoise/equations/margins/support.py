"""How far a point is from the edge of the support, and the zero moment point's margin.

The margins of ``stability.static_margin`` and ``stability.pressure_margin``, for
contacts that may be there or not, without a hull in order: the way from contact i to
contact j is an edge where no contact lies right of it. Inside, the margin is the least
distance to an edge; outside, minus the distance to the nearest edge or contact.

Derivatives are those of the edge or contact that decides: where two decide, one of
both (the margin has a kink there); right at a lone contact, zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import final

from equipoise.core.kinds import Precision
from equipoise.equations.margins.code import MarginCode
from equipoise.equations.tape.functions import less, maximum, sqrt, where
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.tape import Expr, Tape

__all__ = ["pressure_code", "static_code"]

ROUNDING: dict[Precision, float] = {"double": 1e-12, "single": 1e-6}
"""Share of the squared extent by which a contact may lie right of an edge: rounding
may add an edge that is none, just inside, but never lose one."""
FAR = 1e18
"""Distance of what does not count; its square is a number in single precision too."""
DRIVER = """{{
  REAL x[{given}], y[{told}];
  FLAT for (int k = 0; k < {given}; ++k) x[k] = given[k * apart];
  {name}_line(x, y);
  FLAT for (int k = 0; k < {told}; ++k) told[k * apart] = y[k];
}}
"""
Point = tuple[Expr, Expr]


@final
@dataclass(frozen=True)
class Decided:
    """A distance, its derivative by the point, and the contacts that decide."""

    value: Expr
    by: Point
    shares: list[Expr]
    """Of each contact: its derivative is minus that share of the point's."""

    def better(self, other: "Decided", test: Expr) -> "Decided":
        """Return the other where a test is not zero."""
        by = [where(test, b, a) for a, b in zip(self.by, other.by, strict=True)]
        pairs = zip(self.shares, other.shares, strict=True)
        return Decided(
            where(test, other.value, self.value),
            (by[0], by[1]),
            [where(test, b, a) for a, b in pairs],
        )


def _support_margin(
    at: Point, points: Sequence[Point], is_on: Sequence[Expr], rounding: float
) -> tuple[Decided, Expr]:
    """Return the margin with its derivatives, and 1 where there is any contact.

    Args:
        at: the point, seen from above.
        points: contacts.
        is_on: 1 where a contact is there, else 0.
        rounding: share of the squared extent that counts as none.
    """
    zero = 0 * at[0]
    n = len(points)
    ways = [(p[0] - at[0], p[1] - at[1]) for p in points]
    squares = [x * x + y * y for x, y in ways]
    extent = zero
    for on, square in zip(is_on, squares, strict=True):
        extent = maximum(extent, where(on, square, 0.0))
    small = rounding * extent
    inner = Decided(zero + FAR, (zero, zero), [zero] * n)
    outer = Decided(zero - FAR, (zero, zero), [zero] * n)
    widest = zero
    for i in range(n):
        length = sqrt(squares[i])
        over = 1 / where(less(0.0, length), length, 1.0)
        shares = [zero + float(k == i) for k in range(n)]
        own = Decided(-length, (ways[i][0] * over, ways[i][1] * over), shares)
        outer = outer.better(own, is_on[i] * less(outer.value, own.value))
        for j in range(n):
            if i == j:
                continue
            edge, is_edge, area, along = _edge(i, j, ways, is_on, small)
            widest = maximum(widest, area)
            inner = inner.better(edge, is_edge * less(edge.value, inner.value))
            beside = less(0.0, along) * less(along, 1.0)
            beside = beside * (1 - less(0.0, edge.value))
            closer = is_edge * beside * less(outer.value, edge.value)
            outer = outer.better(edge, closer)
    any_on = is_on[0]
    for on in is_on[1:]:
        any_on = maximum(any_on, on)
    inside = less(small, widest) * (1 - less(inner.value, 0.0))
    return outer.better(inner, inside), any_on


def _edge(
    i: int, j: int, ways: Sequence[Point], is_on: Sequence[Expr], small: Expr
) -> tuple[Decided, Expr, Expr, Expr]:
    """Return the way from i to j: distance, whether it is an edge, area, share."""
    zero = 0 * small
    (ax, ay), (bx, by) = ways[i], ways[j]
    ex, ey = bx - ax, by - ay
    square = ex * ex + ey * ey
    is_long = less(small, square)  # two contacts at one place make no edge
    over = 1 / where(is_long, square, 1.0)
    root = sqrt(over)
    normal = (-ey * root, ex * root)  # inward
    value = -(normal[0] * ax + normal[1] * ay)
    along = -(ax * ex + ay * ey) * over
    shares = [zero] * len(ways)
    shares[i], shares[j] = 1 - along, along
    is_edge = is_on[i] * is_on[j] * is_long
    area = zero
    for k, (x, y) in enumerate(ways):
        if k in (i, j):
            continue
        left = ex * (y - ay) - ey * (x - ax)
        area = maximum(area, is_on[k] * left)
        is_edge = is_edge * where(is_on[k], 1 - less(left, -small), 1.0)
    return Decided(value, normal, shares), is_edge, is_edge * area, along


@cache
def static_code(contacts: int, precision: Precision = "double") -> MarginCode:
    """Return the static margin, for so many contacts at most.

    Status: 0 judged, 1 no contact.

    Args:
        contacts: at least one.
        precision: in which it will run.
    """
    tape = Tape()
    x = [tape.symbol(f"x{k}", "input") for k in range(2 + 3 * contacts)]
    found, any_on = _support_margin((x[0], x[1]), *_contacts(x[2:], 2, precision))
    out = [found.value, 1 - any_on, *found.by, *_by_points(found)]
    each = (("points", 2), ("mask", 1))
    return _code("static_margin", contacts, program(out, x), (("pxy_WC", 2),), each)


@cache
def pressure_code(contacts: int, precision: Precision = "double") -> MarginCode:
    """Return the zero moment point's margin, for so many contacts at most.

    [Ridderstrom2003] section 2.5.2 as ``stability.zero_moment_point`` has it. Status: 0
    judged, 1 no contact, or nothing presses on the ground.

    Args:
        contacts: at least one.
        precision: in which it will run.
    """
    tape = Tape()
    x = [tape.symbol(f"x{k}", "input") for k in range(10 + 3 * contacts)]
    p, f, m, height = x[0:3], x[3:6], x[6:9], x[9]
    presses = less(f[2], 0.0)
    over = 1 / where(presses, f[2], -1.0)
    r = p[2] - height
    lever = ((r * f[0] + m[1]) * over, (r * f[1] - m[0]) * over)
    at = (p[0] - lever[0], p[1] - lever[1])
    found, any_on = _support_margin(at, *_contacts(x[10:], 2, precision))
    a, b = found.by
    fall = -(a * f[0] + b * f[1]) * over
    slopes = [a, b, fall, -a * r * over, -b * r * over]
    slopes += [(a * lever[0] + b * lever[1]) * over]
    slopes += [b * over, -a * over, 0 * a, -fall]
    none = maximum(1 - any_on, 1 - presses)
    out = [found.value, none, *slopes, *_by_points(found)]
    given = (("p_WC", 3), ("force", 3), ("moment", 3), ("height", 1))
    each = (("points", 2), ("mask", 1))
    return _code("pressure_margin", contacts, program(out, x), given, each)


def _contacts(
    x: Sequence[Expr], width: int, precision: Precision
) -> tuple[list[Point], list[Expr], float]:
    rows = [x[k : k + width + 1] for k in range(0, len(x), width + 1)]
    return [(r[0], r[1]) for r in rows], [r[-1] for r in rows], ROUNDING[precision]


def _by_points(found: Decided) -> list[Expr]:
    return [-share * axis for share in found.shares for axis in found.by]


def _code(
    name: str,
    contacts: int,
    line: Program,
    given: tuple[tuple[str, int], ...],
    each: tuple[tuple[str, int], ...],
) -> MarginCode:
    told = (("margin", 1), ("status", 1))
    driver = DRIVER.format(name=name, given=len(line.inputs), told=len(line.outputs))
    return MarginCode(
        name, contacts, ((f"{name}_line", line),), driver, given, each, told
    )
