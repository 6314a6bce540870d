"""Equilibria on two springs against the energy itself: roots, folds, stability."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from equipoise.core.errors import NotPhysicalError
from equipoise.stability.soft.equilibria import (
    fold_offset,
    is_tilt_stable,
    planar_equilibria,
)
from oracles.spring_body import linearised

minimize_scalar: Any = optimize.minimize_scalar  # typed in part


def slope(angle: np.ndarray, a: float, R: float) -> np.ndarray:
    """Return dw/dalpha of w = cos - R sin + sin^2 / 2a."""
    return -np.sin(angle) - R * np.cos(angle) + np.sin(angle) * np.cos(angle) / a


def test_equilibria_are_all_the_zeros_of_the_energys_slope(rng):
    counts = []
    grid = np.linspace(-np.pi / 2 + 1e-5, np.pi / 2 - 1e-5, 20_001)
    for _ in range(500):
        a, R = rng.uniform(0.2, 1.3), rng.uniform(-1, 1)
        found = planar_equilibria(a, R)
        assert np.all(np.diff(found) > 0)
        # rounding: the slope's terms are below 1 / a + |R| + 1
        assert np.abs(slope(found, a, R)).max() < 4e-15 * (2 + 1 / a)
        signs = np.sign(slope(grid, a, R))
        crossings = int(np.sum(signs[1:] != signs[:-1]))
        if (
            abs(abs(R) - fold_offset(min(a, 1.0))) > 1e-4
        ):  # the grid sees two roots apart
            assert len(found) == crossings
            counts.append(crossings)
    assert min(counts.count(1), counts.count(3)) > 50


def test_fold_is_where_slope_and_curvature_vanish(rng):
    for a in rng.uniform(0.01, 0.999, 200):
        angle = math.acos(a ** (1 / 3))
        largest = minimize_scalar(
            lambda t, a=a: -(math.sin(t) / a - math.tan(t)),
            bounds=(0, math.pi / 2 - 1e-9),
            method="bounded",
            options={"xatol": 1e-10},
        )
        # solver: at a maximum an error of 1e-8 in the angle is 1e-16 in the value
        assert fold_offset(a) == pytest.approx(-largest.fun, rel=1e-8)
        assert fold_offset(a) == pytest.approx(
            math.sin(angle) / a - math.tan(angle), rel=1e-8
        )
        assert len(planar_equilibria(a, 0.999 * fold_offset(a))) == 3
        assert len(planar_equilibria(a, 1.001 * fold_offset(a))) == 1


def test_fold_ends_in_the_cusp():
    assert fold_offset(1.0) == 0
    assert math.isnan(fold_offset(1.0001))
    assert list(planar_equilibria(1.0, 0.0)) == [0]
    assert list(planar_equilibria(1.5, 0.0)) == [0]
    # near the cusp R_c = (2/3 (1 - a))^(3/2) to first order, and no digit is lost
    assert fold_offset(1 - 1e-12) == pytest.approx((2e-12 / 3) ** 1.5, rel=1e-4)


def test_mirrored_offset_mirrors_the_tilts(rng):
    for a, R in zip(rng.uniform(0.1, 1.5, 50), rng.uniform(0, 1, 50), strict=True):
        left, right = planar_equilibria(a, -R), planar_equilibria(a, R)
        assert np.abs(left + right[::-1]).max() < 1e-12  # rounding near a fold


@pytest.mark.parametrize(
    "bodies", [2_000, pytest.param(10_000, marks=pytest.mark.slow)]
)
def test_cubed_cosine_decides_in_random_bodies(rng, bodies):
    tried = {True: 0, False: 0}
    while sum(tried.values()) < bodies:
        m, r, h, inertia = rng.uniform([0.5, 0.05, 0.1, 0.01], [50, 0.5, 1, 10])
        d, gamma = 10 ** rng.uniform(0, 2), rng.uniform(-1, 1)
        a, weight = rng.uniform(0.05, 1.2), m * 9.81
        k = weight * h / (2 * a * r**2)
        sides = np.array([-(1 + gamma) * r, (1 - gamma) * r])
        for angle in planar_equilibria(a, gamma * r / h):
            if abs(math.cos(angle) ** 3 - a) < 1e-6:
                continue  # the oracle's Hessian has nine digits
            # both springs together carry the weight
            z = h * math.cos(angle) - (weight / k - sides.sum() * math.sin(angle)) / 2
            A = linearised(np.array([z, angle]), m, weight, k, d, sides, h, inertia)
            stable = is_tilt_stable(angle, a)
            assert (np.linalg.eigvals(A).real.max() < 0) == stable, (a, gamma, angle)
            tried[stable] += 1
    assert min(tried.values()) > bodies / 10


@pytest.mark.parametrize("bad", [0.0, -0.5, math.nan, math.inf])
def test_refuses_softness_that_is_none(bad):
    for call in (
        fold_offset,
        lambda a: planar_equilibria(a, 0),
        lambda a: is_tilt_stable(0, a),
    ):
        with pytest.raises(NotPhysicalError, match="a must be a number > 0, got"):
            call(bad)
    with pytest.raises(NotPhysicalError, match="R must be finite, got nan"):
        planar_equilibria(0.5, math.nan)
