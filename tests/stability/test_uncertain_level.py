"""Proved bounds of the weight on level feet, on robots that are known exactly."""

import numpy as np
import pytest

from equipoise.stability import Foot, compliant_stance
from equipoise.stability.uncertain.level import LevelFeet, critical_weights


def drawn(rng: np.random.Generator, n: int) -> tuple[LevelFeet, float, float]:
    """Draw a stance; return it, the weight that it carries and its tilt there."""
    angles = 2 * np.pi * (np.arange(n) + rng.uniform(-0.2, 0.2, n)) / n
    radii = rng.uniform(0.2, 0.4, n)
    v = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)
    v = v * [1.0, rng.uniform(0.4, 1.0)] + rng.choice([0.01, 0.08]) * rng.uniform(
        -1, 1, 2
    )
    k, h = rng.uniform(1000, 4000, n), rng.uniform(0.3, 1.0)
    feet = [Foot((*p, -h), float(x)) for p, x in zip(v, k, strict=True)]
    end = 1 / compliant_stance(1.0, feet, gravity=1.0).multiplier
    if end == 0:  # beside its feet
        return drawn(rng, n)
    near = compliant_stance(0.999 * end, feet, gravity=1.0)
    lifted = float(near.forces[:, 2].min() < 0.02 * end / n)
    return LevelFeet(v, k, k, np.zeros(2), h, h), end, lifted


def test_three_feet_are_bounded_closely(rng):
    by_lifting = 0.0
    for _ in range(25):
        feet, end, lifted = drawn(rng, 3)
        carried, fallen = critical_weights(feet)
        assert carried <= end * (1 + 1e-8) and end <= fallen * (1 + 1e-8)
        # truncation: 200 tilts, 20 halvings of up to ten times the weight
        assert fallen < 1.005 * end
        # a foot's load is bounded along both axes one by one, from no turn to the last
        assert carried > 0.85 * end
        by_lifting += lifted
    assert 3 < by_lifting < 25  # both ends of a stance were met


@pytest.mark.parametrize("n", [4, 5, 6])
def test_more_feet_are_bounded(rng, n):
    tight = 0
    for _ in range(8):
        feet, end, _ = drawn(rng, n)
        carried, fallen = critical_weights(feet)
        assert carried <= end * (1 + 1e-8) and end <= fallen * (1 + 1e-8)
        tight += fallen < 1.6 * end and carried > 0.99 * end
    assert tight > 0  # where no foot lifts before the end


def test_a_round_stance_off_its_middle_ends_in_the_fold():
    # A = n k r^2 / 2 both ways: W = A / (h^(2/3) + s^(2/3))^(3/2), [Ridderstrom2003]
    # chapter 10 in closed form
    n, k, r, h, s = 6, 2000.0, 0.4, 0.7, 0.01
    angles = 2 * np.pi * np.arange(n) / n
    v = r * np.stack([np.cos(angles), np.sin(angles)], axis=1) - [s, 0]
    feet = LevelFeet(v, np.full(n, k), np.full(n, k), np.zeros(2), h, h)
    carried, fallen = critical_weights(feet)
    end = n * k * r**2 / 2 / (h ** (2 / 3) + s ** (2 / 3)) ** 1.5
    assert carried <= end <= fallen
    # truncation: the tilts' steps enter the one bound squared, the other as they are
    assert carried == pytest.approx(end, rel=1e-4)
    assert fallen == pytest.approx(end, rel=5e-3)
