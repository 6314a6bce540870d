"""A centre of mass that follows a list of places."""

import numpy as np
import pytest

from equipoise.control.com.feet.waypoints import PathController, Step, lift_in_turn
from equipoise.control.com.law import find_law
from equipoise.core.contracts import Sensed
from equipoise.core.errors import ConfigError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.sim.rollout import rollout
from equipoise.sim.world import WorldConfig, build_world
from oracles.module_robots import any_tree

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


def told(steps, ticks, lost=()):
    """Return which step each tick of a resting robot is at, and the last state."""
    plan = any_tree(2, np.random.default_rng(4))
    controller = PathController(plan, find_law("upright")(), steps)
    state, said = controller.init(), []
    for k in range(ticks):
        q = np.full(6, np.nan if k in lost else 0.1)
        readings = Sensed(
            time=0.001 * k, dt=0.001, q=q, v=np.zeros(6), p_WB=np.zeros(3),
            R_WB=np.eye(3), V_WB=np.zeros(6), skin=np.zeros((8, 6)),
        )  # fmt: skip
        command, state = controller.step(readings, state)
        said.append(int(command.telemetry["step"]))
    return said, state


def test_the_next_goal_has_its_turn_once_the_centre_has_been_near_for_long_enough():
    steps = (
        Step(goal=(0.0, 0.0), seconds=0.0, tolerance=9.0),
        Step(goal=(0.0, 0.0), seconds=0.0025, tolerance=9.0),
        Step(goal=(5.0, 0.0), seconds=0.0, tolerance=0.1),  # it does not come near
        Step(goal=(0.0, 0.0)),
    )
    said, state = told(steps, 20)
    first = said.index(1)  # as soon as it knows where it is
    assert 0 < first < 6
    # 2.5 ms are three ticks
    assert said == [0] * first + [1] * 3 + [2] * (20 - first - 3)
    assert (state.step, state.near) == (2, 0.0)


@pytest.mark.parametrize("count", [1, 2])
def test_the_last_goal_is_kept(count):
    at_once = Step(goal=(0.0, 0.0), seconds=0.0, tolerance=9.0)
    said, state = told((at_once,) * count, 12)
    assert said[0] == 0
    assert said[6:] == [count - 1] * 6
    assert 0.0 < state.near <= 12.001 * 0.001


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
