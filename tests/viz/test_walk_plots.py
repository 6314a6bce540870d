"""Plots of a walk show what was recorded."""

import numpy as np
import pytest
import xarray as xr

from equipoise.core.errors import ConfigError
from equipoise.viz.foot_plots import draw_banned, draw_goals, feet_extent
from equipoise.viz.plots import new_figure
from equipoise.viz.walk_plots import (
    JOINTS,
    bars,
    draw_torques,
    heading,
    joint_kinds,
    last_steps,
    plot_walk,
)


def walk() -> xr.Dataset:
    """Return ten seconds of which the machine walks eight."""
    time = np.arange(0.0, 10.0, 0.1)
    stands = np.stack([time % 1.0 < 0.45, time % 1.0 >= 0.45], axis=1)
    return xr.Dataset(
        {
            "said_walking": ("time", np.where(time < 8.0, 1.0, 0.0)),
            "foot_touches": (("time", "foot"), stands.astype(float)),
            "tau": (("frame_time", "actuator"), np.outer(np.cos(time), [20.0, -40.0])),
            "torque_limit": ("actuator", [50.0, 80.0]),
        },
        {"time": time, "frame_time": time, "actuator": ["a_hip_roll", "a_knee"]},
        {"robot": "dog", "gait": "trot", "terrain": "blocks:4"},
    )


def test_a_run_that_is_no_walk_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no signal 'attitude'; give one of a walk"):
        plot_walk(walk(), tmp_path / "walk.png")
    assert not list(tmp_path.iterdir())


def test_torques_are_drawn_as_shares_of_their_limits():
    axes = new_figure(4.0, 3.0).subplots()
    draw_torques(axes, walk())
    roll, knee, limit = axes.get_lines()
    shape = np.abs(np.cos(np.arange(0.0, 10.0, 0.1)))
    assert roll.get_ydata() == pytest.approx(40.0 * shape)
    assert knee.get_ydata() == pytest.approx(50.0 * shape)
    assert np.unique(limit.get_ydata()) == [100.0]


def test_the_last_steps_end_where_it_stops():
    time = last_steps(walk())["time"].values
    assert time[0] == pytest.approx(3.9) and time[-1] == pytest.approx(7.9)


def test_a_bar_is_as_long_as_a_foot_stands():
    axes = new_figure(4.0, 3.0).subplots()
    run = walk().isel(time=slice(0, 20))
    bars(axes, run, run["foot_touches"].values, "down", "black", 0.0)
    boxes = [path.get_extents() for path in axes.collections[0].get_paths()]
    # two strides of a second; samples 0.1 s apart hold until the next
    assert [box.width for box in boxes] == pytest.approx([0.5, 0.5])
    assert [box.x0 for box in boxes] == pytest.approx([0.0, 1.0])


def test_words_and_sizes():
    assert heading(walk()) == "dog, trot, blocks:4"
    feet = np.zeros((2, 1, 3))
    feet[1, 0, :2] = 3.0, 0.1
    assert feet_extent(feet) == (3.0, 0.3)


def test_joints_are_gathered_by_name_or_by_their_place_in_a_leg():
    own = [f"{leg}_{kind}" for leg in ("a", "b") for kind in JOINTS]
    assert joint_kinds(own, 2) == {
        "hip roll": [0, 3], "hip pitch": [1, 4], "knee": [2, 5],
    }  # fmt: skip
    solo = [f"{leg}_{kind}" for leg in ("FL", "HR") for kind in ("HAA", "HFE", "KFE")]
    assert joint_kinds(solo, 2) == {
        "1: HAA": [0, 3], "2: HFE": [1, 4], "3: KFE": [2, 5],
    }  # fmt: skip
    fore = [f"fron{k}t_{kind}" for k in "ab" for kind in ("up", "it_out")]
    assert list(joint_kinds(fore, 2)) == ["1: up", "2: it_out"]
    half = ["L_hip", "L_knee", "R_hip", "R_knee"]  # knees alone are not all of them
    assert list(joint_kinds(half, 2)) == ["1: hip", "2: knee"]
    assert joint_kinds(["a", "b", "$c$", "d"], 2) == {
        "joint 1": [0, 2],
        "joint 2": [1, 3],
    }
    assert joint_kinds(["a", "b", "c"], 2) == {}


def test_planned_footholds_are_ringed_once_a_swing():
    goals = np.full((8, 2, 3), np.nan)
    goals[1:3, 1, :2], goals[2, 1, 0] = (1.0, 2.0), 1.5  # planned anew on its way
    goals[3:, 1, :2] = 3.0, 4.0  # and where it goes next, already
    stands = np.array([[1, 0, 0, 1, 1, 0, 0, 1], [1, 0, 0, 1, 1, 1, 0, 1]])
    mask = stands[0] + 2.0 * stands[1]
    run = xr.Dataset({"foot_goal": (("time", "foot", "axis"), goals)})
    axes = new_figure(4.0, 3.0).subplots()
    draw_goals(axes, run.assign(said_standing=("time", mask)))
    (rings,) = axes.get_lines()
    assert rings.get_xydata().tolist() == [[1.5, 2.0], [3.0, 4.0]]
    bare = run.isel(foot=[0]).assign(said_standing=("time", 1.0 * stands[0]))
    axes = new_figure(4.0, 3.0).subplots()
    draw_goals(axes, bare)
    assert not axes.get_lines()  # nothing was planned


def test_forbidden_cells_near_the_feet_are_shaded():
    banned = np.zeros((40, 4))
    banned[1, 2] = banned[39, 0] = 1.0  # the second is far away
    about = {"west_m": -0.2, "south_m": 0.1, "cell_m": 0.1}
    places = np.zeros((3, 1, 3))
    places[:, :, 1] = 0.25
    run = xr.Dataset(
        {
            "banned": (("cell_x", "cell_y"), banned, about),
            "foot_place": (("time", "foot", "axis"), places),
        }
    )
    axes = new_figure(4.0, 3.0).subplots()
    draw_banned(axes, run)
    (shade,) = axes.collections
    (square,) = shade.get_paths()
    low, high = square.vertices.min(axis=0), square.vertices.max(axis=0)
    assert low == pytest.approx([-0.1, 0.3]) and high == pytest.approx([0.0, 0.4])
