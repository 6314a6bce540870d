"""Domain of attraction against simulation, energy barrier against minimisation."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from equipoise.core.errors import NotPhysicalError
from equipoise.stability.soft.barrier import attraction_limit, energy_barrier
from oracles.spring_body import energy, feet_depth

minimize_scalar: Any = optimize.minimize_scalar  # typed in part


def stays_upright(
    tilts: np.ndarray, a: np.ndarray, h: float, r: float, seconds: float
) -> np.ndarray:
    """Let bodies of 1 kg go at rest and say which end within 0.3 of their start."""
    g, inertia, dt, zeta = 9.81, 0.1 * h * h, 2e-3, 0.3
    k = g * h / (2 * a * r * r)
    d = 2 * zeta * np.sqrt(k / 2)
    sides = np.array([-r, r])

    def rates(x: np.ndarray) -> np.ndarray:
        z, tilt, vz, w = x
        depth = feet_depth(z, tilt, sides, h)
        lever = sides * np.cos(tilt)[:, None] - h * np.sin(tilt)[:, None]
        speed = -vz[:, None] + lever * w[:, None]
        force = np.maximum(0.0, k[:, None] * depth + d[:, None] * speed)
        force *= depth > 0
        return np.stack([vz, w, force.sum(1) - g, -(force * lever).sum(1) / inertia])

    both = h * np.cos(tilts) - g / (2 * k)  # both feet carry, or the lower one alone
    lower = h * np.cos(tilts) + r * np.abs(np.sin(tilts)) - g / k
    one = feet_depth(lower, tilts, sides, h).min(axis=1) < 0
    x = np.stack([np.where(one, lower, both), tilts, 0 * tilts, 0 * tilts])
    for _ in range(round(seconds / dt)):
        k1 = rates(x)
        k2 = rates(x + dt / 2 * k1)
        k3 = rates(x + dt / 2 * k2)
        k4 = rates(x + dt * k3)
        x = np.clip(x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4), -1e3, 1e3)
    return np.abs(x[1]) < 0.3 * np.abs(tilts)


def test_bodies_return_from_inside_the_limit_and_fall_outside():
    h, r = 0.5, 0.1
    a = np.repeat([0.3, 0.8, 0.97, 0.985, 0.99, 0.995], 4)
    limit = np.array([attraction_limit(r, h, float(x)) for x in a])
    shares = np.tile([-0.99, 0.99, 1.01, -1.01], 6)
    back = stays_upright(shares * limit, a, h, r, 25.0)
    assert np.array_equal(back, np.abs(shares) < 1)


def test_limit_joins_at_the_softness_where_both_feet_carry():
    h, r = 0.5, 0.1
    joint = h / math.hypot(h, r)
    assert attraction_limit(r, h, joint * 0.5) == math.atan2(r, h)
    # arccos near 1 magnifies rounding by 1 / sin(0.2)
    assert attraction_limit(r, h, joint * (1 + 1e-15)) == pytest.approx(
        math.atan2(r, h), abs=1e-13
    )
    assert attraction_limit(r, h, 1.0) == attraction_limit(r, h, 2.0) == 0.0


def barrier_by_minimisation(a: float, slenderness: float) -> float:
    """Return the highest of the lowest energies on the way to lying, over m g h."""
    sides = np.array([-slenderness, slenderness])
    k = 1 / (2 * a * slenderness**2)  # m = g = h = 1

    def lowest(tilt: float) -> float:
        best = minimize_scalar(
            lambda z: energy(np.array([z, tilt]), 1.0, k, sides, 1.0, True),
            bracket=(math.cos(tilt) - 1 / k, math.cos(tilt)),
            options={"xtol": 1e-12},
        )
        return float(best.fun)

    top = minimize_scalar(
        lambda tilt: -lowest(tilt),
        bounds=(0, math.atan(slenderness) + 0.1),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return -top.fun - lowest(0.0)


def test_barrier_is_the_saddle_of_the_energy(rng):
    sides = {True: 0, False: 0}
    for _ in range(60):
        slenderness = rng.uniform(0.2, 1.5)
        joint = 1 / math.hypot(1, slenderness)
        a = rng.uniform(0.05, joint) if rng.random() < 0.5 else rng.uniform(joint, 0.99)
        found = barrier_by_minimisation(a, slenderness)
        # solver: the saddle's angle to 1e-9, kinked there, so 1e-9 in the energy
        assert energy_barrier(a, slenderness) == pytest.approx(found, abs=1e-8)
        sides[bool(a <= joint)] += 1
    assert min(sides.values()) > 15


def test_barrier_ends_at_the_softest_stance():
    assert energy_barrier(1.0, 0.3) == energy_barrier(3.0, 0.3) == 0.0
    assert energy_barrier(1 - 1e-6, 0.3) == pytest.approx(5e-13, rel=1e-5)
    # stiff ground: the lift of the centre of mass over a foot, sqrt(1 + q^2) - 1
    assert energy_barrier(1e-12, 0.75) == pytest.approx(0.25, rel=1e-11)


def test_refuses_bodies_that_are_none():
    with pytest.raises(NotPhysicalError, match="slenderness must be a number > 0"):
        energy_barrier(0.5, -0.1)
    with pytest.raises(NotPhysicalError, match="height must be a number > 0, got 0"):
        attraction_limit(0.1, 0, 0.5)
