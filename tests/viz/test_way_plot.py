"""A walk to a place from above: a map of what was met, ways, goal, and its shape."""

import json

import numpy as np
import pytest
import xarray as xr

from equipoise.control.harmonic.grid import way_grid
from equipoise.core.errors import ConfigError
from equipoise.viz import way_plot
from equipoise.viz.way_plot import plot_way

GOAL, CELL, ROOM = (3.0, 1.0), 0.25, 1.0
NAN = np.nan
MET = [[NAN, NAN, NAN], [1.1, 0.3, 0.2], [1.1, 0.3, 0.2], [2.1, -0.4, 0.2]]


def recorded(goal=GOAL, **without):
    """Return a walk of four samples that met something at two places."""
    harmonic = {"cell": CELL, "room": ROOM, "share": 0.5}
    settings = {"goal": goal, "controller_settings": {"harmonic": harmonic}}
    ticks = np.arange(4.0)
    columns = {
        "qpos": (("time", "q"), np.stack([ticks, 0.3 * ticks, 0.5 + 0 * ticks], 1)),
        "said_ref_x": ("time", 1.1 * ticks),
        "said_ref_y": ("time", 0.2 * ticks),
    }
    for k, name in enumerate(("said_met_x", "said_met_y", "said_met_wide")):
        columns[name] = ("time", np.array(MET)[:, k])
    attrs = {"summary": json.dumps({"settings": settings})}
    return xr.Dataset(columns, attrs=attrs).drop_vars(list(without))


@pytest.fixture
def drawn(monkeypatch):
    """Return the figure of a recording instead of a file."""
    monkeypatch.setattr(way_plot, "save_figure", lambda figure, path: figure)
    monkeypatch.setattr(way_plot, "draw_push_place", lambda axes, run: None)
    return lambda run: plot_way(run, "way.png")


@pytest.mark.parametrize(
    ("goal", "height"),
    [
        ((3.0, 1.0), 1.0 + 7.0 * 12 / 20),  # 3 m and 5 m, in cells of 0.25 m
        ((0.5, 9.0), 1.0 + 7.0 * 1.2),  # and no taller than this
    ],
)
def test_a_figure_is_as_wide_as_its_map_is(drawn, goal, height):
    shape = way_grid(goal, CELL, ROOM).is_obstacle.shape
    assert min(shape[1] / shape[0], 1.2) == pytest.approx((height - 1.0) / 7.0)
    assert drawn(recorded(goal)).get_size_inches() == pytest.approx((8.0, height))


def test_ways_goal_and_what_was_met_are_where_they_were(drawn):
    (axes,) = drawn(recorded()).axes
    lines = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    ticks = np.arange(4.0)
    assert lines["its way"] == np.stack([ticks, 0.3 * ticks], 1).tolist()
    assert lines["as it reckoned"] == np.stack([1.1 * ticks, 0.2 * ticks], 1).tolist()
    assert np.array(lines["met by a foot"])[1:].tolist() == [m[:2] for m in MET[1:]]
    assert lines["goal"] == [[3.0, 1.0]]
    assert [[0.0, 0.0]] in lines.values()
    assert axes.get_aspect() == 1.0


def test_cells_near_what_was_met_are_red_and_the_others_grey(drawn):
    """Middles of cells at most as far away as the machine is wide to one side."""
    (axes,) = drawn(recorded()).axes
    (mesh,) = (one for one in axes.collections if hasattr(one, "get_coordinates"))
    corners = mesh.get_coordinates()
    middles = 0.25 * (
        corners[1:, 1:] + corners[1:, :-1] + corners[:-1, 1:] + corners[:-1, :-1]
    )
    red = np.ma.filled(mesh.get_array(), 0.0) == 1.0
    near = np.zeros(red.shape, bool)
    for x, y, wide in MET[2:]:
        near |= np.hypot(middles[..., 0] - x, middles[..., 1] - y) <= wide + 1e-9
    assert red.shape == (12, 20) and 2 <= near.sum() <= 16
    assert (red == near).all()
    first = [-1.0 + 0.5 * CELL] * 2  # a metre beyond the start, both ways
    np.testing.assert_allclose(middles[0, 0], first, atol=1e-9)


def test_other_recordings_are_refused(drawn):
    for run in (
        recorded(None),
        recorded(said_met_x=None),
        xr.Dataset(attrs={"summary": "{}"}),
        xr.Dataset(),
    ):
        with pytest.raises(ConfigError, match="it is not one of a walk to a place"):
            drawn(run)
