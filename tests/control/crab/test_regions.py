"""Where the centre of mass may be: half-planes, reach, and the legs' own mass."""

import numpy as np
import pytest

from equipoise.control.crab.build import crab_body, crab_legs
from equipoise.control.crab.regions import MOST, nearest_in, region, sum_up
from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.machine import legged_machine
from equipoise.robots.legged import legged_robot
from equipoise.robots.legs import centre_of_mass
from equipoise.robots.load import load

SPARE, MARGIN = 0.02, 0.06


@pytest.fixture(scope="module")
def titan():
    machine = legged_machine(legged_robot(load("titan3")))
    legs = crab_legs(machine, SPARE, 0.05)
    return machine, legs, crab_body(machine, legs, MARGIN)


def test_reach_and_mass_of_titan_iii_s_legs_are_its_slides(titan):
    _, legs, body = titan
    # halvings of a height: 0.91 m / 2^14 = 6e-5 m
    np.testing.assert_allclose(
        legs["high"] - legs["middle"], 4 * [[0.28, 0.18]], atol=1e-4
    )
    # 8 of 80 kg go forward with a foot, 6 of 80 aside
    np.testing.assert_allclose(legs["share"], 4 * [np.diag([0.1, 0.075])], atol=1e-12)
    np.testing.assert_allclose(body[0].back, np.diag([1 / 0.6, 1 / 0.7]), atol=1e-12)


def test_the_centre_of_mass_is_that_of_all_bodies(titan):
    machine, legs, body = titan
    rng, out = np.random.default_rng(4), np.zeros(3)
    legs, body = legs.copy(), body.copy()
    for _ in range(20):
        q = rng.uniform(-0.15, 0.15, (4, 3))
        trunk = rng.uniform(-1.0, 1.0, 2)
        legs["foot"] = trunk + machine.geometry.hips[:, :2] + q[:, :2]
        sum_up(legs, body)
        one = body[0]
        centre_of_mass(q.ravel(), machine.geometry.legs, machine.geometry.trunk, out)
        centre = trunk + out[:2]
        # a dozen roundings of numbers of about 1
        np.testing.assert_allclose(one.back @ (centre - one.offset), trunk, atol=1e-13)


def test_every_corner_keeps_the_margin_and_every_leg_s_reach(titan):
    _, legs, body = titan
    rng, room, found = np.random.default_rng(5), np.empty((2, MOST, 2)), 0
    legs, body = legs.copy(), body.copy()
    for lifts in range(4):
        for _ in range(25):
            legs["foot"] = legs["middle"] + rng.uniform(-0.1, 0.1, (4, 2))
            sum_up(legs, body)
            count = region(legs, lifts, body, room)
            found += count > 0
            for corner in room[0, :count]:
                stand = np.delete(legs["foot"], lifts, axis=0)
                assert static_at(stand - corner, 3) > MARGIN - 1e-9
                away = legs["foot"] - body[0].back @ (corner - body[0].offset)
                assert (away > legs["low"] - 1e-9).all()
                assert (away < legs["high"] + 1e-9).all()
    assert found > 50


def test_a_wider_margin_than_the_triangle_leaves_nothing(titan):
    _, legs, body = titan
    body, room = body.copy(), np.empty((2, MOST, 2))
    body[0].margin = 0.5
    assert region(legs, 0, body, room) == 0
    assert (
        nearest_in(room[0], 0, np.ones(2), np.array([1.0, 0.0]), 1.0, np.ones(2))
        == np.inf
    )


@pytest.mark.parametrize("heavy", [1.0, 3.0])
def test_the_nearest_point_of_a_polygon_is_nearer_than_any_other(heavy):
    rng, out = np.random.default_rng(6), np.empty(2)
    corners = np.array([[0.0, 0.0], [2.0, 0.0], [1.5, 1.0], [0.3, 1.2]])
    ahead = np.array([0.6, 0.8])
    across = np.array([-0.8, 0.6])

    def far(a, b):
        return np.hypot(heavy * (a - b) @ ahead, (a - b) @ across)

    for point in rng.uniform(-2.0, 3.0, (50, 2)):
        least = nearest_in(corners, 4, point, ahead, heavy, out)
        assert least == pytest.approx(far(out, point), abs=1e-12)
        for share in rng.dirichlet(np.ones(4), 50):
            assert far(share @ corners, point) > least - 1e-12
