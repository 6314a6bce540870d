"""The lower part of a moving picture: where its line, limits and numbers are."""

import math

import numpy as np
import pytest
from PIL import Image

from equipoise.viz.movie.frame import FINE
from equipoise.viz.movie.panel import (
    EDGE,
    LEFT,
    MovieChart,
    blank_panel,
    write_header,
    write_now,
)

TIME = np.linspace(2.0, 4.0, 21)
SIZE = (300, 60)
RED, TINT, PALE, INK = (190, 20, 30), (250, 238, 230), (205, 209, 214), (45, 50, 58)


def chart(values=None, good=(0.0, math.inf), **more):
    values = np.linspace(-1.0, 1.0, 21) if values is None else np.asarray(values, float)
    return MovieChart("margin", "mm", values, TIME, good, **more)


@pytest.mark.parametrize(
    "value, digits, has_sign, said",
    [
        (12.34, 0, True, "+12 mm"),
        (12.34, 1, True, "+12.3 mm"),
        (-0.4, 0, True, "+0 mm"),
        (-0.04, 1, False, "0.0 mm"),
        (-2.5, 1, False, "-2.5 mm"),
        (math.nan, 0, True, "-"),
    ],
)
def test_a_number_is_written_with_its_unit(value, digits, has_sign, said):
    one = chart([0.0, value], digits=digits, has_sign=has_sign)
    assert one.said(1) == said


def test_bounds_hold_all_but_outliers_and_the_limits():
    low, high = chart([0.0, 10.0] * 10 + [5.0], good=(-2.0, math.inf)).bounds()
    assert (low, high) == (pytest.approx(-3.2), pytest.approx(11.2))
    low, high = chart([0.0, 10.0] * 10 + [5.0], good=(-math.inf, 20.0)).bounds()
    assert (low, high) == (pytest.approx(-2.0), pytest.approx(22.0))
    assert chart([math.nan] * 21).bounds() == (-1.0, 1.0)
    low, high = chart([3.0] * 21, good=(-math.inf, math.inf)).bounds()
    assert low < 3.0 < high
    wild = MovieChart("", "", np.r_[np.zeros(500), 1e6], np.arange(501.0), (-1.0, 1.0))
    assert wild.bounds()[1] == pytest.approx(1.2)


def box():
    """Return left, top, right and bottom of the line's room, in fine pixels."""
    left = FINE * (LEFT * SIZE[0] + EDGE)
    return left, FINE * EDGE, FINE * (SIZE[0] - EDGE - 2), FINE * (SIZE[1] - EDGE)


def column(time):
    left, _, right, _ = box()
    return left + (time - 2.0) / 2.0 * (right - left)


def row(one, value):
    _, top, _, bottom = box()
    low, high = one.bounds()
    return bottom - (value - low) / (high - low) * (bottom - top)


def pixels(picture, colour):
    """Return columns and rows of a colour."""
    at = (np.asarray(picture) == colour).all(axis=2)
    y, x = np.nonzero(at)
    return x, y


def test_what_is_bad_is_tinted_and_events_are_marked():
    one = chart(good=(0.0, math.inf), events=(1.0, 3.0, 4.5))
    picture = blank_panel(one, SIZE)
    assert picture.size == (FINE * SIZE[0], FINE * SIZE[1])
    x, y = pixels(picture, RED)
    assert abs(x - column(3.0)).max() <= FINE  # the others are not within its time
    assert [y.min(), y.max()] == pytest.approx([box()[1], box()[3]], abs=1)
    x, y = pixels(picture, TINT)
    assert y.min() >= row(one, 0.0) - 1 and y.max() == pytest.approx(box()[3], abs=1)
    assert x.min() == pytest.approx(box()[0], abs=1)
    assert x.max() == pytest.approx(box()[2], abs=1)
    above = chart(good=(-math.inf, 0.5))
    _, y = pixels(blank_panel(above, SIZE), TINT)
    assert y.min() == pytest.approx(box()[1], abs=1) and y.max() <= row(above, 0.5) + 1
    both = blank_panel(chart(good=(-math.inf, math.inf)), SIZE)
    assert not len(pixels(both, TINT)[0])


def test_the_whole_line_is_pale_and_what_was_is_dark():
    one = chart(good=(-math.inf, math.inf))
    blank = blank_panel(one, SIZE)
    x, y = pixels(blank, PALE)
    below = y > 2 * FINE  # the edge on top is as pale
    on = np.interp(
        x[below], [column(2.0), column(4.0)], [row(one, -1.0), row(one, 1.0)]
    )
    assert np.abs(y[below] - on).max() <= 2.0 * FINE
    assert x[below].min() == pytest.approx(column(2.0), abs=FINE)
    assert x[below].max() == pytest.approx(column(4.0), abs=FINE)
    now = write_now(blank, one, 10, SIZE)
    x, _ = pixels(now, INK)
    assert x.max() <= column(3.0) + FINE
    assert x.max() >= column(2.9) - FINE
    assert np.asarray(blank_panel(one, SIZE)).tolist() == np.asarray(blank).tolist()


GOOD, BAD, GREY = (0, 128, 94), (190, 70, 0), (120, 126, 134)


@pytest.mark.parametrize(
    "value, colour, is_dot",
    [
        (0.5, GOOD, True), (0.0, GOOD, True), (1.0, GOOD, True), (-0.1, BAD, True),
        (1.1, BAD, True), (math.nan, GREY, False),
    ],
)  # fmt: skip
def test_a_number_has_the_colour_of_what_it_means(value, colour, is_dot):
    values = np.zeros(21)
    values[15] = value
    one = chart(values, good=(0.0, 1.0))
    picture = write_now(blank_panel(one, SIZE), one, 15, SIZE)
    x, y = pixels(picture, colour)
    left = x < box()[0] - 4 * FINE
    assert left.any()  # written on the left
    near = np.abs(x - column(3.5)) < 3 * FINE
    if is_dot:
        assert abs(y[near].mean() - row(one, value)) < FINE
    else:
        assert not (near & (np.abs(y - box()[3]) < 1)).any()


def test_a_gap_is_left_where_nothing_is_known():
    values = np.zeros(21)
    values[8:12] = math.nan
    one = chart(values, good=(-math.inf, math.inf))
    x, y = pixels(blank_panel(one, SIZE), PALE)
    x = x[y > 2 * FINE]
    inside = (x > column(TIME[7]) + 2 * FINE) & (x < column(TIME[12]) - 2 * FINE)
    assert not inside.any()
    assert (x < column(TIME[7])).any() and (x > column(TIME[12])).any()


def test_the_header_has_its_title_on_the_left_and_the_time_on_the_right():
    picture = Image.new("RGB", (FINE * 200, FINE * 40), (255, 255, 255))
    write_header(picture, "dog", "1.0 s")
    x, y = np.nonzero((np.asarray(picture) < 200).all(axis=2))[::-1]
    assert x.min() >= FINE * EDGE - 1 and x.max() <= FINE * (200 - EDGE) + 1
    assert ((x < FINE * 60) | (x > FINE * 130)).all() and y.min() >= FINE * EDGE - 1
    assert (x < FINE * 60).any() and (x > FINE * 130).any()
