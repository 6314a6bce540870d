"""Pilots that go to a place: on a plane with walls that only feet know of."""

import numpy as np
import pytest

from equipoise.control.pilot import PilotConfig, PilotTask, WalkingGoal
from equipoise.control.pilots.foot_collisions import FootCollision, feel_collisions
from equipoise.control.pilots.harmonic import HarmonicConfig, HarmonicPilot
from equipoise.control.records import ClockRequest, LegAim
from equipoise.control.signals import SupportRequest
from equipoise.core.errors import ConfigError
from oracles.walking_parts import estimate, machine, rotation, stance

DT = 0.05
LIMITS = PilotConfig(acceleration=20.0, turn_acceleration=20.0)


def pilot(place, **settings):
    """Return a pilot that goes to a place at 0.4 m/s."""
    goals = (WalkingGoal(forward=0.4),)
    return HarmonicPilot(
        PilotTask(goals=goals, place=place, limits=LIMITS), HarmonicConfig(**settings)
    )


def told(known, heading, lag):
    """Return what legs were told: the first one along a heading in B, ahead by a lag.

    Args:
        known: the estimate.
        heading: of the foot's way in B.
        lag: of the foot behind.
    """
    aims = LegAim.zeros(4, joints=3)
    along = np.array([np.cos(heading), np.sin(heading), 0.0])
    aims["place"] = aims["landing"] = known.legs["foot"]
    aims["velocity"][0], aims["place"][0] = along, known.legs["foot"][0] + lag * along
    return SupportRequest(aims, ClockRequest.zeros())


def gone(steers, is_wall, ticks, p=(0.0, 0.0)):
    """Return the ways of a point with one foot 0.4 m ahead, stopped by walls."""
    state, place, yaw, ways = steers.init(machine()), np.array(p), 0.0, []
    ahead = [[0.11, -0.25, -0.5]] + [[0.0, 0.0, -0.5]] * 3  # 0.4 m ahead of the trunk
    swings, stands = stance((0, 1, 1, 1), 0.5), stance()
    for k in range(ticks):
        known = estimate(ahead, p_WB=(*place, 0.5), tilt=(0.0, 0.0, yaw), dt=DT)
        known.trunk["time"] = k * DT
        travel = state.travel["velocity"][0]
        heading = np.arctan2(travel[1], travel[0])
        foot = place + 0.4 * np.array([np.cos(yaw + heading), np.sin(yaw + heading)])
        lag = 0.2 if is_wall(*foot) and np.hypot(*travel[:2]) > 0.1 else 0.001
        now = stands if k % 20 == 0 else swings  # a swing a second
        asked = told(known, heading, lag)
        command, state = steers.step(known, now, asked, state)
        vx, vy, turn = command["velocity"][0]
        step = DT * rotation(0.0, 0.0, yaw)[:2, :2] @ (vx, vy)
        if not is_wall(*(place + step)):
            place = place + step
        yaw += DT * turn
        ways.append(place)
    return np.array(ways), state


def test_on_open_ground_it_goes_straight_and_stops_there():
    ways, state = gone(pilot((2.0, 1.0)), lambda x, y: False, 300)
    assert state.is_there and np.hypot(*(ways[-1] - (2.0, 1.0))) < 0.1
    off = np.abs(ways @ (-1.0, 2.0)) / np.sqrt(5.0)
    assert off.max() < 0.15  # cells are 0.2 m
    assert state.travel["walks"][0] == 0.0


def test_it_gets_round_a_wall_that_it_meets():
    def is_wall(x, y):
        return 1.5 < x < 1.7 and abs(y) < 1.0

    ways, state = gone(pilot((3.0, 0.0)), is_wall, 3000)
    assert state.is_there and state.found >= 2
    assert np.abs(ways[:, 1]).max() > 1.0  # not through it


def test_it_says_that_there_is_no_way_and_stands():
    steers = pilot((2.0, 0.0), room=2.0)
    state = steers.init(machine())
    grid = state.grid
    for y in np.arange(-2.0, 2.01, 0.1):
        grid = grid.blocked(np.array([1.2, y]), 0.15)
    knocks = FootCollision.zeros(4)
    knocks["is_new"][2], knocks["heading"][2] = 1.0, 3.0  # behind: it cannot back off
    caught = steers.met(estimate(), knocks, state._replace(grid=grid))
    known = estimate(dt=DT)
    command, after = steers.step(known, stance(), told(known, 0.0, 0.0), caught)
    assert steers.tell(after)["no_way"] == 1.0
    assert command["walks"][0] == 0.0 and (command["velocity"][0] == 0.0).all()


STOPS = (0.01, 0.025)  # [m, s]


def test_a_foot_is_stopped_by_what_holds_it_beyond_its_usual_lag():
    known, knocks = estimate(dt=0.01), FootCollision.zeros(4)
    swings, stands = stance((0, 1, 1, 1), 0.5).legs, stance().legs

    def feel(lag, legs, before):
        after = FootCollision.zeros(4)
        given = known.trunk, known.legs, legs, told(known, 0.3, lag).legs
        return feel_collisions(*given, STOPS, before, after), after

    for lag in (0.2, 0.002):  # nothing is known of the first swings
        for _ in range(5):
            found, knocks = feel(lag, swings, knocks)
            assert not found
        _, knocks = feel(0.0, stands, knocks)
    assert knocks["usual"][0] == pytest.approx(0.2) and knocks["swings"][0] == 2.0
    knocks["usual"] = 0.002
    assert not any(feel(0.0139, swings, knocks)[0] for _ in range(5))
    hits = []
    for _ in range(6):
        found, knocks = feel(0.0141, swings, knocks)
        hits.append(found)
    assert hits == [False, False, True, False, False, False]  # once a swing
    assert knocks["heading"][0] == pytest.approx(0.3)
    _, knocks = feel(0.0, stands, knocks)
    assert knocks["usual"][0] == 0.002  # nothing is learnt of a swing that was stopped


def test_a_foot_that_stands_too_early_has_met_something():
    known = estimate(dt=0.01)
    for left, hits in ((0.009, False), (0.011, True)):
        knocks, after = FootCollision.zeros(4), FootCollision.zeros(4)
        knocks["swings"] = 9.0
        asked = told(known, 0.3, 0.0)
        asked.legs["landing"][0] += left * asked.legs["velocity"][0]
        given = known.trunk, known.legs
        swings, stands = stance((0, 1, 1, 1), 0.5).legs, stance().legs
        assert not feel_collisions(*given, swings, asked.legs, STOPS, knocks, after)
        assert feel_collisions(*given, stands, asked.legs, STOPS, after, knocks) == hits
        assert not feel_collisions(*given, stands, asked.legs, STOPS, knocks, after)


def test_a_pilot_without_a_place_is_refused():
    with pytest.raises(ConfigError, match="give --goal X,Y"):
        HarmonicPilot(PilotTask(goals=(WalkingGoal(),)))
