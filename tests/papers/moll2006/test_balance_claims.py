"""The measured claims: from rows to statuses, without simulating anything."""

import json

import pytest

from equipoise.control.com.law import RECOMMENDED
from equipoise.papers.moll2006 import run
from equipoise.papers.moll2006.balance_claims import (
    P2,
    balance_claims,
    most,
    planned_runs,
)
from equipoise.papers.moll2006.setting import BARE_PLANT
from equipoise.runs.compare import PAPER_SCHEMES

TREES = 20
ALWAYS = "the momentum heuristic always converges quickly"


def row(key, tree, number):
    """A run as it was measured, roughly; ``number`` counts within its group."""
    plant, law, on = key
    if plant == "bare":
        return filled(tree, distance=3.0, fell=True, outcome="NOT_FINITE", at=0.1)
    if law in ("default", RECOMMENDED, "module"):
        return filled(tree, distance=0.001, settled=0.3)
    if on:
        late = number % 4 == 0
        return filled(tree, 0.2 if late else 0.01, settled=None if late else 1.2)
    if plant == "b = 0.05" and law == "momentum":
        # nearer than all others, but for one tree
        far = number == 0
        return filled(tree, 0.3 if far else 1e-4, settled=None if far else 1.0)
    distance = 0.3 + 0.01 * (number % 2) * (1 if law == "distance" else 2)
    return filled(tree, distance, height=0.6, settled=None)


def filled(
    tree, distance, height=1.0, settled=0.3, fell=False, outcome="FINISHED", at=5.0
):
    return {
        "tree": tree,
        "distance_final_w": distance,
        "distance_tail_w": distance,
        "height_ratio": height,
        "settling_time_s": settled,
        "saturation": 0.01,
        "realtime_factor": 9.0,
        "fell": fell,
        "outcome": outcome,
        "simulated_s": at,
        "error": None,
    }


@pytest.fixture
def results():
    found = {}
    for key, run_ in planned_runs(TREES, 0):
        group = found.setdefault(key, [])
        group.append(row(key, run_.seed, len(group)))
    return found


def statuses(results):
    return {claim.quantity: claim.status for claim in balance_claims(results)}


def test_rows_as_measured_miss_nothing(results):
    found = statuses(results)
    assert "missed" not in found.values()
    refuted = {name for name, status in found.items() if status == "refuted"}
    assert refuted == {
        ALWAYS,
        "the printed gains on joints with nothing but what is printed",
    }
    rows = [claim.as_row() for claim in balance_claims(results)]
    json.dumps(rows, allow_nan=False)


def test_always_is_not_refuted_where_one_plant_never_fails(results):
    for r in results["b = 0.05", "momentum", False]:
        r["distance_final_w"] = 0.0
    assert statuses(results)[ALWAYS] == "missed"


def test_a_scheme_that_wins_everywhere_is_a_miss(results):
    for (_, law, _), rows in results.items():
        for r in rows:
            r["distance_final_w"] = 0.0 if law == "default" else 0.2
    name = "no control method consistently outperforms the others"
    assert statuses(results)[name] == "missed"


def test_bare_joints_that_hold_would_end_the_refutation(results):
    for scheme in PAPER_SCHEMES:
        for on in (False, True):
            for r in results["bare", scheme, on]:
                r["outcome"] = "FINISHED"
    name = "the printed gains on joints with nothing but what is printed"
    assert statuses(results)[name] == "missed"


def test_ours_must_not_be_worse_than_the_best_of_theirs(results):
    name = "trees that end below 0.1 w and keep 0.8 of their height"
    assert statuses(results)[name] == "met"
    results[P2, RECOMMENDED, True][3]["height_ratio"] = 0.5
    found = {claim.quantity: claim for claim in balance_claims(results)}
    assert found[name].status == "missed"
    assert "misses: [7003]" in found[name].why


def test_a_run_without_a_result_is_a_failure_not_a_gap(results):
    rows = results[P2, "momentum", False]
    lost = dict.fromkeys(rows[0]) | {"tree": 7000, "error": "it died"}
    results[P2, "momentum", False] = [lost] * len(rows)
    found = statuses(results)
    assert (
        found["all methods exhibit the desired behavior most of the time"] == "missed"
    )
    assert found[ALWAYS] == "refuted"


@pytest.mark.parametrize(
    ("shares", "status"),
    [
        ([(11, 20), (20, 20)], "met"),
        ([(10, 20)], "not checkable"),  # half is not most, and 20 trees do not tell
        ([(1, 3)], "not checkable"),
        ([(4, 20), (20, 20)], "missed"),
    ],
)
def test_most_by_hand(shares, status):
    assert most(shares) == status


def test_the_plan_covers_schemes_plants_and_ours_on_the_same_trees():
    plan = planned_runs(3, 0)
    groups = {}
    for key, run_ in plan:
        groups.setdefault(key, []).append(run_)
    assert {(P2, s, on) for s in PAPER_SCHEMES for on in (False, True)} <= set(groups)
    assert (P2, RECOMMENDED, True) in groups
    for (plant, law, on), runs in groups.items():
        assert [r.seed for r in runs] == [7000 + k for k in range(len(runs))]
        assert all(r.steer.controller == law for r in runs)
        assert all(r.steer.gravity_compensation == on for r in runs)
        if plant == "bare":
            assert runs[0].module == BARE_PLANT
    assert BARE_PLANT.damping == BARE_PLANT.armature == 0.0


def test_claims_come_by_section_and_progress_ends_at_one(monkeypatch):
    monkeypatch.setattr(run, "quick_claims", lambda *given: [])

    def without_running(runs, *, processes, progress):
        progress(1.0)
        keys = [key for key, _ in planned_runs(2, 0)]
        return [row(k, r.seed, r.seed % 10) for k, r in zip(keys, runs, strict=True)]

    monkeypatch.setattr(run, "run_trees", without_running)
    shares = []
    found = run.claims(trees=2, seed=0, processes=1, progress=shares.append)
    order = [run.section(claim) for claim in found]
    assert order == sorted(order)
    assert found[-1].where == "beyond the paper"
    assert shares == [1.0]


@pytest.mark.paper
def test_every_claim_on_twenty_trees():
    found = run.claims(trees=20, seed=0, processes=2, progress=None)
    assert [c.quantity for c in found if c.status == "missed"] == []
    assert sum(c.status == "refuted" for c in found) == 9
