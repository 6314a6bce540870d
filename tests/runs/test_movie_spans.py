"""Which seconds of a run are a movie's, how fast they go, and in which frames."""

import json
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr

from equipoise.core.errors import ConfigError
from equipoise.runs import movie
from equipoise.viz.movie.marks import PushMark


def run(last=20.0, first=0.0, **more):
    time = np.linspace(first, last, 201)
    attrs = more.pop("attrs", {})
    signals = {name: ("time", np.asarray(one(time))) for name, one in more.items()}
    return xr.Dataset(signals, {"time": time, "frame_time": time}, attrs)


def push(start) -> Any:
    return PushMark((0.0, 1.0, 0.0), start, 0.1)


def modules(reached, last=20.0, let_go=None):
    attrs = {} if let_go is None else {"summary": json.dumps({"let_go_s": let_go})}
    away = lambda t: np.where(t < reached, 1.0, 0.05)  # noqa: E731
    return run(last, attrs=attrs, distance_w=away)


@pytest.mark.parametrize(
    "given, pushes, span",
    [
        (modules(2.0), (), (0.0, 1.9 + 0.7)),
        (modules(9.0), (), (0.0, 4.0)),  # four seconds at most
        (modules(0.0), (), (0.0, 0.7)),
        (modules(2.0, last=2.2), (), (0.0, 2.2)),
        (modules(2.0, let_go=6.0), (), (0.0, 7.2)),
        (modules(9.0, let_go=6.0), (), (0.0, 8.9 + 1.2)),
        (modules(9.0, let_go=19.5), (), (0.0, 20.0)),
        (run(position_error=np.zeros_like), (), (0.0, 2.0)),
        (run(position_error=np.zeros_like), (push(5.0),), (4.7, 6.7)),
        (run(position_error=np.zeros_like), (push(0.1),), (0.0, 2.0)),
        (run(6.0, position_error=np.zeros_like), (push(5.0),), (4.7, 6.0)),
        (run(), (), (16.0, 20.0)),
        (run(3.0), (), (0.0, 3.0)),
        (run(), (push(10.0),), (9.0, 13.0)),
        (run(), (push(19.0),), (16.0, 20.0)),
        (run(), (push(0.5),), (0.0, 4.0)),
        (run(12.0, first=10.0), (), (10.0, 12.0)),
    ],
)
def test_the_seconds_that_matter(given, pushes, span):
    assert movie._told_span(given, pushes) == pytest.approx(span)


@pytest.mark.parametrize(
    "seconds, pace",
    [
        (3.0, (1.0, 20.0)), (20.0, (1.0, 20.0)), (2.9, (0.5, 25.0)),
        (1.5, (0.5, 25.0)), (1.4, (0.25, 25.0)), (0.1, (0.25, 25.0)),
        (20.1, (2.0, 20.0)), (40.0, (2.0, 20.0)), (40.1, (3.0, 20.0)),
    ],
)  # fmt: skip
def test_long_motions_are_shown_faster_and_short_ones_slower(seconds, pace):
    assert movie.pace_of(seconds) == pace


def test_frames_are_a_step_apart_and_the_last_before_the_end():
    time = np.linspace(0.0, 10.0, 101)
    assert movie._frames_between(time, 1.0, 2.0, 0.25).tolist() == [10, 13, 15, 18, 20]
    assert movie._frames_between(time, 9.5, 99.0, 0.25).tolist() == [95, 98, 100]
    # one is shown again where none was recorded since
    assert movie._frames_between(time, 0.0, 0.1, 0.05).tolist() == [0, 1, 1]
    assert len(movie._frames_between(time, 0.0, 5.99, 0.01)) == 600
    with pytest.raises(ConfigError, match="it may have 600 frames, got 601"):
        movie._frames_between(time, 0.0, 6.0, 0.01)
    with pytest.raises(ConfigError, match=r"from 10\.5 s on; its run ends at 10\.00 s"):
        movie._frames_between(time, 10.5, 12.0, 0.1)


@pytest.mark.parametrize(
    "path, span, speed, count",
    [
        ("a.gif", None, None, 0), ("a.GIF", (0.0, 1.0), 0.01, 0),
        ("a.gif", None, 100, 0),
        ("a.png", None, None, 1), ("a.gif", (1.0, 1.0), None, 1),
        ("a.gif", (-0.1, 1.0), None, 1), ("a.gif", (0.0, math.inf), None, 1),
        ("a.gif", None, 0.009, 1), ("a.gif", None, 100.1, 1), ("a", (2.0, 1.0), 0.0, 3),
    ],
)  # fmt: skip
def test_all_that_is_no_movie_is_told(path, span, speed, count):
    if not count:
        movie._expect_movie(path, span, speed)
        return
    with pytest.raises(ConfigError) as caught:
        movie._expect_movie(path, span, speed)
    assert len(caught.value.problems) == count


def test_a_chart_is_of_what_the_run_is_about():
    use = np.array([0, 2])
    whole: Any = SimpleNamespace(
        motion=SimpleNamespace(time=np.array([0.0, 1.0, 2.0])), at=np.array([0, 10, 20])
    )
    marks: Any = SimpleNamespace(pushes=(push(1.5),), feet=None, balance=None)
    found = movie._chart_of(modules(1.0, let_go=6.0), whole, use, marks)
    assert (found.unit, found.events, found.digits) == ("widths", (6.0,), 2)
    assert found.values.tolist() == [1.0, 0.05] and found.time.tolist() == [0.0, 2.0]
    assert found.is_good == (-math.inf, 0.1) and not found.has_sign
    square = np.array([[1.0, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]])
    capture = np.array([[0.0, 0, 0], [1.25, 0, 0]])
    marks.balance = SimpleNamespace(support=[square, square], capture=capture)
    found = movie._chart_of(run(), whole, use, marks)
    assert found.title == "capture point inside the support"
    assert (found.unit, found.events) == ("mm", (1.5,))
    np.testing.assert_allclose(found.values, [1000.0, -250.0])
    assert found.is_good == (0.0, math.inf)
    marks.feet = (0.5 * square, 2.0 * square)
    found = movie._chart_of(run(), whole, use, marks)
    assert found.title == "capture point inside the feet"
    np.testing.assert_allclose(found.values, [500.0, 750.0])
