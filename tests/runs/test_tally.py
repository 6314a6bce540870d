"""What a campaign's rows say together."""

import json
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import ConfigError
from equipoise.runs.balance.tally import TWO_SIDED_95, tally, wilson


def row(tree, distance=0.01, height=1.0, settled=0.3, **other):
    return {
        "tree": tree,
        "distance_final_w": distance,
        "distance_tail_w": distance,
        "height_ratio": height,
        "settling_time_s": settled,
        "saturation": 0.01,
        "realtime_factor": 9.0,
        "fell": False,
        "error": None,
    } | other


def lost(tree):
    return row(tree, None, None, None, saturation=None, fell=None, error="it died")


@pytest.mark.parametrize(
    ("count", "low", "high"),
    # Reading: a published table of these intervals, printed to 0.1 %.
    [(298, 0.976, 0.998), (279, 0.895, 0.954)],
)
def test_wilson_against_a_printed_table(count, low, high):
    assert wilson(count, 300) == pytest.approx((low, high), abs=5e-4)


@given(of=st.integers(1, 10**6), share=st.floats(0.0, 1.0))
def test_wilsons_ends_solve_the_score_equation(of, share):
    """At an end p the observed share is z standard errors of p away."""
    count = round(share * of)
    for p in wilson(count, of):
        away = abs(count / of - p)
        # rounding: differences of numbers up to 1, square root of an eps at the ends
        assert away == pytest.approx(TWO_SIDED_95 * sqrt(p * (1 - p) / of), abs=1e-7)
    low, high = wilson(count, of)
    assert 0.0 <= low <= count / of <= high <= 1.0


def test_wilson_refuses_counts_that_cannot_be():
    with pytest.raises(ConfigError, match="got 3, 2"):
        wilson(3, 2)
    with pytest.raises(ConfigError, match="got 0, 0"):
        wilson(0, 0)


def test_every_kind_of_miss_is_counted_and_named():
    rows = [
        row(1),
        row(2, distance=0.1, settled=None),  # 0.1 itself is not below
        row(3, height=0.79),
        row(4, fell=True),  # near and tall, but stopped on a bad state
        lost(5),
        row(6, height=0.8, distance_tail_w=0.2),
    ]
    told = tally(rows)
    assert told["trees"] == 6
    assert told["near"]["count"] == 3
    assert told["near_all_last_second"]["count"] == 2
    assert told["tall"]["count"] == 3
    assert told["near_and_tall"]["count"] == 2
    assert told["misses"] == [2, 3, 4, 5]
    assert told["fallen"] == [4]
    assert told["lost"] == {5: "it died"}
    json.dumps(told, allow_nan=False)


def test_never_settling_counts_as_infinitely_late():
    rows = [row(k, settled=0.1 * k) for k in range(1, 7)]
    assert tally(rows)["settling_median_s"] == pytest.approx(0.3)
    late = [*rows, *(row(k, settled=None) for k in range(7, 10)), lost(10)]
    told = tally(late)  # 6 of 10 settle: the median does, nine in ten do not
    assert told["settling_median_s"] == pytest.approx(0.5)
    assert told["settling_p90_s"] is None


def test_no_rows_are_no_result():
    with pytest.raises(ConfigError, match="at least one row"):
        tally([])
