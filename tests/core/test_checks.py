"""Checks that configurations share."""

from dataclasses import dataclass

import numpy as np
import pytest

from equipoise.core.checks import expect_count, expect_positive, expect_within
from equipoise.core.errors import ConfigError


@dataclass
class Sample:
    a: object = 1.0
    b: object = 2


@pytest.mark.parametrize("value", [1.0, 3, 1e-300, np.float32(2.0), np.int64(4)])
def test_takes_numbers_above_zero(value):
    expect_positive(Sample(a=value), "a", "b")


@pytest.mark.parametrize(
    "value", [0.0, -1.0, np.nan, np.inf, -np.inf, "1", None, True, [1.0]]
)
def test_refuses_everything_else_in_one_sentence(value):
    with pytest.raises(ConfigError, match=r"^Sample is not usable: a must be .*\.$"):
        expect_positive(Sample(a=value), "a")


def test_zero_is_taken_where_it_is_allowed():
    expect_positive(Sample(a=0.0), "a", zero=True)
    with pytest.raises(ConfigError, match=r"a must be >= 0, got -1e-300"):
        expect_positive(Sample(a=-1e-300), "a", zero=True)
    with pytest.raises(ConfigError, match=r"a must be >= 0, got inf"):
        expect_positive(Sample(a=np.inf), "a", zero=True)


def test_all_problems_are_told_at_once():
    with pytest.raises(ConfigError, match=r"a must be > 0, got -1; b must be > 0"):
        expect_positive(Sample(a=-1, b=-2), "a", "b")


@pytest.mark.parametrize("value", [0.0, 0.5, 1])
def test_within_includes_both_ends(value):
    expect_within(Sample(a=value), "a", 0.0, 1.0)


@pytest.mark.parametrize("value", [-1e-9, 1.0 + 1e-9, np.nan, "0.5", None, True])
def test_within_refuses_what_is_outside(value):
    with pytest.raises(ConfigError, match=r"a must be 0 to 1, got"):
        expect_within(Sample(a=value), "a", 0.0, 1.0)


@pytest.mark.parametrize("value", [1, 7, np.int32(3)])
def test_counts_are_whole(value):
    expect_count(Sample(a=value), "a", "b")


@pytest.mark.parametrize("value", [0, -1, 1.0, 2.5, np.nan, True, "3", None])
def test_counts_refuse_the_rest(value):
    with pytest.raises(ConfigError, match=r"a must be a whole number >= 1, got"):
        expect_count(Sample(a=value), "a")
