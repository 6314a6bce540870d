"""Gait diagrams: letters that say the phases, pictures with the right parts."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from equipoise.control.gaits.footprint import row_footprint
from equipoise.control.gaits.margins import plan_margins
from equipoise.control.gaits.named import gait_names, named_gait, usual_legs
from equipoise.control.gaits.phase_gait import leg_names
from equipoise.control.gaits.plan import periodic_plan
from equipoise.control.gaits.stances import gait_stances, logged_stances
from equipoise.viz.gait_plots import (
    broken_line,
    draw_stances,
    plot_gait,
    plot_gaits,
    plot_stances,
    plot_supports,
)
from equipoise.viz.gait_text import gait_text


def test_figure_2_2_in_letters():
    def letters(name, width=16):
        return gait_text(gait_stances(named_gait(name)), width=width).splitlines()

    assert letters("trot")[:4] == [
        "LF ████████········",
        "RF ········████████",
        "LR ········████████",
        "RR ████████········",
    ]
    assert letters("crawl")[:4] == [
        "LF ····████████████",
        "RF ████████····████",
        "LR ████████████····",
        "RR ████····████████",
    ]
    assert letters("gallop")[:4] == [
        "LF ··········█████·",
        "RF ········█████···",
        "LR █████···········",
        "RR ··█████·········",
    ]


@pytest.mark.parametrize("name", gait_names())
def test_as_many_letters_stand_as_the_duty_factor_says(name):
    gait = named_gait(name, usual_legs(name))
    lines = gait_text(gait_stances(gait), width=240).splitlines()
    for leg, line in enumerate(lines[:-1]):
        full, half = line.count("█"), line.count("▌")
        # Truncation: each end of a stance is drawn to the half of a column.
        assert (full + half / 2) / 240 == pytest.approx(gait.duty[leg], abs=2 / 240)


def test_the_scale_lies_under_its_ticks():
    lines = gait_text(gait_stances(named_gait("trot")), end=1.0, width=40).splitlines()
    assert lines[-1].index("0.5") == 3 + 20
    assert lines[-1].rstrip().endswith("1")
    seconds = gait_text([np.array([[0.0, 1.0]])], end=2.0, width=8, names=["leg"])
    assert seconds.splitlines()[0] == "leg ████····"


def test_bars_are_where_the_feet_stand():
    axes = Figure().subplots()
    gait = named_gait("walk", duty=0.7)
    draw_stances(axes, gait_stances(gait))
    spans = [
        (path.vertices[:, 0].min(), path.vertices[:, 0].max())
        for path in axes.collections[0].get_paths()
    ]
    assert spans == [pytest.approx((0.25, 0.95))]
    assert [t.get_text() for t in axes.get_yticklabels()] == list(leg_names(4))
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first leg on top


def test_pictures_are_written(tmp_path):
    """Of a gait with two, one and no feet on the ground."""
    gait = named_gait("gallop", duty=0.35)
    plan = periodic_plan(gait, row_footprint(4, 0.6, 0.5), [0.2, 0.05])
    written = [
        plot_gait(tmp_path / "a.png", gait_stances(gait), plan_margins(plan)),
        plot_supports(tmp_path / "b.png", plan, title="x"),
        plot_stances(tmp_path / "c.png", gait_stances(gait, 3.0), end=3.0),
        plot_gaits(tmp_path / "d.png", [gait] * 2),
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written)
    assert all(path.stat().st_size > 5000 for path in written)


def test_lines_break_where_the_margin_jumps():
    times = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 3.0]])
    values = np.array([[5.0, 4.0], [4.0, 3.0], [9.0, -np.inf]])
    at, line = broken_line(times, values)
    assert at.tolist() == [0, 1, 1, 1, 2, 2, 2, 3, 3]
    expected = [5, 4, 4, 4, 3, np.nan, 9, np.nan, np.nan]
    np.testing.assert_array_equal(line, expected)


def test_a_log_is_drawn_too(tmp_path):
    times = np.arange(0.0, 2.0, 0.01)
    touch = named_gait("trot").is_standing(times / 0.8)
    stances = logged_stances(times, touch, 0.02)
    path = plot_stances(tmp_path / "log.png", stances, end=2.0, title="logged")
    assert path.stat().st_size > 5000
