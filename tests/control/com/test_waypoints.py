"""A centre of mass that follows a list of places."""

import numpy as np
import pytest

from equipoise.control.com.feet.waypoints import PathController, Step, lift_in_turn
from equipoise.control.com.law import find_law
from equipoise.core.errors import ConfigError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.sim.rollout import rollout
from equipoise.sim.world import WorldConfig, build_world

POINTS = ((0.02, 0.0), (0.0, 0.02), (0.0, -0.01))


def test_a_tree_on_one_foot_goes_from_place_to_place():
    robot = random_tree(6, 2, seed=3)
    plan = robot.assembly
    assert plan is not None
    steps = tuple(Step(goal=p, seconds=0.05, tolerance=0.004) for p in POINTS)
    controller = PathController(plan, find_law("upright").fitting(plan), steps)
    world = build_world(robot, WorldConfig(skins=True))
    run = rollout(world, controller, 1.5, signals=("step",))
    said = run.telemetry[:-1, 0]  # the last state has no tick
    assert [int(s) for s in np.unique(said)] == [0, 1, 2]
    assert (np.diff(said) >= 0).all()
    for k, point in enumerate(POINTS):
        last = np.flatnonzero(said == k)[-1]
        away = np.linalg.norm(run.p_WC[last, :2] - point)
        # the ground module's estimate is some rounds old: 1 mm at the speeds here
        assert away < 0.005


def test_feet_are_lifted_in_turn():
    assert [s.lift for s in lift_in_turn((3, 5))] == [3, 5]


def test_steps_that_cannot_be_are_refused():
    with pytest.raises(ConfigError, match=r"goal must be .*; seconds must be .*-1"):
        Step(goal=(1.0,), seconds=-1)
    with pytest.raises(ConfigError, match=r"lift must be .* got -2; tolerance"):
        Step(lift=-2, tolerance=0.0)
    plan = random_tree(2, 1).assembly
    assert plan is not None
    law = find_law("upright").fitting(plan)
    with pytest.raises(ConfigError, match=r"steps\[0\] must have a goal"):
        PathController(plan, law, (Step(lift=1),))
    with pytest.raises(ConfigError, match="steps is empty"):
        PathController(plan, law, ())
