"""Bounds of the weight that level feet carry: each part against brute force."""

import itertools
import math

import numpy as np
import pytest

from equipoise.stability.uncertain import level
from equipoise.stability.uncertain.level import LevelFeet, critical_weights

PLACES = np.array([[0.3, 0.2], [0.25, -0.2], [-0.35, 0.15], [-0.3, -0.25]])
SOFT = np.array([900.0, 700.0, 800.0, 1000.0])
STIFF = np.array([1000.0, 900.0, 850.0, 1300.0])


def feet(places=PLACES, soft=SOFT, stiff=SOFT, half=(0.0, 0.0), low=0.5, high=0.5):
    return LevelFeet(np.array(places), np.array(soft), np.array(stiff),
                     np.array(half), low, high)  # fmt: skip


def heaviest(places, k, height):
    """Return the largest W for which c² + |W (A - W h/c)⁻¹ s|² ≤ 1 at some c."""
    s = k @ places / k.sum()
    off = places - s
    kappa, axes = np.linalg.eigh((k[:, None] * off).T @ off)
    s = axes.T @ s
    low, high = 0.0, kappa[0] / height

    def holds(W):
        c = np.linspace(W * height / kappa[0], 1.0, 4002)[1:, None]
        turned = W * s / (kappa - W * height / c)
        return bool((c[:, 0] ** 2 + (turned**2).sum(axis=1) <= 1.0).any())

    for _ in range(20):
        at = 0.5 * (low + high)
        low, high = (at, high) if holds(at) else (low, at)
    return low


def test_a_scatter_is_about_the_stiffnesses_mean():
    mean = (SOFT[:, None] * PLACES).sum(axis=0) / SOFT.sum()
    wanted = sum(k * np.outer(v - mean, v - mean)
                 for k, v in zip(SOFT, PLACES, strict=True))  # fmt: skip
    np.testing.assert_allclose(level._scatter(PLACES, SOFT), wanted)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0])
def test_a_mean_is_bounded_by_all_choices_of_stiffnesses(angle):
    c, s = math.cos(angle), math.sin(angle)
    axes = np.array([[c, -s], [s, c]])
    low, high = level._mean_bounds(feet(stiff=STIFF), axes)
    pairs = zip(SOFT, STIFF, strict=True)
    means = np.array([np.array(k) @ PLACES / sum(k) for k in itertools.product(*pairs)])
    np.testing.assert_allclose(low, (means @ axes).min(axis=0), rtol=1e-12)
    np.testing.assert_allclose(high, (means @ axes).max(axis=0), rtol=1e-12)
    # seen from a place that is known to a box
    at, half = np.array([0.1, -0.2]), np.array([0.02, 0.05])
    seen = level._seen((low, high), axes, at, half)
    every = [m @ axes - (at + np.array(e) * half) @ axes
             for m in means for e in itertools.product((-1, 1), repeat=2)]  # fmt: skip
    np.testing.assert_allclose(seen[0], np.min(every, axis=0), rtol=1e-9)
    np.testing.assert_allclose(seen[1], np.max(every, axis=0), rtol=1e-9)


def test_the_nearest_of_bounds_is_zero_where_they_change_sign():
    low, high = np.array([-2.0, 1.0, -3.0]), np.array([1.0, 4.0, -0.5])
    assert level._nearest(low, high).tolist() == [0.0, 1.0, 0.5]
    corners = level._corners(np.array([1.0, 2.0]), np.array([3.0, 5.0]))
    assert {tuple(c) for c in corners.tolist()} == {(1, 2), (1, 5), (3, 2), (3, 5)}


def test_all_cells_cover_the_tolerances_from_the_outside_inwards():
    given = feet(stiff=STIFF, half=(0.04, 0.0))
    cells = list(level._cells(given))
    assert len(cells) == 2 * 16  # halves of four stiffnesses, two places along x
    for part, _ in cells:
        assert ((part.softest == SOFT) | (part.stiffest == STIFF)).all()
        np.testing.assert_allclose(part.stiffest - part.softest, 0.5 * (STIFF - SOFT))
    exact = list(level._cells(feet(half=(0.04, 0.03))))
    assert len(exact) == 16
    assert len(list(level._cells(feet()))) == 1


def test_a_stretch_holds_all_scatters_between():
    """|E| <= e for every choice of stiffnesses, against the middle one."""
    given = feet(stiff=STIFF)
    cell = level._cell(given, np.zeros(2), np.zeros(2))
    least, most = (level._scatter(PLACES, k) for k in (SOFT, STIFF))
    kappa, axes = np.linalg.eigh(0.5 * (least + most))
    np.testing.assert_allclose(cell.kappa, kappa)
    (e,) = level._stretch(cell, kappa[None] - 5.0)
    root = np.diag(1.0 / np.sqrt(kappa - 5.0))
    for extreme in (least, most):
        E = root @ (axes.T @ extreme @ axes - np.diag(kappa)) @ root
        assert np.abs(np.linalg.eigvalsh(E)).max() <= e * (1 + 1e-12)
    assert e == pytest.approx(np.abs(np.linalg.eigvalsh(E)).max(), rel=1e-9)
    assert level._stretch(cell, np.array([[1.0, -1.0]]))[0] == math.inf


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.05, -0.02), (0.1, 0.05)])
@pytest.mark.parametrize("height", [0.5, 0.9])
def test_without_tolerances_both_weights_are_the_one_that_falls(shift, height):
    places = PLACES - np.array(shift)
    low, high = critical_weights(feet(places, low=height, high=height))
    wanted = heaviest(places, SOFT, height)
    # steps of tilts and halvings: each only widens the interval
    assert low <= wanted * (1 + 1e-4) and high >= wanted * (1 - 1e-4)
    assert low == pytest.approx(wanted, rel=0.03) or shift != (0.0, 0.0)
    assert high < 1.6 * wanted


def test_more_tolerance_never_narrows_the_interval():
    before = critical_weights(feet())
    for other in (feet(low=0.45), feet(high=0.55), feet(half=(0.02, 0.01)),
                  feet(stiff=STIFF)):  # fmt: skip
        low, high = critical_weights(other)
        assert low <= before[0] + 1e-9
        assert high >= before[1] - 1e-9
    assert critical_weights(feet(high=0.55))[0] < before[0]
    assert critical_weights(feet(low=0.45))[1] > before[1]
    doubled = critical_weights(feet(soft=2 * SOFT, stiff=2 * SOFT))
    np.testing.assert_allclose(doubled, np.multiply(2.0, before), rtol=1e-5)
    far = PLACES - np.array([0.5, 0.0])  # the centre of mass is beside its feet
    assert critical_weights(feet(far))[0] == 0.0
