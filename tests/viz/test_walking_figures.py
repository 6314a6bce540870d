"""What is in the plots of walks, gaits and learners before they are files."""

import math

import numpy as np
import pytest
import xarray as xr

from equipoise.control.gaits.margins import PlanMargins
from equipoise.control.gaits.named import named_gait
from equipoise.viz import foot_plots, gait_plots, learning_plots, many_plots, walk_plots
from equipoise.viz.plots import PALETTE
from oracles.figures import expect_readable, kept_figures, lines_of

TIME = np.round(np.arange(0.0, 10.0, 0.05), 9)
NT = len(TIME)


def walk(**more):
    """Return a walk of two feet to the left front, told to stop at eight seconds."""
    stands = np.stack([TIME % 1.0 < 0.45, TIME % 1.0 >= 0.45], axis=1)
    place = np.stack([0.1 * TIME, 0.2 * TIME, 0.5 + 0 * TIME], axis=1)
    turn = np.stack([0.1 * TIME, -0.2 * TIME, 0.4 * TIME], axis=1)
    turn[:, 2] = (turn[:, 2] + np.pi) % (2 * np.pi) - np.pi
    force = np.zeros((NT, 2, 3))
    force[:, 0, 2], force[:, 1, 2] = 50.0, 30.0
    force[0, 0, 2] = 9000.0  # a footfall
    feet = np.stack([place, place - [0.0, 0.4, 0.0]], axis=1)
    feet[:, :, 2] = 0.0
    signals = {
        "qpos": (("frame_time", "coordinate"), place),
        "attitude": (("time", "angle"), turn),
        "static_margin": ("time", np.where(TIME < 1.0, np.nan, 0.05)),
        "zmp_margin": ("time", np.where(TIME < 1.0, -np.inf, -0.02)),
        "foot_force": (("time", "foot", "axis"), force),
        "foot_place": (("time", "foot", "axis"), feet),
        "com": (("time", "axis"), place),
        "foot_touches": (("time", "foot"), stands.astype(float)),
        "said_schedule": ("time", np.where(TIME < 5.0, 3.0, 1.0)),
        "said_walking": ("time", (TIME < 8.0).astype(float)),
        "tau": (("frame_time", "actuator"), np.outer(0 * TIME + 1, [20.0, -40.0])),
        "torque_limit": ("actuator", [50.0, 80.0]),
    }
    coords = {
        "time": TIME, "frame_time": TIME, "foot": ["left_foot", "right_foot"],
        "actuator": ["a_hip_roll", "a_knee"],
    }  # fmt: skip
    attrs = {"robot": "dog", "gait": "trot", "terrain": "blocks:4"}
    return xr.Dataset({**signals, **more}, coords, attrs)


def test_a_walk_over_time_in_what_its_axes_say(monkeypatch, tmp_path):
    figures = kept_figures(monkeypatch, walk_plots)
    run = walk()
    assert walk_plots.plot_walk(run, tmp_path / "a.png") == tmp_path / "a.png"
    (figure,) = figures
    expect_readable(figure)
    trunk, angles, torque, margin, force = figure.axes
    assert figure.get_suptitle() == "dog, trot, blocks:4"
    for name, k in (("ahead", 0), ("to the left", 1), ("up", 2)):
        np.testing.assert_allclose(lines_of(trunk)[name].get_ydata(), run["qpos"][:, k])
    for name, rate in (("roll", 0.1), ("pitch", -0.2), ("heading", 0.4)):
        wanted = np.degrees(rate * TIME)  # without jumps
        np.testing.assert_allclose(
            lines_of(angles)[name].get_ydata(), wanted, atol=1e-9
        )
    assert lines_of(angles)["heading"].get_linestyle() == "--"
    np.testing.assert_allclose(lines_of(torque)["hip roll"].get_ydata(), 40.0)
    np.testing.assert_allclose(lines_of(torque)["knee"].get_ydata(), 50.0)
    walks = TIME >= 1.0
    mass = lines_of(margin)["centre of mass"].get_ydata()
    np.testing.assert_allclose(np.asarray(mass)[walks], 50.0)
    pressed = np.asarray(lines_of(margin)["centre of pressure"].get_ydata())
    np.testing.assert_allclose(pressed[walks], -20.0)
    assert np.isnan(pressed[~walks]).all()
    np.testing.assert_allclose(lines_of(force)["right_foot"].get_ydata(), 30.0)
    low, high = force.get_ylim()
    assert low == 0.0 and 60.0 * 1.2 < high < 100.0  # the footfall is cut off
    assert force.get_xlabel() == "time [s]"
    for axes in figure.axes:
        assert axes.get_legend() is not None
        highest = max(
            np.nanmax(np.asarray(ln.get_ydata(), float)[1:]) for ln in axes.lines
        )
        assert axes.get_ylim()[1] > highest or axes is force
    walk_plots.plot_walk(run, "a.png", title="Own")
    assert figures[1].get_suptitle() == "Own"


def test_what_was_planned_is_drawn_beside_the_trunk(monkeypatch):
    figures = kept_figures(monkeypatch, walk_plots)
    wanted = np.stack([TIME, 2.0 * TIME, 0 * TIME, 0 * TIME], axis=1)
    goals = np.zeros((NT, 2, 3))
    more = {
        "plan_trunk": (("time", "pose"), wanted),
        "foot_goal": (("time", "foot", "axis"), goals),
    }
    walk_plots.plot_walk(walk(**more), "a.png")
    dotted = [ln for ln in figures[0].axes[0].lines if ln.get_linestyle() == ":"]
    assert [ln.get_label() == "as planned" for ln in dotted] == [True, False]
    np.testing.assert_allclose(dotted[0].get_ydata(), TIME)
    np.testing.assert_allclose(dotted[1].get_ydata(), 2.0 * TIME)


def test_steps_are_beside_their_schedule(monkeypatch):
    figures = kept_figures(monkeypatch, walk_plots)
    walk_plots.plot_steps(walk(), "a.png")
    (figure,) = figures
    expect_readable(figure)
    (axes,) = figure.axes
    assert figure.get_suptitle() == "Steps of dog, trot, blocks:4"
    assert [t.get_text() for t in axes.get_yticklabels()] == ["left_foot", "right_foot"]
    assert axes.get_ylim() == (1.5, -0.5)
    assert axes.get_xlim() == (pytest.approx(3.95), pytest.approx(7.95))
    spans = {}
    for bar in axes.collections:
        boxes = [path.get_extents() for path in bar.get_paths()]
        for box in boxes:
            row = round(float(box.y0), 2)
            spans.setdefault(row, []).append((round(box.x0, 2), round(box.x1, 2)))
    assert spans[-0.36] == [(3.95, 8.0)]  # the left foot, to the end of its last sample
    assert spans[0.64][0][0] == 3.95 and spans[0.64][0][1] == pytest.approx(
        5.0, abs=0.06
    )
    assert len(spans[0.02]) == 4 and len(spans[1.02]) in (4, 5)
    names = {t.get_text() for t in figure.legends[0].get_texts()}
    assert names == {"scheduled", "on the ground"}


def test_feet_are_thick_where_they_stand(monkeypatch):
    figures = kept_figures(monkeypatch, foot_plots)
    foot_plots.plot_feet(walk(), "a.png")
    (figure,) = figures
    (axes,) = figure.axes
    for name, off in (("left_foot", 0.0), ("right_foot", 0.4)):
        down = np.asarray(lines_of(axes)[name].get_xydata())
        is_down = np.isfinite(down).all(axis=1)
        touches = TIME % 1.0 < 0.45 if off == 0.0 else TIME % 1.0 >= 0.45
        np.testing.assert_array_equal(is_down, touches)
        way = np.stack([0.1 * TIME, 0.2 * TIME - off], axis=1)
        np.testing.assert_allclose(down[is_down], way[is_down])
        assert lines_of(axes)[name].get_linewidth() > 1.0
    assert "centre of mass" in lines_of(axes)
    assert axes.get_aspect() == 1.0
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [m]", "y [m]")
    wide, high = foot_plots.feet_extent(walk()["foot_place"].values)
    assert (wide, high) == (pytest.approx(0.995), pytest.approx(1.99 + 0.4))
    size = figure.get_size_inches()
    assert size[1] - 0.9 == pytest.approx(min(max(9.0 * high / wide, 2.2), 9.0))
    assert foot_plots.feet_extent(np.zeros((3, 2, 3))) == (0.5, 0.3)


# --- gaits ------------------------------------------------------------------------


def test_margins_are_under_their_gait(monkeypatch):
    figures = kept_figures(monkeypatch, gait_plots)
    times = np.array([[0.0, 0.5], [0.5, 1.0]])
    margins = PlanMargins(
        times=times, static=np.array([[0.1, 0.2], [0.3, -np.inf]]),
        longitudinal=np.array([[0.1, 0.2], [0.2, 0.4]]),
    )  # fmt: skip
    stances = [np.array([[0.0, 0.6]]), np.array([[0.0, 0.1], [0.4, 1.0]])]
    gait_plots.plot_gait("a.png", stances, margins, title="Walk")
    (figure,) = figures
    expect_readable(figure)
    above, below = figure.axes
    assert above.get_title() == "Walk" and below.get_xlim() == (0.0, 1.0)
    edge = np.asarray(lines_of(below)["to the nearest edge"].get_ydata())
    np.testing.assert_allclose(edge, [100, 200, math.nan, 300, math.nan, math.nan])
    ahead = np.asarray(lines_of(below)["ahead or behind"].get_ydata())
    np.testing.assert_allclose(ahead, [100, 200, 200, 200, 400, math.nan])
    assert (below.get_xlabel(), below.get_ylabel()) == ("time [cycles]", "margin [mm]")
    boxes = [
        (round(b.x0, 9), round(b.x1, 9), round(b.y0, 9), round(b.y1, 9))
        for bar in above.collections
        for b in (path.get_extents() for path in bar.get_paths())
    ]
    assert boxes == [(0, 0.6, -0.3, 0.3), (0, 0.1, 0.7, 1.3), (0.4, 1.0, 0.7, 1.3)]
    assert above.get_ylim() == (1.5, -0.5)


def test_gaits_stand_side_by_side_three_a_line(monkeypatch):
    figures = kept_figures(monkeypatch, gait_plots)
    gaits = [named_gait(name, 4, None) for name in ("trot", "crawl", "pace", "bound")]
    gait_plots.plot_gaits("a.png", gaits, cycles=2.0)
    (figure,) = figures
    expect_readable(figure)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert len(figure.axes) == 6 and len(shown) == 4
    for axes, gait in zip(shown, gaits, strict=True):
        assert axes.get_title() == f"{gait.name}, β = {gait.duty[0]:.3g}"
        assert axes.get_xlim() == (0.0, 2.0)
    gait_plots.plot_gaits("a.png", gaits[:2])
    assert len(figures[1].axes) == 2


# --- learners and many robots -----------------------------------------------------


def test_a_learner_s_curve_is_the_mean_of_fifty_steps(monkeypatch):
    figures = kept_figures(monkeypatch, learning_plots)
    rates = [np.arange(100.0), np.arange(100.0) + 10.0, np.arange(120.0)]
    learning_plots.plot_curves(rates, "a.png")
    (figure,) = figures
    expect_readable(figure)
    (axes,) = figure.axes
    mean = lines_of(axes)["mean"]
    assert list(mean.get_xdata()) == list(range(50, 101))
    np.testing.assert_allclose(mean.get_ydata()[0], 24.5 + 10.0 / 3.0)
    assert axes.get_title() == "3 seeds" and "last 50" in axes.get_ylabel()
    reported = lines_of(axes)["reported of Thing"].get_ydata()
    assert list(reported) == [0.36, 0.36]
    learning_plots.plot_curves([np.arange(10.0)], "a.png")
    (short,) = figures[1].axes
    assert short.get_title() == "one seed"
    assert list(lines_of(short)["mean"].get_xydata()[0]) == pytest.approx([10.0, 4.5])


def many(**more):
    fell = np.array([np.nan, 4.0, np.nan, 2.0])
    given = {
        "fell_at_s": fell, "simulated_s": np.where(np.isfinite(fell), fell, 10.0),
        "speed": np.array([0.3, 0.0, 0.6, 0.0]), "left": np.array([0.4, 0.0, 0.0, 0.0]),
        "mean_speed_mps": np.array([0.45, np.nan, 0.7, np.nan]), **more,
    }  # fmt: skip
    return xr.Dataset({name: ("robot", row) for name, row in given.items()})


def test_who_stands_over_time_and_how_fast(monkeypatch):
    figures = kept_figures(monkeypatch, many_plots)
    many_plots.plot_many(many(), "Four", "a.png")
    (figure,) = figures
    expect_readable(figure)
    left, right = figure.axes
    (steps,) = left.get_lines()
    assert list(steps.get_xdata()) == [0.0, 2.0, 4.0, 10.0]
    assert list(steps.get_ydata()) == [1.0, 0.75, 0.5, 0.5]
    assert left.get_xlim() == (0.0, 10.0)
    assert left.get_ylim() == (pytest.approx(0.48), pytest.approx(1.005))
    line, dots = right.get_lines()
    assert list(line.get_xdata()) == list(line.get_ydata()) == [0.0, 0.7]
    np.testing.assert_allclose(dots.get_xydata(), [[0.5, 0.45], [0.6, 0.7]])
    assert figure.get_suptitle() == "Four"
    nobody = {"fell_at_s": np.full(4, np.nan), "simulated_s": np.full(4, 10.0)}
    many_plots.plot_many(many(**nobody), "Four", "a.png")
    assert figures[1].axes[0].get_ylim() == (pytest.approx(0.98), pytest.approx(1.005))


def test_falls_are_over_the_impulse_of_the_push(monkeypatch):
    figures = kept_figures(monkeypatch, many_plots)
    alike = many(push_impulse=np.full(4, 5.0))
    many_plots.plot_many(alike, "Four", "a.png")
    assert figures[0].axes[1].get_ylabel() == "mean speed [m/s]"
    pushed = many(push_impulse=np.array([0.0, 16.0, 0.5, 16.0]))
    many_plots.plot_many(pushed, "Four", "a.png")
    axes = figures[1].axes[1]
    (share,) = axes.get_lines()
    np.testing.assert_allclose(share.get_xydata(), [[0.5, 0.0], [15.5, 1.0]])
    assert share.get_color() == PALETTE[1]
    band = axes.collections[0].get_datalim(axes.transData)
    assert (band.y0, band.y1) == (0.0, 1.0)  # Wilson's, of two of two
    assert axes.get_ylim() == (-0.02, 1.02)
    assert axes.get_xlabel() == "impulse of the push [N s]"
