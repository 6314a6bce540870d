"""Frames and lengths of a drawn stance, by what they must keep."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from equipoise.viz.stance_marks import ROOM, fitted_frame, length_words


@pytest.mark.parametrize(
    "metres, words",
    [
        (0.0, "0 mm"), (-4e-5, "0 mm"), (4.9e-5, "0 mm"), (5.1e-5, "0.1 mm"),
        (-0.00123, "-1.2 mm"), (0.00994, "9.9 mm"), (0.009994, "10.0 mm"),
        (0.009996, "10 mm"), (-0.0123, "-12 mm"), (0.9994, "999 mm"),
        (0.9996, "1.00 m"), (-1.234, "-1.23 m"),
    ],
)  # fmt: skip
def test_lengths_are_for_people(metres, words):
    assert length_words(metres) == words


@pytest.mark.parametrize(
    "corners",
    [[[0, 0], [2, 1]], [[1, -3], [1.1, 4], [0.9, 0]], [[0.5, 0.5]], [[-1, 0], [1, 0]]],
)
@pytest.mark.parametrize("inches", [(4.0, 4.0), (8.0, 3.0)])
def test_a_frame_has_its_points_in_the_middle_and_one_scale(corners, inches):
    points = np.array(corners, float)
    figure, axes = plt.subplots(figsize=inches)
    frame = fitted_frame(axes, points)
    box = axes.get_window_extent()
    plt.close(figure)
    assert axes.get_xlim() == (frame.left, frame.right)
    assert axes.get_ylim() == (frame.bottom, frame.top)
    assert frame.bounds == (frame.left, frame.right, frame.bottom, frame.top)
    low, high = points.min(axis=0), points.max(axis=0)
    middle = [frame.left + frame.right, frame.bottom + frame.top]
    np.testing.assert_allclose(middle, low + high, atol=1e-12)  # rounding
    wide, tall = frame.right - frame.left, frame.top - frame.bottom
    assert box.width / wide == pytest.approx(frame.per_metre)
    assert box.height / tall == pytest.approx(frame.per_metre)
    size = max(1e-3, (high - low).max())
    room = np.array([wide, tall]) - (high - low)
    assert np.all(room >= 2.0 * ROOM * size * (1.0 - 1e-9))
    assert room.min() == pytest.approx(2.0 * ROOM * size)  # one way has no more
    assert not axes.get_autoscale_on() and not list(axes.get_xticks())
