"""Levelling by legs: against its promised poles; offsets learnt at rest."""

import numpy as np
import pytest

from equipoise.control.observer.aided import (
    AIDED,
    GRAVITY,
    SETTLE,
    learn_at_rest,
    level_by_legs,
)
from equipoise.control.observer.attitude import BIAS, AttitudeObserver, turn_by
from oracles.walking_parts import rotation

DT, POLE = 0.001, 1.5
UP = np.array([0.0, 0.0, GRAVITY])


def tick(state, axis, pole=POLE, dt=DT):
    """Return velocity, tilt and offset of one axis after a tick of a trunk at rest.

    Tilt about x comes with velocity along -y, tilt about y with velocity along x.
    """
    attitude, aided = AttitudeObserver().init(), np.zeros(AIDED)
    velocity, tilt, bias = state
    half = 0.5 * tilt
    attitude[0], attitude[1 + axis] = np.cos(half), np.sin(half)
    attitude[BIAS + axis], aided[1 - axis] = bias, velocity
    turn = np.zeros(3)
    turn[axis] = -bias * dt  # gyros read zero, less the offset believed
    turn_by(attitude, *turn)
    angles = np.zeros(3)
    angles[axis] = 2.0 * np.arctan2(attitude[1 + axis], attitude[0])
    frame = np.vstack([rotation(*angles), np.zeros(3)])
    level_by_legs(UP, np.zeros(3), True, dt, pole, frame, attitude, aided)
    after = 2.0 * np.arctan2(attitude[1 + axis], attitude[0])
    return np.array([aided[1 - axis], after, attitude[BIAS + axis]])


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
    attitude, aided = AttitudeObserver().init(), np.zeros(AIDED)
    before, frame = attitude.copy(), np.vstack([np.eye(3), np.zeros(3)])
    force = UP + np.array([1.0, 0.0, 0.0])
    level_by_legs(force, np.ones(3), False, 0.01, POLE, frame, attitude, aided)
    assert (attitude == before).all()
    assert aided[:3] == pytest.approx([0.01, 0.0, 0.0], abs=1e-15)  # rounding
    level_by_legs(force * np.nan, np.ones(3), True, 0.01, POLE, frame, attitude, aided)
    assert (attitude == before).all()


def test_offsets_are_learnt_at_rest_and_not_before_it_has_settled():
    attitude, aided = AttitudeObserver().init(), np.zeros(AIDED)
    R, off = rotation(0.03, -0.02, 0.0), np.array([0.1, -0.2, 0.05])
    frame = np.vstack([R, np.zeros(3)])
    gyro, force = np.array([0.0, 0.0, 0.004]), GRAVITY * R[2] + off
    for _ in range(int((SETTLE - 0.01) / DT)):
        learn_at_rest(gyro, force, DT, frame, attitude, aided)
    assert not aided[3:6].any()
    for _ in range(3000):
        learn_at_rest(gyro, force, DT, frame, attitude, aided)
    assert aided[3:6] == pytest.approx(off, abs=1e-12)  # rounding
    assert attitude[BIAS + 2] == pytest.approx(0.004, abs=1e-12)
    learn_at_rest(gyro * np.nan, force * np.nan, DT, frame, attitude, aided)
    assert aided[3:6] == pytest.approx(off, abs=1e-12)
