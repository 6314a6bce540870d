"""The search for a pose that balances, against a pendulum worked out by hand."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.robots.superbot.superbot import random_tree
from equipoise_lab.papers.moll2006.reach import ReachSearch, best_distance


def pendulum(limit: float) -> Robot:
    """A ball on an arm of 0.5 m that points along +x from a hinge at x = 1 m."""
    spec = mujoco.MjSpec()
    arm = spec.worldbody.add_body(name="arm", pos=[1.0, 0.0, 0.0])
    joint = arm.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0])
    joint.limited, joint.range = True, [-limit, limit]
    arm.add_geom(size=[0.01, 0.0, 0.0], pos=[0.5, 0.0, 0.0], mass=1.0)
    spec.compiler.degree = False
    return Robot(name="pendulum", spec=spec, base="arm")


@pytest.mark.parametrize("limit", [np.pi, 2.0, np.pi / 6])
def test_the_nearest_point_of_an_arc_by_hand(limit):
    """The distance from (0, 0) is √(1.25 + cos q), least at the largest |q|."""
    expected = np.sqrt(1.25 + np.cos(limit))
    found = best_distance(pendulum(limit), 10, np.random.default_rng(1))
    # solver: its own stopping tolerance on the gradient, 1e-10 on squared centimetres
    assert found.distance == pytest.approx(expected, abs=1e-6)
    assert abs(found.q[0]) <= limit


def test_the_gradient_is_that_of_central_differences(rng):
    search = ReachSearch(random_tree(seed=7000), np.array([0.01, -0.02]))
    x = rng.uniform(search.lower, search.upper)
    step = np.finfo(float).eps ** (1 / 3)
    _, gradient = search.value(x)
    assert np.abs(gradient).max() > 1.0
    for k in range(0, len(x), 11):
        d = np.zeros(len(x))
        d[k] = step
        slope = (search.value(x + d)[0] - search.value(x - d)[0]) / (2 * step)
        # truncation: eps^(2/3) times a third derivative of squares of 1e2 cm
        assert gradient[k] == pytest.approx(slope, abs=1e4 * step**2)


def test_a_tree_within_reach_stops_early_and_a_start_is_kept():
    found = best_distance(random_tree(seed=7001), 40, np.random.default_rng(0))
    assert found.distance < 1e-5
    assert found.tried < 40
    assert len(found.q) == 60


def test_random_starts_need_a_generator():
    with pytest.raises(ConfigError, match="starts must be >= 1"):
        best_distance(pendulum(1.0), 2)
    assert best_distance(pendulum(1.0), 1).tried == 1
