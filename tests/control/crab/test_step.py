"""Leg by leg for any heading: order, forbidden cells, and no deadlock."""

import math

import numpy as np
import pytest

from equipoise.control.crab.build import crab_body, crab_legs
from equipoise.control.crab.footing import (
    SHY,
    Footing,
    footholds_near,
    footing_of,
)
from equipoise.control.crab.gait import CrabConfig, path_of
from equipoise.control.crab.search import CrabTry
from equipoise.control.crab.step import FULL, CrabStand, leg_order, next_step
from equipoise.control.crab.timing import knot_velocities
from equipoise.control.crab.walk import CrabMachine, CrabView, paced, planned, way_of
from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.ground_map import GroundMap, MapFrame
from equipoise.control.machine import legged_machine
from equipoise.robots.legged import legged_robot
from equipoise.robots.load import load

CONFIG = CrabConfig()
NONE = np.zeros((0, 2))
FL, FR, RL, RR = range(4)


@pytest.fixture(scope="module")
def titan():
    machine = legged_machine(legged_robot(load("titan3")))
    legs = crab_legs(machine, CONFIG.spare, CONFIG.clearance)
    return CrabMachine(legs, crab_body(machine, legs, CONFIG.margin), machine.height)


def ahead(degrees):
    return np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])


def forbidden(share, seed):
    cells = np.random.default_rng(seed).random((700, 700)) < share
    return Footing(np.full(2, -17.5), 0.0, 0.05, cells.astype(float), NONE, 0.1)


def test_cells_stay_where_they_are_in_a_frame_that_is_turned(rng):
    frame = MapFrame.zeros()
    frame["west"], frame["south"], frame["cell"], frame["turn"] = -1.0, 2.0, 0.05, 0.3
    ground = GroundMap(frame, np.zeros((9, 9)), np.zeros((9, 9)))
    bad, yaw = rng.normal(size=(3, 2)), 1.1
    seen = footing_of(ground, yaw, bad, 0.1, 1.0)
    cells = rng.uniform(0.0, 9.0, (20, 2)) * 0.05

    def turned(angle, points):
        c, s = math.cos(angle), math.sin(angle)
        return points @ np.array([[c, s], [-s, c]])

    in_w = np.array([-1.0, 2.0]) + turned(0.3, cells)
    assert seen.corner + turned(seen.turn, cells) == pytest.approx(turned(-yaw, in_w))
    assert seen.forbidden == pytest.approx(turned(-yaw, bad))
    assert (seen.cell, seen.radius) == (0.05, 0.1)


def at_rest(titan, seed):
    stand, rng = CrabTry.zeros(), np.random.default_rng(seed)
    stand[0].feet[:] = titan.legs["middle"] + rng.uniform(-0.02, 0.02, (4, 2))
    stand[0].lands[:], stand[0].leg = titan.centre(stand[0].feet, np.zeros(2)), -1
    return stand


@pytest.mark.parametrize(
    ("degrees", "order"),
    [
        (0.0, (RL, FL, RR, FR)),
        (38.0, (RL, FL, RR, FR)),  # up to atan(0.45 / 0.55) = 39.3 deg
        (41.0, (FR, FL, RR, RL)),
        (90.0, (FR, FL, RR, RL)),
        (180.0, (FL, RL, FR, RR)),
    ],
)
def test_hind_legs_step_before_fore_ones_of_their_side(titan, degrees, order):
    assert tuple(leg_order(titan.legs, ahead(degrees))) == order


def walked(titan, degrees, ground, seed, steps):
    stand, path = (
        at_rest(titan, seed),
        path_of(CONFIG, titan.legs, ahead(degrees), np.zeros(2)),
    )
    for _ in range(steps):
        start = CrabStand(stand, titan.legs, titan.body, ground)
        step = next_step(start, path, CONFIG.look())
        assert step is not None, "deadlock"
        yield stand[0], step[0]
        stand = step


@pytest.mark.parametrize("share", [0.3, 0.5])
@pytest.mark.parametrize("degrees", [0.0, 35.0, 90.0])
def test_steps_go_on_keep_the_margin_and_no_foot_is_put_on_a_forbidden_cell(
    titan, degrees, share
):
    ground, placed = forbidden(share, 1), 0
    for before, step in walked(titan, degrees, ground, 1, 40):
        i, j = np.floor((step.feet[step.leg] + 17.5) / 0.05).astype(int)
        assert ground.banned[i, j] == 0.0
        others = np.delete(before.feet, step.leg, axis=0)
        for centre in (step.lifts, step.lands):
            assert static_at(others - centre, 3) > CONFIG.margin - 1e-9
        placed += 1
    assert placed == 40


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5])
@pytest.mark.parametrize("degrees", range(0, 360, 15))
@pytest.mark.parametrize("seed", range(3))
def test_no_deadlock_in_a_hundred_steps(titan, degrees, share, seed):
    ground = forbidden(share, seed) if share else None
    assert sum(1 for _ in walked(titan, float(degrees), ground, seed, 100)) == 100


def test_free_ground_is_walked_in_the_usual_order_at_nearly_the_whole_way(titan):
    steps = list(walked(titan, 0.0, None, 3, 24))[12:]
    legs = [step.leg for _, step in steps]
    order = list(leg_order(titan.legs, ahead(0.0)))
    at = order.index(legs[0])
    assert legs == [order[(at + k) % 4] for k in range(12)]
    way = (steps[-1][1].lands - steps[0][1].lands)[0] / 11
    path = path_of(CONFIG, titan.legs, ahead(0.0), np.zeros(2))
    assert FULL * path[0].way < way <= path[0].way + 1e-9


def test_the_nearest_allowed_foothold_comes_first_and_bad_places_are_left_out():
    banned = np.zeros((40, 40))
    banned[20, 20] = 1.0
    ground = Footing(np.full(2, -1.0), 0.0, 0.05, banned, np.array([[0.3, 0.0]]), 0.1)
    wish, low, high = np.array([0.02, 0.02]), np.full(2, -0.3), np.full(2, 0.3)
    found = np.array(list(footholds_near(ground, wish, low, high, 200)))
    assert len(found) > 100
    assert not ((np.abs(found - 0.025) < 1e-9).all(axis=1)).any()  # the banned cell
    assert (np.hypot(*(found - [0.3, 0.0]).T) >= 0.1).all()
    far = np.hypot(*(found - wish).T)
    # beside the forbidden cell it is as bad as some cells farther
    assert (np.diff(far) > -SHY * 0.05 - 1e-12).all()
    assert np.diff(far).min() < -0.5 * SHY * 0.05
    assert list(footholds_near(None, wish, low, high, 9)) == [pytest.approx(wish)]


def test_a_step_can_be_stopped_upon_the_feet_that_stand_as_its_foot_should_land(titan):
    path = path_of(CONFIG, titan.legs, ahead(0.0), np.zeros(2))
    view = CrabView(0.0, at_rest(titan, 2), path, 0.2, None, True)
    first = planned(titan, view, CONFIG, 0.0)
    first = paced(titan, [first], np.zeros(2), CONFIG)
    second = planned(
        titan, CrabView(0.0, first.step, path, 0.2), CONFIG, first.times.land
    )
    quick = second.times.land - second.times.began
    second = paced(titan, [first, second], np.zeros(2), CONFIG)
    assert second.times.land - second.times.began >= quick
    rows = way_of([first, second])
    times, places = [r.time for r in rows], np.array([r.centre for r in rows])
    velocity = knot_velocities(times, places, np.zeros(2), rests=False)
    stops = rows[2].centre + math.sqrt(titan.height / 9.81) * velocity[2]
    assert static_at(np.delete(rows[2].before, first.leg, axis=0) - stops, 3) > -1e-3
