"""Planners in a world that is turned and moved: TITAN IV goes exactly as it plans."""

import numpy as np
import pytest

from equipoise.control.planners.crab import CrabPlanner
from equipoise.control.planners.expanded import ExpandedPlanner
from equipoise.control.planners.intermittent import (
    IntermittentConfig,
    IntermittentPlanner,
)
from oracles.planned_walk import walked
from oracles.walking_parts import travel

PLANNERS = {
    "intermittent": IntermittentPlanner(IntermittentConfig(feedback=0.2)),
    "expanded": ExpandedPlanner(),
    "crab": CrabPlanner(),
}
START, YAW = np.array([3.0, -2.0]), 2.2


def wanted(time):
    """Return a goal that changes: ahead, aside, turning, and to rest."""
    if time < 2.0:
        return travel(0.3, 0.05, 0.02, walks=1.0)
    if time < 4.0:
        return travel(0.15, -0.2, -0.05, walks=1.0)
    return travel(walks=0.0)


def expect_alike(name, seconds):
    """Check that a walk begun elsewhere is the same walk there; return it."""
    here = walked(PLANNERS[name], wanted, seconds)
    there = walked(PLANNERS[name], wanted, seconds, start=START, yaw=YAW)
    c, s = np.cos(YAW), np.sin(YAW)
    turn = np.array([[c, s], [-s, c]])
    np.testing.assert_array_equal(there.stands, here.stands)
    # solver: searches over directions and places end within 1e-9 of one another
    np.testing.assert_allclose(there.trunk, START + here.trunk @ turn, atol=1e-7)
    np.testing.assert_allclose(there.feet, START + here.feet @ turn, atol=1e-7)
    return here


@pytest.mark.parametrize("name", ["intermittent", "expanded"])
def test_a_walk_does_not_depend_on_where_it_begins_and_which_way(name):
    here = expect_alike(name, 5.0)
    assert (~here.stands).any(axis=0).all()  # every leg steps
    assert np.linalg.norm(here.trunk[-1] - here.trunk[0]) > 0.1


def test_a_crab_walk_does_not_depend_on_it():
    assert not expect_alike("crab", 0.8).stands.all()
