"""The picture of a stance shows what it says."""

import numpy as np
import pytest

from equipoise.viz.plots import new_figure
from equipoise.viz.stance_plot import draw_above


@pytest.mark.parametrize("x", [0.0, 0.28])
def test_the_weakest_way_is_in_the_picture(x):
    corners = np.array([[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]])
    points = np.column_stack([corners, np.zeros(4)])
    axes = new_figure(4.0, 4.0).subplots()
    way = np.array([1.0, 0.0])
    draw_above(axes, points, corners, corners, np.array([x, 0.0, 0.5]), way)
    (arrow,) = axes.texts
    left, right = axes.get_xlim()
    assert left < x < arrow.xy[0] < right
