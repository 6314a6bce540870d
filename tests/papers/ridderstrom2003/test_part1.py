"""The claims of chapter 2: that they hold, and what turns each of them over."""

import pytest

from equipoise_lab.papers.ridderstrom2003.part1 import gait_claims, run, stop_claims
from equipoise_lab.papers.ridderstrom2003.sections import section
from equipoise_lab.papers.seeds import claim_seeds
from oracles.claims import assert_each_can_fail, counts_of, every, failed, kept_counts


@pytest.mark.paper
def test_claims_hold():
    found = run.claims(seeds=claim_seeds(0, 3), processes=2, progress=None)
    assert failed(every(found)) == set()
    assert_each_can_fail(every(found), kept=False)
    assert (
        counts_of(found, section, run.settings())
        == kept_counts()["ridderstrom2003 part 1"]
    )


def test_duty_factors_are_those_of_figure_2_2():
    found = run.settings()
    assert [s.ours for s in found] == [0.5, 0.5, 5 / 16, 0.75]


def test_a_trot_is_three_times_as_fast_as_a_crawl():
    (claim,) = gait_claims.speed_claims()
    assert claim.status == "met"
    assert_each_can_fail([claim])


def test_three_legs_that_balanced_would_be_missed(monkeypatch):
    assert gait_claims.best_of_few(3, 0) < 0.0
    monkeypatch.setattr(gait_claims, "best_of_few", lambda count, seed: 0.01)
    monkeypatch.setattr(
        gait_claims,
        "best_gait",
        lambda *given, **more: type("Best", (), {"margin": 0.01}),
    )
    assert gait_claims.legs_claim(0).status == "missed"


def test_another_best_gait_or_duty_is_missed(monkeypatch):
    better = type("Best", (), {"margin": 1.0})
    monkeypatch.setattr(gait_claims, "best_gait", lambda *given, **more: better)
    assert gait_claims.optimal_claim().status == "missed"
    assert gait_claims.duty_claim().status == "missed"


def test_a_robot_that_never_falls_is_missed(monkeypatch):
    stands = type("Verdict", (), {"answer": "yes"})
    monkeypatch.setattr(stop_claims, "safe_walk", lambda *given, **more: stands)
    assert stop_claims.stop_claims()[0].status == "missed"


def test_the_gaits_are_drawn(tmp_path):
    (drawn,) = run.pictures(tmp_path)
    assert drawn.read_bytes().startswith(b"\x89PNG")
