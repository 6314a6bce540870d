"""Levelling by legs: against its promised poles; offsets learnt at rest."""

import numpy as np
import pytest

from equipoise.control.observer.aided import (
    GRAVITY,
    SETTLE,
    WalkingMemory,
    learn_at_rest,
    level_by_legs,
    turned_by_feet,
)
from equipoise.control.observer.inertial import turn_by
from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.core.records import copied
from oracles.walking_parts import rotation

DT, POLE = 0.001, 1.5
UP = np.array([0.0, 0.0, GRAVITY])


def memory(force=UP, dt=DT, told=(0.0, 0.0, 0.0), gyro=(0.0, 0.0, 0.0)):
    """Return what is carried, fresh, with what the sensors and feet tell."""
    kept = WalkingMemory.zeros()
    one = kept[0]
    one.quat_WB[0], one.dt = 1.0, dt
    one.acceleration[:], one.told[:], one.gyro[:] = force, told, gyro
    return kept


def turned(*angles):
    """Return a trunk at some roll, pitch and yaw."""
    trunk = TrunkEstimate.zeros()
    trunk[0].R_WB[:] = rotation(*angles)
    return trunk


def tick(state, axis, pole=POLE, dt=DT):
    """Return velocity, tilt and offset of one axis after a tick of a trunk at rest.

    Tilt about x comes with velocity along -y, tilt about y with velocity along x.
    """
    kept = memory(dt=dt)[0]
    velocity, tilt, bias = state
    half, quat = 0.5 * tilt, kept.quat_WB
    quat[0], quat[1 + axis] = np.cos(half), np.sin(half)
    kept.bias[axis], kept.felt[1 - axis] = bias, velocity
    turn = np.zeros(3)
    turn[axis] = -bias * dt  # gyros read zero, less the offset believed
    turn_by(quat, *turn)
    angles = np.zeros(3)
    angles[axis] = 2.0 * np.arctan2(quat[1 + axis], quat[0])
    level_by_legs(True, pole, kept, turned(*angles)[0])
    after = 2.0 * np.arctan2(quat[1 + axis], quat[0])
    return np.array([kept.felt[1 - axis], after, kept.bias[axis]])


@pytest.mark.parametrize("axis", [0, 1])
def test_tilt_and_offset_die_out_with_the_promised_poles(axis):
    h = np.finfo(float).eps ** (1 / 3)
    M = np.array(
        [(tick(x, axis) - tick(-x, axis)) / (2.0 * h) for x in h * np.eye(3)]
    ).T
    found = np.poly((M - np.eye(3)) / DT)
    promised = np.poly([-POLE] * 3)
    # truncation: a tick is of first order in p dt = 0.0015, three poles
    assert np.allclose(found, promised, rtol=5.0 * POLE * DT)


@pytest.mark.parametrize("axis", [0, 1])
def test_a_tilted_estimate_comes_right_for_good(axis):
    state = np.array([0.0, 0.05, 0.01])
    for _ in range(5000):
        state = tick(state, axis, dt=4 * DT)
    # 20 s: (p t)² e^-pt is 1e-10 of the beginning
    assert np.abs(state).max() < 1e-9


def test_without_standing_feet_nothing_is_turned():
    force = UP + np.array([1.0, 0.0, 0.0])
    state, level = memory(force, 0.01, (1.0, 1.0, 1.0)), turned(0.0, 0.0, 0.0)[0]
    before, kept = copied(state)[0], state[0]

    def is_kept():
        return (kept.quat_WB == before.quat_WB).all() and (
            kept.bias == before.bias
        ).all()

    level_by_legs(False, POLE, kept, level)
    assert is_kept()
    assert kept.felt == pytest.approx([0.01, 0.0, 0.0], abs=1e-15)  # rounding
    kept.acceleration[:] = np.nan
    level_by_legs(True, POLE, kept, level)
    assert is_kept()


def test_offsets_are_learnt_at_rest_and_not_before_it_has_settled():
    trunk, off = turned(0.03, -0.02, 0.0)[0], np.array([0.1, -0.2, 0.05])
    force = GRAVITY * trunk.R_WB[2] + off
    kept = memory(force, gyro=(0.0, 0.0, 0.004))[0]
    for _ in range(int((SETTLE - 0.01) / DT)):
        learn_at_rest(kept, trunk, True, 0.0)
    assert not kept.offset.any()
    for _ in range(3000):
        learn_at_rest(kept, trunk, True, 0.0)
    assert kept.offset == pytest.approx(off, abs=1e-12)  # rounding
    assert kept.bias[2] == pytest.approx(0.004, abs=1e-12)
    kept.gyro[:], kept.acceleration[:] = np.nan, np.nan
    learn_at_rest(kept, trunk, True, 0.0)
    assert kept.offset == pytest.approx(off, abs=1e-12)
    assert kept.bias[2] == pytest.approx(0.004, abs=1e-12)


def test_what_the_feet_know_of_a_rocking_trunk_is_no_offset():
    trunk, off = turned(0.03, -0.02, 0.1)[0], np.array([0.1, -0.2, 0.05])
    way, missed = np.array([0.1, -0.05, 0.02]), []
    for is_still in (False, True):
        kept = memory(np.zeros(3))[0]
        for k in range(int((SETTLE + 0.37) / DT)):  # some part of a swing
            kept.told[:] = way * np.sin(7.0 * k * DT)
            rises = way * 7.0 * np.cos(7.0 * k * DT)
            kept.acceleration[:] = trunk.R_WB.T @ (rises + UP) + off
            learn_at_rest(kept, trunk, is_still, 0.0)
        missed.append(float(np.abs(kept.offset - off).max()))
    assert missed[0] < 0.7 * DT / 0.37  # truncation: half a step's growth at both ends
    assert missed[1] > 0.03  # which is what is gained


def test_feet_that_stand_tell_how_the_trunk_turns_over_them():
    legs, turn, goes = LegEstimate.zeros(4, joints=3), 0.3, np.array([0.1, -0.2])
    places = np.array([[0.5, 0.4], [0.6, -0.4], [-0.5, 0.3], [-0.4, -0.5]])
    for leg, (x, y) in zip(legs, places, strict=True):
        leg.hip[:2], leg.foot[:2], leg.stood = (x, 0.9 * y), (0.0, 0.1 * y), 1.0
        leg.foot_rate[:2] = turn * y - goes[0], -turn * x - goes[1]
    legs[3].stood, legs[3].foot_rate[:] = 0.0, 7.0  # it swings
    assert turned_by_feet(legs) == pytest.approx(turn, rel=1e-12)  # rounding
    legs["stood"] = 0.0
    assert turned_by_feet(legs) == 0.0
