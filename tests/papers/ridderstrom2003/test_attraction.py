"""Domain of attraction: simulated starts, and how they are judged."""

from dataclasses import replace

import numpy as np
import pytest

from equipoise_lab.papers.ridderstrom2003.part4 import attraction
from equipoise_lab.papers.ridderstrom2003.part4.attraction import (
    BODIES,
    FALLEN,
    RETURNED,
    UNDECIDED,
    Grid,
    angle_of,
    expected,
    limit_offset,
    near_boundary,
    outcomes,
)
from equipoise_lab.papers.ridderstrom2003.part4.attraction_claims import (
    FIGURES,
    attraction_claims,
    grids,
    misjudged,
)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("figure", FIGURES, ids=lambda g: g.figure)
def test_simulated_starts_end_as_the_closed_form_says(figure, body):
    grid = replace(figure, body=body, count=13)  # none of them right on the boundary
    found = outcomes(grid)
    assert misjudged(grid, found) == 0
    assert {RETURNED, FALLEN} == set(np.unique(found))  # both were seen


@pytest.mark.slow
@pytest.mark.parametrize("grid", grids(), ids=str)
def test_no_start_of_the_whole_grids_is_misjudged(grid):
    assert misjudged(grid, outcomes(grid)) == 0


def test_halving_the_step_moves_no_answer(monkeypatch):
    grid = replace(FIGURES[2], count=16)
    found = outcomes(grid)
    monkeypatch.setattr(attraction, "STEPS_A_RADIAN", 16.0)
    np.testing.assert_array_equal(outcomes(grid), found)


def test_a_short_look_is_undecided_and_counts_as_misjudged(monkeypatch):
    monkeypatch.setattr(attraction, "HORIZON", 0.05)
    grid = replace(FIGURES[2], count=5)
    found = outcomes(grid)
    assert (found == UNDECIDED).all()
    assert misjudged(grid, found) == 25 - near_boundary(grid, 0.003).sum() > 20


def test_only_starts_beside_the_boundary_are_left_out():
    grid = Grid("fig. 9.8", 0.5, (0.99, 0.99), count=1000)
    limit = limit_offset(0.99, 0.5, 0.1)
    assert limit / 0.1 == pytest.approx(0.71534, abs=5e-6)  # digits of an earlier run
    found = expected(grid)
    column = int(np.searchsorted(grid.columns(), limit))
    found[:, column - 1 : column + 1] = UNDECIDED
    assert misjudged(grid, found) == 0
    found[:, column + 5] = RETURNED
    assert misjudged(grid, found) == 1000


def test_tilt_and_offset_are_inverse():
    for offset in (0.01, 0.1, 0.12):
        tilt = angle_of(offset, 0.5, 0.1)
        back = 0.1 * (1 - np.cos(tilt)) + 0.5 * np.sin(tilt)
        assert back == pytest.approx(offset, rel=1e-14)


def test_a_misjudged_start_turns_its_figure_into_a_miss():
    results = {grid: expected(grid) for grid in grids(10)}
    assert {c.status for c in attraction_claims(results)} == {"met", "holds"}
    for grid in results:
        spoiled = {**results, grid: np.full_like(results[grid], UNDECIDED)}
        missed = [
            c for c in attraction_claims(spoiled) if c.status in ("missed", "fails")
        ]
        assert [grid.figure in c.where + c.quantity for c in missed] == [True]
    results = {grid: expected(grid)[::-1, ::-1].copy() for grid in grids(10)}
    missed = [
        c.where for c in attraction_claims(results) if c.status in ("missed", "fails")
    ]
    assert missed == ["9.3, fig. 9.6", "9.3, fig. 9.7", "9.3, fig. 9.8"]
