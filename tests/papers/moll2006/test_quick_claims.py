"""The claims of moll2006 that need no simulation: each as it should come out."""

import json
from dataclasses import replace

import pytest

from equipoise.papers.moll2006 import circle_claims, module_claims, run
from equipoise.papers.moll2006.setting import PRINTED, tree_seeds

REFUTED = {
    "every module has the correct centre of mass, in passes of the loop",
    "messages from a cold start, 20 modules",
    "inertia of two sets together",
    "subtraction in float32, all that the paper's processors have",
    "messages after a roll by 180 degrees",
    "special cases with two solutions",
    "each pair has six degrees of freedom: position and orientation",
}
NOT_CHECKABLE = {
    "processors a module, one in each half",
    "the fourth degree equation has no stable analytical solution",
    "trees that were tested",
}


@pytest.fixture(scope="module")
def quick():
    return run.quick_claims(PRINTED, trees=2, seed=0)


def by_status(claims, status):
    return {claim.quantity for claim in claims if claim.status == status}


def test_each_claim_comes_out_as_it_should(quick):
    assert by_status(quick, "missed") == set()
    assert by_status(quick, "refuted") == REFUTED
    assert by_status(quick, "not checkable") == NOT_CHECKABLE
    assert len(quick) >= 45


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


WRONG = [
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
    ({"distance": (0.0, 0.2)}, "distance heuristic, c1"),
    ({"momentum": (0.1, 1.0)}, "momentum heuristic, c0"),
]


@pytest.mark.parametrize(("change", "quantity"), WRONG, ids=lambda x: str(x))
def test_a_wrong_number_in_the_paper_would_be_missed(change, quantity):
    printed = replace(PRINTED, **change)
    claims = module_claims.module_claims(printed)
    claims += module_claims.setting_claims(printed, tree_seeds(1, 0))
    missed = by_status(claims, "missed")
    assert any(name.startswith(quantity) for name in missed), missed


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
