"""Whether a machine went where it was told, on runs that are made up and on walks."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.control.pilot import PilotConfig, WalkingGoal
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.numbers.way import (
    WalkCommand,
    commanded_twist,
    shortfalls,
    way_numbers,
)
from equipoise.runs.walk.walk import WalkConfig, walk

TIME = np.linspace(0.0, 10.0, 1001)


def told(**velocity) -> WalkCommand:
    return WalkCommand(goals=(WalkingGoal(time=1.0, **velocity),))


def made(place, yaw: Any = 0.0) -> Any:
    """A run whose trunk goes along places (nt, 2) with headings."""
    attitude = np.zeros((len(TIME), 3))
    attitude[:, 2] = yaw
    p_WB = np.column_stack([place, np.zeros(len(TIME))])
    return SimpleNamespace(time=TIME, p_WB=p_WB, attitude=attitude)


def straight(speed, heading_deg=0.0):
    angle = math.radians(heading_deg)
    way = speed * np.maximum(TIME - 1.0, 0.0)
    return np.outer(way, [math.cos(angle), math.sin(angle)])


def test_a_command_ramps_as_its_pilot_lets_it():
    limits = PilotConfig(acceleration=0.4, turn_acceleration=0.5, lead=0.3)
    goals = (
        WalkingGoal(time=1.0, forward=0.4, left=-0.2, turn=0.25),
        WalkingGoal(time=8.0, walk=False),
    )
    twist = commanded_twist(TIME, WalkCommand(goals=goals, limits=limits))
    # 0.4 m/s after a second at 0.4 m/s^2, from 1.3 s on, and as long to stop: the area
    # of a trapezium; to 10 ms, the step of the samples
    area = np.trapezoid(twist, TIME, axis=1)
    wanted = [0.4 * (8.0 - 1.3), -0.2 * (8.0 - 1.3), 0.25 * (8.0 - 1.3)]
    np.testing.assert_allclose(area, wanted, atol=0.4 * 0.011)
    assert not twist[:, TIME < 1.3 - 1e-6].any() and not twist[:, -1].any()
    assert np.abs(np.diff(twist[0])).max() <= 0.4 * 0.01 + 1e-12
    at_once = commanded_twist(TIME, WalkCommand(goals=goals))
    assert at_once[:, 150].tolist() == [0.4, -0.2, 0.25]


@pytest.mark.parametrize("heading", [0.0, 30.0, 90.0, 180.0, -135.0])
@pytest.mark.parametrize(
    ("share", "is_well"), [(1.0, True), (0.51, True), (0.49, False)]
)
def test_half_of_the_way_in_the_commanded_direction_counts(heading, share, is_well):
    angle = math.radians(heading)
    command = told(forward=0.4 * math.cos(angle), left=0.4 * math.sin(angle))
    found = way_numbers(made(straight(share * 0.4, heading)), command, 100)
    assert found["arrived"] is is_well
    assert found["commanded_m"] == pytest.approx(3.6)
    assert found["went_m"] == pytest.approx(share * 3.6)
    said = shortfalls(found, command)
    assert bool(said) is not is_well
    if said:
        assert "it went 1.76 m of 3.60 m in that direction; at least 1.80 m" in said[0]


@pytest.mark.parametrize("heading", [61.0, 90.0, 180.0])
def test_another_direction_is_no_way(heading):
    """cos 60° is the half that counts."""
    command = told(forward=0.4)
    assert not way_numbers(made(straight(0.4, heading)), command, 100)["arrived"]
    assert way_numbers(made(straight(0.4, 59.0)), command, 100)["arrived"]


def test_there_and_back_is_no_way():
    place = np.minimum(straight(0.4), straight(0.4)[::-1])
    found = way_numbers(made(place), told(forward=0.4), 100)
    assert not found["arrived"] and found["went_m"] < 0.1 * found["commanded_m"]


@pytest.mark.parametrize(("share", "is_well"), [(1.0, True), (0.4, False)])
def test_a_circle_counts_along_the_heading_and_so_does_its_turn(share, is_well):
    turn, speed = 0.7, 0.3
    gone = np.maximum(TIME - 1.0, 0.0)
    yaw = turn * gone
    circle = speed / turn * np.column_stack([np.sin(yaw), 1.0 - np.cos(yaw)])
    command = told(forward=speed, turn=turn)
    found = way_numbers(made(circle, yaw), command, 100)
    assert found["arrived"]
    assert found["went_m"] == pytest.approx(speed * 9.0, rel=1e-3)
    slow = share * turn * gone
    arc = speed / (share * turn) * np.column_stack([np.sin(slow), 1.0 - np.cos(slow)])
    turned = way_numbers(made(arc, slow), command, 100)
    assert turned["went_m"] == pytest.approx(speed * 9.0, rel=1e-3)
    assert turned["arrived"] is is_well


@pytest.mark.parametrize(
    ("turned", "is_well"), [(1.0, True), (0.6, True), (0.4, False), (-1.0, False)]
)
def test_turning_in_place_takes_half_of_the_turn(turned, is_well):
    yaw = turned * -0.4 * np.maximum(TIME - 1.0, 0.0)
    command = told(turn=-0.4)
    found = way_numbers(made(0.0 * straight(1.0), yaw), command, 100)
    assert found["arrived"] is is_well and found["commanded_m"] is None
    if turned == 0.4:
        said = shortfalls(found, command)
        assert said == [
            "It did not turn as commanded: it turned by -83° of -206°; at least "
            "-103° count as turned."
        ]


def test_told_to_stay_it_stays_unless_something_pushes_it():
    command = WalkCommand(goals=(WalkingGoal(time=1.0),), stays_within=0.5)
    assert way_numbers(made(straight(0.05)), command, 100)["arrived"]
    strays = way_numbers(made(straight(0.06)), command, 100)
    assert not strays["arrived"] and strays["strayed_m"] == pytest.approx(0.54)
    assert "it is 0.54 m from there; at most 0.50 m" in shortfalls(strays, command)[0]
    pushed = WalkCommand(goals=command.goals)
    assert way_numbers(made(straight(0.06)), pushed, 100)["arrived"]


@pytest.mark.parametrize("reached", [True, False])
def test_a_goal_is_all_that_counts_of_a_walk_to_it(reached):
    command = WalkCommand(goals=told(forward=0.4).goals, place_reached=reached)
    found = way_numbers(made(0.0 * straight(1.0)), command, 100)
    assert found["arrived"] is reached and found["commanded_m"] is None


def test_the_gym_says_the_same_of_a_straight_way():
    """Its rule: what it went along the command is half of that at least."""
    draw = np.random.default_rng(5)
    for _ in range(200):
        wanted = draw.uniform(-0.5, 0.5, 2)
        goes = wanted + draw.normal(0.0, 0.4, 2)
        went, shall = 9.0 * goes, 9.0 * wanted
        gap = went @ shall - 0.5 * shall @ shall
        if abs(gap) < 1e-6:
            continue
        place = np.outer(np.maximum(TIME - 1.0, 0.0), goes)
        command = told(forward=wanted[0], left=wanted[1])
        assert way_numbers(made(place), command, 100)["arrived"] == (gap > 0.0)


def test_a_walk_that_stays_where_it_was_is_a_no():
    """WARP1 cannot pronk: with its trot's settings it hops on the spot."""
    stays = walk(WalkConfig(gait="pronk", speed=0.2, seconds=3.0))
    assert not stays.summary["fell"] and stays.verdict == "no"
    assert stays.summary["reasons"][0].startswith("It did not go where")
    assert "did not go" in str(stays)
    goes = walk(WalkConfig(speed=-0.2, seconds=3.0))
    assert goes.verdict == "yes" and goes.summary["reasons"] == []


def test_where_no_speed_is_told_a_turn_alone_counts():
    """Thing turns on the spot; its usual speed is no order then."""
    thing = RobotChoice(name="thing")
    turns = walk(WalkConfig(robot=thing, turn=0.05, seconds=4.0))
    assert turns.verdict == "yes" and turns.summary["way"]["commanded_m"] is None
    both = walk(WalkConfig(robot=thing, turn=0.05, speed=0.02, seconds=4.0))
    assert both.verdict == "no" and len(both.summary["reasons"]) == 1
