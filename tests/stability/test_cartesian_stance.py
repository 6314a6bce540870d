"""Cartesian foot control against Newton and Euler, and the energy's own minimum."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from equipoise.core.errors import NotPhysicalError
from equipoise.stability.loops.cartesian_stance import cartesian_lean, cartesian_stance
from equipoise.stability.soft.leg_springs import cartesian_critical_width

G = 9.81


def acceleration(x: np.ndarray, size: dict) -> np.ndarray:
    """Return (x, z, tilt)'' from forces on the trunk; x is places then rates."""
    (px, pz, t), v = x[:3], x[3:]
    m, h, r, i = (size[n] for n in ("mass", "height", "half_width", "inertia"))
    (k1, k3), (d1, d3) = size["stiffness"], size["damping"]
    b1 = np.array([np.cos(t), -np.sin(t)])
    b3 = np.array([np.sin(t), np.cos(t)])
    force, moment = np.array([0, -m * G], complex), 0j
    for spot in (-r, r):
        arm = np.array([spot - px, -pz])
        along, up = arm @ b1, arm @ b3
        along_rate, up_rate = -(v[:2] @ b1) - v[2] * up, -(v[:2] @ b3) + v[2] * along
        f1 = k1 * (along - spot) + d1 * along_rate
        f3 = k3 * (up + h) + d3 * up_rate
        force = force + f1 * b1 + f3 * b3
        moment += up * f1 - along * f3
    return np.array([force[0] / m, force[1] / m, moment / i])


def linearised(size: dict) -> np.ndarray:
    """Return the state matrix of (x, z, tilt, rates) by complex steps, (6, 6)."""
    rest = np.zeros(6)
    rest[1] = size["height"] - size["mass"] * G / (2 * size["stiffness"][1])
    assert np.abs(acceleration(rest, size)).max() < 1e-12  # it is the equilibrium
    A = np.zeros((6, 6))
    A[:3, 3:] = np.eye(3)
    for axis in range(6):
        moved = rest.astype(complex)
        moved[axis] += 1e-30j
        A[3:, axis] = acceleration(moved, size).imag / 1e-30
    return A


def drawn(rng: np.random.Generator) -> dict:
    m, h = rng.uniform([5, 0.3], [60, 1])
    k1, k3 = rng.uniform(3, 30, 2) * m * G / h
    d1, d3 = rng.uniform(0.05, 1, 2) * np.sqrt([m * k1, m * k3])
    r = cartesian_critical_width(k1 * h / (m * G), k3 * h / (m * G)) * h
    return {
        "mass": m,
        "height": h,
        "half_width": r * rng.uniform(0.8, 1.5),
        "inertia": m * h * h * rng.uniform(0.05, 0.5),
        "stiffness": (k1, k3),
        "damping": (d1, d3),
    }


def test_eigenvalues_are_those_of_newton_and_euler(rng):
    answers = set()
    for _ in range(200):
        size = drawn(rng)
        found = cartesian_stance(**size)
        exact = np.poly(linearised(size))
        # solver: characteristic polynomials of six eigenvalues, rounding of LAPACK
        scale = np.abs(found.eigenvalues).max() ** np.arange(7)
        np.testing.assert_allclose(
            np.poly(found.eigenvalues) / scale, exact / scale, atol=1e-11
        )
        assert found.stable == (np.linalg.eigvals(linearised(size)).real.max() < 0)
        answers.add(found.stable)
    assert answers == {True, False}


def test_matrix_is_that_of_places_along_the_trunk(rng):
    size = drawn(rng)
    m, h, r, i = (size[n] for n in ("mass", "height", "half_width", "inertia"))
    (k1, k3), (d1, d3) = size["stiffness"], size["damping"]
    sunk = h - m * G / (2 * k3)
    M = np.array([[m, m * sunk], [m * sunk, m * sunk**2 + i]])
    K = np.array([[2 * k1, -m * G], [-m * G, 2 * k3 * r * r - m * G * sunk]])
    D = np.diag([2 * d1, 2 * d3 * r * r])
    lower = -np.linalg.solve(M, np.hstack([K, D]))
    found = cartesian_stance(**size).matrix
    np.testing.assert_array_equal(found[:2], np.eye(4)[2:])
    np.testing.assert_allclose(found[2:], lower, rtol=1e-9)  # rounding: differences


def energy(q: np.ndarray, k1: float, k3: float, rho: float) -> float:
    """Return the energy over m g h at (x, z, tilt), lengths over h."""
    b1 = np.array([math.cos(q[2]), -math.sin(q[2])])
    b3 = np.array([math.sin(q[2]), math.cos(q[2])])
    total = q[1]
    for spot in (-rho, rho):
        arm = np.array([spot - q[0], -q[1]])
        total += 0.5 * k1 * (arm @ b1 - spot) ** 2 + 0.5 * k3 * (arm @ b3 + 1) ** 2
    return total


def lowest(k1: float, k3: float, rho: float, tilt: float) -> np.ndarray:
    start = np.array([tilt, 1 - 1 / (2 * k3), tilt])
    how = {"xatol": 1e-10, "fatol": 1e-15, "maxiter": 4000, "maxfev": 4000}
    return minimize(energy, start, (k1, k3, rho), method="Nelder-Mead", options=how).x


def test_the_robot_leans_where_the_energy_is_least(rng):
    found = cartesian_lean(17, 7, 0.25)
    assert found.leans and found.is_supercritical and not found.upright_stable
    assert found.angle == pytest.approx(0.3728, abs=5e-5)  # reading: four digits
    cases = 0
    for k1, k3 in rng.uniform([10, 4], [30, 9], (40, 2)):
        rho = 0.97 * cartesian_critical_width(k1, k3)
        lean = cartesian_lean(k1, k3, rho)
        if not lean.leans:
            continue
        cases += 1
        # solver: the energy is flat, 1e-15 of it is 1e-7 of the angle, some conditions
        assert abs(lowest(k1, k3, rho, 0.1)[2]) == pytest.approx(lean.angle, abs=1e-5)
        if cases == 6:
            break
    assert cases == 6


def test_losing_balance_as_printed_is_a_fall():
    # (7, 17): sub-critical, there is no stable lean to go to
    critical = cartesian_critical_width(7, 17)
    below, above = (cartesian_lean(7, 17, s * critical) for s in (0.99, 1.01))
    assert not below.leans and math.isnan(below.angle) and not below.is_supercritical
    assert above.upright_stable and 0 < above.angle < 0.5  # the brink
    # the brink is where the energy is stationary but not least
    x = lowest(7, 17, 1.01 * critical, 0.8 * above.angle)
    assert abs(x[2]) < 1e-4
    assert abs(lowest(7, 17, 1.01 * critical, 1.2 * above.angle)[2]) > 1


def test_refuses_what_no_robot_has():
    with pytest.raises(NotPhysicalError, match="slenderness must be a number > 0"):
        cartesian_lean(1, 1, 0)
    with pytest.raises(NotPhysicalError, match="d3 must be a number > 0, got -1"):
        cartesian_stance(1, 1, 1, 1, (1, 1), (1, -1))
