"""Critical widths and stiffnesses against eigenvalues of the stiffness matrices."""

import math

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError
from equipoise.stability.soft.leg_springs import (
    cartesian_critical_width,
    posture_critical_stiffness,
    series_critical_width,
)

G = 9.81


def damped_loop_is_stable(M: np.ndarray, D: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Say for each set whether all eigenvalues of M q'' + D q' + K q = 0 decay."""
    n = M.shape[-1]
    A = np.zeros((len(M), 2 * n, 2 * n))
    A[:, :n, n:] = np.eye(n)
    A[:, n:, :n] = -np.linalg.solve(M, K)
    A[:, n:, n:] = -np.linalg.solve(M, D)
    return np.linalg.eigvals(A).real.max(axis=1) < 0


def symmetric(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    return np.moveaxis(np.array([[a, b], [b, c]]), -1, 0)


def test_cartesian_width_agrees_with_the_loops_eigenvalues(rng):
    n = 5000
    m, h, d1, d3 = rng.uniform([1, 0.2, 50, 50], [60, 1, 500, 500], (n, 4)).T
    k1, k3 = rng.uniform(1, 30, (2, n))
    critical = np.array(
        [cartesian_critical_width(*pair) for pair in zip(k1, k3, strict=True)]
    )
    r = critical * h * rng.choice([0.999, 1.001], n)  # a thousandth to either side
    k1, k3 = k1 * m * G / h, k3 * m * G / h
    H, inertia = h - m * G / (2 * k3), 0.1 * m * h * h
    M = symmetric(m, m * H, m * H * H + inertia)
    D = symmetric(2 * d1, 0 * d1, 2 * d3 * r * r)
    K = symmetric(2 * k1, -m * G, 2 * k3 * r * r - m * G * H)
    assert np.array_equal(damped_loop_is_stable(M, D, K), r > critical * h)


def test_printed_pair_of_section_11_1_3():
    # reading: the specification gives four digits
    assert cartesian_critical_width(7, 17) == pytest.approx(0.1751, abs=5e-5)
    assert cartesian_critical_width(17, 7) == pytest.approx(0.2616, abs=5e-5)


def test_posture_stiffness_agrees_with_the_loops_eigenvalues(rng):
    n = 5000
    m, h, leg, dl, da = rng.uniform(
        [1, 0.2, 500, 20, 5], [60, 1, 20_000, 500, 50], (n, 5)
    ).T
    critical = np.array(
        [posture_critical_stiffness(*row) for row in zip(m, h, leg, strict=True)]
    )
    k = critical * rng.choice([0.999, 1.001], n)
    M = symmetric(m, m * h, m * h * h * 1.1)
    D = symmetric(2 * dl, 0 * dl, da)
    K = symmetric(2 * leg, -m * G, k - m * G * h)
    assert np.array_equal(damped_loop_is_stable(M, D, K), k > critical)


def test_posture_example():
    # 60 kg at 0.5 m on 10 kN/m legs: 294.3 + 588.6^2 / 20000
    assert posture_critical_stiffness(60, 0.5, 10_000) == pytest.approx(311.62250, 1e-7)
    assert posture_critical_stiffness(60, 0.5, 10_000, gravity=1.62) < 55


def series_energy(
    q: np.ndarray, weight: float, spots: np.ndarray, h: float, k: tuple[float, ...]
) -> float:
    """Return the energy at (x, z, tilt, then x and z of each foot) in a plane.

    Legs are springs (k1, k3) along the body's axes, the ground (k[2], k[3]) along the
    world's; every foot is a massless point of its own, nothing is eliminated.
    """
    z, tilt = q[1:3]
    b1 = np.array([math.cos(tilt), -math.sin(tilt)])
    b3 = np.array([math.sin(tilt), math.cos(tilt)])
    total = weight * z
    for spot, foot in zip(spots, q[3:].reshape(-1, 2), strict=True):
        arm = foot - q[:2]
        total += 0.5 * k[0] * (arm @ b1 - spot) ** 2 + 0.5 * k[1] * (arm @ b3 + h) ** 2
        total += 0.5 * k[2] * (foot[0] - spot) ** 2 + 0.5 * k[3] * foot[1] ** 2
    return float(total)


def upright_is_lowest(
    weight: float, r: float, h: float, k: tuple[float, ...], spots: np.ndarray
) -> bool:
    """Say whether the Hessian of the free feet and body is positive definite."""
    share = weight / len(spots)
    rest = [0.0, h - share / k[3] - share / k[1], 0.0]
    for spot in spots:
        rest += [spot, -share / k[3]]
    q, n = np.array(rest), len(rest)
    step = 2e-4 * np.eye(n)  # truncation step^2 = 4e-8 of the largest entry
    scale = np.array([1, 1, 1 / h] + [1] * (n - 3))

    def at(move: np.ndarray) -> float:
        return series_energy(q + move * scale, weight, spots, h, k)

    H = np.array(
        [
            [(at(a + b) - at(a - b) - at(b - a) + at(-a - b)) / 1.6e-7 for a in step]
            for b in step
        ]
    )
    return bool(np.linalg.eigvalsh(H / k[1]).min() > 0)


def test_series_width_agrees_with_free_feet_in_a_plane(rng):
    for _ in range(100):
        m, h = rng.uniform([5, 0.3], [60, 0.8])
        k1, k3, gx, gz = rng.uniform(5, 40, 4) * m * G / h
        critical = series_critical_width(m, h, k1, k3, gz)
        for share in (0.995, 1.005):
            r = critical * share
            spots = np.array([-r, r])
            found = upright_is_lowest(m * G, r, h, (k1, k3, gx, gz), spots)
            assert found == (share > 1), (m, h, k1, k3, gx, gz)


def test_series_on_hard_ground_is_cartesian(rng):
    for k1, k3 in rng.uniform(2, 30, (50, 2)):
        m, h = 12.0, 0.4
        unit = m * G / h
        hard = series_critical_width(m, h, k1 * unit, k3 * unit, math.inf)
        assert hard / h == pytest.approx(cartesian_critical_width(k1, k3), rel=1e-14)


def test_feet_on_a_circle_share_the_work():
    # with k1 = k3 the criterion is n r^2 k_s > m g h: n = 2 in a plane, L/2 on a circle
    two = series_critical_width(10, 0.5, 1e4, 1e4, 1e4)
    four = series_critical_width(10, 0.5, 1e4, 1e4, 1e4, feet=4)
    eight = series_critical_width(10, 0.5, 1e4, 1e4, 1e4, feet=8)
    assert four == pytest.approx(two) and eight == pytest.approx(two / math.sqrt(2))


def test_refuses_legs_that_are_none():
    with pytest.raises(NotPhysicalError, match="k3 must be a number > 0, got -1"):
        cartesian_critical_width(1, -1)
    with pytest.raises(NotPhysicalError, match="leg_stiffness must be a number > 0"):
        posture_critical_stiffness(1, 1, math.inf)
    with pytest.raises(NotPhysicalError, match="ground must be a number > 0, got nan"):
        series_critical_width(1, 1, 1, 1, math.nan)
    with pytest.raises(NotPhysicalError, match="feet must be a whole number >= 2"):
        series_critical_width(1, 1, 1, 1, 1, feet=1)
