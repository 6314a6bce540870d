"""Finding a work by its key, and what a missed claim does."""

import json

import pytest

from equipoise.cli.reproduce import reproduce_command
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.papers import reproduce, works
from equipoise.papers.claim import compared, not_checkable, refuted
from equipoise.papers.moll2006 import run

MET = compared("II", "joints", 3, 3, "counted")
MISSED = compared("II", "joints", 3, 4, "counted")
REFUTED = refuted("III", "sum", "a", "b", True, "proof", tolerance=0)
OPEN = not_checkable("V", "figure", None, "a picture")


@pytest.fixture
def answer(monkeypatch):
    """Let the work answer with given claims, and keep what it was asked."""
    asked = {}

    def put(*claims):
        def answered(**given):
            asked.update(given)
            return list(claims)

        monkeypatch.setattr(run, "claims", answered)
        return asked

    return put


def test_works_are_found_by_their_folder():
    assert "moll2006" in works()


def test_an_unknown_work_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'moll2006'"):
        reproduce("mol2006")


@pytest.mark.parametrize(("trees", "seed"), [(0, 0), (1001, 0), (1, -1)])
def test_numbers_out_of_range_are_refused(trees, seed):
    with pytest.raises(ConfigError, match=r"trees must be 1 to 1000|seed must be >= 0"):
        reproduce("moll2006", trees=trees, seed=seed)


def test_what_was_asked_reaches_the_work_and_claims_come_back_as_data(answer):
    asked = answer(MET, REFUTED)
    found = reproduce("moll2006", trees=7, seed=3, processes=1)
    assert asked == {"trees": 7, "seed": 3, "processes": 1, "progress": None}
    assert found == {"claims": [MET.as_row(), REFUTED.as_row()]}


@pytest.mark.parametrize(
    ("claims", "code"), [((MET, REFUTED, OPEN), 0), ((MET, MISSED, REFUTED), 1)]
)
def test_only_a_missed_claim_makes_the_command_fail(answer, claims, code, capsys):
    answer(*claims)
    assert reproduce_command("moll2006", trees=1, json_output=True) == code
    printed = json.loads(capsys.readouterr().out)
    assert [c["status"] for c in printed["claims"]] == [c.status for c in claims]
