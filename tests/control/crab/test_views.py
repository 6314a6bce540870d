"""Steps looked ahead: mirrored, turned by quarters, and in closed form."""

import numpy as np
import pytest

from equipoise.control.crab.regions import CrabBody, CrabLeg, sum_up
from equipoise.control.crab.search import (
    CrabBench,
    CrabPath,
    CrabRoom,
    CrabTry,
    best_first,
    lasting_way,
    lift_off,
    scattered,
    set_down,
    worth_of,
    write_feet,
)

PLACES = np.array([[0.4, 0.3], [0.4, -0.3], [-0.4, 0.3], [-0.4, -0.3]])
ORDER = np.array([2, 0, 3, 1])
VIEWS = {
    "mirror": np.array([[1.0, 0.0], [0.0, -1.0]]),
    "quarter": np.array([[0.0, -1.0], [1.0, 0.0]]),
    "half": -np.eye(2),
}
"""Legs keep their numbers: to the search they are four feet, each with its reach."""
ENOUGH = 1e-12  # rounding


def bench(seed, reach=0.15, margin=0.02, shares=0.03):
    """Return legs anywhere about their middles, some mass in them, and a path."""
    rng = np.random.default_rng(seed)
    legs, body, path = CrabLeg.zeros(4), CrabBody.zeros(), CrabPath.zeros()
    legs["middle"] = PLACES + rng.normal(0.0, 0.02, (4, 2))
    legs["foot"] = legs["middle"] + rng.uniform(-0.06, 0.06, (4, 2))
    legs["low"] = legs["middle"] - reach * rng.uniform(0.7, 1.0, (4, 2))
    legs["high"] = legs["middle"] + reach * rng.uniform(0.7, 1.0, (4, 2))
    legs["share"] = shares * rng.normal(size=(4, 2, 2))
    body["centre"], body["margin"] = rng.normal(0.0, 0.01, 2), margin
    angle = rng.uniform(0.0, 6.0)
    path["ahead"] = np.cos(angle), np.sin(angle)
    path["origin"] = rng.normal(0.0, 0.02, 2)
    for name, value in {
        "way": 0.08, "stroke": 0.1, "draw": 0.3, "airborne": 0.4, "shifted": 0.5,
        "heavy": 3.0, "lasting": 0.5, "aside": 0.3, "soon": 0.2,
    }.items():  # fmt: skip
        path[name] = value
    found = CrabBench(legs, body, path, ORDER.copy(), CrabRoom.zeros())
    sum_up(legs, body)
    return found


def seen(one, M):
    """Return the same bench in another view."""
    legs, body, path = one.legs.copy(), one.body.copy(), one.path.copy()
    for name in ("foot", "middle"):
        legs[name] = legs[name] @ M.T
    ends = np.sort([one.legs["low"] @ M.T, one.legs["high"] @ M.T], axis=0)
    legs["low"], legs["high"] = ends
    legs["share"] = M @ legs["share"] @ M.T
    body["centre"] = body["centre"] @ M.T
    for name in ("ahead", "origin"):
        path[name] = path[name] @ M.T
    sum_up(legs, body)
    return CrabBench(legs, body, path, one.order, CrabRoom.zeros())


def tried(one, leg, M=None, share=1.0, at=(0.01, -0.015)):
    """Return the stand that a leg's step leads to, and whether there is one."""
    turn = np.eye(2) if M is None else M
    out = CrabTry.zeros()
    out[0].feet[:], out[0].leg = one.legs["foot"], leg
    out[0].lands[:] = turn @ at
    can = lift_off(one, share, out) and set_down(one, 0.7, out)
    return out[0], can


@pytest.mark.parametrize("view", VIEWS)
def test_what_a_step_leads_to_does_not_depend_on_the_view(view):
    M, found = VIEWS[view], 0
    for seed in range(12):
        for leg in range(4):
            here, can = tried(bench(seed), leg)
            there, could = tried(seen(bench(seed), M), leg, M)
            assert can == could
            if can:
                found += 1
                for name in ("feet", "lifts", "lands"):
                    np.testing.assert_allclose(
                        there[name], here[name] @ M.T, atol=ENOUGH
                    )
    assert 20 < found < 48


@pytest.mark.parametrize("view", VIEWS)
def test_nor_does_what_a_stand_is_worth(view):
    M, centre = VIEWS[view], np.array([0.02, 0.01])
    for seed in range(8):
        one = bench(seed)
        other = seen(one, M)
        for leg in range(4):
            way = lasting_way(one, centre, leg)
            assert lasting_way(other, M @ centre, leg) == pytest.approx(way)
            worth = worth_of(one, leg, centre)
            assert worth_of(other, leg, M @ centre) == pytest.approx(worth)
        far = scattered(one, centre)
        assert scattered(other, M @ centre) == pytest.approx(far)


def test_on_open_ground_a_step_is_what_the_path_asks_for():
    """Ahead by the way, back to the path by a share, the foot before its middle."""
    for seed in range(6):
        for share in (1.0, 0.5):
            one = bench(seed, reach=3.0, margin=0.0, shares=0.0)
            path = one.path[0]
            e = np.array(path.ahead)
            aside = np.array([-e[1], e[0]])
            at = np.array([0.2, -0.1])  # well within the other three feet
            off = aside @ (at - path.origin)
            way, c = share * path.way, np.array(one.body[0].centre)
            end, can = tried(one, 2, share=share, at=at)
            assert can
            lifts = at + (1.0 - 0.4) * way * e - 0.3 * off * aside
            np.testing.assert_allclose(end.lifts, lifts, atol=ENOUGH)
            lands = lifts + 0.4 * way * e
            np.testing.assert_allclose(end.lands, lands, atol=ENOUGH)
            # without mass in the legs the trunk is the centre less its place
            middle = np.array(one.legs[2].middle)
            foot = lands - c + middle + 0.5 * 0.7 * path.stroke * e
            np.testing.assert_allclose(end.feet[2], foot, atol=ENOUGH)
            others = [0, 1, 3]
            np.testing.assert_array_equal(end.feet[others], one.legs["foot"][others])


def test_the_centre_of_mass_follows_trunk_and_feet():
    """c = (1 - Σ M) p + c₀ + Σ M (f - m), solved for p."""
    one = bench(3, shares=0.1)
    legs, body = one.legs, one.body[0]
    A = np.eye(2) - legs["share"].sum(axis=0)
    s = body.centre + np.einsum(
        "kij,kj->i", legs["share"], legs["foot"] - legs["middle"]
    )
    np.testing.assert_allclose(body.back, np.linalg.inv(A), rtol=1e-12)
    np.testing.assert_allclose(body.offset, s, atol=ENOUGH)
    feet = legs["foot"] + [[0.1, 0.0], [0.0, 0.2], [0.0, 0.0], [0.3, 0.1]]
    write_feet(one, feet)
    np.testing.assert_array_equal(one.legs["foot"], feet)
    moved = np.einsum("kij,kj->i", legs["share"], feet - legs["middle"])
    np.testing.assert_allclose(one.body[0].offset, one.body[0].centre + moved)


def test_looking_one_step_ahead_takes_the_stand_whose_best_step_is_worth_most():
    """A beam of all stands and steps, one by one."""
    one, count = bench(5), 3
    rng, now = np.random.default_rng(1), CrabTry.zeros(20)
    for k in range(count):
        now[k].feet[:] = one.legs["foot"] + rng.uniform(-0.03, 0.03, (4, 2))
        now[k].lands[:], now[k].leg = rng.normal(0.0, 0.02, 2), k
        now[k].first = 7 - k
    worth = []
    for k in range(count):
        write_feet(one, now[k].feet)
        worth.append(worth_of(one, k, np.array(now[k].lands)))
    room = CrabTry.zeros(20), CrabTry.zeros()
    best = best_first(one, 0, count, now.copy(), *room)
    assert best == 7 - int(np.argmax(worth))
    deeper = []
    for k in range(count):
        alone = now.copy()
        alone[0] = now[k]
        after = CrabTry.zeros(20)
        best_first(one, 1, 1, alone, after, CrabTry.zeros())
        deeper.append(after[0].worth)
    found = best_first(one, 1, count, now.copy(), CrabTry.zeros(20), CrabTry.zeros())
    assert found == 7 - int(np.argmax(deeper))
