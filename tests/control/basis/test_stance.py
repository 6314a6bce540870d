"""A stance seen by the control basis: centre of mass, margins and posture by hand."""

import math
from itertools import permutations

import numpy as np
import pytest
from tests.control.basis.test_basis import parts, random_stance

from equipoise.control.basis.build import home_stance
from equipoise.control.basis.predicates import TRIPODS, margins, name_of, predicates
from equipoise.control.basis.stance import (
    centre_xy,
    leg_posture,
    reaches,
    tripod_margin,
)
from equipoise.control.basis.supervisor import AROUND, FLAT, TURN, UNEVEN
from equipoise.robots.legs.chain import place_foot

ROUNDING = 1e-12


def uneven_parts(seed=3):
    """Return Thing with other shares of its feet, homes and centre for each leg."""
    builds, legs, body, rooms = parts()
    rng, legs, body = np.random.default_rng(seed), legs.copy(), body.copy()
    legs["share"] = rng.normal(0.0, 0.1, (4, 2, 2))
    legs["home"] += rng.normal(0.0, 0.01, (4, 3))
    legs["neutral"] += rng.uniform(-0.1, 0.1, (4, 3))
    body["centre"] = 0.011, -0.007
    return builds, legs, body, rooms.copy()


def turn(yaw):
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s], [s, c]])


@pytest.mark.parametrize("seed", range(3))
def test_each_foot_draws_the_centre_of_mass_by_its_own_share(seed):
    """c = p + R (c₀ + Σ M (Rᵀ (f - p) - h))."""
    own, stance = uneven_parts(), random_stance(seed)
    stance["yaw"] += 0.8
    p, R = stance["p_WB"][0, :2], turn(float(stance["yaw"][0]))
    off = (stance["feet"][0, :, :2] - p) @ R - own[1]["home"][:, :2]
    drawn = np.einsum("kij,kj->i", own[1]["share"], off)
    wanted = p + R @ (own[2]["centre"][0] + drawn)
    assert centre_xy(stance, own) == pytest.approx(tuple(wanted), abs=ROUNDING)


def inside(corners, point):
    """Return the least distance to a side, by barycentric weights times heights."""
    weights = np.linalg.solve(np.vstack([corners.T, np.ones(3)]), [*point, 1.0])
    edges = [corners[(k + 1) % 3] - corners[(k + 2) % 3] for k in range(3)]
    area = abs(np.linalg.det(np.vstack([corners.T, np.ones(3)])))
    return min(w * area / np.hypot(*e) for w, e in zip(weights, edges, strict=True))


def test_a_margin_does_not_depend_on_the_order_of_the_feet():
    own, signs = uneven_parts(), set()
    for seed in range(4):
        stance = random_stance(seed)
        stance["p_WB"][0, :2] += 0.03 * seed, -0.02
        at = centre_xy(stance, own)
        for tripod, has in zip(TRIPODS, margins(stance, own), strict=True):
            feet = [leg - 1 for leg in tripod]
            wanted = inside(stance["feet"][0, feet, :2], at)
            assert has == pytest.approx(wanted, abs=ROUNDING)
            signs.add(has > 0.0)
            for a, b, d in permutations(feet):
                other = tripod_margin(stance, a, b, d, own)
                assert other == pytest.approx(wanted, abs=ROUNDING)
    assert signs == {True, False}
    stance["feet"][0, 2] = stance["feet"][0, 1]
    assert tripod_margin(stance, 0, 1, 2, own) == -math.inf
    assert tripod_margin(stance, 0, 1, 3, own) > -math.inf


def foot_at(own, one, q):
    """Return where in B some angles put a foot."""
    foot = np.zeros(3)
    place_foot(
        own[0][one], np.array(q), np.zeros(3), foot, np.zeros((3, 3)), np.zeros(3)
    )
    return own[0]["hip"][one] + foot


def posed(own, one, q, yaw=0.7, at=(0.3, -0.2, 0.15)):
    """Return a stance with one foot where some angles put it, and that foot in B."""
    stance = random_stance(0)
    stance["p_WB"], stance["yaw"] = at, yaw
    foot = foot_at(own, one, q)
    stance["feet"][0, one, :2] = at[:2] + turn(yaw) @ foot[:2]
    stance["feet"][0, one, 2] = at[2] + foot[2]
    stance["q"][0, one] = np.add(q, (0.05, -0.06, 0.04))  # where it was before
    return stance, foot


@pytest.mark.parametrize("one", range(4))
def test_a_posture_is_the_determinant_times_cosines_to_the_fourth(one):
    """With J by central differences, and middles that are not those of the ranges."""
    own, q = uneven_parts(), (0.2 - 0.15 * one, 0.1 + 0.1 * one, -1.7 + 0.2 * one)
    own[1]["neutral"][one] = np.add(q, [(0.3, -0.2, 0.1), (-0.1, 0.2, -0.3)][one % 2])
    stance, foot = posed(own, one, q)
    step = 6e-6 * np.eye(3)  # the cube root of a rounding
    columns = [foot_at(own, one, q + h) - foot_at(own, one, q - h) for h in step]
    wanted = math.log(abs(np.linalg.det(np.array(columns) / 1.2e-5)))
    leg, sides = own[1][one], set()
    for j in range(3):
        off = q[j] - leg.neutral[j]
        sides.add(off > 0.0)
        span = (leg.upper if off > 0.0 else leg.lower)[j] - leg.neutral[j]
        wanted += 4.0 * math.log(math.cos(0.5 * math.pi * off / span))
    assert len(sides) == 2  # of the middle: ranges are not even
    assert leg_posture(stance, one, own) == pytest.approx(wanted, abs=1e-5)
    np.testing.assert_allclose(stance["q"][0, one], q, atol=1e-5)  # of NEAR
    far = math.hypot(foot[0], foot[1])
    for inner, outer, holds in (
        (0.99 * far, 1.01 * far, True),
        (1.01 * far, 1.02 * far, False),
        (0.0, 0.99 * far, False),
    ):
        own[1]["inner"][one], own[1]["outer"][one] = inner, outer
        assert reaches(stance, one, own) is holds


def test_out_of_reach_the_joints_stay_and_one_leg_is_enough():
    own = parts()
    stance = random_stance(1)
    assert reaches(stance, -1, own)
    for one in range(4):
        off = stance.copy()
        off["feet"][0, one, 2] += 0.25  # above the hips by more than a leg
        before = off["q"].copy()
        assert leg_posture(off, one, own) == -math.inf
        np.testing.assert_array_equal(off["q"][0, one], before[0, one])
        assert not reaches(off, -1, own) and not reaches(off, one, own)
        assert reaches(off, (one + 1) % 4, own)


def test_the_first_four_predicates_are_margins_over_the_bound_the_fifth_the_heading():
    own, seen = uneven_parts(), set()
    for seed in range(2):
        stance = random_stance(seed)
        has = margins(stance, own)
        for k in range(4):  # just below and just above each of the margins
            for by, holds in ((-1e-9, True), (1e-9, False)):
                own[2]["margin"] = has[k] + by
                found = predicates(stance, own)[:4]
                assert found[k] == holds
                assert list(found) == [one > has[k] + by for one in has]
                seen.add(found)
    assert len(seen) > 4
    for yaw, holds in ((0.02, True), (-0.02, True), (0.05, False), (-0.05, False)):
        stance = home_stance(parts())
        stance["yaw"] = yaw
        assert predicates(stance, parts())[4] is holds
    assert name_of((True, False, False, True, True)) == "10011"


STANDING = {3: "124", 1: "234", 4: "123", 2: "134"}
"""Tripods that carry while a leg is lifted."""


@pytest.mark.parametrize("table", [FLAT, TURN, UNEVEN], ids=lambda one: one.name)
def test_each_leg_is_freed_before_it_is_lifted_and_set_for_the_next_tripod(table):
    """[Ridderstrom2003] table 3.1: legs LR, LF, RR, RF, by a diagonal each."""
    lifts = [state.lifts for state in table.states.values()]
    assert lifts == [0, 3, 0, 1, 0, 4, 0, 2]
    for k, (name, state) in enumerate(table.states.items()):
        assert name == str(k) and state.then == state.otherwise == str((k + 1) % 8)
        contact = state.chain[-1]
        assert contact.kind == "phi1"
        legs = "".join(str(leg) for leg in contact.inputs)
        if not state.lifts:  # the trunk goes over the three that carry then
            lifted = lifts[(k + 1) % 8]
            assert (contact.output, legs) == ("xy", STANDING[lifted])
        elif contact.output == "xy":
            assert legs == STANDING[state.lifts]
        else:  # the foot is set where it will carry with two others, by itself
            assert contact.output == state.lifts and state.lifts in contact.inputs
            assert legs == STANDING[lifts[(k + 2) % 8]]
        moved = [one.output for one in state.chain if isinstance(one.output, int)]
        assert set(moved) == ({state.lifts} if state.lifts else set())
        heights = [one.output for one in state.chain].count("height")
        assert heights == (table is UNEVEN and not state.lifts)


def test_the_ways_around_are_turned_by_quarters():
    """A leg stands where the one whose part it plays would, seen the other way."""
    places = {1: (1, 1), 2: (1, -1), 3: (-1, 1), 4: (-1, -1)}
    for quarters, legs in enumerate(AROUND):
        R = np.rint(turn(quarters * math.pi / 2))
        for leg, other in legs.items():
            assert tuple(R @ places[leg]) == places[other]
