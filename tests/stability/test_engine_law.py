"""The force law of an engine's contact against closed forms and differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from equipoise.stability.engine.law import (
    contact_energy,
    contact_force,
    contact_slope,
    impedance,
)

SOLIMPS = st.tuples(
    st.floats(0.1, 0.9),
    st.floats(0.5, 0.99),
    st.floats(1e-4, 1e-2),  # width [m]
    st.floats(0.1, 0.9),
    st.floats(1.0, 5.0),
)


def test_a_flat_impedance_is_a_spring():
    # exact: f = k d^2 / (1 - d) x for a constant impedance d
    solimp = np.array([[0.8, 0.8, 1e-3, 0.5, 2.0], [0.3, 0.9, 0.0, 0.5, 2.0]])
    depth, k = np.array([2e-3, 5e-4]), np.array([1e4, 2e4])
    want = k * np.array([0.64 / 0.2, 0.36 / 0.4])
    assert contact_force(depth, k, solimp) == pytest.approx(want * depth, rel=1e-14)
    assert contact_slope(depth, k, solimp) == pytest.approx(want, rel=1e-14)
    energy = 0.5 * want * depth**2
    assert contact_energy(depth, k, solimp) == pytest.approx(energy, rel=1e-13)


def test_the_impedance_meets_its_ends_and_its_middle():
    solimp = np.array([[0.9, 0.95, 1e-3, 0.3, 2.0]] * 4)
    i, slope = impedance(np.array([0.0, 3e-4, 1e-3, 5e-3]), solimp)
    # exact: at the middle both powers are at the share that the middle is
    assert i == pytest.approx([0.9, 0.9 + 0.3 * 0.05, 0.95, 0.95], rel=1e-14)
    assert slope == pytest.approx([0.0, 2 * 0.05 / 1e-3, 0.0, 0.0], rel=1e-12)


@given(solimp=SOLIMPS, share=st.floats(0.02, 2.0))
def test_slope_and_energy_belong_to_the_force(solimp, share):
    imp = np.array([solimp])
    depth, k = np.array([share * solimp[2]]), np.array([1e4])
    if min(abs(share - solimp[3]), abs(share - 1.0)) < 1e-3:
        depth = depth * 1.01  # the slope jumps where its pieces meet
    h = 1e-6 * depth
    force = contact_force(depth, k, imp)
    work = contact_energy(depth + h, k, imp) - contact_energy(depth - h, k, imp)
    # truncation: 1e-12 times third derivatives, up to (2 / (1 - 0.99))^2 of the value;
    # rounding: 48 terms of eps over 1e-6
    assert work / (2 * h) == pytest.approx(force, rel=2e-7)
    rise = contact_force(depth + h, k, imp) - contact_force(depth - h, k, imp)
    assert rise / (2 * h) == pytest.approx(contact_slope(depth, k, imp), rel=2e-7)


def test_out_of_contact_there_is_nothing():
    solimp = np.array([[0.9, 0.95, 1e-3, 0.5, 2.0]])
    depth, k = np.array([-1e-3]), np.array([1e4])
    for law in (contact_force, contact_slope, contact_energy):
        assert law(depth, k, solimp).tolist() == [0.0]


@pytest.mark.parametrize("dmax", [0.95, 0.999, 0.9999])
def test_the_energy_is_the_work_of_the_force(dmax):
    solimp, depth = np.array([[0.1, dmax, 1e-3, 0.1, 1.0]]), 1e-3
    k = np.array([1.0])

    def force(x):
        return float(contact_force(np.array([x]), k, solimp)[0])

    inner = [1e-4, 9e-4, 9.9e-4, 9.99e-4]
    want = quad(force, 0, depth, points=inner, limit=500, epsabs=0, epsrel=1e-10)[0]
    # truncation: twelve nodes a piece next to a pole at a thousandth of the piece
    assert contact_energy(np.array([depth]), k, solimp)[0] == pytest.approx(want, 1e-4)
