"""A walking robot as straight lines does what its controller does in MuJoCo."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.load import load
from equipoise.runs.many.walking_program import batch_world, walking_program
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.sim.many.height_field import HeightField
from oracles.rolling_ground import rolling
from oracles.straight_walk import StraightRobot, compared

# Torques differ by the slack with which feet share loads, 1e-8 beside 1e-9: 6 kN of
# weight by legs' 0.5 m times that, and the conditioning of two feet's arms.
TORQUE = 1e-3


ODD = {
    "stride.steady": 0.5,
    "capture.slow_reach": 0.002,
    "clocked.near": 0.02,
    "steps.lands_where_seen": True,
    "steps.steady": (50.0, 60.0, 70.0),
}
"""Gains with which settings count that WARP1's own leave out."""


def test_a_trot_with_a_push_is_the_same_tick_by_tick():
    turns = {"speed": 0.3, "left": 0.05, "turn": 0.2}
    config = WalkConfig(ground="weak", terrain="soft:8000", gains=ODD, **turns)
    both = compared(load("warp1"), config, 2.8, push=(150.0, 500.0, 0.0))
    assert both.pose[0] > 0.2
    assert both.pose[1] > 0.05
    assert both.torque.max() < TORQUE
    # Each in its own loop, over 2.8 s and a push: no more than those torques explain
    assert both.place < 1e-5


def test_a_crawl_up_a_slope_is_the_same_tick_by_tick():
    config = WalkConfig(ground="heavy", gait="crawl", terrain="slope:10")
    both = compared(load("warp1"), config, 3.0)
    assert both.pose[0] > 0.02
    assert both.torque.max() < TORQUE
    assert both.place < 1e-5


def test_warp1_trots_for_ten_seconds():
    config = WalkConfig(ground="weak", speed=0.4)
    program = walking_program(load("warp1"), config)
    robot = StraightRobot(program)
    fell = []
    for k in range(round(10.0 / program.tick)):
        robot.tick(k)
        for _ in range(program.period):
            robot.advance(np.zeros(3))
        fell.append(robot.telemetry[0])
    assert not np.any(fell)
    # 0.4 m/s from 1.3 s on, reached at 0.4 m/s²
    assert robot.x[0] == pytest.approx(0.4 * (10.0 - 1.3 - 0.5), rel=0.05)
    assert abs(robot.x[1]) < 0.1
    assert program.operations < 6000  # what 2e9 steps a second allow is 15,000


def test_settings_are_inputs_only_where_they_vary():
    config = WalkConfig(ground="weak")
    names = ("capture.gain", "friction", "law.stiffness.z")
    program = walking_program(load("warp1"), config, varied=names)
    assert {one.name for one in program.settings} == set(names)
    values = {one.name: one.value for one in program.settings}
    assert values["law.stiffness.z"] == 7000.0  # what WARP1 has on weak ground
    robot = StraightRobot(program)
    robot.tick(0)
    before = robot.torque
    robot.settings[[one.name for one in program.settings].index("law.stiffness.z")] = 0
    robot.x[:] = [one.value for one in program.state]
    robot.tick(0)
    assert np.abs(robot.torque - before).max() > 0.05
    with pytest.raises(UnknownNameError, match=r"no setting 'frictoin'.*'friction'"):
        walking_program(load("warp1"), config, varied=("frictoin",))


@pytest.mark.parametrize(("friction", "meant"), [(None, 0.7), (0.0, 0.0), (0.3, 0.3)])
def test_no_friction_is_not_the_usual_friction(friction, meant):
    robot, config = load("warp1"), WalkConfig(ground="weak", friction=friction)
    world = batch_world(resolved_walk(robot, config), 0.001)
    assert world.ground.config.friction == meant


def test_ground_from_a_table_is_the_ground_that_the_table_has():
    waves = {"waves.height": 0.05, "waves.from": 0.3}
    plain = walking_program(
        load("warp1"), WalkConfig(ground="weak", speed=0.4), varied=tuple(waves)
    )
    program = walking_program(
        load("warp1"), WalkConfig(ground="weak", speed=0.4), varied=(), has_table=True
    )
    by_waves, by_table = StraightRobot(plain), StraightRobot(program)
    by_waves.settings[:] = [waves[one.name] for one in plain.settings]
    x, y = np.arange(-1.0, 4.0, 0.02), np.arange(-1.0, 1.0, 0.02)
    table = HeightField(rolling(x, y, **waves), 0.02, (-1.0, -1.0))
    for k in range(round(3.0 / program.tick)):
        for robot in (by_waves, by_table):
            robot.tick(k)
        for _ in range(program.period):
            by_waves.advance(np.zeros(3))
            by_table.advance(np.zeros(3), table)
    heights = table.at(*by_table.x[np.array(program.probes).T])[0]
    assert np.abs(heights).max() > 0.005  # feet are on the waves
    assert not (by_waves.telemetry[0] or by_table.telemetry[0])
    # truncation: between points a wave of 0.6 m is off by (π 0.02 / 0.6)² / 2 of its
    # height, 17 mm: 90 µm under each foot, and a robot's place by some times that
    assert np.abs(by_waves.x[:3] - by_table.x[:3]).max() < 3e-4


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "ground must be weak or heavy, a law of force, got 'mujoco'"),
        (
            {"ground": "weak", "actuators": "elastic"},
            "actuators must be ideal or motor",
        ),
        ({"ground": "weak", "goal": (3.0, 0.0)}, "goal must be None"),
        ({"ground": "weak", "terrain": "blocks:3"}, "its ground must be a plane"),
        ({"ground": "weak", "balance": "level"}, "must be capture or posture"),
        ({"ground": "weak", "support": "standing"}, "support must be clocked"),
    ],
)
def test_walks_that_are_not_in_it_are_refused(settings, said):
    with pytest.raises(ConfigError, match=said):
        walking_program(load("warp1"), WalkConfig(**settings))


def test_a_time_step_must_divide_the_control_period():
    with pytest.raises(ConfigError, match=r"must divide the control period 0\.002 s"):
        walking_program(load("warp1"), WalkConfig(ground="weak"), timestep=0.0015)
