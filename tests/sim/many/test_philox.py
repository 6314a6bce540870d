"""Philox against the published test vectors of Random123 and on the kernel's side."""

import numpy as np
import pytest

from equipoise.sim.many.philox import SHORT, philox, shares

VECTORS = [  # kat_vectors of Random123 1.14: philox4x32 10, counter, key, answer
    ("00000000" * 4, "00000000" * 2, "6627e8d5e169c58dbc57ac4c9b00dbd8"),
    ("ffffffff" * 4, "ffffffff" * 2, "408f276d41c83b0ea20bc7c66d5451fd"),
    (
        "243f6a8885a308d313198a2e03707344",
        "a4093822299f31d0",
        "d16cfe0994fdcceb5001e42024126ea1",
    ),
]


def words(text: str) -> np.ndarray:
    return np.array([int(text[k : k + 8], 16) for k in range(0, len(text), 8)], "u4")


@pytest.mark.parametrize(("counter", "key", "answer"), VECTORS)
def test_published_vectors(counter, key, answer):
    first, second = words(key).tolist()
    found = philox(words(counter), (first, second))
    np.testing.assert_array_equal(found, words(answer))


def test_many_counters_at_once_are_each_alone():
    counters = np.arange(24, dtype=np.uint32).reshape(2, 3, 4)
    alone = [[philox(one, (5, 6)) for one in row] for row in counters]
    np.testing.assert_array_equal(philox(counters, (5, 6)), alone)


def test_shares_are_even_and_exact_in_single_precision():
    counters = np.zeros((50_000, 4), np.uint32)
    counters[:, 0] = np.arange(50_000)
    drawn = shares(philox(counters, (1, 0))).ravel()
    assert 0.0 <= drawn.min() and drawn.max() < 1.0
    np.testing.assert_array_equal(drawn, drawn.astype(np.float32))
    # statistical: 2e5 even numbers, sigma of mean 1 / sqrt(12 n), five of them
    assert abs(drawn.mean() - 0.5) < 5.0 / np.sqrt(12 * drawn.size)
    assert abs(drawn.var() - 1.0 / 12.0) < 5.0 / np.sqrt(180 * drawn.size)
    assert shares(np.array([0xFFFFFFFF], np.uint32))[0] == 1.0 - SHORT
