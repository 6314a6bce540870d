"""The margin against true friction cones as straight-line programs, and their layout.

A small loop runs them, the same in machine code, C and CUDA::

    prepare, look                        the state seen along its push; where to look
    until both bounds meet:              at most ``ROUNDS`` times
        begin, turn ... turn, touch      the farthest place in one direction
        look                             the polygon with it; the next direction
    begin, turn ..., swing ..., answer   the nearest edge itself, and all derivatives

Numbers that pass between them lie in two rows. ``spot``: the seen contacts, then
direction, unknowns, t and the t to reach. ``search``: the polygon, the last place and
both bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import final

from equipoise.core.kinds import Precision
from equipoise.equations.margins.cone.barrier import (
    FAR,
    ConeContact,
    barrier_iteration,
    barrier_start,
)
from equipoise.equations.margins.cone.polygon import Known, Nearest, grown, inserted
from equipoise.equations.margins.cone.polygon import nearest as nearest_edge
from equipoise.equations.margins.cone.settings import SETTINGS, ConeSettings
from equipoise.equations.margins.cone.state import (
    LEAST_ROOM,
    RawContact,
    held_place,
    initial_cone_state,
    margin_and_derivatives,
    viewed,
)
from equipoise.equations.tape.functions import less, maximum, where
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.tape import Expr, Tape

__all__ = ["ROUNDS", "ConePrograms", "cone_programs"]

ROUNDS = 10
"""Directions tried at most before the nearest edge is taken as it is known."""
RING = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


@final
@dataclass(frozen=True)
class ConePrograms:
    """The programs for so many contacts, and where numbers lie in their rows."""

    contacts: int
    places: int
    settings: ConeSettings
    prepare: Program
    begin: Program
    turn: Program
    touch: Program
    look: Program
    swing: Program
    answer: Program

    @property
    def given(self) -> int:
        """How many numbers describe a state: com, push, and eight a contact."""
        return 6 + 8 * self.contacts

    @property
    def seen(self) -> int:
        """How many numbers describe a state as it is seen."""
        return 8 * self.contacts + 6

    @property
    def spot(self) -> int:
        """Length of the row ``spot``."""
        return self.seen + 8

    @property
    def corners(self) -> int:
        """How many numbers describe the polygon."""
        return 2 * self.places + 2

    @property
    def search(self) -> int:
        """Length of the row ``search``."""
        return self.corners + 16

    @property
    def outputs(self) -> int:
        """How many numbers come out: margin, bounds, status, then derivatives."""
        return 4 + 6 + 7 * self.contacts


def _symbols(tape: Tape, name: str, count: int) -> list[Expr]:
    """Return new symbols."""
    return [tape.symbol(f"{name}{k}", "input") for k in range(count)]


def _raw_state(x: Sequence[Expr]) -> tuple[list[RawContact], list[Expr]]:
    """Return the contacts of a state, and their frictions."""
    raw: list[RawContact] = []
    for k in range(6, len(x), 8):
        p, n = (x[k], x[k + 1], x[k + 2]), (x[k + 3], x[k + 4], x[k + 5])
        raw.append(RawContact(p, n, x[k + 6], x[k + 7]))
    return raw, [c.mu for c in raw]


def _seen_contacts(spot: Sequence[Expr], contacts: int) -> list[ConeContact]:
    """Return the contacts of the row ``spot``."""
    found: list[ConeContact] = []
    for k in range(0, 8 * contacts, 8):
        p = (spot[k], spot[k + 1], spot[k + 2])
        n = (spot[k + 3], spot[k + 4], spot[k + 5])
        found.append(ConeContact(p, n, spot[k + 6], spot[k + 7]))
    return found


@cache
def cone_programs(contacts: int, precision: Precision = "double") -> ConePrograms:
    """Return the programs for so many contacts a state at most.

    Args:
        contacts: at least one.
        precision: in which they will run.
    """
    places, settings = contacts + ROUNDS, SETTINGS[precision].of(contacts)
    band = settings.band
    return ConePrograms(
        contacts,
        places,
        settings,
        prepare=_prepare(contacts, places),
        begin=_at_spot(contacts, "begin", band),
        turn=_at_spot(contacts, "turn", band),
        touch=_at_spot(contacts, "touch", band),
        look=_look(places, settings.close),
        swing=_at_spot(contacts, "swing", band),
        answer=_answer(contacts, settings),
    )


def _prepare(contacts: int, places: int) -> Program:
    """From a state to the seen contacts and the first polygon."""
    tape = Tape()
    x = _symbols(tape, "x", 6 + 8 * contacts)
    raw, mus = _raw_state(x)
    view = viewed((x[0], x[1], x[2]), (x[3], x[4], x[5]), raw)
    way, room, known, ring = initial_cone_state(view, mus, places)
    out: list[Expr] = []
    for c in view.contacts:
        out += [*c.p, *c.normal, c.square, c.is_on]
    out += [view.com[0], view.com[1], *way, maximum(room, LEAST_ROOM)]
    out += [axis for corner in known.corners for axis in corner]
    return program([*out, known.count, ring], x)


def _at_spot(contacts: int, what: str, band: float) -> Program:
    """What works on the row ``spot``."""
    tape = Tape()
    n = 8 * contacts
    spot = _symbols(tape, "s", n + 14)
    seen, com = _seen_contacts(spot, contacts), spot[n : n + 2]
    way, room = spot[n + 2 : n + 5], spot[n + 5]
    d, unknowns = spot[n + 6 : n + 8], spot[n + 8 : n + 12]
    t, end = spot[n + 12], spot[n + 13]
    if what == "begin":
        unknowns, t = barrier_start(seen, d, way, room)
        return program([*unknowns, t], spot)
    if what == "turn":
        _, unknowns, t, off = barrier_iteration(seen, d, unknowns, t, end)
        return program([*unknowns, t, off], spot)
    if what == "touch":
        place, fits = held_place(seen, d, unknowns, t, band)
        gap = unknowns[2] - (d[0] * com[0] + d[1] * com[1])
        return program([*place, gap, fits], spot)
    d, unknowns, t, off = barrier_iteration(seen, d, unknowns, t, end, com)
    return program([*d, *unknowns, t, off], spot)


def _look(places: int, close: float) -> Program:
    """The polygon with the last place in it, both bounds, and the next direction."""
    tape = Tape()
    n = 2 * places
    row = _symbols(tape, "k", n + 18)
    known = Known([(row[k], row[k + 1]) for k in range(0, n, 2)], row[n])
    ring, com, number = row[n + 1], (row[n + 2], row[n + 3]), row[n + 4]
    place, gap, fits = (row[n + 5], row[n + 6]), row[n + 7], row[n + 8]
    d, edge, is_corner = (row[n + 9], row[n + 10]), row[n + 11], row[n + 12]
    upper, best = row[n + 13], (row[n + 14], row[n + 15])
    tried = less(0.5, number)
    was_ring = ring * less(number, 4.5)
    at = Nearest(0 * gap, d, edge, is_corner)
    one, two = grown(known, place, at), inserted(known, place, number - 1, 0 * gap)
    use = tried * fits
    corners: list[tuple[Expr, Expr]] = []
    for p, q, old in zip(one.corners, two.corners, known.corners, strict=True):
        x = where(use, where(was_ring, q[0], p[0]), old[0])
        y = where(use, where(was_ring, q[1], p[1]), old[1])
        corners.append((x, y))
    count = where(use, where(was_ring, two.count, one.count), known.count)
    better = tried * less(gap, upper)
    upper = where(better, gap, upper)
    best = [where(better, a, b) for a, b in zip(d, best, strict=True)]
    near = nearest_edge(Known(corners, count), com)
    by_ring = ring * less(number, 3.5)
    x, y = 0 * gap + RING[0][0], 0 * gap
    for k in range(1, 4):
        here = less(k - 0.5, number)
        x, y = where(here, RING[k][0], x), where(here, RING[k][1], y)
    way = [where(by_ring, a, b) for a, b in zip((x, y), near.direction, strict=True)]
    lower = where(by_ring, -FAR, near.distance)
    met = maximum(less(upper - lower, close), less(upper, -0.9 * FAR))
    out = [axis for corner in corners for axis in corner]
    out += [count, ring, *com, number + 1, *place, gap, fits]
    out += [*way, near.edge, near.is_corner, upper, *best, lower, tried * met]
    return program(out, row)


def _answer(contacts: int, settings: ConeSettings) -> Program:
    """Margin, both bounds, status and derivatives, in the world.

    Status: 0 judged, 1 no forces hold the weight, 2 no translation is inside all cones'
    duals, so that it is not judged, 3 judged by the bounds alone.
    """
    tape = Tape()
    x = _symbols(tape, "x", 6 + 8 * contacts)
    row = _symbols(tape, "r", 11)  # direction, unknowns, t; both bounds, best direction
    raw, mus = _raw_state(x)
    view = viewed((x[0], x[1], x[2]), (x[3], x[4], x[5]), raw)
    room = initial_cone_state(view, mus, contacts)[1]
    found, good, slopes = margin_and_derivatives(
        view, row[:2], row[2:6], row[6], settings.band
    )
    lower, upper, band = row[7], row[8], settings.band
    good = good * less(lower - band, found) * less(found, upper + band)
    good = good * less(upper - lower, settings.close)
    lower = lower - 2 * band  # places are off as far as forces are off their cones
    none = less(upper, -0.9 * FAR)
    any_on = raw[0].is_on
    for c in raw[1:]:
        any_on = maximum(any_on, c.is_on)
    none = maximum(none, 1 - any_on)
    dark = less(room, LEAST_ROOM) * (1 - none)
    line = view.out((-row[9], -row[10], 0 * lower))
    by = [*(where(good, a, b) for a, b in zip(slopes[0], line, strict=True))]
    by += [where(good, a, 0.0) for part in slopes[1:] for a in part]
    by = [where(maximum(none, dark), 0.0, a) for a in by]
    status = where(none, 1.0, where(dark, 2.0, where(good, 0.0, 0 * lower + 3)))
    margin = where(good, found, lower)
    bounds = [view.spread * m for m in (margin, lower, upper)]
    return program([*bounds, status, *by], [*x, *row])
