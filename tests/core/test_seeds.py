import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.seeds import stream

SEED = st.integers(0, 2**32 - 1)
NAME = st.text(max_size=12)


@given(SEED, NAME)
def test_same_seed_and_name_same_numbers(seed: int, name: str):
    a, b = stream(seed, name).random(4), stream(seed, name).random(4)
    np.testing.assert_array_equal(a, b)


@given(SEED, st.lists(NAME, min_size=2, max_size=2, unique=True))
def test_another_name_is_another_stream(seed: int, names: list[str]):
    first, second = (stream(seed, name).integers(2**63, size=2) for name in names)
    # Two equal pairs of 63 bits by chance: 1e-38, unless the names' checksums collide.
    assert not np.array_equal(first, second)


@given(st.lists(SEED, min_size=2, max_size=2, unique=True), NAME)
def test_another_seed_is_another_stream(seeds: list[int], name: str):
    first, second = (stream(seed, name).integers(2**63, size=2) for seed in seeds)
    assert not np.array_equal(first, second)


def test_streams_of_one_seed_are_not_correlated():
    n = 10_000
    x, y = stream(4, "tree").normal(size=n), stream(4, "loss").normal(size=n)
    # statistical: the correlation of n independent pairs has deviation 1/√n; 5 σ
    assert abs(np.corrcoef(x, y)[0, 1]) < 5 / np.sqrt(n)


def test_a_name_means_the_same_in_every_process():
    # Python's own hash() of a string differs from process to process.
    script = (
        "from equipoise.core.seeds import stream; "
        "print(stream(4, 'tree').integers(2**63))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == stream(4, "tree").integers(2**63)
