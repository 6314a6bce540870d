"""Readings go where they belong, and what is no number leaves what was known."""

import math

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.control.machine import legged_machine
from equipoise.control.observer.legs import (
    first_estimate,
    read_feet,
    read_legs,
    weigh_legs,
)
from equipoise.control.records import LegEstimate, TrunkEstimate

LEGS, JOINTS, NAN = 2, 3, math.nan


def read(q, v):
    """Return legs after a tick of readings, and how many were missing."""
    before, after = (LegEstimate.zeros(LEGS, joints=JOINTS) for _ in range(2))
    before["q"] = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]
    before["v"] = [[-1.0, -2.0, -3.0], [-4.0, -5.0, -6.0]]
    before["hip"] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    current, limit = np.arange(10.0, 16.0), np.array([0.0, 1, -1, 1, 0, -1])
    load = np.array([70.0, 80.0])
    missing = read_legs(q, v, current, limit, load, before, after)
    assert after["load"].tolist() == [70.0, 80.0]
    assert after["current"].tolist() == [[10.0, 11.0, 12.0], [13.0, 14.0, 15.0]]
    assert after["limit"].tolist() == [[0.0, 1.0, -1.0], [1.0, 0.0, -1.0]]
    assert after["hip"].tolist() == before["hip"].tolist()  # and all else
    return after, missing


def test_each_joint_has_its_own_reading():
    after, missing = read(np.arange(6.0), np.arange(20.0, 26.0))
    assert missing == 0
    assert after["q"].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert after["v"].tolist() == [[20.0, 21.0, 22.0], [23.0, 24.0, 25.0]]


@pytest.mark.parametrize("bad", [NAN, math.inf, -math.inf])
def test_a_reading_that_is_no_number_leaves_the_last_one_and_is_counted(bad):
    q, v = np.arange(6.0), np.arange(20.0, 26.0)
    q[1], v[3], v[4] = bad, bad, bad
    after, missing = read(q, v)
    assert missing == 3
    assert after["q"].tolist() == [[0.0, 0.2, 2.0], [3.0, 4.0, 5.0]]
    assert after["v"].tolist() == [[20.0, 21.0, 22.0], [-4.0, -5.0, 25.0]]


def test_each_foot_has_what_its_own_sensors_read():
    legs = LegEstimate.zeros(LEGS, joints=JOINTS)
    force = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    read_feet(force, np.array([0.25, 0.5]), np.array([0.01, 0.02]), legs)
    assert legs["force"].tolist() == force.tolist()
    assert legs["edge"].tolist() == [0.25, 0.5]
    assert legs["near"].tolist() == [0.01, 0.02]


@pytest.mark.parametrize("name", ["warp1", "tum"])
def test_the_centre_of_mass_is_the_engines_wherever_legs_are(name, rng):
    machine = legged_machine(eq.load(name))
    built, model = machine.geometry, eq.load(name).model
    data, joints = mujoco.MjData(model), machine.joints
    q = built.stand + rng.uniform(-0.3, 0.3, len(built.stand))
    data.qpos[:7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    for k, value in enumerate(q):
        data.joint(int(model.actuator_trnid[k, 0])).qpos = value
    mujoco.mj_forward(model, data)
    legs = first_estimate(built.legs, joints)
    legs["q"], trunk = q.reshape(-1, joints), TrunkEstimate.zeros()
    weigh_legs(built.trunk, built.legs, legs, trunk)
    # rounding: of sums over some twenty bodies
    assert trunk["p_BC"][0] == pytest.approx(data.subtree_com[1], abs=1e-12)
