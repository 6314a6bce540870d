"""The linearised models behind the claims, against the library's closed forms."""

import math

import numpy as np
import pytest

from equipoise.stability import planar_stance, radial_stance
from equipoise_lab.papers.ridderstrom2003.part4.linear import (
    Legs,
    apart,
    legs_eigenvalues,
    rates_matrix,
    thesis_matrix,
    torsion_stiffness,
)
from equipoise_lab.papers.ridderstrom2003.part4.trunk import (
    CARTESIAN_EXAMPLE,
    POSTURE_EXAMPLE,
    Trunk,
    cartesian_forces,
    posture_forces,
    trunk_rates,
)
from equipoise_lab.papers.ridderstrom2003.part4.two_springs import GRAVITY, Springs


def test_a_planar_stance_linearised_has_the_closed_forms_eigenvalues():
    body = Springs(2.0, 0.3, 900.0, 7.0, 0.2, 0.4)
    wanted = planar_stance(2.0, 900.0, 7.0, 0.2, 0.4, 0.3).eigenvalues
    # truncation and rounding of central differences, 1e-10, times the condition
    for matrix in (rates_matrix(body), thesis_matrix(body)):
        assert apart(np.linalg.eigvals(matrix).astype(complex), wanted) < 1e-8


@pytest.mark.parametrize("count", [3, 4, 7])
def test_legs_linearised_have_the_closed_forms_eigenvalues(count):
    legs = Legs(count, 2.0, 0.3, 900.0, 7.0, 0.2, 0.4)
    wanted = radial_stance(count, 2.0, 900.0, 7.0, 0.2, 0.4, 0.3).eigenvalues
    found = legs_eigenvalues(legs)
    assert apart(found, np.array([*wanted, *wanted[2:]])) < 1e-6
    # sum of squared levers about a diameter, L r² / 2
    turned = [torsion_stiffness(legs, axis) for axis in (0.0, 0.4, 1.9)]
    np.testing.assert_allclose(turned, 900.0 * count * 0.02, rtol=1e-13)


def test_eigenvalues_are_compared_whatever_their_order():
    found = np.array([1 + 2j, -3.0 + 0j, 4j])
    assert apart(found, found[[2, 0, 1]]) == 0.0
    assert apart(found, np.array([1 + 2j, -3.0 + 0j, 4.4j])) == pytest.approx(0.1)


@pytest.mark.parametrize("law", ["cartesian", "posture"])
def test_a_trunk_rests_where_its_law_says(law):
    trunk = Trunk()
    if law == "cartesian":
        forces = cartesian_forces(CARTESIAN_EXAMPLE)
        height = trunk.height - trunk.mass * GRAVITY / (2 * CARTESIAN_EXAMPLE.k3)
    else:
        forces, height = posture_forces(POSTURE_EXAMPLE), trunk.height
    rest = np.array([0.0, height, 0.0, 0.0, 0.0, 0.0])
    # rounding: forces of 600 N over 60 kg
    np.testing.assert_allclose(trunk_rates(rest, trunk, forces), 0.0, atol=1e-13)


def test_springs_without_damping_keep_a_trunks_energy():
    trunk = Trunk()
    law = CARTESIAN_EXAMPLE
    forces = cartesian_forces(type(law)(law.k1, law.k3, 0.0, 0.0))
    state = np.array([0.02, 0.38, 0.1, 0.3, -0.2, 0.5])

    def total(y):
        x, z, tilt, vx, vz, turn = y
        c, s = math.cos(tilt), math.sin(tilt)
        stored = 0.5 * trunk.mass * (vx**2 + vz**2) + 0.5 * trunk.inertia * turn**2
        stored += trunk.mass * GRAVITY * z
        for side in (-1.0, 1.0):
            fx, fz = side * trunk.half_width - x, -z
            along, up = c * fx - s * fz, s * fx + c * fz
            stored += 0.5 * law.k1 * (along - side * trunk.half_width) ** 2
            stored += 0.5 * law.k3 * (up + trunk.height) ** 2
        return stored

    h = np.cbrt(np.finfo(float).eps)
    rate = trunk_rates(state, trunk, forces)
    power = (total(state + h * rate) - total(state - h * rate)) / (2 * h)
    # differences err by h² of third derivatives, 1e-11 of 1e4 W
    assert power == pytest.approx(0.0, abs=1e-4)


def test_damping_takes_a_trunks_energy():
    trunk, law = Trunk(), CARTESIAN_EXAMPLE
    state = np.array([0.02, 0.38, 0.1, 0.3, -0.2, 0.5])
    with_it = trunk_rates(state, trunk, cartesian_forces(law))
    without = trunk_rates(
        state, trunk, cartesian_forces(type(law)(law.k1, law.k3, 0.0, 0.0))
    )
    inertia = np.array([trunk.mass, trunk.mass, trunk.inertia])
    assert float((with_it - without)[3:] * inertia @ state[3:]) < -1.0
