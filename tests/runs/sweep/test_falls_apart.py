"""Runs that fell do not count in means, and pictures say how many there were."""

import numpy as np
import pytest

from equipoise.runs.sweep.columns import apart, average, column, line_of, standing_words
from equipoise.runs.sweep.crew import Pool
from equipoise.runs.sweep.design import Choices, Design
from equipoise.runs.sweep.outputs import pictures
from equipoise.runs.sweep.sweep import Answer, run_sweep
from equipoise.viz import sweep_plots
from equipoise.viz.plots import new_figure

PUSHES, SPEEDS, SEEDS = (0, 40), (0.2, 0.4), 3


def walked(question):
    """Walk at the speed asked for; with the hard push two of three seeds fall."""
    push, speed, seed = question
    fell = push == 40 and seed > 0
    numbers = {"mean_speed_mps": 9.0 if fell else speed, "fell": fell}
    return Answer("no" if fell else "yes", numbers | {"fall_time_s": 1.0})


def question(row):
    """The numbers of a row, its seed counted from none."""
    return row.point["push"], row.point["speed"], row.seed % SEEDS


@pytest.fixture(scope="module")
def result():
    """Two pushes, two speeds, three seeds each."""
    vary = {"push": Choices(PUSHES), "speed": Choices(SPEEDS)}
    design = Design(vary=vary, seeds=SEEDS)
    return run_sweep("walk x", design, walked, question, Pool(1))


def test_a_fallen_run_is_in_no_mean_but_in_every_share(result):
    speed = column(result, "mean_speed_mps").reshape(2, 2, SEEDS)
    assert np.isnan(speed[1, :, 1:]).all() and average(speed[1, 1]) == 0.4
    assert np.isfinite(speed[0]).all()
    assert np.nanmean(column(result, "yes")) == pytest.approx(8 / 12)
    for what in ("fell", "fall_time_s", "push"):
        assert np.isfinite(column(result, what)).all()
    fell = apart(result, "mean_speed_mps")
    assert fell.sum() == 4
    assert standing_words(fell) == "\nof the 8 runs that did not fall; 4 fell"
    assert not standing_words(apart(result, "yes"))


def test_a_share_has_wilsons_interval_and_a_mean_that_of_its_spread():
    """Of numbers that could be either: two yes of four, against both closed forms."""
    cells = np.array([[0.0, 1.0, 1.0, 0.0], [1.0, np.nan, np.nan, np.nan]])
    none = np.zeros(cells.shape, bool)
    shares, means = (line_of(what, cells, none, "") for what in ("yes", "x"))
    z = 1.959963984540054
    half = z / (1 + z * z / 4) * np.sqrt(0.25 / 4 + z * z / 64)
    assert [shares.low[0], shares.high[0]] == pytest.approx([0.5 - half, 0.5 + half])
    half = 3.182446305284263 * np.sqrt(1.0 / 3.0) / 2.0  # t of 3 degrees of freedom
    assert [means.low[0], means.high[0]] == pytest.approx([0.5 - half, 0.5 + half])
    for line in (shares, means):
        assert line.middle.tolist() == [0.5, 1.0] and line.fallen is None
        assert np.isnan([line.low[1], line.high[1]]).all()  # one says nothing of spread


def test_a_line_says_how_many_fell_where(result):
    fell = apart(result, "mean_speed_mps").reshape(2, -1)
    line = line_of(
        "mean_speed_mps", column(result, "mean_speed_mps").reshape(2, -1), fell, ""
    )
    assert line.fallen is not None and line.fallen.tolist() == [0, 4]
    axes = new_figure(3.0, 3.0).subplots()
    sweep_plots.mark_falls(axes, np.array([0.0, 40.0]), [line])
    (text,) = axes.texts
    assert text.get_text().endswith("4 fell") and text.xy[0] == 40.0


def test_a_cell_has_the_mean_of_the_rest_and_how_many_fell(result):
    axes = new_figure(3.0, 3.0).subplots()
    values, fallen = np.array([[0.4, np.nan, -0.0]]), np.array([[2, 3, 0]])
    sweep_plots.write_cells(axes, values, 0.5, fallen)
    told = [text.get_text() for text in axes.texts]
    assert told == ["0.4\n2 fell", "3 fell", "0"]


def test_pictures_of_all_kinds_are_drawn(result, tmp_path):
    made = pictures(result, "mean_speed_mps", tmp_path)
    assert len(made) == 2 and all(path.stat().st_size > 9000 for path in made)
