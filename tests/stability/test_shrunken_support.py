"""What is left of the support on soft ground, against the general test."""

import math

import pytest

from equipoise.core.errors import NotPhysicalError
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Foot
from equipoise.stability.soft.shrunken_support import shrunken_support


def stands(a: float, slenderness: float, share: float) -> bool:
    """Ask the general test: 1 kg at 1 m, two feet in a plane, each split across it."""
    r = slenderness
    k = 9.81 / (2 * a * r * r)
    feet = [
        Foot((side * r - share * r, y, -1.0), k / 2)
        for side in (-1, 1)
        for y in (-5.0, 5.0)
    ]
    return compliant_stance(1.0, feet).stable


def test_stands_up_to_the_share_and_not_beyond(rng):
    folds = 0
    for _ in range(40):
        a, slenderness = rng.uniform(0.05, 0.95), rng.uniform(0.1, 1.5)
        share = shrunken_support(a, slenderness)
        assert 0 < share < 1
        assert stands(a, slenderness, share * 0.9999)
        assert not stands(a, slenderness, share * 1.0001)
        lifting = 1 - a / math.sqrt(max(1e-9, 1 - (a * slenderness) ** 2))
        folds += abs(share - lifting) > 1e-9
    assert 2 < folds < 38  # both ends, lifting and folding, were met


def test_hard_ground_leaves_all_and_the_softest_nothing():
    assert shrunken_support(1e-9, 0.3) == pytest.approx(1, abs=2e-9)
    assert shrunken_support(1.0, 0.3) == shrunken_support(2.0, 0.3) == 0.0
    # reading: the specification's example, a = 0.5 and r = 0.1 of h = 1
    assert shrunken_support(0.5, 0.1) == pytest.approx(0.4994, abs=5e-5)


def test_refuses_softness_that_is_none():
    with pytest.raises(NotPhysicalError, match="a must be a number > 0, got -1"):
        shrunken_support(-1, 0.1)
