"""The least number that works: few trials, and none out of range."""

import numpy as np
import pytest

from equipoise.runs.check.search import (
    below_in_two_digits,
    least_that_works,
    two_digits,
)


def searched(least, guess, most):
    """Return what is found where all from LEAST on work, and what was tried."""
    tried: list[int] = []

    def works(k):
        tried.append(k)
        return k >= least

    return least_that_works(works, guess, most), tried


@pytest.mark.parametrize("most", [1, 2, 5, 40])
def test_only_numbers_of_the_range_are_tried_each_once(most):
    for least in range(1, most + 2):
        for guess in range(-1, most + 3):
            found, tried = searched(least, guess, most)
            assert found == (least if least <= most else None)
            assert len(tried) == len(set(tried))
            assert all(1 <= k <= most for k in tried)
            assert tried[0] == min(max(guess, 1), most)


def test_a_guess_that_is_right_takes_two_trials():
    assert searched(17, 17, 1000) == (17, [17, 16])
    assert searched(18, 17, 18) == (18, [17, 18])


def test_strides_double_away_from_the_guess():
    # downwards from the guess by 1, 2, 4 ..., then halving: logarithmic
    _, tried = searched(1, 100, 1000)
    assert tried[:7] == [100, 99, 97, 93, 85, 69, 37]
    # upwards by an eighth of the guess at first
    _, tried = searched(900, 16, 1000)
    assert tried[:8] == [16, 18, 22, 30, 46, 78, 142, 270]
    _, tried = searched(999, 1, 1000)
    assert tried[:5] == [1, 2, 4, 8, 16]
    for least in (1, 2, 500, 999, 1000):
        for guess in (1, 500, 1000):
            assert len(searched(least, guess, 1000)[1]) <= 2 * 10 + 2


def test_where_what_works_comes_in_pieces_it_is_the_least_of_one():
    works = {3, 4, 5, 11, 12, 13, 14}
    for guess in range(1, 20):
        found = least_that_works(lambda k: k in works, guess, 20)
        assert found in (None, 3, 11)
        if guess in works:
            assert found is not None and found <= guess


@pytest.mark.parametrize("lowest", [1.0, 100.0, 0.01])
def test_numbers_of_two_digits_count_on_and_on(lowest):
    wanted = [lowest * 10.0 ** (k // 90) * (1.0 + 0.1 * (k % 90)) for k in range(300)]
    found = [two_digits(k, lowest) for k in range(300)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)  # rounding
    for k in (0, 1, 5, 89, 90, 91, 179, 180, 255):
        at = two_digits(k, lowest)
        assert below_in_two_digits(at, lowest) == max(k - 1, 0)
        assert below_in_two_digits(1.0001 * at, lowest) == k
    assert below_in_two_digits(0.5 * lowest, lowest) == 0
