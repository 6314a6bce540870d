"""The claims of moll2006 that need no simulation: each as it should come out."""

import json
from dataclasses import replace

import numpy as np
import pytest

from equipoise.control.com.controller import ComController
from equipoise.control.com.law import find_law
from equipoise.core.errors import ConfigError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.balance.staged import expect_modules
from equipoise.sim.bridge import sense, sensed_buffer
from equipoise.sim.world import build_world
from equipoise_lab.papers.moll2006 import (
    circle_claims,
    estimate_claims,
    module_claims,
    run,
)
from equipoise_lab.papers.moll2006.medians import median_interval
from equipoise_lab.papers.moll2006.setting import PRINTED, tree_seeds
from equipoise_lab.papers.moll2006.shared_settings import shared_settings
from oracles.claims import assert_each_can_fail, by_status, failed

REFUTED = {
    "every module has the correct centre of mass, in passes of the loop",
    "messages from a cold start, 20 modules",
    "inertia of two sets together",
    "messages after a roll by 180 degrees",
    "special cases with two solutions",
    "each pair has six degrees of freedom: position and orientation",
}
NOT_CHECKABLE = {
    "processors a module, one in each half",
    "the fourth degree equation has no stable analytical solution",
}
BEYOND = {
    "every module has the correct centre of mass, in deliveries",
    "subtraction in float32, what a long chain's last module says of itself",
}


@pytest.fixture(scope="module")
def quick():
    return [*run.fixed_claims(PRINTED), *run.drawn_claims(PRINTED, 2, 0)]


def test_each_claim_comes_out_as_it_should(quick):
    assert failed(quick) == set()
    assert by_status(quick, "refuted") == REFUTED
    assert by_status(quick, "not checkable") == NOT_CHECKABLE
    assert by_status(quick, "holds") == BEYOND
    assert len(quick) == 33
    assert_each_can_fail(quick)


def test_claims_are_told_apart_and_go_into_json(quick):
    names = [(claim.where, claim.quantity) for claim in quick]
    assert len(set(names)) == len(names)
    text = json.dumps([claim.as_row() for claim in quick], allow_nan=False)
    assert len(json.loads(text)) == len(quick)


def test_a_refutation_shows_its_numbers(quick):
    for claim in quick:
        if claim.status == "refuted":
            assert any(c.isdigit() for c in f"{claim.ours} {claim.why}"), claim.quantity
            assert claim.tolerance is not None, claim.quantity


OTHER = [
    ({"joints": 4}, "revolute joints a module"),
    ({"connectors": 5}, "connectors a module"),
    ({"rotation_deg": (0, 90, 180, 271)}, "rotations of a connector on another"),
    ({"modules": 21}, "modules a tree"),
    ({"branches": 5}, "branches of 5 modules"),
    ({"branch_length": 10}, "branches of 10 modules"),
    ({"freedoms": 61}, "degrees of freedom"),
    ({"mass_scale": 0.2}, "share of the real mass"),
    ({"rate_hz": 999}, "desired torques a second"),
    ({"gains": (9.0, 0.1, 1e-4)}, "nominal proportional gain"),
    ({"gains": (10.0, 0.2, 1e-4)}, "nominal integral gain"),
    ({"gains": (10.0, 0.1, 1e-3)}, "nominal derivative gain"),
    ({"momentum": (0.1, 1.0)}, "momentum heuristic, c0"),
]


@pytest.mark.parametrize(("change", "quantity"), OTHER, ids=lambda x: str(x))
def test_a_setting_that_we_do_not_share_is_refused_without_a_word(change, quantity):
    printed = replace(PRINTED, **change)
    with pytest.raises(ConfigError, match=f"setting '{quantity}.*say why"):
        shared_settings(printed, tree_seeds(1, 0))


def test_settings_are_those_of_the_paper():
    found = {s.quantity: s for s in run.settings()}
    differ = {name for name, s in found.items() if s.published != s.ours}
    assert differ == {"trees that are tested"}
    assert len(found) == 17
    assert not set(found) & {c.quantity for c in module_claims.module_claims(PRINTED)}


def test_another_number_of_connectors_or_a_weaker_branch_is_missed():
    fewer = replace(PRINTED, connectors=5)
    assert (
        module_claims.any_to_any_claim(replace(fewer, rotations=5)).status == "missed"
    )
    short = replace(PRINTED, branch_length=3)
    assert module_claims.strength_claim(short).status == "missed"


def test_hinges_that_cannot_be_turned_are_no_other_robots(monkeypatch):
    angles = np.linspace(10.0, 80.0, 5)
    monkeypatch.setattr(module_claims, "hinge_angles", lambda: angles)
    assert len(by_status(module_claims.emulation_claims(), "missed")) == 2


def test_modules_that_disagree_about_the_distance_are_missed(monkeypatch):
    monkeypatch.setattr(estimate_claims, "spread_of", lambda seed: (0.2, 0.1))
    assert estimate_claims.estimate_claim((7000,)).status == "missed"


def test_modules_know_the_distance_that_the_world_has(monkeypatch):
    """At rest and after all has been said: every module's estimate is the engine's."""
    robot = random_tree(seed=7000)
    world = build_world(robot)
    data, sensed = world.start(), sensed_buffer(world)
    sense(world, data, sensed)
    controller = ComController(expect_modules(robot), find_law("default")())
    state = controller.init()
    for _ in range(40):
        _, state = controller.step(sensed, state)
    true = np.hypot(*data.subtree_com[world.root][:2])
    # rounding: some twenty frames of unit size
    np.testing.assert_allclose(estimate_claims.distances(state), true, atol=1e-13)


def test_a_wrong_degree_or_number_of_solutions_would_be_missed(rng):
    printed = replace(PRINTED, degree=3, solutions=3)
    assert circle_claims.degree_claim(printed, rng).status == "missed"
    claims = circle_claims.special_claims(printed, rng)
    assert by_status(claims, "missed") == {
        "solutions where the centre of rotation is on the support line"
    }
    assert circle_claims.incomplete_claim(printed, rng, 7000).status == "missed"


def test_reported_trees_were_never_tuned_on():
    tuned = {*range(0, 21), *range(100, 120), *range(1000, 1400)}
    for seed in (0, 1, 50):
        seeds = tree_seeds(1000, seed)
        assert len(seeds) == 1000
        assert not tuned & set(seeds)
    assert not set(tree_seeds(1000, 0)) & set(tree_seeds(1000, 1))


def test_the_median_of_twenty_is_known_up_to_the_fifteenth():
    """Ranks 6 to 15 of 20 hold the median in 95.9 % of all samples."""
    assert median_interval(range(1, 21)) == (6.0, 10.5, 15.0)
    assert median_interval([3.0, 1.0, 2.0]) == (1.0, 2.0, 3.0)
    assert median_interval([4.0]) == (4.0, 4.0, 4.0)
