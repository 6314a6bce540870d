import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise_lab.bench.evolution import evolve

GOAL = np.array([3.0, 0.2, 700.0])


def nearness(rows, generation):
    return -(np.log(rows / GOAL) ** 2).sum(axis=1)


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_the_middle_comes_to_the_best_settings(seed):
    start = GOAL * [2.0, 0.6, 1.4]
    found = evolve(nearness, start, generations=80, seed=seed)
    assert np.allclose(found.settings, GOAL, rtol=0.02)
    assert found.scores[0] == pytest.approx(nearness(start[None], 0)[0])
    assert found.scores[-1] > -1e-3


def test_noise_and_trials_that_fail_are_lived_with():
    noise = np.random.default_rng(5)

    def score(rows, generation):
        found = nearness(rows, generation) + 0.05 * noise.standard_normal(len(rows))
        return np.where(noise.random(len(rows)) < 0.2, np.nan, found)

    found = evolve(score, 1.5 * GOAL, generations=80, seed=3)
    assert np.allclose(found.settings, GOAL, rtol=0.1)


def test_the_same_seed_finds_the_same_and_another_seed_not():
    one, same, other = (
        evolve(nearness, 1.5 * GOAL, generations=5, seed=s).settings for s in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_all_that_is_wrong_is_named():
    with pytest.raises(ConfigError) as caught:
        evolve(nearness, np.array([1.0, -2.0, np.nan]), spread=0.0, pairs=0)
    for word in ("setting 2", "setting 3", "spread", "pairs"):
        assert word in str(caught.value)
