"""Claims: what they refuse, and how a number becomes a status."""

import json
import math

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.papers.claim import Claim, compared, not_checkable, refuted, shown

GOOD = {
    "where": "II",
    "quantity": "joints",
    "published": 3,
    "ours": 3,
    "tolerance": 0,
    "status": "met",
    "why": "counted",
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
    ],
)
def test_a_claim_that_nobody_could_read_is_refused(change, sentence):
    Claim(**GOOD)
    with pytest.raises(ConfigError, match=sentence):
        Claim(**(GOOD | change))


def test_a_row_has_the_keys_of_the_contract_and_goes_into_json():
    row = Claim(**GOOD).as_row()
    assert row == GOOD
    assert json.loads(json.dumps(row, allow_nan=False)) == GOOD


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


def test_a_proof_that_fails_is_a_miss_and_says_so():
    words = ("III", "sum", "printed", "ours")
    proved = refuted(*words, True, "the proof", tolerance=0)
    failed = refuted(*words, False, "the proof", tolerance=0)
    assert (proved.status, proved.why) == ("refuted", "the proof")
    assert failed.status == "missed"
    assert failed.why == "The counter-example failed. It was: the proof"


def test_shown_and_not_checkable():
    assert shown("V", "x", "a", "b", True, "why", tolerance=0).status == "met"
    assert shown("V", "x", "a", "b", False, "why", tolerance=0).status == "missed"
    claim = not_checkable("V", "x", 4, "a picture")
    assert (claim.status, claim.ours, claim.tolerance) == ("not checkable", None, None)
