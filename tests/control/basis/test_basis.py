"""The control basis: elemental controllers, composition, predicates."""

import math
from functools import cache

import numpy as np
import pytest

from equipoise.control.basis.build import (
    BasisConfig,
    basis_parts,
    basis_stance,
    home_stance,
)
from equipoise.control.basis.compose import Ending, Instance, bind, subject_to
from equipoise.control.basis.predicates import margins, name_of, predicates
from equipoise.control.basis.stance import centre_xy, tripod_margin
from equipoise.control.machine import legged_machine
from equipoise.core.errors import ConfigError
from equipoise.robots.legs import centre_of_mass
from equipoise.robots.load import load


@cache
def thing():
    return legged_machine(load("thing"))


@cache
def parts():
    return basis_parts(thing(), BasisConfig())


def run(text, stance, **known):
    chain = bind([Instance.read(one) for one in text.split("<|")], **known)
    return subject_to(chain, stance, parts())


def random_stance(seed):
    rng, home = np.random.default_rng(seed), home_stance(parts())
    while True:
        feet = home["feet"][0].copy()
        feet[:, :2] += rng.uniform(-0.02, 0.02, (4, 2))
        at = home["p_WB"][0] + (*rng.uniform(-0.01, 0.01, 2), 0.0)
        stance, reached = basis_stance(parts(), feet, at, rng.uniform(-0.15, 0.15))
        if reached:
            return stance


def test_the_margin_is_the_way_to_the_nearest_side_of_three_feet():
    stance = home_stance(parts())
    feet = np.array(stance["feet"][0])
    # the centre of mass is over the middle, on the diagonal of feet 2 and 3
    assert tripod_margin(stance, 0, 1, 2, parts()) == pytest.approx(0.0, abs=1e-12)
    stance["p_WB"][0, :2] += 0.01, 0.0
    x, y = centre_xy(stance, parts())
    side = feet[1] - feet[2]
    off = abs(side[0] * (y - feet[2, 1]) - side[1] * (x - feet[2, 0]))
    expected = off / math.hypot(*side[:2])
    assert tripod_margin(stance, 0, 1, 2, parts()) == pytest.approx(expected)
    assert tripod_margin(stance, 1, 2, 3, parts()) == pytest.approx(-expected)


def test_the_centre_of_mass_is_that_of_the_machine():
    for seed in range(5):
        stance = random_stance(seed)
        c, geometry = np.zeros(3), thing().geometry
        centre_of_mass(stance["q"][0].reshape(-1), geometry.legs, geometry.trunk, c)
        yaw = float(stance["yaw"][0])
        turn = np.array(
            [[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]]
        )
        exact = stance["p_WB"][0, :2] + turn @ c[:2]
        # shares are those of feet at home: second order in a way of 0.03 of 0.2 m
        assert centre_xy(stance, parts()) == pytest.approx(tuple(exact), abs=2e-3)


def test_contact_moves_the_trunk_just_as_far_as_the_tripod_needs():
    for legs in ("123", "124", "234", "134"):
        after, outcome = run(f"phi1 {legs} xy", home_stance(parts()))
        assert outcome is Ending.CONVERGED
        three = [int(leg) - 1 for leg in legs]
        config = BasisConfig()
        enough = config.margin + config.spare
        assert enough <= tripod_margin(after, *three, parts()) < enough + config.step
        np.testing.assert_array_equal(after["feet"], home_stance(parts())["feet"])


def test_contact_moves_a_foot_till_its_tripod_holds():
    before = home_stance(parts())
    after, outcome = run("phi1 234 3", before)
    assert outcome is Ending.CONVERGED
    moved = np.linalg.norm(after["feet"][0] - before["feet"][0], axis=1)
    assert moved[2] > 0.01 and not moved[[0, 1, 3]].any()
    np.testing.assert_array_equal(after["p_WB"], before["p_WB"])


def test_posture_brings_a_foot_home_and_a_turned_trunk_back():
    stance = home_stance(parts())
    home = stance["feet"][0, 2].copy()
    stance["feet"][0, 2, :2] += 0.02, -0.01
    best, _ = run("phi2 3 3", stance)
    # the knee's middle would have to be beyond its range for the very stand
    assert np.linalg.norm(best["feet"][0, 2] - home) < 0.01
    stance = home_stance(parts())
    stance["yaw"] = 0.2
    turned, _ = run("phi2 1234 yaw", stance)
    assert abs(turned["yaw"][0]) < 0.005


def test_posture_of_a_machine_turned_in_the_world_is_the_same():
    stance = home_stance(parts(), yaw=1.1)
    after, _ = run("phi1 124 xy", stance)
    plain, _ = run("phi1 124 xy", home_stance(parts()))
    c, s = math.cos(1.1), math.sin(1.1)
    x, y = plain["p_WB"][0, :2]
    # a rounding at each of some ten steps
    assert after["p_WB"][0, :2] == pytest.approx(
        (c * x - s * y, s * x + c * y), abs=1e-9
    )


@pytest.mark.parametrize(
    ("dominated", "dominant"),
    [
        ("phi0 xy", "phi1 234 xy"),
        ("phi2 1234 xy", "phi1 124 xy"),
        ("phi2 3 3", "phi1 234 3"),
        ("phi2 1234 yaw <| phi2 3 3", "phi1 234 3"),
        ("phi1 134 xy", "phi1 123 xy"),
        ("phi2 1 1 <| phi0 yaw <| phi0 xy", "phi1 234 xy"),
    ],
)
def test_a_dominated_controller_never_worsens_the_dominant_one(dominated, dominant):
    three = [int(leg) - 1 for leg in dominant.split()[1]]
    enough = BasisConfig().margin + BasisConfig().spare
    acts = 0
    for seed in range(6):
        stance = random_stance(seed)
        alone, _ = run(dominant, stance)
        both, _ = run(f"{dominated} <| {dominant}", stance, until=0.05)
        alone_has = min(tripod_margin(alone, *three, parts()), enough)
        both_has = min(tripod_margin(both, *three, parts()), enough)
        assert both_has >= alone_has - 1e-9
        acts += not np.array_equal(alone["p_WB"], both["p_WB"])
        acts += not np.array_equal(alone["feet"], both["feet"])
        acts += float(alone["yaw"][0]) != float(both["yaw"][0])
    assert acts > 0


def test_position_goes_as_far_as_it_is_told_along_its_direction():
    after, _ = run("phi0 xy", home_stance(parts()), direction=(1.0, 1.0), until=0.01)
    x, y = after["p_WB"][0, :2]
    assert (x + y) / math.sqrt(2.0) == pytest.approx(0.01, abs=5e-4)
    assert x == pytest.approx(y)


def test_predicates_name_stable_tripods_and_never_two_opposite_ones():
    shifted, _ = run("phi1 124 xy", home_stance(parts()))
    seen = predicates(shifted, parts())
    assert seen[1] and not seen[3]
    assert name_of(seen)[1] == "1"
    stable = 0
    for seed in range(40):
        a, b, c, d, _ = predicates(random_stance(seed), parts())
        assert not (a and c) and not (b and d)
        stable += a or b or c or d
    turned = home_stance(parts())
    turned["yaw"] = 0.1
    assert not predicates(turned, parts())[4]
    assert predicates(home_stance(parts()), parts())[4]
    assert max(margins(shifted, parts())) == margins(shifted, parts())[1]


def test_what_is_out_of_reach_is_left_and_told():
    stance = home_stance(parts())
    stance["feet"][0, 3, :2] -= 0.065, 0.065  # the right rear leg is nearly stretched
    stance, reached = basis_stance(parts(), stance["feet"][0], stance["p_WB"][0], 0.0)
    assert reached
    after, outcome = run("phi1 123 xy", stance)
    assert outcome is Ending.FAILED
    assert np.isfinite(after["q"]).all()


@pytest.mark.parametrize(
    "text",
    ["phi3 1 1", "phi1 12 xy", "phi1 124 yaw", "phi1 124 7", "phi1", "phi0 a xy"],
)
def test_what_is_no_controller_is_refused_in_words(text):
    with pytest.raises(ConfigError):
        Instance.read(text)


def test_a_controller_is_read_as_it_is_written():
    for text in ("phi1 124 xy", "phi2 1234 yaw", "phi0 xy", "phi1 234 3"):
        assert str(Instance.read(text)) == text


def test_machines_with_other_legs_are_refused():
    with pytest.raises(ConfigError, match="four legs"):
        basis_parts(legged_machine(load("tum")), BasisConfig())


def test_a_foot_slides_along_the_ends_of_its_ring_round_the_trunk():
    config = BasisConfig(margin=0.02, spare=0.04, inner=0.13, outer=0.19)
    own = basis_parts(thing(), config)
    begun = home_stance(own)
    for text in ("phi1 123 1", "phi1 124 1", "phi1 134 1"):
        after, _ = subject_to(bind([Instance.read(text)]), begun, own)
        ways = after["feet"][0, 0] - begun["feet"][0, 0]
        assert math.hypot(*ways[:2]) > 0.02
        far = math.hypot(*(after["feet"][0, 0] - after["p_WB"][0])[:2])
        assert 0.13 <= far <= 0.19
    with pytest.raises(ConfigError, match="outer must be > 0"):
        BasisConfig(outer=-1.0)
