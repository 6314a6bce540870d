"""The world of turning: counts by enumeration, and safety by construction."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest

from equipoise.control.basis.predicates import TRIPODS, margins
from equipoise.control.learning.compositions import (
    admissible_chains,
    all_chains,
    lifted_legs,
    turn_controllers,
)
from equipoise.control.learning.turning import turning_world
from equipoise.control.machine import legged_machine
from equipoise.core.errors import ConfigError
from equipoise.robots.load import load


@cache
def world():
    return turning_world(legged_machine(load("thing")))


def test_thirteen_controllers_make_1885_compositions_157_of_them_safe():
    controllers = turn_controllers()
    assert len(set(controllers)) == 13
    chains = all_chains(controllers)
    by_hand = [c for n in (1, 2, 3) for c in permutations(range(13), n)]
    assert len(set(chains)) == len(by_hand) == 13 + 13 * 12 + 13 * 12 * 11 == 1885
    assert len(admissible_chains(chains)) == len(world().actions) == 157
    counts = {len(world().admissible(x)) for x in range(32) if world().is_safe(x)}
    assert counts == {40, 79}  # one tripod stable, or two that are neighbours


def test_a_leg_is_lifted_only_where_the_others_stand():
    for x in range(32):
        for a in world().admissible(x):
            for leg in lifted_legs(world().chains[a]):
                feet = next(k for k, feet in enumerate(TRIPODS) if leg not in feet)
                assert x >> feet & 1


@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_tried_it_is_never_unsafe(seed):
    rng = np.random.default_rng(seed)
    at = world().init(rng)
    for _ in range(60):
        x = world().state(at)
        assert world().is_safe(x)
        action = int(rng.choice(world().admissible(x)))
        before = at.copy()
        after, reward = world().step(at, action)
        assert at == before  # situations are not changed in place
        assert reward == pytest.approx(float(after["yaw"][0] - at["yaw"][0]))
        for leg in lifted_legs(world().chains[action]):
            feet = next(k for k, feet in enumerate(TRIPODS) if leg not in feet)
            assert margins(after, world().parts)[feet] > world().least
            at_rest = [k for k in range(4) if k != leg - 1]
            np.testing.assert_array_equal(
                after["feet"][0, at_rest], at["feet"][0, at_rest]
            )
        at = after


def test_machines_with_other_legs_cannot_learn_it():
    with pytest.raises(ConfigError, match="four legs of three joints"):
        turning_world(legged_machine(load("tum")))
