"""Standing still though told to walk, by hand on runs that are made up."""

from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.runs.walk.numbers.stall import stalled_time

TIME = np.arange(0.0, 30.0, 0.01)


def made(x, forward=0.2, turn=0.0, yaw=0.0):
    said = {"forward": forward + 0.0 * TIME, "left": 0.0 * TIME}
    said["turn"] = turn + 0.0 * TIME
    return SimpleNamespace(
        time=TIME,
        p_WB=np.stack([np.cos(yaw) * x, np.sin(yaw) * x, 0.0 * TIME], axis=1),
        attitude=np.tile((0.0, 0.0, yaw), (len(TIME), 1)),
        said=said.__getitem__,
    )


def test_who_walks_does_not_stall_and_who_stands_does_all_the_time():
    assert stalled_time(made(0.15 * TIME, yaw=1.0), 0) == 0.0
    assert stalled_time(made(0.0 * TIME), 0) == pytest.approx(30.0, abs=0.02)
    assert stalled_time(made(-0.2 * TIME), 0) == pytest.approx(30.0, abs=0.02)


def test_a_stop_of_ten_seconds_counts_and_dithering_is_standing():
    way = 0.2 * np.clip(TIME, 0.0, 10.0) + 0.2 * np.clip(TIME - 20.0, 0.0, 10.0)
    dithers = way + 0.03 * np.sin(2.0 * TIME) * ((TIME > 10.0) & (TIME < 20.0))
    # a tenth of 1 m may be gone before or after it: half a second on each side
    assert stalled_time(made(way), 0) == pytest.approx(11.0, abs=0.05)
    assert stalled_time(made(dithers), 0) == pytest.approx(11.0, abs=0.5)


def test_nothing_is_said_where_it_is_not_told_to_walk():
    assert stalled_time(made(0.0 * TIME, forward=0.0), 0) is None
    assert stalled_time(made(0.0 * TIME, forward=0.0, turn=0.5), 0) is None
    told = np.where(TIME < 10.0, 0.2, 0.0)
    way = 0.2 * np.minimum(TIME, 10.0)
    assert stalled_time(made(way, forward=told), 0) == 0.0
    assert (
        stalled_time(made(0.0 * TIME, forward=np.where(TIME < 4.0, 0.2, 0)), 0) is None
    )
