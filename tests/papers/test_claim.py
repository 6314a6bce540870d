"""Claims: what they refuse, and how a number becomes a status."""

import json
import math

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise_lab.papers.check import (
    Check,
    above,
    at_least,
    at_most,
    below,
    between,
    near,
    same,
)
from equipoise_lab.papers.claim import (
    Claim,
    beyond,
    compared,
    not_checkable,
    refuted,
    shown,
)
from equipoise_lab.papers.settings import Setting, setting
from oracles.claims import assert_each_can_fail

HOLDS, FAILS = below(1.0, 2.0), below(3.0, 2.0)
GOOD = {
    "where": "II",
    "quantity": "joints",
    "published": 3,
    "ours": 3,
    "tolerance": 0,
    "status": "met",
    "why": "counted",
    "checks": (same(3, 3),),
}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"status": "ok"}, "status must be one of met, missed, refuted"),
        ({"why": " "}, "why must say something"),
        ({"ours": math.nan}, "ours must be finite, text or None, got nan"),
        ({"published": math.inf}, "published must be finite"),
        (
            {"ours": np.float64(1.0)},
            "ours must be finite, text or None, got np.float64",
        ),
        ({"tolerance": [1]}, "tolerance must be finite"),
        ({"checks": ()}, "status 'met' needs at least one check"),
        ({"checks": (HOLDS, FAILS)}, "status 'met' although not 3 < 2"),
        ({"status": "refuted", "checks": (FAILS,)}, "status 'refuted' although not"),
        ({"status": "not checkable"}, "nothing can be checked, yet there are checks"),
        ({"published": None}, "published must say what the work says; else it is bey"),
        ({"published": None, "status": "missed"}, "published must say what the work"),
        ({"published": None, "status": "refuted"}, "published must say what the work"),
        ({"status": "holds"}, "what we add is not published, got 3"),
        ({"status": "fails"}, "what we add is not published, got 3"),
        (
            {"status": "holds", "published": None, "checks": (FAILS,)},
            "status 'holds' although not 3 < 2",
        ),
    ],
)
def test_a_claim_that_nobody_could_read_or_judge_is_refused(change, sentence):
    Claim(**GOOD)
    with pytest.raises(ConfigError, match=sentence):
        Claim(**(GOOD | change))


def test_a_row_has_the_keys_of_the_contract_and_goes_into_json():
    row = Claim(**GOOD).as_row()
    assert row == GOOD | {"checks": ["3 is 3"]}
    assert json.loads(json.dumps(row, allow_nan=False)) == row


@pytest.mark.parametrize(
    ("ours", "tolerance", "status"),
    [
        (3, 0.0, "met"),
        (4, 0.0, "missed"),
        (3.5, 0.5, "met"),  # the edge counts
        (3.5000001, 0.5, "missed"),
        (2.4, 0.5, "missed"),
        (math.nan, 10.0, "missed"),
        (math.inf, 10.0, "missed"),
    ],
)
def test_compared_by_hand(ours, tolerance, status):
    claim = compared("II", "joints", 3, ours, "counted", tolerance=tolerance)
    assert claim.status == status
    assert claim.ours == (ours if math.isfinite(ours) else None)


CHECKS = [
    (below(1.0, 2.0), below(2.0, 2.0)),
    (at_most(2.0, 2.0), at_most(2.1, 2.0)),
    (above(1e-9, 0.0), above(0.0, 0.0)),
    (at_least(-1, -1), at_least(-2, -1)),
    (near(np.float64(5.0), 4.5, 0.5), near(5.1, 4.5, 0.5)),
    (between(0.0, 0.0, 1.0), between(1.01, 0.0, 1.0)),
    (same([1, 2], [1, 2]), same([1, 2], [2, 1])),
    (same("u", "u"), same("u", "v")),
    (same(np.bool_(True), True), same(False, True)),
    (same(0.0, 0.0), same(1e-300, 0.0)),
    (above(math.inf, 0.1), above(math.nan, 0.1)),
    (below(-math.inf, 0.1), below(math.nan, 0.1)),
]


@pytest.mark.parametrize(("good", "bad"), CHECKS, ids=lambda check: str(check))
def test_checks_by_hand(good, bad):
    assert good.holds and not bad.holds
    assert not good.changed().holds
    assert isinstance(good.value, float | int | bool | str)


def test_a_value_is_moved_by_ten_tolerances():
    assert near(3.2, 3.0, 0.5).changed() == Check(8.2, "within", 3, 0.5)
    assert near(2.9, 3.0, 0.5).changed().value == pytest.approx(-2.1)
    assert below(1.0, 2.0).changed() == Check(22.0, "<", 2.0)
    assert above(3.0, 2.0).changed() == Check(-18.0, ">", 2.0)
    assert same(4, 4).changed().value == 5


def test_a_proof_that_fails_is_a_miss_and_says_so():
    words = ("III", "sum", "printed", "ours")
    proved = refuted(*words, HOLDS, "the proof", tolerance=0)
    failed = refuted(*words, [HOLDS, FAILS], "the proof", tolerance=0)
    assert (proved.status, proved.why) == ("refuted", "the proof")
    assert failed.status == "missed"
    assert failed.why == "The counter-example failed. It was: the proof"


def test_shown_and_not_checkable():
    assert shown("V", "x", "a", "b", HOLDS, "why", tolerance=0).status == "met"
    missed = shown("V", "x", "a", "b", [HOLDS, FAILS], "why", tolerance=0)
    assert missed.status == "missed"
    claim = not_checkable("V", "x", 4, "a picture")
    assert (claim.status, claim.ours, claim.tolerance) == ("not checkable", None, None)


def test_a_claim_turns_over_with_any_of_its_checks():
    claim = shown("V", "x", "a", "b", [HOLDS, same(1, 1)], "why", tolerance=0)
    assert [claim.changed(k).status for k in range(2)] == ["missed", "missed"]
    assert_each_can_fail(
        [claim, not_checkable("V", "y", None, "a picture")], kept=False
    )


def test_what_we_add_holds_or_fails_and_is_not_published():
    words = ("V", "x", "b")
    holds = beyond(*words, HOLDS, "why", tolerance=0)
    fails = beyond(*words, [HOLDS, FAILS], "why", tolerance=0)
    assert (holds.status, fails.status) == ("holds", "fails")
    assert holds.is_beyond and fails.is_beyond and not Claim(**GOOD).is_beyond
    assert set(holds.as_row()) == set(GOOD) - {"published"}
    assert holds.changed(0).status == "fails"
    assert_each_can_fail([holds], kept=False)


def test_a_number_that_was_not_judged_is_noticed():
    claim = shown("V", "x", "much", 7.0, HOLDS, "why", tolerance=0)
    with pytest.raises(AssertionError, match=r"7\.0 is not what was judged"):
        assert_each_can_fail([claim], kept=False)


# --- settings -------------------------------------------------------------------------


def test_a_setting_that_differs_has_to_say_why():
    assert setting("V", "gain", 10.0, np.float64(10.0) * (1 + 1e-15)).ours == 10.0
    assert setting("V", "gain", 10.0, 11.0, "a lighter robot").ours == 11.0
    with pytest.raises(ConfigError, match=r"11\.0 is not the printed 10\.0; say why"):
        setting("V", "gain", 10.0, 11.0)
    with pytest.raises(ConfigError, match="ours must be finite, text or None"):
        setting("V", "gain", 10.0, math.nan, "nothing")


def test_a_settings_row_goes_into_json():
    row = setting("V", "trees", 4, 20, "random ones").as_row()
    assert row == {
        "where": "V",
        "quantity": "trees",
        "published": 4,
        "ours": 20,
        "note": "random ones",
    }
    assert Setting(**json.loads(json.dumps(row))).as_row() == row
