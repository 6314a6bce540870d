"""Gravity compensation in closed form; ``test_exchange`` has the engine."""

import numpy as np
import pytest

from equipoise.control.com.gravity import add_gravity_torques
from equipoise.control.com.joint_view import JointView


def pendulum(hinge=1.0, known=1.0):
    """Return a level arm of 0.5 m with 2 kg along x; the joint is along -y."""
    rows = JointView.zeros(1)
    rows[0].known, rows[0].hinge, rows[0].moved_mass = known, hinge, 2.0
    rows[0].axis[:] = [0.0, -1.0, 0.0] if hinge else [0.6, 0.0, 0.8]
    rows[0].moved_com[:] = [1.5, 0.0, 3.0]
    rows[0].pivot[:] = [1.0, 7.0, 3.0]
    return rows


def test_a_level_arm_needs_mass_times_gravity_times_length():
    tau = np.array([0.25])
    add_gravity_torques(pendulum(), 10.0, tau)
    assert tau[0] == 0.25 + 2.0 * 10.0 * 0.5  # exact; added to what was there


def test_a_slide_carries_its_share_of_the_weight():
    tau = np.zeros(1)
    add_gravity_torques(pendulum(hinge=0.0), 10.0, tau)
    assert tau[0] == pytest.approx(2.0 * 10.0 * 0.8, rel=1e-15)  # rounding


def test_who_knows_nothing_holds_nothing():
    tau = np.zeros(1)
    add_gravity_torques(pendulum(known=0.0), 10.0, tau)
    assert tau[0] == 0.0
