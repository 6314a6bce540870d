"""Which rows a sweep has."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import qmc

from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.runs.sweep import design
from equipoise.runs.sweep.design import Choices, Design, Span, design_rows, evenly


def grid(**values):
    return {name: Choices(tuple(v)) for name, v in values.items()}


def test_a_grid_counts_its_first_option_slowest_and_seeds_fastest():
    rows = design_rows(Design(vary=grid(a=[1, 2], b=["x", "y", "z"]), seeds=2, seed=5))
    assert [row.index for row in rows] == list(range(12))
    assert [row.seed for row in rows] == [5, 6] * 6
    assert [row.point["a"] for row in rows] == [1] * 6 + [2] * 6
    assert [row.point["b"] for row in rows[::2]] == ["x", "y", "z"] * 2


def test_nothing_to_vary_is_one_point():
    assert [row.point for row in design_rows(Design(seeds=3))] == [{}] * 3


@given(
    low=st.floats(-1e6, 1e6),
    span=st.floats(1e-3, 1e6),
    count=st.integers(2, 50),
)
def test_points_are_even_with_both_ends(low, span, count):
    values = evenly(low, low + span, count)
    assert values[0] == low
    assert values[-1] == low + span
    rounding = 4e-16 * (abs(low) + span) * count
    np.testing.assert_allclose(
        np.diff(values), span / (count - 1), rtol=0, atol=rounding
    )


def test_whole_ends_give_whole_numbers_where_they_are():
    assert evenly(0, 60, 7) == (0, 10, 20, 30, 40, 50, 60)
    assert evenly(0, 1, 3) == (0, 0.5, 1)
    assert evenly(0.1, 0.6, 6) == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    assert evenly(3, 9, 1) == (3,)


@pytest.mark.parametrize("kind", ["random", "sobol"])
def test_drawn_points_lie_within_repeat_and_fill(kind):
    vary = {"a": Span(2.0, 4.0), "b": Choices(("x", "y"))}
    asked = Design(vary=vary, kind=kind, samples=64, seed=3)
    rows = design_rows(asked)
    a = np.array([row.point["a"] for row in rows])
    assert len(rows) == 64
    assert a.min() >= 2.0
    assert a.max() < 4.0
    assert design_rows(asked) == rows
    other = design_rows(Design(vary=vary, kind=kind, samples=64, seed=4))
    assert [row.point for row in other] != [row.point for row in rows]
    names = [row.point["b"] for row in rows]
    if kind == "sobol":  # one in each of 64 cells, and half of each name
        assert sorted(np.floor((a - 2.0) * 32).astype(int)) == list(range(64))
        assert names.count("x") == 32
    else:
        assert 16 <= names.count("x") <= 48


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"seeds": 0}, "seeds must be >= 1, got 0"),
        ({"kind": "list"}, "the list has no rows"),
        ({"kind": "random", "samples": 5}, "needs an option to vary"),
        ({"kind": "sobol", "vary": {"a": Span(0, 1)}}, "samples >= 1, got 0"),
        ({"vary": {"a": Span(0, 1)}}, "a has no number of points; give 0:1:5"),
        (
            {"vary": grid(**{n: range(1000) for n in "abc"})},
            "1,000,000,000 rows are more than the 1,000,000",
        ),
    ],
)
def test_designs_of_nothing_or_too_much_are_refused(settings, match):
    with pytest.raises(ConfigError, match=match):
        Design(**settings)


def test_values_that_are_no_numbers_are_refused():
    with pytest.raises(ConfigError, match="finite numbers or names, got nan"):
        Choices((1.0, math.nan))
    with pytest.raises(ConfigError, match="no values to vary"):
        Choices(())
    with pytest.raises(ConfigError, match="ends must be finite"):
        Span(0.0, math.inf)


@pytest.mark.parametrize("called", ["rng", "seed"])
@pytest.mark.parametrize(("samples", "power"), [(1, 0), (2, 1), (5, 3), (8, 3), (9, 4)])
def test_a_generator_is_handed_over_by_either_name(monkeypatch, called, samples, power):
    """SciPy calls it ``rng`` from 1.15 on, ``seed`` before; powers of two are drawn."""
    asked = []

    class Drawn:
        def random_base2(self, size):
            asked.append(size)
            return np.linspace([0.0, 0.5], [0.25, 0.75], 2**size)

    class Older(Drawn):
        def __init__(self, width, *, seed):
            asked.append((width, seed.random()))

    class Newer(Drawn):
        def __init__(self, width, *, rng):
            asked.append((width, rng.random()))

    monkeypatch.setattr(qmc, "Sobol", {"seed": Older, "rng": Newer}[called])
    vary = {"a": Span(2.0, 4.0), "b": Span(0.0, 8.0)}
    rows = design_rows(Design(vary=vary, kind="sobol", samples=samples, seed=3))
    (width, first), size = asked
    assert (width, size, len(rows)) == (2, power, samples)
    assert first == stream(3, design.STREAM).random()
    points = np.linspace([2.0, 4.0], [2.5, 6.0], 2**power)[:samples]
    found = [[row.point["a"], row.point["b"]] for row in rows]
    np.testing.assert_allclose(found, points)
