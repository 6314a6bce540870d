"""Posture control: closed criteria, the printed rows, asymmetry and delays."""

import math
from dataclasses import replace

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, NotPhysicalError
from equipoise.stability.loops.posture import (
    PostureConfig,
    posture_stance,
    restoring_force,
)
from equipoise.stability.soft.leg_springs import posture_critical_stiffness

BASE = PostureConfig()


def drawn(rng: np.random.Generator, **how) -> PostureConfig:
    m, h = rng.uniform([5, 0.3], [60, 1])
    weight = m * 9.81
    leg = rng.uniform(5, 40) * weight / h
    i = m * h * h * rng.uniform(0.05, 0.5)
    return PostureConfig(
        mass=m,
        height=h,
        inertia=i,
        half_width=h * rng.uniform(0.2, 0.8),
        leg_stiffness=leg,
        leg_damping=rng.uniform(0.1, 1) * math.sqrt(m * leg),
        attitude_stiffness=1.0,
        attitude_damping=rng.uniform(0.1, 1) * math.sqrt(weight * h * i),
        height_stiffness=2 * leg,
        height_damping=math.sqrt(m * leg),
        **how,
    )


@pytest.mark.parametrize("sharing", ["printed", "consistent"])
def test_critical_attitude_stiffness(rng, sharing):
    for _ in range(25):
        config = drawn(rng, sharing=sharing)
        needed = config.mass * 9.81 * config.height
        if sharing == "printed":
            needed = posture_critical_stiffness(
                config.mass, config.height, config.leg_stiffness
            )
        for share, answer in ((0.999, "no"), (1.001, "yes")):
            at = replace(config, attitude_stiffness=share * needed)
            assert posture_stance(at).loop().stable == answer, at


def test_matrices_are_the_printed_rows():
    stance = posture_stance(BASE)
    m, h, weight = BASE.mass, BASE.height, BASE.mass * 9.81
    along = np.array([[1, h, 0], [0, 1, 0], [0, 0, 1]])  # x = q1 + h tilt
    K = along.T @ (stance.K + stance.late_stiffness) @ along
    leg, attitude = BASE.leg_stiffness, BASE.attitude_stiffness
    exact = np.diag([2 * leg, attitude - weight * h, BASE.height_stiffness])
    exact[0, 1] = exact[1, 0] = -weight
    # rounding: sums of a dozen terms of the largest entry
    np.testing.assert_allclose(K, exact, atol=1e-15 * 20 * 2 * leg)
    D = along.T @ stance.late_damping @ along
    rates = [2 * BASE.leg_damping, BASE.attitude_damping, BASE.height_damping]
    np.testing.assert_allclose(D, np.diag(rates), atol=1e-11)
    even = posture_stance(replace(BASE, sharing="consistent"))
    K = along.T @ (even.K + even.late_stiffness) @ along
    exact[1, 0] = 0.0
    np.testing.assert_allclose(K, exact, atol=1e-15 * 20 * 2 * leg)
    assert stance.asymmetry < 1e-14 and even.asymmetry > 0.01
    assert np.array_equal(stance.M, np.diag([m, BASE.inertia, m]))


def test_an_offset_centre_of_mass_makes_the_printed_rule_uneven():
    found = {}
    for offset in (0.3, 0.6):
        config = replace(BASE, offset=offset, attitude_stiffness=1e6)
        stance = posture_stance(config)  # so stiff that its tilt is nearly zero
        assert 0 < stance.tilt < 1e-3
        # the rule's moment lifts as well: k_α γ / (r (1 - γ²)) in z by tilt
        lifts = 1e6 * offset / (config.half_width * (1 - offset**2))
        skew = stance.late_stiffness - stance.late_stiffness.T
        assert abs(skew[1, 2]) == pytest.approx(lifts, rel=1e-2)  # tilt is 1e-4
        found[offset] = posture_stance(replace(BASE, offset=offset)).asymmetry
    assert 0.02 < found[0.3] < 0.5 * found[0.6]
    even = posture_stance(replace(BASE, offset=0.6, sharing="consistent"))
    assert abs(even.tilt) < 1e-14  # asks for force and moment, and gets them


def test_the_equilibrium_is_one_and_the_slopes_are_those_of_the_forces(rng):
    config = replace(BASE, offset=0.4)
    stance = posture_stance(config)
    assert 0.01 < stance.tilt < 0.1
    q = np.array([0.0, stance.tilt, 0.5])

    def at(x: np.ndarray) -> np.ndarray:
        return restoring_force(config, x, x, np.zeros(3)).real

    for _ in range(30):  # a second solver: x and z only, the tilt given
        jacobian = np.array([(at(q + e) - at(q - e)) / 2e-6 for e in 1e-6 * np.eye(3)])
        q[[0, 2]] -= np.linalg.solve(jacobian[[0, 2]][:, [0, 2]].T, at(q)[[0, 2]])
    assert np.abs(at(q)).max() < 1e-8 * config.mass * 9.81
    slope = np.array([(at(q + e) - at(q - e)) / 2e-6 for e in 1e-6 * np.eye(3)]).T
    whole = -(stance.K + stance.late_stiffness)
    # truncation 1e-12 and rounding eps 1e4 / 1e-6
    np.testing.assert_allclose(slope, whole, atol=1e-4)


def test_a_late_controller_shakes():
    stance = posture_stance(BASE)
    limit = stance.critical_delay
    assert 1e-3 < limit < 0.05
    assert stance.loop(0.99 * limit).stable == "yes"
    assert stance.loop(1.01 * limit).stable == "no"
    # time simulation of the forces themselves, at and beyond: Euler, a small step
    for share, shakes in ((0.9, False), (1.1, True)):
        dt = limit * share / 30
        q, v, past = np.array([1e-6, 0.0, BASE.height]), np.zeros(3), []
        sizes = []
        inertia = np.diag(stance.M)
        for _ in range(int(0.8 / dt)):
            past.append((q, v))
            seen, rate = past[max(0, len(past) - 31)]
            v = v + dt * restoring_force(BASE, q, seen, rate).real / inertia
            q = q + dt * v
            sizes.append(np.abs(v).max())
        third = len(sizes) // 3
        assert (max(sizes[-third:]) > max(sizes[third : 2 * third])) == shakes


def test_refuses_what_no_robot_has():
    with pytest.raises(NotPhysicalError, match="mass must be a number > 0, got -1"):
        PostureConfig(mass=-1)
    with pytest.raises(
        ConfigError, match="offset must be > -1 and below 1, got 2; shar"
    ):
        PostureConfig(offset=2, sharing="other")
