"""The world of turning: counts by enumeration, and safety by construction."""

from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from equipoise.control.basis.predicates import (
    TRIPODS,
    margins,
    name_of,
    predicates,
)
from equipoise.control.learning import turning
from equipoise.control.learning.compositions import (
    admissible_chains,
    all_chains,
    lifted_legs,
    turn_controllers,
)
from equipoise.control.learning.qualities import no_qualities
from equipoise.control.learning.turning import (
    TurningWorld,
    chain_name,
    supervisor_of,
    turning_settings,
    turning_world,
)
from equipoise.control.learning.world import state_name
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


def holds(x, k):
    """Say whether a predicate holds, of the digits p1 to p5 as they are written."""
    return state_name(x, 5)[k] == "1"


def test_safe_is_a_stable_tripod_and_never_two_opposite_ones():
    safe = [x for x in range(32) if world().is_safe(x)]
    written = sorted(state_name(x, 5)[:4] for x in safe)
    fours = ("0001", "0010", "0011", "0100", "0110", "1000", "1001", "1100")
    assert written == sorted(2 * fours)  # whatever the fifth says


def test_each_state_offers_all_actions_but_those_that_lift_a_leg_of_need():
    carries = {4: 0, 3: 1, 1: 2, 2: 3}  # tripods 123, 124, 234 and 134
    for x in range(32):
        wanted = []
        for k, chain in enumerate(world().chains):
            legs = {one.output for one in chain if isinstance(one.output, int)}
            if all(holds(x, carries[leg]) for leg in legs):
                wanted.append(k)
        assert world().admissible(x).tolist() == wanted
        assert wanted  # the heading can always be turned


def test_a_state_is_its_predicates_bit_by_bit():
    own, seen = world(), set()
    for seed in range(3):
        at = own.init(np.random.default_rng(seed))
        digits = name_of(predicates(at, own.parts))
        assert state_name(own.state(at), 5) == digits
        assert own.is_safe(own.state(at))
        seen.add(tuple(at["feet"].ravel()))
    assert len(seen) == 3 and own.states == 32 and len(own.predicates) == 5


def test_an_action_that_would_be_unsafe_is_not_carried_out(monkeypatch):
    """Nor one after which the feet that stood all along carry less than they must."""
    own = world()
    at = own.init(np.random.default_rng(1))
    led = at.copy()
    led["yaw"] += 0.05
    monkeypatch.setattr(turning, "subject_to", lambda *given: (led, None))
    lifting = next(k for k, c in enumerate(own.chains) if lifted_legs(c) == {3})
    plain = next(k for k, c in enumerate(own.chains) if not lifted_legs(c))
    has = [0.0, own.least + 1e-9, 0.0, 0.0]
    monkeypatch.setattr(turning, "margins", lambda *given: tuple(has))
    after, reward = own.step(at, lifting)
    assert after is led and reward == pytest.approx(0.05)
    has[1] = own.least  # over feet 1, 2 and 4
    assert own.step(at, lifting) == (at, 0.0)
    assert own.step(at, plain)[0] is led  # it lifts none
    monkeypatch.setattr(TurningWorld, "is_safe", lambda self, x: False)
    assert own.step(at, plain) == (at, 0.0)


def test_settings_are_thing_s_and_lengths_go_by_the_feet_of_other_machines():
    """Feet keep to a ring of 0.13 to 0.22 m; Thing's hips hang at 0.18 m."""
    thing = legged_machine(load("thing"))
    own = turning_settings(thing)
    # its hips hang 0.112 m up, of which the model has 0.112001
    assert (own.inner, own.outer) == pytest.approx((0.13, 0.22), rel=1e-5)
    hips = np.hypot(*thing.geometry.hips[:, :2].T).mean()
    other = turning_settings(replace(thing, name="other"))
    for name in ("margin", "spare", "inner", "outer", "step", "least"):
        wanted = hips / 0.18 * getattr(own, name)
        assert getattr(other, name) == pytest.approx(wanted, rel=1e-5)
    for name in ("turn", "steady", "swing", "yields"):
        assert getattr(other, name) == getattr(own, name)
    made = turning_world(thing)
    assert made.least == own.least and made.spread == pytest.approx(0.03 * thing.height)


def test_what_was_learned_becomes_a_table_of_the_best_that_may_be_done():
    """States in which nothing was tried are left out; where no tripod is stable the
    trunk goes over one."""
    own, known = world(), no_qualities(32, 157)
    x = int("01001"[::-1], 2)
    offered = own.admissible(x)
    banned = next(k for k in range(157) if k not in offered)
    best = int(next(k for k in offered if lifted_legs(own.chains[k]) == {3}))
    known.counts[x, best, x] = 1
    known.quality[x, best], known.quality[x, banned] = 2.0, 9.0
    unsafe = int("10100"[::-1], 2)
    known.counts[unsafe, 0, x] = 1
    table = supervisor_of(own, known, "learned")
    assert table.name == "learned"
    assert set(table.states) == {"00000", "00001", "01001"}
    assert table.states["01001"].chain == own.chains[best]
    assert table.states["01001"].lifts == 3
    for name in ("00000", "00001"):
        one = table.states[name]
        assert [str(c) for c in one.chain] == ["phi1 124 xy"] and one.lifts == 0
    turned = next(k for k in offered if not lifted_legs(own.chains[k]))
    known.quality[x, turned] = 3.0
    one = supervisor_of(own, known, "learned").states["01001"]
    assert one.chain == own.chains[turned] and one.lifts == 0
    two = next(c for c in own.chains if len(c) == 2)
    assert chain_name(two) == f"{two[0]} <| {two[1]}"
    assert own.actions == tuple(chain_name(c) for c in own.chains)
