"""Put down gently on a plane: boxes and balls in closed form, hulls by their faces."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.rigid.rest import resting_place, rocking_barrier

HALF = np.array([0.1, 0.2, 0.3])
BOX = HALF * [[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]


def box_at(turn, centre=(0.0, 0.0, 1.0)):
    """Return the corners of a box in an attitude."""
    return np.add(turn.apply(BOX), centre)


@given(lean=st.floats(0.001, 0.3), way=st.floats(0.0, 6.28))
def test_a_box_comes_back_to_its_face(lean, way):
    turn = Rotation.from_rotvec(lean * np.array([math.cos(way), math.sin(way), 0.0]))
    rest = resting_place(box_at(turn), np.zeros(8), [0.0, 0.0, 1.0])
    end = Rotation.from_matrix(rest.R) * turn
    # a dozen turns, each exact to rounding; z is up again and four corners are down
    np.testing.assert_allclose(end.apply([0, 0, 1]), [0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(rest.moved(np.array([0, 0, 1.0]))[2], 0.3, atol=1e-9)
    assert rest.is_at_rest and len(rest.touching) == 4
    low = float(-turn.apply(BOX)[:, 2].min())
    assert rest.lowered == pytest.approx(1.0 - low, abs=1e-12)
    assert rest.sank == pytest.approx(low - 0.3, abs=1e-9)


@pytest.mark.parametrize(("lean", "face"), [(0.99, 0.3), (1.01, 0.1)])
def test_a_box_tips_where_its_centre_passes_its_edge(lean, face):
    angle = lean * math.atan2(0.1, 0.3)
    turn = Rotation.from_rotvec([0.0, angle, 0.0])
    rest = resting_place(box_at(turn), np.zeros(8), [0.0, 0.0, 1.0])
    assert rest.moved(np.array([0.0, 0.0, 1.0]))[2] == pytest.approx(face, abs=1e-9)
    turned = angle if face == 0.3 else math.pi / 2 - angle
    assert rest.turned == pytest.approx(turned, abs=1e-9)


@pytest.mark.parametrize(("share", "stays"), [(0.98, True), (1.02, False)])
def test_on_a_slope_it_tips_where_gravity_leaves_its_face(share, stays):
    slope = share * math.atan2(0.1, 0.3)
    turn = Rotation.from_rotvec([0.0, slope, 0.0])
    normal = turn.apply([0, 0, 1])
    rest = resting_place(box_at(turn), np.zeros(8), [0.0, 0.0, 1.0], normal, 0.2)
    assert rest.is_at_rest
    assert (rest.turned < 1e-9) is stays
    heights = rest.moved(box_at(turn)) @ normal - 0.2
    assert heights.min() == pytest.approx(0.0, abs=1e-9)


def test_turning_gravity_or_the_ground_is_the_same():
    turn = Rotation.from_rotvec([0.1, -0.2, 0.05])
    corners = box_at(Rotation.from_rotvec([0.05, 0.02, 0.0]), (0.1, 0.2, 0.7))
    centre = np.array([0.12, 0.21, 0.75])
    up = np.array([0.0, 0.0, 1.0])
    level = resting_place(corners, np.zeros(8), centre)
    tilted = resting_place(
        turn.apply(corners), np.zeros(8), turn.apply(centre),
        turn.apply(up), 0.0, turn.apply(up),
    )  # fmt: skip
    assert tilted.turned == pytest.approx(level.turned, abs=1e-9)
    assert tilted.sank == pytest.approx(level.sank, abs=1e-9)
    assert tilted.lowered == pytest.approx(level.lowered, abs=1e-12)


def test_a_loaded_ball_rolls_until_its_mass_is_lowest():
    rest = resting_place([[0.0, 0.0, 1.0]], [0.3], [0.05, 0.0, 1.1])
    assert rest.lowered == pytest.approx(0.7, abs=1e-12)
    # the mass was 0.1 above the middle and ends √(0.05² + 0.1²) below it
    assert rest.sank == pytest.approx(0.1 + math.hypot(0.05, 0.1), abs=1e-9)
    assert rest.turned == pytest.approx(math.pi - math.atan2(0.05, 0.1), abs=1e-6)


def test_on_four_balls_with_one_leg_short_it_settles_onto_three():
    middles = np.array(
        [[0.2, 0.1, 0], [0.2, -0.1, 0], [-0.2, 0.1, 0], [-0.2, -0.1, 0.01]]
    )
    rest = resting_place(middles, np.full(4, 0.02), [0.0, -0.002, 0.3])
    assert set(rest.touching) == {1, 2, 3}
    heights = rest.moved(middles)[:, 2]
    np.testing.assert_allclose(heights[[1, 2, 3]], 0.02, atol=1e-12)
    assert heights[0] > 0.02


def stable_faces(points, com):
    """Oracle: outward normals of the hull's faces over which the centre of mass is.

    Every three points are tried: a face if all others are on one side of it.
    """
    found = []
    for i, j, k in itertools.combinations(range(len(points)), 3):
        a, b, c = points[[i, j, k]]
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        side = np.delete((points - a) @ normal, [i, j, k])
        if side.min() < 0.0 < side.max():
            continue
        edges = ((a, b), (b, c), (c, a))
        turns = [float(np.cross(q - p, com - p) @ normal) for p, q in edges]
        if min(turns) >= 0.0:
            found.append(-normal if side.min() > 0.0 else normal)
    return np.array(found)


def test_random_hulls_rest_on_a_face_below_their_centre():
    rng = np.random.default_rng(4)
    for _ in range(60):
        points = rng.normal(size=(12, 3)) * rng.uniform(0.05, 0.5)
        com = points.mean(axis=0) + 0.02 * rng.normal(size=3)
        rest = resting_place(points, np.zeros(12), com)
        down = rest.R.T @ np.array([0.0, 0.0, -1.0])
        faces = stable_faces(points, com)
        # a dozen turns about axes that are exact to rounding
        assert np.abs(faces - down).max(axis=1).min() < 1e-9
        assert rest.is_at_rest and rest.sank >= -1e-12


def test_the_barrier_of_a_box_is_that_of_its_nearest_edge():
    corners = box_at(Rotation.identity(), (0.0, 0.0, 0.3))
    lift = rocking_barrier(
        corners, np.zeros(8), [0.03, 0.0, 0.3], most=math.radians(40)
    )
    exact = math.hypot(0.07, 0.3) - 0.3
    # rings are five degrees apart and their attitudes one, never above the truth
    assert 0.5 * exact < lift <= exact + 1e-12


def test_rocking_to_another_foot_is_no_fall():
    """Three of four feet carry it, its centre on their edge: the fourth catches it."""
    feet = np.array(
        [[0.2, 0.2, 0], [0.2, -0.2, 0], [-0.2, 0.2, 0], [-0.2, -0.2, 0.002]]
    )
    com = np.array([0.0, 0.0, 0.3])
    edge = rocking_barrier(feet, np.zeros(4), com, most=math.radians(0.2))
    whole = rocking_barrier(feet, np.zeros(4), com, most=math.radians(30))
    assert edge < 1e-4
    assert whole > 0.01


def test_bad_input_gets_a_sentence():
    with pytest.raises(ShapeError, match="at least one ball"):
        resting_place(np.zeros((0, 3)), [], [0, 0, 1])
    with pytest.raises(NotPhysicalError, match="must face up"):
        resting_place([[0, 0, 1]], [0.1], [0, 0, 1], (0.0, 0.0, -1.0))
