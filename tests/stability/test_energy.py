"""The energy stability margin against turning the robot over by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.rigid.energy import energy_margin
from equipoise.stability.rigid.hull import support_corners
from equipoise.stability.rigid.support import static_margin

G = 9.81
ROUNDING = 1e-12  # rounding: some hundred operations on lengths up to 2 m
SQUARE = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]], dtype=float)
seeds = st.integers(0, 2**32 - 1)


def stance(seed: int, feet: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Feet on rough ground, up to 0.3 m, and a centre of mass in or beside them."""
    rng = np.random.default_rng(seed)
    points = np.c_[rng.uniform(-0.6, 0.6, (feet, 2)), rng.uniform(0, 0.3, feet)]
    return np.append(rng.uniform(-0.4, 0.4, 2), rng.uniform(0.1, 1.5)), points


def climb_over(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """Oracle: turn p about the line a-b and look how high it gets; no formula."""
    axis = (b - a) / np.linalg.norm(b - a)

    top, width = 0.0, np.pi
    for _ in range(3):
        angles = top + np.linspace(-width, width, 401)
        turned = Rotation.from_rotvec(angles[:, None] * axis).apply(p - a)
        best = int(np.argmax(turned[:, 2]))
        top, width = angles[best], angles[1] - angles[0]
    return float(a[2] + turned[best, 2] - p[2])


@given(seed=seeds)
def test_climb_over_every_edge_is_that_of_turning_it_over(seed):
    p, points = stance(seed)
    margin = energy_margin(p, points, 2.0)
    corners = points[support_corners(points)]
    assert np.array_equal(margin.corners, corners)
    for a, b, height in zip(
        corners, np.roll(corners, -1, axis=0), margin.heights, strict=True
    ):
        # truncation: the top is flat, its angle is found to 4e-7 rad: 2e-13 m
        assert abs(height) == pytest.approx(climb_over(p, a, b), abs=1e-9)
        left = (b - a)[0] * (p - a)[1] - (b - a)[1] * (p - a)[0]
        assert height == 0 or (height > 0) == (left > 0)
    assert margin.height == margin.heights.min() == margin.heights[margin.edge]
    assert margin.energy == pytest.approx(2 * G * margin.height, rel=1e-15, abs=0)


@given(seed=seeds)
def test_its_sign_is_that_of_the_static_margin(seed):
    p, points = stance(seed)
    margin = energy_margin(p, points, 1.0)
    assert (margin.height > 0) == (static_margin(p[:2], points) > 0)


def test_draws_are_inside_and_outside():  # or the signs above would be idle
    heights = [energy_margin(*stance(seed), 1.0).height for seed in range(50)]
    assert min(heights) < 0 < max(heights)


def test_margin_of_a_table_by_hand():
    margin = energy_margin([0.25, 0, 1], SQUARE, 4.0)
    # Nearest edge 0.75 aside: up from 1 to √(1 + 0.75²) = 1.25.
    assert margin.height == pytest.approx(0.25, abs=ROUNDING)
    assert margin.energy == pytest.approx(4 * G * 0.25, abs=100 * ROUNDING)
    np.testing.assert_allclose(margin.direction, [1, 0], rtol=0, atol=ROUNDING)
    past = energy_margin([1.75, 0, 1], SQUARE, 4.0)
    assert past.height == pytest.approx(-0.25, abs=ROUNDING)
    np.testing.assert_allclose(past.direction, [1, 0], rtol=0, atol=ROUNDING)
    assert energy_margin([1, 0, 1], SQUARE, 4.0).height == 0
    moon = energy_margin([0.25, 0, 1], SQUARE, 4.0, gravity=1.62)
    assert moon.energy == pytest.approx(4 * 1.62 * 0.25, abs=100 * ROUNDING)
    assert moon.height == margin.height


def test_close_to_an_edge_no_digit_is_lost():
    # Closed form d²/(2 h) to first order; h √(1 + d²) - h alone would keep one digit.
    aside = 3 * 2.0**-26
    height = energy_margin([1 - aside, 0, 1], SQUARE, 1.0).height
    assert height == pytest.approx(aside**2 / 2, rel=1e-14, abs=0)


def test_a_low_edge_is_weaker_than_a_near_one():
    # A slope: the edge farther away seen from above may need the lesser climb.
    points = np.array([[1, 1, -0.9], [-0.9, 1, 0.9], [-0.9, -1, 0.9], [1, -1, -0.9]])
    margin = energy_margin([0, 0, 1], points, 1.0)
    np.testing.assert_allclose(margin.direction, [1, 0], rtol=0, atol=ROUNDING)
    assert static_margin([0, 0], points[:, :2]) == 0.9  # that of the other edge
    assert margin.height == pytest.approx(np.hypot(1, 1.9) - 1.9, abs=ROUNDING)


@given(seed=seeds, angle=st.floats(-3.2, 3.2), factor=st.floats(0.01, 100))
def test_turning_shifting_mirroring_and_scaling(seed, angle, factor):
    p, points = stance(seed)
    here = energy_margin(p, points, 1.0)
    shift = np.array([0.3, -0.2, 0.5])
    for move in (
        Rotation.from_rotvec([0, 0, angle]).as_matrix(),
        np.diag([1.0, -1.0, 1.0]),
    ):
        there = energy_margin(move @ p + shift, points @ move.T + shift, factor)
        assert there.height == pytest.approx(here.height, abs=ROUNDING)
        assert there.energy == pytest.approx(
            factor * G * there.height, rel=1e-14, abs=0
        )
        np.testing.assert_allclose(
            there.direction,
            move[:2, :2] @ here.direction,
            rtol=0,
            atol=1e-10,  # rounding of 1e-15 over feet at least 1e-5 apart
        )


def test_leading_axes_are_states(rng):
    p = rng.uniform(0, 1, (2, 3, 3))
    margin = energy_margin(p, SQUARE, 2.0)
    assert margin.energy.shape == margin.edge.shape == (2, 3)
    assert (margin.heights.shape, margin.direction.shape) == ((2, 3, 4), (2, 3, 2))
    one = energy_margin(p[1, 2], SQUARE, 2.0)
    assert margin.energy[1, 2] == one.energy
    assert np.array_equal(margin.direction[1, 2], one.direction)


def test_supports_without_area_give_nothing_to_climb():
    point = energy_margin([0.75, 0, 1], [[0, 0, 0]], 2.0)
    assert point.height == pytest.approx(-0.25, abs=ROUNDING)
    assert (point.edge, point.heights.shape) == (-1, (0,))
    assert np.array_equal(point.direction, [1, 0])
    line = SQUARE[:2]
    assert energy_margin([0.5, 1, 1], line, 2.0).height == 0
    assert energy_margin([0.5, 1.75, 1], line, 2.0).height == pytest.approx(
        -0.25, abs=ROUNDING
    )
    assert energy_margin([1.75, 1, 1], line, 2.0).height == pytest.approx(
        -0.25, abs=ROUNDING
    )
    both = energy_margin([[0, 0, 1], [0.5, 1, 1]], line, 2.0)
    assert both.energy.shape == (2,)
    nothing = energy_margin([0, 0, 1], [], 2.0)
    assert nothing.energy == nothing.height == -np.inf
    assert np.array_equal(nothing.direction, [0, 0])


def test_on_the_foot_itself_nothing_is_divided_by_zero():
    with np.errstate(all="raise"):
        assert energy_margin([0, 0, 0], [[0, 0, 0]], 2.0).height == 0
        assert energy_margin([1, 0, 0], SQUARE, 2.0).height == 0


def test_bad_input_is_refused():
    with pytest.raises(NotPhysicalError, match=r"mass must be > 0 kg, got -1"):
        energy_margin([0, 0, 1], SQUARE, -1.0)
    with pytest.raises(NotPhysicalError, match=r"gravity must be > 0 m/s², got nan"):
        energy_margin([0, 0, 1], SQUARE, 1.0, gravity=np.nan)
    with pytest.raises(ShapeError, match=r"points must have shape \('any', 3\)"):
        energy_margin([0, 0, 1], SQUARE[:, :2], 1.0)
    with pytest.raises(ShapeError, match="points must be an array of numbers"):
        energy_margin([0, 0, 1], [[0, 0, 0], [1]], 1.0)
    with pytest.raises(ShapeError, match="p_WC must be finite"):
        energy_margin([0, 0, np.inf], SQUARE, 1.0)
