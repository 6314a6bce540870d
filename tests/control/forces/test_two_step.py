"""The two-step distribution against least squares, certificates and hand examples."""

import numpy as np
import pytest

from equipoise.control.forces import FootForce, ForceMiss, TrunkWrench, distribute
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled

WEIGHT = 2700.0 * GRAVITY
EPS = np.finfo(float).eps


@compiled
def distribute_all(wanted, feet, miss):
    """Distribute many wrenches."""
    for k in range(wanted.shape[0]):
        distribute(wanted[k], feet[k], miss[k])


def stances(rng, count, legs=6):
    """Return feet as a walking machine has them: three to six stand, uneven ground."""
    feet = FootForce.zeros(count * legs).reshape(count, legs)
    rows = np.repeat(np.linspace(1.6, -1.6, legs // 2), 2)
    feet["arm"][..., 0] = rows + rng.uniform(-1.0, 1.0, (count, legs))
    sides = np.tile([0.85, -0.85], legs // 2)
    feet["arm"][..., 1] = sides + rng.uniform(-0.4, 0.4, (count, legs))
    feet["arm"][..., 2] = rng.uniform(-2.0, -1.2, (count, legs))
    stands = rng.random((count, legs)) < 0.7
    stands[:, [0, 3, 4]] = True
    feet["most"] = np.where(stands, 25_000.0, 0.0)
    feet["grip"] = 0.6
    return feet


def wrenches(rng, count, size):
    """Return force and moment about those of standing still."""
    wanted = TrunkWrench.zeros(count)
    wanted["force"] = WEIGHT * size * rng.normal(0.0, 0.2, (count, 3))
    wanted["force"][:, 2] += WEIGHT
    wanted["moment"] = WEIGHT * size * rng.normal(0.0, 0.3, (count, 3))
    return wanted


def given(feet):
    """Return the wrench of the feet's forces, (count, 6)."""
    force = feet["level"].copy()
    force[..., 2] = feet["load"]
    moment = np.cross(feet["arm"], force)
    return np.concatenate([force.sum(axis=1), moment.sum(axis=1)], axis=-1)


def asked(wanted):
    """Return the wanted wrench, (count, 6)."""
    return np.concatenate([wanted["force"], wanted["moment"]], axis=-1)


@pytest.fixture(scope="module")
def cases():
    """10,000 cases: feet, wrenches from easy to impossible, what was missed."""
    rng = np.random.default_rng(17)
    count = 10_000
    feet = stances(rng, count)
    wanted = wrenches(rng, count, rng.choice([0.1, 0.4, 1.0, 3.0], (count, 1)))
    miss = ForceMiss.zeros(count)
    distribute_all(wanted, feet, miss)
    return feet, wanted, miss


def is_unbound(feet, miss):
    """Say which cases touch no limit."""
    stands = feet["most"] > 0.0
    inside = (feet["load"] > 0.0) & (feet["load"] < feet["most"])
    return (inside | ~stands).all(axis=1) & (miss["cut"] == 0.0)


def test_gives_the_wrench_exactly_where_nothing_limits(cases):
    feet, wanted, miss = cases
    free = is_unbound(feet, miss)
    assert 2000 < free.sum() < 9000
    off = np.abs(given(feet) - asked(wanted))[free]
    assert off.max() / WEIGHT < 1e-9  # rounding: 100 EPS of a few weights is less
    told = np.concatenate([miss["force"], miss["moment"]], axis=-1)
    assert np.allclose(told, asked(wanted) - given(feet), atol=1e-9 * WEIGHT)


def test_loads_are_the_least_squares_solution_where_nothing_limits(cases):
    feet, wanted, miss = cases
    rows = np.flatnonzero(is_unbound(feet, miss))[:300]
    for k in rows:
        own = feet[k][feet["most"][k] > 0.0]
        x, y, z = own["arm"].T
        A = np.stack([np.ones(len(own)), y, -x])
        level = own["level"]
        b = np.array(
            [
                wanted["force"][k, 2],
                wanted["moment"][k, 0] + z @ level[:, 1],
                wanted["moment"][k, 1] - z @ level[:, 0],
            ]
        )
        least = np.linalg.lstsq(A, b, rcond=None)[0]
        assert np.allclose(own["load"], least, atol=1e-8 * WEIGHT)


def test_nothing_pulls_or_slips_or_is_overloaded(cases):
    feet, _, _ = cases
    assert (feet["load"] >= 0.0).all()
    assert (feet["load"] <= feet["most"]).all()
    level = np.hypot(feet["level"][..., 0], feet["level"][..., 1])
    assert (level <= feet["grip"] * feet["load"] * (1.0 + 4.0 * EPS)).all()
    assert (feet["load"] == 0.0)[feet["most"] > 0.0].sum() > 1000  # some would pull
    assert (feet["load"] == feet["most"])[feet["most"] > 0.0].sum() > 300


def test_limited_loads_meet_the_conditions_of_an_optimum(cases):
    """KKT of least |W (A f - b)|² in bounds, where no loads give the wrench."""
    feet, wanted, miss = cases
    checked = 0
    for k in np.flatnonzero(~is_unbound(feet, miss))[:2000]:
        own = feet[k][feet["most"][k] > 0.0]
        x, y, z = own["arm"].T
        arm = np.sqrt((x * x + y * y).mean())
        A = np.stack([np.full(len(own), 3.0), y / arm, -x / arm])
        b = np.array(
            [
                3.0 * wanted["force"][k, 2],
                (wanted["moment"][k, 0] + z @ own["level"][:, 1]) / arm,
                (wanted["moment"][k, 1] - z @ own["level"][:, 0]) / arm,
            ]
        )
        if miss["cut"][k] > 0.0:
            continue  # level forces were cut after the loads were found
        missing = b - A @ own["load"]
        if np.abs(missing).max() < 1e-6 * WEIGHT:
            continue  # they do
        gain = A.T @ missing
        slack = 1e-5 * WEIGHT  # solver: its ε of 1e-7 x the size of A Aᵀ, 60
        inside = (own["load"] > 0.0) & (own["load"] < own["most"])
        assert (np.abs(gain[inside]) < slack).all()
        assert (gain[own["load"] == 0.0] < slack).all()
        assert (gain[own["load"] == own["most"]] > -slack).all()
        checked += 1
    assert checked > 100


def test_no_two_feet_pull_against_each_other(cases):
    """Level forces over their weights move as a rigid plane: nothing is internal."""
    feet, _, miss = cases
    checked = 0
    for k in np.flatnonzero(miss["cut"] == 0.0)[:1000]:
        own = feet[k][feet["weight"][k] > 1.0]
        if len(own) < 3:
            continue
        pace = own["level"][:, :2] / own["weight"][:, None]
        x, y = own["arm"][:, 0], own["arm"][:, 1]
        one, none = np.ones_like(x), np.zeros_like(x)
        A = np.concatenate([np.stack([one, none, -y], 1), np.stack([none, one, x], 1)])
        flat = np.concatenate([pace[:, 0], pace[:, 1]])
        rigid = A @ np.linalg.lstsq(A, flat, rcond=None)[0]
        assert np.abs(flat - rigid).max() < 1e-9
        checked += 1
    assert checked > 500


def test_level_forces_share_one_direction_where_nothing_turns():
    rng = np.random.default_rng(3)
    feet, wanted = stances(rng, 200), TrunkWrench.zeros(200)
    wanted["force"] = [3000.0, 1000.0, WEIGHT]
    miss = ForceMiss.zeros(200)
    distribute_all(wanted, feet, miss)
    middle = np.einsum("kl,kli->ki", feet["weight"], feet["arm"])
    middle /= feet["weight"].sum(axis=1)[:, None]
    wanted["moment"][:, 2] = middle[:, 0] * 1000.0 - middle[:, 1] * 3000.0
    distribute_all(wanted, feet, miss)
    along = feet["level"][..., 0] * 3000.0 + feet["level"][..., 1] * 1000.0
    assert (along[feet["load"] > 0.0] > 0.0).all()


def test_three_feet_carry_as_a_table_does():
    feet, wanted, miss = FootForce.zeros(3), TrunkWrench.zeros(), ForceMiss.zeros()
    feet["arm"] = [[1.0, 1.0, -1.5], [1.0, -1.0, -1.5], [-2.0, 0.0, -1.5]]
    feet["most"], feet["grip"] = 1e6, 0.5
    wanted["force"] = [0.0, 0.0, 900.0]
    distribute_all(wanted, feet.reshape(1, 3), miss)
    assert np.allclose(feet["load"], 300.0)
    wanted["force"] = [90.0, 0.0, 900.0]  # pushes the machine on: rear feet carry more
    distribute_all(wanted, feet.reshape(1, 3), miss)
    assert np.allclose(feet["load"], [277.5, 277.5, 345.0])
    assert np.allclose(feet["level"][:, 0], 0.1 * feet["load"])


def test_a_wrench_beyond_friction_is_cut_and_told():
    feet, wanted, miss = FootForce.zeros(3), TrunkWrench.zeros(), ForceMiss.zeros()
    feet["arm"] = [[1.0, 1.0, -1.5], [1.0, -1.0, -1.5], [-2.0, 0.0, -1.5]]
    feet["most"], feet["grip"] = 1e6, 0.5
    wanted["force"] = [600.0, 0.0, 900.0]
    distribute_all(wanted, feet.reshape(1, 3), miss)
    assert miss["cut"][0] > 0.0
    assert np.isclose(miss["force"][0, 0], 150.0)
    assert np.allclose(miss["force"][0, 1:], 0.0, atol=1e-9)


def test_no_foot_no_force():
    feet, wanted, miss = FootForce.zeros(4), TrunkWrench.zeros(), ForceMiss.zeros()
    wanted["force"] = [1.0, 2.0, 3.0]
    distribute_all(wanted, feet.reshape(1, 4), miss)
    assert not feet["load"].any()
    assert not feet["level"].any()
    assert np.array_equal(miss["force"][0], [1.0, 2.0, 3.0])
