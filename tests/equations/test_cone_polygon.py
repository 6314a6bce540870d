"""A polygon of so many places against lists, hulls and distances of plain Python."""

import math
from functools import cache

import numpy as np
import pytest

from equipoise.equations.margins.cone.polygon import (
    Known,
    Nearest,
    grown,
    inserted,
    nearest,
    sorted_round,
    widened,
)
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape

PLACES = 7
PENTAGON = [(math.cos(a), math.sin(a)) for a in 0.3 + 0.4 * math.pi * np.arange(5)]


def rows_of(known):
    """Return a polygon's expressions in a row: its count, then its corners."""
    return [known.count, *(c for corner in known.corners for c in corner)]


@cache
def written(what: str):
    """Return a function of the file as a program of numbers."""
    tape = Tape()
    names = [f"{k}.{axis}" for k in range(PLACES) for axis in "xy"]
    xs = [tape.symbol(name, "input") for name in ("count", *names)]
    known = Known(list(zip(xs[1::2], xs[2::2], strict=True)), xs[0])
    more = [tape.symbol(name, "input") for name in ("x", "y", "a", "b", "c", "d")]
    x, y, *rest = more
    if what == "inserted":
        rows = rows_of(inserted(known, (x, y), rest[0], rest[1]))
    elif what == "nearest":
        at = nearest(known, (x, y))
        rows = [at.distance, *at.direction, at.edge, at.is_corner]
    elif what == "widened":
        rows = rows_of(widened(Known(known.corners[:4], known.count), PLACES))
    else:
        at = Nearest(tape.constant(0.0), (rest[0], rest[1]), rest[2], rest[3])
        rows = rows_of(grown(known, (x, y), at))
    return program(rows, [*xs, *more])


def asked(what: str, corners, *more):
    """Return what a function gives for a polygon, places after its end filled up."""
    full = [*corners, *[corners[0]] * (PLACES - len(corners))]
    given = [len(corners), *np.ravel(full), *more]
    return interpret(written(what), np.array([*given, *[0.0] * (21 - len(given))]))


def corners_in(out):
    """Return a polygon's corners; places that are not in use hold the first."""
    count, places = round(out[0]), out[1:].reshape(-1, 2)
    assert out[0] == count
    assert (places[count:] == places[0]).all()
    return [tuple(p) for p in places[:count].tolist()]


def hull(points):
    """Oracle: the convex hull to the left, by gift wrapping, from the lowest corner."""
    start = at = min(points, key=lambda p: (p[1], p[0]))
    found = []
    while not found or at != start:
        found.append(at)
        at = next(q for q in points if q != at and all(
            (q[0] - at[0]) * (p[1] - at[1]) - (q[1] - at[1]) * (p[0] - at[0]) >= -1e-12
            for p in points))  # fmt: skip
    return found


def rounds(points):
    """Return corners from the least on, to compare rounds."""
    first = points.index(min(points))
    return [*points[first:], *points[:first]]


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_corners_are_put_in_and_dropped_as_in_a_list(count):
    corners = [(k + 0.25, 10.0 - k) for k in range(count)]
    for place in range(1, count + 1):
        for dropped in range(min(3, count - place + 1)):
            wanted = list(corners)
            wanted[place : place + dropped] = [(-1.0, -2.0)]
            found = asked("inserted", corners, -1.0, -2.0, place, dropped)
            assert corners_in(found) == wanted, (place, dropped)


@pytest.mark.parametrize("turn", range(5))
@pytest.mark.parametrize("aside", [-2.5, -0.2, 0.0, 0.3, 2.5])
@pytest.mark.parametrize("away", [0.1, 3.0])
def test_a_new_corner_makes_the_hull(turn, aside, away):
    """Over every edge, by so much to its side that none, one or two corners are left
    inside; but the first corner is never dropped."""
    corners = [*PENTAGON[turn:], *PENTAGON[:turn]]
    for edge in range(5):
        a, b = np.array(corners[edge]), np.array(corners[(edge + 1) % 5])
        along = (b - a) / np.linalg.norm(b - a)
        out = np.array([along[1], -along[0]])
        x = tuple((0.5 * (a + b) + 0.3 * away * aside * along + away * out).tolist())
        wanted = hull([*corners, x])
        if not {corners[edge - 1], corners[(edge + 2) % 5]} <= set(wanted):
            continue  # more than the edge's own ends would go
        found = corners_in(asked("grown", corners, *x, *out, edge, 0.0))
        assert found[0] == corners[0] or corners[0] not in wanted
        if edge == 4 and corners[0] not in wanted:
            assert found[0] == corners[0] and found[-1] == x
            found = found[1:]
        assert rounds(found) == rounds(wanted), edge


def test_both_neighbours_of_a_far_corner_go():
    """A square's right side, seen from far: both of its ends are left inside."""
    square = [(0.0, -1.0), (1.0, -0.9), (1.0, 0.9), (0.0, 1.0)]
    found = asked("grown", square, 9.0, 0.0, 1.0, 0.0, 1.0, 0.0)
    assert corners_in(found) == [(0.0, -1.0), (1.0, -0.9), (9.0, 0.0), (1.0, 0.9),
                                 (0.0, 1.0)]  # fmt: skip
    kite = [(0.0, -1.0), (1.0, -0.1), (1.0, 0.1), (0.0, 1.0)]
    low = asked("grown", kite, 3.0, -2.8, 1.0, 0.0, 1.0, 0.0)
    assert corners_in(low) == [(0.0, -1.0), (3.0, -2.8), (1.0, 0.1), (0.0, 1.0)]
    spear = [(0.0, -1.0), (0.2, -0.9), (0.2, 0.9), (0.0, 1.0)]
    assert corners_in(asked("grown", spear, 0.9, 0.0, 1.0, 0.0, 1.0, 0.0)) == [
        (0.0, -1.0), (0.2, -0.9), (0.9, 0.0), (0.2, 0.9), (0.0, 1.0)
    ]  # fmt: skip


@pytest.mark.parametrize("corner", range(5))
@pytest.mark.parametrize("aside", [-0.3, 0.3])
def test_a_corner_beyond_a_corner_comes_before_or_after_it(corner, aside):
    """Beyond the nearest corner, turned to one side of the way out."""
    p = np.array(PENTAGON[corner])
    out, left = p, np.array([-p[1], p[0]])
    x = tuple((p + 0.1 * out + aside * left).tolist())
    found = corners_in(asked("grown", PENTAGON, *x, *out, corner, 1.0))
    at = found.index(x)
    if PENTAGON[corner] in found:
        neighbour = found[at - 1] if aside > 0.0 else found[(at + 1) % len(found)]
        assert neighbour == PENTAGON[corner]
    assert set(hull([*PENTAGON, x])) <= set(found)


def test_two_points_become_a_triangle_with_its_corners_to_the_left():
    for side in (1.0, -1.0):
        ends = [(0.0, 0.0), (1.0, 0.0)]
        # the edge from the first to the second has its outside at the right
        edge = 0.0 if side < 0.0 else 1.0
        found = corners_in(asked("grown", ends, 0.5, side, 0.0, side, edge, 0.0))
        assert rounds(found) == rounds(hull([*ends, (0.5, side)]))


def test_the_nearest_place_is_found_from_inside_and_outside(rng):
    kinds = set()
    for _ in range(60):
        count = int(rng.integers(3, PLACES + 1))
        turns = np.sort(rng.uniform(0.0, 2.0 * math.pi, count))
        p = np.column_stack([2.0 * np.cos(turns), np.sin(turns)])
        x = rng.uniform(-2.0, 2.0, 2)
        distance, nx, ny, edge, is_corner = asked("nearest", p.tolist(), *x)
        ways = np.roll(p, -1, axis=0) - p
        size = np.linalg.norm(ways, axis=1)
        share = ((x - p) * ways).sum(axis=1) / size**2
        feet = p + np.clip(share, 0.0, 1.0)[:, None] * ways
        far = np.linalg.norm(x - feet, axis=1)
        at = int(far.argmin())
        outward = np.column_stack([ways[:, 1], -ways[:, 0]]) / size[:, None]
        inside = ((x - p) * outward).sum(axis=1).max() < 0.0
        # rounding: edges as short as a hundredth
        assert distance == pytest.approx(far[at] if inside else -far[at], abs=1e-9)
        way = outward[at] if inside else (x - feet[at]) / far[at]
        assert (nx, ny) == pytest.approx(tuple(way), abs=1e-7)
        at_end = not inside and not 1e-9 < np.clip(share[at], 0.0, 1.0) < 1 - 1e-9
        assert is_corner == at_end
        if at_end:
            nearby = int(np.linalg.norm(p - x, axis=1).argmin())
            assert edge == nearby
        else:
            assert edge == at
        kinds.add((bool(inside), at_end))
    assert kinds == {(True, False), (False, True), (False, False)}


def test_points_are_sorted_round_their_mean_and_those_that_are_off_come_last(rng):
    tape = Tape()
    points = [(tape.symbol(f"x{k}", "i"), tape.symbol(f"y{k}", "i")) for k in range(6)]
    is_on = [tape.symbol(f"on{k}", "i") for k in range(6)]
    inputs = [*(c for point in points for c in point), *is_on]
    done = program(rows_of(sorted_round(points, is_on)), inputs)
    for _ in range(30):
        p, on = rng.normal(size=(6, 2)), rng.integers(0, 2, 6)
        on[rng.integers(6)] = 1
        out = interpret(done, np.array([*p.ravel(), *on], float))
        used = p[on == 1]
        turns = np.arctan2(*(used - used.mean(axis=0)).T[::-1]) % (2.0 * math.pi)
        assert out[0] == len(used)
        if len(used) > 1:  # a point alone is its own mean
            wanted = used[np.argsort(turns)]
            assert out[1:].reshape(-1, 2)[: len(used)].tolist() == wanted.tolist()


def test_a_wider_polygon_has_its_first_corner_in_the_places_that_are_left():
    for count in (2, 3, 4):
        corners = [(float(k), -float(k)) for k in range(count)]
        filled = [*corners, *[(77.0, 77.0)] * (4 - count), *[(88.0, 88.0)] * 3]
        given = np.array([count, *np.ravel(filled), *[0.0] * 6])
        assert corners_in(interpret(written("widened"), given)) == corners
