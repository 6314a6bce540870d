"""The push of a recorded walk is marked in its plots, with its size and direction."""

import json
from typing import Any

import numpy as np
import pytest
import xarray as xr

from equipoise.runs.walk.outputs import still_moments
from equipoise.viz.foot_plots import plot_feet
from equipoise.viz.plots import new_figure
from equipoise.viz.push import (
    draw_push_place,
    draw_push_time,
    push_in,
    push_of,
    push_words,
)
from equipoise.viz.walk_plots import foot_names

TIME = np.arange(0.0, 6.0, 0.01)


def walk(**config) -> xr.Dataset:
    """Return a walk ahead at 0.5 m/s, as far as the marks look at it."""
    qpos = np.zeros((len(TIME), 7))
    qpos[:, 0] = 0.5 * TIME
    return xr.Dataset(
        {"qpos": (("frame_time", "coordinate"), qpos)},
        {"time": TIME, "frame_time": TIME, "foot": ["FL_toe", "HR_$x$"]},
        {"config": json.dumps({"seconds": 6.0, "push_heading": 90.0, **config})},
    )


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        (90.0, "push of 40 N s to the left"),
        (-90.0, "push of 40 N s to the right"),
        (0.0, "push of 40 N s ahead"),
        (180.0, "push of 40 N s back"),
        (30.0, "push of 40 N s towards 30°"),
    ],
)
def test_a_push_is_said_with_its_size_and_direction(heading, words):
    push = push_of(walk(push=40.0, push_heading=heading, push_at=2.0))
    assert push is not None and push_words(push) == words
    assert (push.start, push.duration) == (2.0, 0.1)


def test_without_a_push_before_the_end_nothing_is_marked():
    for run in (walk(push=0.0), walk(push=40.0, push_at=7.0), walk()):
        assert push_of(run) is None
        axes = new_figure(4.0, 3.0).subplots()
        draw_push_time(axes, run, is_named=True)
        draw_push_place(axes, run)
        assert not axes.patches and not axes.texts
    broken = walk(push=40.0).assign_attrs(config="{")
    assert push_of(broken) is None
    assert not push_in({"push": {"impulse": [1.0], "start": 0.0}}).impulse.any()


def test_a_push_is_shaded_while_it_lasts_and_points_to_the_trunk():
    run = walk(push=40.0)  # at half time
    axes = new_figure(4.0, 3.0).subplots()
    axes.set_xlim(0.0, 6.0)
    draw_push_time(axes, run, is_named=True)
    box = axes.patches[0].get_extents().transformed(axes.transData.inverted())
    assert (box.x0, box.x1) == pytest.approx((3.0, 3.1))
    name: Any = axes.texts[0]
    assert name.get_text() == "push of 40 N s to the left"
    figure: Any = axes.figure
    # an annotation that is left out for its place has an extent of one pixel
    assert name.get_window_extent(figure.canvas.get_renderer()).width > 50
    axes.set_xlim(4.0, 6.0)  # steps.png shows the last seconds
    assert name.get_window_extent(figure.canvas.get_renderer()).width == 1
    axes = new_figure(4.0, 3.0).subplots()
    axes.set(xlim=(0.0, 4.0), ylim=(-1.0, 1.0))
    draw_push_place(axes, run)
    arrow: Any = axes.texts[0]
    assert arrow.xy == pytest.approx((1.5, 0.0))
    tail = np.array(arrow.xyann)
    assert tail[0] == pytest.approx(1.5) and tail[1] < -0.2  # it comes from the right


def test_feet_are_called_as_the_robot_calls_them():
    assert foot_names(walk())[0] == "FL_toe"
    assert "LF" not in foot_names(walk())


def test_the_arrow_is_named_in_the_legend(tmp_path, monkeypatch):
    run = walk(push=40.0)
    shape = (len(TIME), 2, 3)
    for name in ("attitude", "static_margin", "said_schedule", "torque_limit"):
        run[name] = 0.0
    run["foot_force"] = (("time", "foot", "axis"), np.zeros(shape))
    run["foot_place"] = run["foot_force"] + np.arange(2)[:, None]
    run["foot_touches"] = (("time", "foot"), np.ones(shape[:2]))
    run["com"] = (("time", "axis"), np.zeros((len(TIME), 3)))
    seen = []
    monkeypatch.setattr(
        "equipoise.viz.foot_plots.save_figure",
        lambda figure, path: seen.append(figure) or path,
    )
    plot_feet(run, tmp_path / "feet.png")
    names = [text.get_text() for text in seen[0].legends[0].get_texts()]
    assert names[0] == "FL_toe" and "push of 40 N s to the left" in names


def test_stills_show_how_a_push_is_taken_and_else_the_end():
    step = np.arange(0.0, 1.0, 0.25)
    for run in (walk(), walk(push=40.0).assign_attrs(summary='{"fell": true}')):
        assert still_moments(run) == pytest.approx(TIME[-1] - step[::-1])
    assert still_moments(walk(push=40.0)) == pytest.approx(3.05 + step)
    late = still_moments(walk(push=40.0, push_at=5.9))
    assert late == pytest.approx(TIME[-1] - step[::-1])
