"""Polynomials of fifth order and the pieces that are sent on."""

import numpy as np
import pytest

from equipoise.control.leg_programs.quintic import QuinticConfig, QuinticProgram
from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.legs.pieces import quintic
from equipoise.control.records import LegBalance
from equipoise.control.signals import BalanceCommand, TrunkReference
from oracles.asv import asv_estimate, asv_machine, asv_pose, asv_stance

SEGMENT = (0.3, -3.4, 1.9, -3.0, 0.5)  # x0, v0, x1, v1, T


def test_a_segment_meets_its_ends_unaccelerated():
    x0, v0, x1, v1, T = SEGMENT
    assert np.allclose(quintic(*SEGMENT, 0.0), (x0, v0))
    assert np.allclose(quintic(*SEGMENT, 1.0), (x1, v1))
    h = 1e-4  # truncation: jerk 60 d/T³ times h, over T
    for s in (0.0, 1.0 - h):
        slope = (quintic(*SEGMENT, s + h)[1] - quintic(*SEGMENT, s)[1]) / (h * T)
        assert abs(slope) < 60.0 * 4.0 / T**3 * h * T


def test_velocity_is_the_rate_of_place():
    T, h = SEGMENT[-1], 1e-5
    for s in np.linspace(0.1, 0.9, 9):
        ahead, behind = quintic(*SEGMENT, s + h)[0], quintic(*SEGMENT, s - h)[0]
        assert np.isclose((ahead - behind) / (2.0 * h * T), quintic(*SEGMENT, s)[1])


def program():
    """Return the program on the machine that it is made for."""
    m = asv_machine()
    return QuinticProgram(
        leg_law(m.geometry, m.drives, LegLawConfig()), QuinticConfig()
    )


def swung(speed):
    """Return aims of the first leg over a swing, seen from the hip, and its landing."""
    own, estimate = program(), asv_estimate(v_WB=(speed, 0.0, 0.0))
    pose = asv_pose(v_WB=(speed, 0.0, 0.0), path=(speed, 0.0))
    places = asv_machine().geometry.hips - [0.0, 0.0, asv_machine().height]
    legs = LegBalance.zeros(6)
    command = BalanceCommand(TrunkReference(pose, places), legs)
    state, rows = own.init(), []
    stance = asv_stance(stands=(0, 1, 1, 1, 1, 1))
    for tick in range(251):
        stance.legs["progress"][0] = min(tick * 0.002 / 0.5, 1.0)
        aim, state = own.step(estimate, stance, command, state)
        rows.append(np.concatenate([aim["place"][0], aim["velocity"][0]]))
    return np.array(rows), aim["landing"][0]


@pytest.mark.parametrize("speed", [0.0, 1.0, 3.4])
def test_pieces_lead_from_the_ground_over_it_and_back(speed):
    rows, landing = swung(speed)
    assert np.allclose(rows[0, :3], [0.0, 0.0, -1.5])
    assert np.allclose(landing, [0.25 * speed, 0.0, -1.5], atol=1e-12)
    assert np.allclose(rows[-1, :3], landing, atol=0.01)  # ends of pieces, 50 ms
    assert np.isclose(rows[:, 2].max(), -1.5 + QuinticConfig().lift, atol=2e-3)
    assert np.abs(np.diff(rows[:, :3], axis=0)).max() < 0.002 * 11.0  # drives' speed
    assert np.isclose(rows[-1, 3], -speed, atol=0.6)  # meets the ground with its speed


def test_a_leg_learns_what_its_drives_lack():
    own, estimate, pose = program(), asv_estimate(), asv_pose()
    places = asv_machine().geometry.hips - [0.0, 0.0, asv_machine().height]
    command = BalanceCommand(TrunkReference(pose, places), LegBalance.zeros(6))
    stance, state = asv_stance(stands=(0, 1, 1, 1, 1, 1)), own.init()
    stance.legs["progress"][0], stance.legs["late"][0] = 1.0, 0.002
    estimate.legs["foot"][0, 0] -= 0.01
    for _ in range(500):
        aim, state = own.step(estimate, stance, command, state)
    stiffness = LegLawConfig().stiffness[0]
    learnt = stiffness * 0.01 * 1.0 / QuinticConfig().bias_time  # for a second
    assert np.isclose(state.swings["bias"][0, 0], learnt, rtol=0.01)
    assert np.isclose(aim["force"][0, 0], learnt, rtol=0.01)
    assert np.isclose(aim["force"][0, 2], 70.0 * 9.81)


def test_standing_legs_carry_themselves_beside_what_they_press_with():
    own, estimate, pose = program(), asv_estimate(), asv_pose()
    legs = LegBalance.zeros(6)
    legs["force"][:, 2] = -4000.0
    command = BalanceCommand(TrunkReference(pose, np.zeros((6, 3))), legs)
    aim, _ = own.step(estimate, asv_stance(), command, own.init())
    assert np.allclose(aim["force"], [0.0, 0.0, -4000.0 + 70.0 * 9.81])
    assert not aim["stiffness"].any()
