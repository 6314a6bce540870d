"""Finding a work by its key, and what a missed claim does."""

import json

import pytest

from equipoise.cli.reproduce import reproduce_command
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise_lab.papers import pictures, reproduce, works
from equipoise_lab.papers.check import same
from equipoise_lab.papers.claim import compared, not_checkable, refuted
from equipoise_lab.papers.moll2006 import run
from equipoise_lab.papers.settings import setting
from equipoise_lab.papers.wendlandt1997 import run as wendlandt

MET = compared("II", "joints", 3, 3, "counted")
MISSED = compared("II", "joints", 3, 4, "counted")
REFUTED = refuted("III", "sum", "a", "b", same(1, 1), "proof", tolerance=0)
OPEN = not_checkable("V", "figure", None, "a picture")
SETTING = setting("V", "trees", 4, 20, "ours are random")


@pytest.fixture
def answer(monkeypatch):
    """Let the work answer with given claims, and keep what it was asked."""
    asked = {}

    def put(*claims):
        def answered(**given):
            asked.update(given)
            return list(claims)

        monkeypatch.setattr(run, "claims", answered)
        monkeypatch.setattr(run, "settings", lambda: [SETTING])
        return asked

    return put


def test_works_are_found_by_their_folder():
    assert works() == ("moll2006", "ridderstrom2003", "wendlandt1997")


def test_an_unknown_work_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'moll2006'"):
        reproduce("mol2006")


@pytest.mark.parametrize(("trees", "seed"), [(0, 0), (1001, 0), (1, -1)])
def test_numbers_out_of_range_are_refused(trees, seed):
    with pytest.raises(ConfigError, match=r"trees must be 1 to 1000|seed must be >= 0"):
        reproduce("moll2006", trees=trees, seed=seed)


def test_a_work_without_trees_refuses_them(monkeypatch):
    monkeypatch.setattr(wendlandt, "claims", lambda **given: [MET])
    with pytest.raises(ConfigError, match="nothing on random trees; leave trees out"):
        reproduce("wendlandt1997", trees=20)
    monkeypatch.setattr(wendlandt, "settings", lambda: [])
    found = reproduce("wendlandt1997")
    assert found == {"claims": [MET.as_row()], "settings": []}


def test_trees_are_twenty_unless_said(answer):
    asked = answer(MET)
    reproduce("moll2006")
    assert asked["trees"] == 20


def test_a_work_draws_what_it_has(monkeypatch, tmp_path):
    drawn = tmp_path / "throw.png"
    monkeypatch.setattr(wendlandt, "pictures", lambda out: [out / drawn.name])
    assert pictures("wendlandt1997", tmp_path) == [drawn]
    monkeypatch.delattr(wendlandt, "pictures")
    assert pictures("wendlandt1997", tmp_path) == []
    with pytest.raises(UnknownNameError, match="Did you mean 'wendlandt1997'"):
        pictures("wendland1997", tmp_path)


def test_what_is_written_is_listed(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(wendlandt, "claims", lambda **given: [MET, REFUTED])
    monkeypatch.setattr(wendlandt, "pictures", lambda out: [out / "throw.png"])
    assert reproduce_command("wendlandt1997", out=tmp_path) == 0
    printed = capsys.readouterr().out
    assert str(tmp_path / "throw.png") in printed
    kept = json.loads((tmp_path / "wendlandt1997.json").read_text())
    assert kept["claims"] == [MET.as_row(), REFUTED.as_row()]
    assert kept["settings"] == [row.as_row() for row in wendlandt.settings()]


def test_what_was_asked_reaches_the_work_and_claims_come_back_as_data(answer):
    asked = answer(MET, REFUTED)
    found = reproduce("moll2006", trees=7, seed=3, processes=1)
    assert asked == {"trees": 7, "seed": 3, "processes": 1, "progress": None}
    rows = [MET.as_row(), REFUTED.as_row()]
    assert found == {"claims": rows, "settings": [SETTING.as_row()]}


@pytest.mark.parametrize(
    ("claims", "code"), [((MET, REFUTED, OPEN), 0), ((MET, MISSED, REFUTED), 1)]
)
def test_only_a_missed_claim_makes_the_command_fail(answer, claims, code, capsys):
    answer(*claims)
    assert reproduce_command("moll2006", trees=1, json_output=True) == code
    printed = json.loads(capsys.readouterr().out)
    assert [c["status"] for c in printed["claims"]] == [c.status for c in claims]


def test_settings_and_tolerances_are_printed_apart_from_the_claims(answer, capsys):
    answer(MET, MISSED, OPEN)
    assert reproduce_command("moll2006", trees=1) == 1
    printed = capsys.readouterr().out
    head, rest = printed.split("\n\n", 1)
    assert head.splitlines() == [
        "Settings, which are no claims: what the work says, what we use.",
        "  V: trees: 4, ours 20 (ours are random)",
    ]
    assert "II: joints: paper 3, ours 3 (agrees: exactly)" in rest
    assert rest.count("counted") == 2  # a reason beside every claim, met or not
    assert "3 claims: 1 met, 1 missed, 1 not checkable." in rest
