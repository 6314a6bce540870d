"""TITAN III's planner by itself: locked legs are freed, and the walk goes on."""

from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.crab.search import CrabTry
from equipoise.control.crab.walk import paced
from equipoise.control.machine import legged_machine
from equipoise.control.planners.crab import CrabPlanner, watched
from equipoise.control.signals import NO_MAP
from equipoise.robots.legged import legged_robot
from equipoise.robots.load import load

ON_LEVEL = SimpleNamespace(ground=NO_MAP)


@pytest.fixture(scope="module")
def machine():
    return legged_machine(legged_robot(load("titan3")))


def begun(machine, feet):
    """The planner at rest over feet given from the middles of their reach [m]."""
    planner = CrabPlanner()
    state = planner.init(machine)._replace(yaw=0.0)
    stand = CrabTry.zeros()
    stand[0].feet[:], stand[0].leg = state.machine.legs["middle"] + feet, -1
    stand[0].lands[:] = state.machine.centre(stand[0].feet, np.zeros(2))
    return planner, state, stand


def stepped(planner, state, stand, wanted, now):
    gone, view, state = planner.found(ON_LEVEL, stand, wanted, now, state)
    assert gone is not None
    gone = paced(state.machine, [gone], np.zeros(2), planner.config)
    return gone, watched(gone, view, state)


# Three feet far ahead, the fourth far behind: its leg cannot lift, as the centre of
# mass is behind the line of the two beside it. Stepping the free ones never ends that.
# From the second stance it comes free only if another foot makes room for it.
LOCKED = [
    [(0.25, 0.0), (0.24, 0.12), (0.2, 0.0), (-0.19, 0.12)],
    [(0.316, 0.02), (0.208, 0.044), (0.1, 0.001), (-0.239, 0.068)],
]


@pytest.mark.parametrize("feet", LOCKED)
def test_feet_are_gathered_where_a_leg_is_locked(machine, feet):
    planner, state, stand = begun(machine, np.array(feet))
    state = state._replace(gathers=8, wanted=np.array([1.0, 0.0]))
    now, legs = 0.0, []
    while state.gathers:
        gone, state = stepped(planner, state, stand, np.array([0.2, 0.0]), now)
        stand, now = gone.step.copy(), gone.times.land
        legs.append(gone.leg)
    assert 3 in legs and state.begins


@pytest.mark.parametrize(("heading", "seed"), [(0.0, 22), (0.0, 12), (90.0, 20)])
def test_a_walk_that_locks_comes_on_all_the_same(machine, heading, seed):
    """Feet land 8 mm off; at these the walk used to lock for good, at 0.05 m/s."""
    rng = np.random.default_rng(seed)
    planner, state, stand = begun(machine, rng.uniform(-0.03, 0.03, (4, 2)))
    ahead = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
    start = stand[0].lands @ ahead
    now = 0.0
    for _ in range(40):
        gone, state = stepped(planner, state, stand, 0.2 * ahead, now)
        state = state._replace(gone=gone)
        stand, now = gone.step.copy(), gone.times.land
        stand[0].feet += rng.normal(0.0, 0.008, (4, 2))
    assert (stand[0].lands @ ahead - start) / now > 0.07
