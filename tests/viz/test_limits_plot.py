"""The largest pushes are points round the robot, and only where they were tried."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import equipoise as eq
from equipoise.runs.portrait import standing_shapes
from equipoise.viz import limits_plot
from equipoise.viz.limits_plot import draw_points, draw_sides, plot_limits, push_place
from equipoise.viz.plots import new_figure

HEADINGS = [45.0 * k for k in range(8)]


def run(*impulses, **more):
    """Numbers of one controller."""
    return {
        "robot": "walker",
        "controller": "trot",
        "impulse_ns": list(impulses),
        "heading_deg": HEADINGS,
        "block_mass_kg": None,
        "faces_deg": 90.0,
    } | more


def test_a_push_is_as_far_out_as_it_is_hard():
    np.testing.assert_allclose(push_place(0.0, 0.0, 80.0), (limits_plot.INNER, 0.0))
    np.testing.assert_allclose(push_place(80.0, 180.0, 80.0), (-1.0, 0.0), atol=1e-15)
    x, y = push_place(40.0, 90.0, 80.0)  # half way from the ring to the largest
    assert abs(x) < 1e-15 and y == pytest.approx(0.5 * (1.0 + limits_plot.INNER))


def test_eight_points_and_no_line_from_one_to_the_next():
    axes = new_figure(4.0, 4.0).subplots()
    draw_points(axes, run(*range(10, 90, 10)), 0, 1, 80.0)
    (points,) = [line for line in axes.lines if line.get_gid() == "limits 0"]
    assert points.get_linestyle() == "None" and len(points.get_xdata()) == 8
    for line in axes.lines:
        if line is not points:  # a stem goes along its own direction
            (x0, x1), (y0, y1) = line.get_data()
            assert x0 * y1 - x1 * y0 == pytest.approx(0.0, abs=1e-12)
    assert not axes.patches  # nothing is filled
    assert sorted(float(text.get_text()) for text in axes.texts) == [
        *np.arange(10.0, 90.0, 10.0)
    ]


def test_numbers_are_clear_of_their_points_and_of_the_sides():
    axes = new_figure(7.0, 7.0).subplots()
    shown = (-limits_plot.OUTER, limits_plot.OUTER)
    axes.set(xlim=shown, ylim=shown)
    draw_points(axes, run(*[18.2] * 8), 0, 1, 18.2)
    numbers = list(axes.texts)
    draw_sides(axes, 0.0)
    figure: Any = axes.figure
    boxes = [
        text.get_window_extent(figure.canvas.get_renderer()) for text in axes.texts
    ]
    (points,) = [line for line in axes.lines if line.get_gid() == "limits 0"]
    radius = 0.5 * points.get_markersize() * figure.dpi / 72.0
    places = axes.transData.transform(points.get_xydata())
    for place, box in zip(places, boxes[: len(numbers)], strict=True):
        low, high = np.array(box.min), np.array(box.max)
        assert np.linalg.norm(place - np.clip(place, low, high)) > radius
    for box in boxes[: len(numbers)]:
        assert box.count_overlaps(boxes[len(numbers) : len(numbers) + 4]) == 0


def test_a_direction_that_was_not_finished_has_no_point():
    axes = new_figure(4.0, 4.0).subplots()
    draw_points(axes, run(1, 2, None, 4, 5, None, 7, 8), 0, 1, 8.0)
    (points,) = [line for line in axes.lines if line.get_gid() == "limits 0"]
    assert len(points.get_xdata()) == 6


def test_the_front_is_where_the_robot_faces():
    axes = new_figure(4.0, 4.0).subplots()
    draw_sides(axes, 90.0)
    (arrow,) = [text for text in axes.texts if text.get_gid() == "front"]
    assert arrow.xy[1] > arrow.xyann[1] > 0.0
    assert abs(arrow.xy[0]) < 1e-12
    places = {t.get_text().split("\n")[0]: t.get_position() for t in axes.texts}
    assert places["to its left"][0] < -1.0 and places["to its back"][1] < -1.0


def test_a_picture_with_the_robot_and_without_any_limit(tmp_path):
    shapes = standing_shapes(eq.load("warp1"))
    path = plot_limits([run(*[None] * 8)], tmp_path / "a.png", shapes=shapes)
    assert path.read_bytes()[:4] == b"\x89PNG"
    path = plot_limits([run(*[0.0] * 8), run(*range(8))], tmp_path / "b.png")
    assert path.read_bytes()[:4] == b"\x89PNG"


def test_a_robot_fills_the_middle_of_its_ring(monkeypatch):
    """Seen from above, about its own middle, a tenth of the longer side to spare."""
    seen = []

    def kept(shapes, view, bounds, scale):
        seen.append((bounds, scale))
        return SimpleNamespace(image=np.zeros((4, 4, 4)))

    monkeypatch.setattr(limits_plot, "sketch", kept)
    corners = np.array([[1.0, 5.0, 0.0], [3.0, 5.5, 9.0], [2.0, 6.0, -7.0]])
    axes = new_figure(4.0, 4.0).subplots()
    limits_plot._draw_robot(axes, SimpleNamespace(robot=corners))  # pyright: ignore
    ((bounds, scale),) = seen
    assert bounds == pytest.approx((2.0 - 1.1, 2.0 + 1.1, 5.5 - 1.1, 5.5 + 1.1))
    assert scale == pytest.approx(limits_plot.PIXELS / 1.1)
    left, right, bottom, top = axes.images[0].get_extent()
    assert -left == right == -bottom == top == limits_plot.ROBOT * limits_plot.INNER
    assert 0.0 < right * 2**0.5 < 1.5 * limits_plot.INNER
