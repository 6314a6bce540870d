"""Goals: distances in closed form, bad ones refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.control.com import distance_to, line_goal, point_goal
from equipoise.core.errors import EquipoiseError

PLACE = st.tuples(*[st.floats(-5.0, 5.0)] * 3).map(np.array)  # [m]
DIRECTION = PLACE.filter(lambda d: np.linalg.norm(d) > 1e-3)
EPS = np.finfo(float).eps


@given(point=PLACE, direction=DIRECTION, at=PLACE)
def test_distance_to_a_line_is_the_cross_product(point, direction, at):
    goal = line_goal(point, direction)
    unit = direction / np.linalg.norm(direction)
    want = np.linalg.norm(np.cross(at - point, unit))
    # rounding: lengths up to 18 m, some ten operations
    assert distance_to(goal, at) == pytest.approx(want, abs=16 * EPS * 18)


@given(direction=DIRECTION)
def test_a_lines_frame_is_a_rotation_that_ends_in_its_direction(direction):
    frame = line_goal((0, 0), direction).frame
    unit = direction / np.linalg.norm(direction)
    # rounding: entries up to 1
    np.testing.assert_allclose(frame[2], unit, rtol=0, atol=8 * EPS)
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), rtol=0, atol=16 * EPS)
    assert np.linalg.det(frame) == pytest.approx(1.0, abs=16 * EPS)


@given(point=PLACE, at=PLACE)
def test_distance_to_a_point(point, at):
    want = np.linalg.norm(at - point)
    assert distance_to(point_goal(point), at) == pytest.approx(want, abs=64 * EPS)


def test_the_support_line_counts_only_what_is_level():
    goal = line_goal((1.0, 2.0))
    assert distance_to(goal, (4.0, 6.0, 99.0)) == 5.0  # exact: 3, 4, 5
    many = distance_to(goal, [[1.0, 2.0, 0.0], [1.0, 3.0, 7.0]])
    np.testing.assert_array_equal(many, [0.0, 1.0])


@pytest.mark.parametrize(
    "point", [(1.0,), (1.0, 2.0, 3.0, 4.0), (np.nan, 0.0), 3.0, "here", [[0.0, 0.0]]]
)
@pytest.mark.parametrize("make", [line_goal, point_goal])
def test_bad_points_are_refused_in_one_sentence(make, point):
    with pytest.raises(EquipoiseError, match=r"point.*\.$"):
        make(point)


@pytest.mark.parametrize("direction", [(0, 0, 0), (1, 2), (np.inf, 0, 0), "up"])
def test_bad_directions_are_refused_in_one_sentence(direction):
    with pytest.raises(EquipoiseError, match=r"^direction .*\.$"):
        line_goal((0, 0), direction)
