"""The support's margin without a hull in order, against a hull in order.

The program is run by NumPy, one state at a time; the oracle walks round the convex hull
of the contacts that are there.
"""

import math

import numpy as np
import pytest

from equipoise.equations.margins.support import ROUNDING, pressure_code, static_code
from equipoise.equations.tape.interpret import interpret


def hull(points):
    """Return the corners to the left, by gift wrapping, none on an edge."""
    points = sorted({tuple(p) for p in np.asarray(points).tolist()})
    start = at = points[0]
    found = []
    while not found or at != start:
        found.append(at)
        best = None
        for q in points:
            if q == at:
                continue
            if best is not None:
                turn = (best[0] - at[0]) * (q[1] - at[1])
                turn -= (best[1] - at[1]) * (q[0] - at[0])
                far = math.dist(at, q) > math.dist(at, best)
            if best is None or turn < -1e-12 or (abs(turn) <= 1e-12 and far):
                best = q
        if best is None:
            break
        at = best
    return found


def to_segment(a, b, p):
    e, w = np.subtract(b, a), np.subtract(p, a)
    t = min(1.0, max(0.0, float(e @ w) / max(float(e @ e), 1e-300)))
    return float(np.linalg.norm(w - t * e))


def margin_of(points, p):
    """Return the signed distance to the hull's edge, positive inside."""
    corners = hull(points)
    if len(corners) < 3:
        return -to_segment(corners[0], corners[-1], p)
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    is_in = all(
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0.0
        for a, b in sides
    )
    away = min(to_segment(a, b, p) for a, b in sides)
    return away if is_in else -away


def static(points, p, on=None, precision="double"):
    """Return margin, status, and slopes by the point and by each contact."""
    points = np.asarray(points, float)
    on = np.ones(len(points)) if on is None else np.asarray(on, float)
    code = static_code(len(points), precision)
    ((_, line),) = code.parts
    given = np.concatenate([p, np.column_stack([points, on]).ravel()])
    out = interpret(line, given)
    return out[0], out[1], out[2:4], out[4:].reshape(-1, 2)


PENTAGON = np.array([(0.9, 0.1), (0.3, 0.8), (-0.7, 0.5), (-0.6, -0.4), (0.2, -0.9)])


@pytest.mark.parametrize(
    "p", [(0.0, 0.0), (0.4, 0.3), (-0.5, 0.1), (1.2, 0.4), (0.9, 0.9), (-0.7, -0.9),
          (0.25, -1.5), (-2.0, 0.0)]
)  # fmt: skip
def test_a_margin_is_that_of_a_hull_in_order(rng, p):
    for more in (np.zeros((0, 2)), [(0.1, 0.0), (-0.2, 0.2)], [(0.5, 0.45)]):
        points = np.vstack([PENTAGON, more])
        points = points[rng.permutation(len(points))]
        found, status, by, by_points = static(points, p)
        assert found == pytest.approx(margin_of(points, p), abs=1e-12)
        assert status == 0.0
        # a unit slope, and what moves with all contacts does not change
        assert np.linalg.norm(by) == pytest.approx(1.0)
        np.testing.assert_allclose(by_points.sum(axis=0), -by, atol=1e-12)
        h = 1e-6
        slope = [
            (margin_of(points, np.add(p, a)) - margin_of(points, np.subtract(p, a)))
            / (2 * h)
            for a in h * np.eye(2)
        ]
        np.testing.assert_allclose(by, slope, atol=1e-5)
        for k in range(len(points)):
            for axis in range(2):
                moved = [points.copy(), points.copy()]
                moved[0][k, axis] += h
                moved[1][k, axis] -= h
                change = (margin_of(moved[0], p) - margin_of(moved[1], p)) / (2 * h)
                assert by_points[k, axis] == pytest.approx(change, abs=1e-5)


def test_contacts_that_are_not_there_do_not_count():
    on = np.array([1.0, 1.0, 0.0, 1.0, 1.0])
    far = PENTAGON.copy()
    far[2] = 1e3
    for p in ((0.0, 0.0), (-0.6, 0.4), (1.0, 1.0)):
        found, _, _, by_points = static(far, p, on)
        assert found == pytest.approx(margin_of(PENTAGON[on > 0], p), abs=1e-12)
        assert by_points[2].tolist() == [0.0, 0.0]
    assert static(PENTAGON, (0.0, 0.0), np.zeros(5))[1] == 1.0


@pytest.mark.parametrize("p", [(0.3, 0.4), (0.0, 0.0), (2.0, 0.1), (-1.5, 0.2)])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_point_and_a_line_hold_nothing_inside(p, count):
    """The third contact lies between the others."""
    points = np.array([(1.0, 0.5), (-1.0, -0.5), (0.2, 0.1)])[:count]
    found, status, _, _ = static(points, p)
    wanted = margin_of(points, p)
    assert found == pytest.approx(wanted, abs=1e-12) and status == 0.0
    assert wanted <= 0.0
    # two contacts at one place make no edge
    assert static(np.vstack([points, points[:1]]), p)[0] == pytest.approx(wanted)


def test_right_at_a_lone_contact_nothing_slopes():
    found, status, by, by_points = static([(0.3, 0.4)], (0.3, 0.4))
    assert (found, status) == (0.0, 0.0)
    assert by.tolist() == [0.0, 0.0] and not by_points.any()


@pytest.mark.parametrize(("precision", "small"), [("double", 1e-12), ("single", 1e-6)])
def test_a_contact_may_be_right_of_an_edge_by_rounding_alone(precision, small):
    """Of a long edge; a contact beyond it by more makes two edges."""
    assert ROUNDING[precision] == small
    square = [(1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)]
    for share, is_edge in ((0.2, True), (4.0, False)):
        # twice the triangle's area over the squared extent, of a side of 2
        off = share * small * (1.0 + 1.0) / 2.0
        points = np.array([*square, (1.0 + off, 0.0)])
        *_, by_points = static(points, (0.9, 0.3), precision=precision)
        # the side alone, or its upper half, decides
        assert bool(by_points[0].any()) is is_edge


def test_a_zero_moment_point_is_where_force_and_moment_say(rng):
    """Slopes of all that it is made of, by differences of the oracle."""
    p, f = np.array([0.05, -0.1, 0.7]), np.array([3.0, -5.0, -60.0])
    m, height = np.array([2.0, 1.5, 0.3]), 0.1

    def zmp(x):
        p, f, m, height = x[:3], x[3:6], x[6:9], x[9]
        # the moment about the point on the ground has no level part
        r = height - p[2]
        return np.array([p[0] + (r * f[0] - m[1]) / f[2],
                         p[1] + (r * f[1] + m[0]) / f[2]])  # fmt: skip

    x = np.concatenate([p, f, m, [height]])
    at = zmp(x)
    lever = np.array([*(p[:2] - at), p[2] - height])
    about = m + np.cross(lever, f)
    np.testing.assert_allclose(about[:2], 0.0, atol=1e-12)
    ((_, line),) = pressure_code(5).parts
    rest = np.column_stack([PENTAGON, np.ones(5)]).ravel()
    out = interpret(line, np.concatenate([x, rest]))
    assert out[0] == pytest.approx(margin_of(PENTAGON, at), abs=1e-12)
    assert out[1] == 0.0
    h = 1e-6
    slopes = [(margin_of(PENTAGON, zmp(x + a)) - margin_of(PENTAGON, zmp(x - a)))
              / (2 * h) for a in h * np.eye(10)]  # fmt: skip
    np.testing.assert_allclose(out[2:12], slopes, atol=1e-7)
    for up in (0.0, 5.0):  # nothing presses on the ground
        x[5] = up
        assert interpret(line, np.concatenate([x, rest]))[1] == 1.0
