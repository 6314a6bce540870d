"""Circle to line: closed forms, brute force, symmetries, ties, memory, bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.control.com.geometry.circle_line import (
    Choice,
    Lever,
    circle_line,
    com_angle,
    com_angle_point,
    frame_along,
    slide_displacement,
)
from equipoise.core.errors import NotPhysicalError, ShapeError
from oracles.circle_line import FAMILIES, LIMITS, cases, circle, excesses, gap, unit

INF, NAN = math.inf, math.nan
EPS = float(np.finfo(float).eps)
X, Y, Z = np.eye(3)
ORIGIN = np.zeros(3)
OPPOSITE = (-3.0 * math.cos(0.5), -3.0 * math.sin(0.5))
# Rounding: a turn of up to π, two or three operations on it.
TURN_TOL = 16 * EPS


def solve(rows):
    return np.array(
        [circle_line(r[0:3], r[3:6], r[6:9], r[9:11], r[11], r[12]) for r in rows]
    )


def rotated(p, center, axis, angle):
    """Rodrigues' formula, for one angle or many."""
    u, w = axis / np.linalg.norm(axis), p - center
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return center + w * c + np.cross(u, w) * s + u * (u @ w) * (1.0 - c)


@pytest.mark.parametrize(
    ("axis", "point", "line", "lower", "upper", "angle"),
    [
        pytest.param(Z, X, (0, 2), -INF, INF, math.pi / 2, id="level circle"),
        pytest.param(-5 * Z, X, (0, 2), -INF, INF, -math.pi / 2, id="axis down"),
        pytest.param(Z, X, (0, 2), 2.0, 6.0, 2.0, id="stopped by lower"),
        pytest.param(Z, X, (0, 2), -1.0, 1.0, 1.0, id="stopped by upper"),
        pytest.param(Z, X, (0, 2), 4.0, 9.0, 2.5 * math.pi, id="next turn up"),
        pytest.param(Z, X, (0, 2), -9.0, -2.0, -1.5 * math.pi, id="next turn down"),
        pytest.param(Z, X, (0, 2), 7.0, INF, 2.5 * math.pi, id="half free"),
        pytest.param(Z, X, (0, 2), 0.3, 0.3, 0.3, id="locked"),
        # About y the point X goes to (cos t, 0, -sin t): positive turns lower it.
        pytest.param(Y, X, (0.5, 0), -INF, INF, math.pi / 3, id="tie: lower"),
        pytest.param(Y, X, (0.5, 7), -INF, INF, math.pi / 3, id="tie: line aside"),
        pytest.param(Y, X, (0, 0), -2.0, 2.0, math.pi / 2, id="tie: on the line"),
        pytest.param(Y, X, (0.5, 0), -2.0, 0.5, -math.pi / 3, id="lower forbidden"),
        pytest.param(Y, X, (-3, 0), -1.0, 1.0, 1.0, id="ends tie: lower end"),
        pytest.param(Y, X, (3, 0), -INF, INF, 0.0, id="out of reach"),
        # The line is half a turn away: the end that goes further towards it.
        pytest.param(Z, X, (-3, 0), -1.0, 0.9, -1.0, id="nearer end"),
        # The line is opposite the middle of the limits: the ends tie, heights too.
        pytest.param(Z, X, OPPOSITE, -0.5, 1.5, -0.5, id="ends tie: smaller turn"),
        pytest.param(-Z, X, OPPOSITE, -1.5, 0.5, 0.5, id="ends tie: other side"),
        # Tilted 45°, X goes to (cos t, sin t/√2, -sin t/√2): the short axis, low side.
        pytest.param(Y + Z, X, (0, 0), -INF, INF, math.pi / 2, id="45 degrees"),
    ],
)
def test_closed_forms(axis, point, line, lower, upper, angle):
    got = circle_line(ORIGIN, axis, point, line, lower, upper)
    assert got == pytest.approx(angle, rel=0.0, abs=TURN_TOL)


@pytest.mark.parametrize(
    ("lower", "upper", "angle"),
    [(-INF, INF, 0.0), (-1.0, 2.0, 0.0), (1.0, 2.0, 1.0), (-3.0, -0.5, -0.5)],
)
@pytest.mark.parametrize(
    ("center", "axis", "point", "line"),
    [
        pytest.param(ORIGIN, Z, X, (0.0, 0.0), id="axis is the line"),
        pytest.param(ORIGIN, X + Y + Z, 0.3 * (X + Y + Z), (1.0, 0.0), id="on axis"),
        pytest.param(X, Y, X, (1.0, 5.0), id="at the centre"),
        pytest.param((0.1, 0.7, 3.0), (0, 0, 1e-3), (1.1, 1, 1), (0.1, 0.7), id="off"),
    ],
)
def test_holds_where_all_angles_are_equal(
    center, axis, point, line, lower, upper, angle
):
    assert (
        circle_line(center, axis, point, line, lower, upper) == angle
    )  # exact: a copy


def test_an_axis_level_but_for_rounding_still_prefers_the_lower_point():
    for tilt in (-3e-15, -1e-16, 0.0, 1e-16, 3e-15):  # a chain of rotations makes this
        got = circle_line(ORIGIN, (0.0, 1.0, tilt), X, (0.5, 0.3))
        # The tilt itself moves the answer by as much, and rounding a little more.
        assert got == pytest.approx(math.pi / 3, rel=0.0, abs=2e-14)


@pytest.mark.parametrize("family", FAMILIES)
def test_never_worse_than_brute_force(family):
    rows = cases(family, 2000, np.random.default_rng(20))
    assert np.unique(rows[:, 12] - rows[:, 11]).size > 100  # limits of all kinds
    angles = solve(rows)
    assert ((rows[:, 11] <= angles) & (angles <= rows[:, 12])).all()
    # Rounding: ties count as equal up to 64 eps arms, and arms are up to 2.3 radii.
    assert excesses(rows, angles).max() < 200 * EPS


def test_brute_force_can_tell_a_wrong_angle():
    rows = cases("generic", 200, np.random.default_rng(3), kinds=("free",))
    # Off by 0.01 rad the distance grows by about 0.01²/2 or, within reach, 0.01 radii.
    assert np.median(excesses(rows, solve(rows) + 0.01)) > 1e-5


@st.composite
def rows_of_any_family(draw):
    seed = draw(st.integers(0, 2**32 - 1))
    kind = draw(st.sampled_from(LIMITS))
    # A radius that is all rounding error is another one after a rotation.
    names = [f for f in FAMILIES if f != "point on axis"]
    family = draw(st.sampled_from(names))
    return cases(family, 1, np.random.default_rng(seed), kinds=(kind,))[0]


def same_place(row, one, two):
    """Say whether two angles are the same, or exactly as good as each other."""
    seen = circle(row)
    scale = seen[6] * (1.0 + math.hypot(seen[0], seen[1]) / seen[6])
    # Rounding of transformed inputs, a few eps of the coordinates each way.
    return abs(gap(seen, one, two)) <= 1e3 * EPS * scale


@given(row=rows_of_any_family(), yaw=st.floats(-4.0, 4.0))
def test_turning_the_world_about_the_vertical_changes_nothing(row, yaw):
    c, s = math.cos(yaw), math.sin(yaw)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    turned = np.concatenate(
        [R @ row[0:3], R @ row[3:6], R @ row[6:9], R[:2, :2] @ row[9:11], row[11:]]
    )
    one, two = solve([row, turned])
    assert same_place(row, one, two)


@given(row=rows_of_any_family(), power=st.integers(-850, 850))
def test_lengths_have_no_unit(row, power):
    scaled = row.copy()
    scaled[[0, 1, 2, 6, 7, 8, 9, 10]] *= 2.0**power
    scaled[3:6] *= 2.0 ** (power // 2)
    one, two = solve([row, scaled])
    assert one == two  # exact: powers of two round nothing


@given(row=rows_of_any_family())
def test_the_opposite_axis_gives_the_opposite_angle(row):
    mirror = row.copy()
    mirror[3:6] *= -1.0
    mirror[11], mirror[12] = -row[12], -row[11]
    one, two = solve([row, mirror])
    assert same_place(row, one, -two)


@given(row=rows_of_any_family())
def test_any_line_is_vertical_in_its_own_frame(row):
    direction = unit(np.array([row[8], row[3], row[7]]))
    R_WL = frame_along(direction).T
    # Rounding: products of two unit vectors.
    np.testing.assert_allclose(R_WL.T @ R_WL, np.eye(3), rtol=0.0, atol=8 * EPS)
    assert np.linalg.det(R_WL) == pytest.approx(1.0, abs=8 * EPS)
    line = R_WL @ np.array([row[9], row[10], 0.0])
    center, axis, point = R_WL @ row[0:3], R_WL @ row[3:6], R_WL @ row[6:9]
    two = circle_line(
        center, axis, point, line, row[11], row[12], direction=3.0 * direction
    )
    assert same_place(row, circle_line(*np.split(row[:9], 3), *limits_of(row)), two)


def limits_of(row):
    return row[9:11], row[11], row[12]


def robot(rng):
    """A hinge, the side it turns, and the whole robot; hinge and masses at random."""
    q, p2, p1 = rng.normal(size=(3, 3))
    m1, m2 = rng.uniform(0.1, 5.0, 2)
    u = unit(rng.normal(size=3))
    return q, u, p2, m2, (m1 * p1 + m2 * p2) / (m1 + m2), m1 + m2, p1


def test_com_angle_steers_the_whole_robot():
    rng = np.random.default_rng(5)
    for _ in range(300):
        q, u, p2, m2, p_WC, mass, p1 = robot(rng)
        line, (low, high) = rng.normal(size=2), np.sort(rng.uniform(-4.0, 4.0, 2))
        lever = Lever(u, p2 - q, m2 / mass, p_WC)
        t = com_angle(lever, line, Choice(low, high, NAN, 0.0))
        turns = np.append(t, np.linspace(low, high, 400))
        p = ((mass - m2) * p1 + m2 * rotated(p2, q, u, turns)) / mass
        d = np.linalg.norm(p[:, :2] - line, axis=1)
        assert low <= t <= high
        assert d[0] <= d.min() + 1e-9  # the stated tie of 1e-10 arms


def test_com_angle_point_steers_to_a_point():
    rng = np.random.default_rng(6)
    for _ in range(300):
        q, u, p2, m2, p_WC, mass, p1 = robot(rng)
        goal, (low, high) = rng.normal(size=3), np.sort(rng.uniform(-4.0, 4.0, 2))
        lever = Lever(u, p2 - q, m2 / mass, p_WC)
        t = com_angle_point(lever, goal, Choice(low, high, NAN, 0.0))
        turns = np.append(t, np.linspace(low, high, 400))
        p = ((mass - m2) * p1 + m2 * rotated(p2, q, u, turns)) / mass
        d = np.linalg.norm(p - goal, axis=1)
        assert low <= t <= high
        assert d[0] <= d.min() + 1e-9  # the stated tie of 1e-10 arms
    on_axis = 4.0 * Z  # every angle is equally good: stay
    lever, choice = Lever(Z, X + Z, 1.0, X + Z), Choice(-1.0, 2.0, NAN, 0.0)
    assert com_angle_point(lever, on_axis, choice) == 0.0
    lever, choice = Lever(Z, Z, 1.0, Z), Choice(0.5, 2.0, NAN, 0.0)
    assert com_angle_point(lever, X, choice) == 0.5


def test_the_last_choice_is_kept_until_the_other_is_better_by_hold():
    line = np.array([0.5, 0.05])
    axis = unit(np.array([0.0, 1.0, 0.1]))

    def ask(previous, hold):
        choice = Choice(-INF, INF, previous, hold)
        return com_angle(Lever(axis, X, 1.0, X), line, choice)

    best = ask(NAN, 0.0)
    other = ask(-best, 1.0)
    assert best * other < 0.0  # two minima, one to each side
    d = [np.linalg.norm(rotated(X, ORIGIN, axis, t)[:2] - line) for t in (best, other)]
    worse = d[1] - d[0]
    assert worse > 0.01
    assert ask(other, worse * 1.001) == other
    assert ask(other, worse * 0.999) == best
    assert ask(best, 1.0) == best
    assert ask(NAN, 1.0) == best


def test_memory_never_holds_an_end_that_is_no_minimum():
    # The minimum at 60° is inside the limits; the end just past it is no minimum.
    line = np.array([0.5, 0.0])
    t = com_angle(Lever(Y, X, 1.0, X), line, Choice(0.0, 1.1, 1.1, 0.5))
    assert t == pytest.approx(math.pi / 3, rel=0.0, abs=TURN_TOL)


def test_a_free_joint_keeps_turning_the_same_way_past_half_a_turn():
    goal = np.array(
        [-math.cos(0.1), -math.sin(0.1)]
    )  # 180° + 0.1 rad, or -(180° - 0.1)
    ask = [
        com_angle(Lever(Z, X, 1.0, X), goal, Choice(-INF, INF, previous, 0.0))
        for previous in (NAN, 3.1, -3.1, 9.0)
    ]
    long, short = math.pi + 0.1, -math.pi + 0.1
    # 9 rad is nearest to another turn still, which is too long to be kept.
    np.testing.assert_allclose(
        ask, [short, long, short, short], rtol=0.0, atol=TURN_TOL
    )


def test_slides_go_to_the_foot_of_the_perpendicular():
    axis, p_WC, line = unit(np.array([3.0, 4.0, 12.0])), Z, np.array([0.6, 0.1])
    args = (axis, 2.0, 8.0, p_WC, line)
    # Minimise |d a/4 - line| over d, a = (3, 4)/13: d = 4 (a·line)/(a·a) = 4.576.
    best = 4.0 * (2.2 / 13.0) / (25.0 / 169.0)
    assert slide_displacement(*args, -INF, INF) == pytest.approx(best, rel=8 * EPS)
    assert slide_displacement(*args, -1.0, 1.0) == 1.0
    assert slide_displacement(Z, 2.0, 8.0, p_WC, line, -1.0, 1.0) == 0.0
    assert slide_displacement(Z, 2.0, 8.0, p_WC, line, 0.2, 1.0) == 0.2
    assert slide_displacement(X, 0.0, 8.0, p_WC, line, -1.0, 1.0) == 0.0


def test_nothing_in_a_tick_raises_on_numbers_that_are_not_there():
    bad = np.full(3, NAN)
    line, choice = np.zeros(2), Choice(-1.0, 1.0, NAN, 0.0)
    assert com_angle(Lever(Y, bad, 0.5, X), line, choice) == 0.0
    assert com_angle(Lever(bad, X, 0.5, X), line, choice) == 0.0


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"center": (0, NAN, 0)}, ShapeError, "center must be finite"),
        ({"point": (1, 2)}, ShapeError, r"point must have shape \(3,\), got \(2,\)"),
        ({"line_point": 3.0}, ShapeError, "line_point must have shape"),
        ({"line_point": (1e308, 0), "point": (-1e308, 0, 0)}, ShapeError, "within"),
        ({"axis": (0, 0, 0)}, NotPhysicalError, r"axis must have a direction, got \[0"),
        ({"direction": (0, 0, 0)}, NotPhysicalError, "direction must have a direction"),
        ({"lower": 2.0}, NotPhysicalError, r"lower = 2.0 and upper = 1.0\.$"),
        ({"upper": NAN}, NotPhysicalError, "upper = nan"),
        ({"lower": INF, "upper": INF}, NotPhysicalError, "an angle in between"),
    ],
)
def test_bad_input_gets_one_sentence(change, error, says):
    good = {
        "center": ORIGIN,
        "axis": Z,
        "point": X,
        "line_point": (0.0, 1.0, 0.0),
        "lower": -1.0,
        "upper": 1.0,
    }
    assert circle_line(**good) == 1.0
    with pytest.raises(error, match=says) as caught:
        circle_line(**good | change)
    assert str(caught.value).count(". ") == 0
