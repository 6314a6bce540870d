"""The trunk under a centre of mass whose legs swing."""

from functools import cache

import mujoco
import numpy as np
import pytest

from equipoise.control.planners.body import body_of
from equipoise.control.planners.recoil import foot_shares, swung, trunk_below
from equipoise.robots.load import load
from oracles.planned_walk import known

WALKING = np.array([[0.1, -0.05], [-0.12, 0.02], [0.03, 0.04], [-0.2, -0.03]])  # [m]


@cache
def titan4():
    return load("titan4").model


def centre_by_engine(place, yaw, feet):
    """Return the centre of mass of TITAN IV from above, legs where feet are."""
    model, data = titan4(), mujoco.MjData(titan4())
    data.qpos[:2], data.qpos[3], data.qpos[6] = place, np.cos(yaw / 2), np.sin(yaw / 2)
    data.qpos[7:].reshape(4, 3)[:, :2] = feet
    mujoco.mj_forward(model, data)
    return data.subtree_com[0][:2]


def test_the_engine_finds_the_centre_of_mass_where_it_was_asked_for():
    body, yaw = body_of(known()), 0.3
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, -s], [s, c]])
    place = np.array([1.0, -2.0])
    feet = place + (body.stand + WALKING) @ turn.T
    wanted = centre_by_engine(place, yaw, WALKING)
    found = trunk_below(
        wanted[None],
        feet[:, None],
        np.array([yaw]),
        body.stand,
        body.centre,
        body.shares,
    )
    assert found[0] == pytest.approx(place, abs=1e-12)  # rounding


def test_the_body_is_the_same_wherever_legs_are():
    stands, walks = body_of(known()), body_of(known(WALKING))
    assert walks.centre == pytest.approx(stands.centre, abs=1e-12)  # rounding
    assert walks.shares == pytest.approx(stands.shares, abs=1e-12)


def test_all_slides_of_a_leg_go_forward_with_its_foot_and_two_of_them_aside():
    shares = foot_shares(known())
    assert shares == pytest.approx(np.tile([16.0 / 160.0, 12.0 / 160.0], (4, 1)))


def test_a_foot_is_at_its_footholds_before_and_after_its_swing():
    a, b = np.array([0.1, 0.2]), np.array([0.5, 0.1])
    way = swung(a, b, np.array([-1.0, 0.0, 0.5, 1.0, 2.0]))
    assert way == pytest.approx(np.array([a, a, 0.5 * (a + b), b, b]))
