"""Dead reckoning over feet: against a trunk that moves as it is told."""

import dataclasses

import numpy as np
import pytest
from numpy.typing import ArrayLike

from equipoise.control.observer.trunk import TrunkConfig, TrunkObserver
from equipoise.core.contracts import Readings
from equipoise.core.records import copied
from equipoise.robots.legs import foot_jacobian
from oracles.walking_parts import DT, angles_for, machine, rotation, stance

# after 1.2 s what the filters began with is e^-60 of it
TICKS = 600
POINTS = dataclasses.replace(
    machine(),
    geometry=dataclasses.replace(machine().geometry, foot_radius=0.0),
)


def readings(k, q, v, tilt=(0.0, 0.0, 0.0), load: ArrayLike = 150.0):
    """Return what sound sensors read on a trunk that does not turn or accelerate."""
    up = rotation(*tilt)[2]
    return Readings(
        k * DT, DT, q, v, np.zeros(12), np.zeros(12), np.zeros(3), 9.81 * up,
        np.array(tilt[:2]), np.broadcast_to(load, 4).astype(float), np.zeros(4),
    )  # fmt: skip


def jacobians(q):
    """Return the feet's Jacobians, (4, 3, 3)."""
    J = np.empty((4, 3, 3))
    foot_jacobian(q, machine().geometry.lengths, J)
    return J


def moving(k, velocity, tilt, feet):
    """Return joint angles and speeds of a trunk that moves over fixed points."""
    R = rotation(*tilt)
    place = np.array([0.0, 0.0, 0.5]) + k * DT * np.asarray(velocity)
    r = (feet - place) @ R - machine().geometry.hips
    q = angles_for(r)
    rate = np.tile(-R.T @ velocity, (4, 1))
    return q, np.linalg.solve(jacobians(q), rate[:, :, None]).reshape(-1)


@pytest.mark.parametrize("loads", [150.0, np.nan, (300.0, 40.0, 90.0, 10.0)])
def test_a_trunk_over_fixed_points_is_where_it_is_and_as_fast_as_it_is(loads):
    velocity, tilt = np.array([0.06, -0.03, 0.0]), (0.04, -0.03, 0.0)
    hips = machine().geometry.hips
    feet = hips @ rotation(*tilt).T + np.array([0.0, 0.02, 0.0])
    feet[:, 2] = 0.0
    # feet that do not slip are not followed
    config = TrunkConfig(velocity_time=0.02, place_time=0.02, slip_time=1e15)
    observer = TrunkObserver(POINTS, config)
    state, legs = observer.init(), stance().legs
    for k in range(TICKS):
        q, v = moving(k, velocity, tilt, feet)
        sensed = readings(k, q, v, tilt, loads)
        known, state = observer.step(sensed, legs, False, state)
    gone = (TICKS - 1) * DT * velocity
    assert np.abs(known.v_WB - velocity).max() < 1e-9
    assert np.abs(known.p_WB - gone).max() < 1e-9
    assert np.abs(known.R_WB - rotation(*tilt)).max() < 1e-9
    # footholds are told from where the trunk was at first
    expected = feet - np.array([0.0, 0.0, 0.5])
    assert np.abs(known.footholds - expected).max() < 1e-9


def test_balls_roll_on_as_their_shanks_turn():
    """A ball's centre moves by w × ρ up: against -(p' + k') ρ along a level trunk."""
    q, v = angles_for([[0.02, 0.01, -0.5]] * 4), np.tile([0.0, 0.3, -0.8], 4)
    observer = TrunkObserver(machine(), TrunkConfig())
    state = observer.init()
    for k in range(TICKS):
        sensed = readings(k, q, v)
        known, state = observer.step(sensed, stance().legs, False, state)
    roll = q[0]  # the leg's plane is turned by the hip's roll
    rho, spin = machine().geometry.foot_radius, -(0.3 - 0.8)
    rolls = rho * spin * np.array([np.cos(roll), 0.0, 0.0])
    expected = rolls - (jacobians(q)[0] @ v[:3])
    assert rho > 0.01
    assert np.abs(known.v_WB - expected).max() < 1e-9


def test_a_trunk_that_turns_on_the_spot_stays_there():
    """A foot that stands goes round the trunk by -w × (h + r), which is no motion."""
    q, w = angles_for([[0.05, 0.03, -0.5]] * 4), np.array([0.0, 0.0, 0.3])
    arms = machine().geometry.hips + np.array([0.05, 0.03, -0.5])
    round_it = np.cross(arms, w)
    v = np.linalg.solve(jacobians(q), round_it[:, :, None]).reshape(-1)
    load = np.array([150.0, 0.0, 0.0, 0.0])  # one foot alone tells: nothing cancels
    observer = TrunkObserver(POINTS)
    state = observer.init()
    for k in range(200):
        sensed = dataclasses.replace(readings(k, q, v, load=load), gyro=w)
        known, state = observer.step(sensed, stance().legs, False, state)
        # rounding: of speeds of 0.1 m/s
        assert np.abs(known.v_WB).max() < 1e-15


def test_feet_in_the_air_or_hardly_loaded_do_not_tell():
    q = angles_for([[0.0, 0.0, -0.5]] * 4)
    wild = np.concatenate([[0.5, 2.0, -2.0], np.zeros(9)])
    for found, load in (
        (stance((0, 1, 1, 1)), 150.0),
        (stance(), np.array([5.0, 150.0, 150.0, 150.0])),
    ):
        observer = TrunkObserver(machine())
        state = observer.init()
        for k in range(100):
            sensed = readings(k, q, wild, load=load)
            known, state = observer.step(sensed, found.legs, False, state)
        assert np.abs(known.v_WB).max() == 0.0
    for _ in range(50):  # nobody tells: it goes on as it was
        state = state._replace(memory=copied(state.memory))
        before = known.v_WB.copy()
        known, state = observer.step(
            readings(0, q, wild, load=0.0), found.legs, False, state
        )
        assert (known.v_WB == before).all()


def test_a_foothold_is_taken_over_where_a_foot_comes_to_stand():
    q, v = angles_for([[0.0, 0.0, -0.5]] * 4), np.zeros(12)
    observer, state = TrunkObserver(machine()), None
    state = observer.init()
    _, state = observer.step(readings(0, q, v), stance().legs, False, state)
    _, state = observer.step(readings(1, q, v), stance((0, 1, 1, 1)).legs, False, state)
    far = [[0.1, 0.03, -0.45]] + [[0.0, 0.0, -0.5]] * 3
    moved = angles_for(far)
    flying, state = observer.step(
        readings(2, moved, v), stance((0, 1, 1, 1)).legs, False, state
    )
    landed, _ = observer.step(readings(3, moved, v), stance().legs, False, state)
    hips = machine().geometry.hips
    # rounding
    assert np.abs(flying.footholds[0] - hips[0] - [0.0, 0.0, -0.5]).max() < 1e-12
    assert np.abs(landed.footholds[0] - hips[0] - far[0]).max() < 1e-12
