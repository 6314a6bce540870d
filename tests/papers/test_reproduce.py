"""Finding a work by its key, and what a missed claim does."""

import json

import pytest

from equipoise.cli.reproduce import reproduce_command
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise_lab.papers import pictures, reproduce, works
from equipoise_lab.papers.check import same
from equipoise_lab.papers.claim import beyond, compared, not_checkable, refuted
from equipoise_lab.papers.moll2006 import run
from equipoise_lab.papers.settings import setting
from equipoise_lab.papers.wendlandt1997 import run as wendlandt

MET = compared("II", "joints", 3, 3, "counted")
MISSED = compared("II", "legs", 3, 4, "counted")
REFUTED = refuted("III", "sum", "a", "b", same(1, 1), "proof", tolerance=0)
OPEN = not_checkable("V", "figure", None, "a picture")
ADDED = beyond("VI", "blocks [kg]", 4.7, same(1, 1), "tried", tolerance=0)
FALLEN = beyond("VI", "blocks [kg]", 4.7, same(1, 2), "tried", tolerance=0)
SETTING = setting("V", "trees", 4, 20, "ours are random")


@pytest.fixture
def answer(monkeypatch):
    """Let the work answer with given claims, and keep what it was asked."""
    asked = {}

    def put(*claims):
        def answered(**given):
            asked.update(given)
            return {None: list(claims)}

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


def row(claim):
    """Return a claim that no seed touches as it comes back."""
    return claim.as_row() | {"seeds": []}


@pytest.mark.parametrize("seeds", [0, 101])
def test_seeds_out_of_range_are_refused(seeds, monkeypatch):
    monkeypatch.setattr(run, "claims", lambda **given: {})
    with pytest.raises(ConfigError, match="seeds must be 1 to 100, got"):
        reproduce("moll2006", seeds=seeds)
    with pytest.raises(ConfigError, match="seeds must be 1 to 100, got"):
        reproduce_command("moll2006", seeds=seeds)


@pytest.mark.parametrize(("trees", "seeds"), [(1, 1), (1000, 100)])
def test_the_least_and_the_most_that_may_be_asked_for_are_tried(answer, trees, seeds):
    asked = answer(MET)
    reproduce("moll2006", trees=trees, seeds=seeds)
    assert (asked["trees"], len(asked["seeds"])) == (trees, seeds)


def test_a_work_without_trees_refuses_them(monkeypatch):
    monkeypatch.setattr(wendlandt, "claims", lambda **given: {None: [MET]})
    monkeypatch.setattr(wendlandt, "section", lambda claim: (0,))
    with pytest.raises(ConfigError, match="nothing on random trees; leave trees out"):
        reproduce("wendlandt1997", trees=20)
    monkeypatch.setattr(wendlandt, "settings", lambda: [])
    found = reproduce("wendlandt1997")
    assert found == {"claims": [row(MET)], "beyond": [], "settings": []}


def test_trees_are_twenty_and_seeds_three_unless_said(answer):
    asked = answer(MET)
    reproduce("moll2006")
    assert asked["trees"] == 20
    assert asked["seeds"] == (200, 300, 400)


def test_a_work_draws_what_it_has(monkeypatch, tmp_path):
    drawn = tmp_path / "throw.png"
    monkeypatch.setattr(wendlandt, "pictures", lambda out: [out / drawn.name])
    assert pictures("wendlandt1997", tmp_path) == [drawn]
    monkeypatch.delattr(wendlandt, "pictures")
    assert pictures("wendlandt1997", tmp_path) == []
    with pytest.raises(UnknownNameError, match="Did you mean 'wendlandt1997'"):
        pictures("wendland1997", tmp_path)


def test_what_is_written_is_listed(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(wendlandt, "claims", lambda **given: {None: [MET, REFUTED]})
    monkeypatch.setattr(wendlandt, "section", lambda claim: (0,))
    monkeypatch.setattr(wendlandt, "pictures", lambda out: [out / "throw.png"])
    assert reproduce_command("wendlandt1997", out=tmp_path) == 0
    printed = capsys.readouterr().out
    assert str(tmp_path / "throw.png") in printed
    kept = json.loads((tmp_path / "wendlandt1997.json").read_text())
    assert kept["claims"] == [row(MET), row(REFUTED)]
    assert kept["settings"] == [row.as_row() for row in wendlandt.settings()]


def test_what_was_asked_reaches_the_work_and_claims_come_back_as_data(answer):
    asked = answer(MET, REFUTED)
    found = reproduce("moll2006", trees=7, seed=3, seeds=2, processes=1)
    seeds = (800, 900)  # the fourth set of two from 200 on
    assert asked == {"trees": 7, "seeds": seeds, "processes": 1, "progress": None}
    rows, told = [row(MET), row(REFUTED)], [SETTING.as_row()]
    assert found == {"claims": rows, "beyond": [], "settings": told}


@pytest.mark.parametrize(
    ("claims", "code"),
    [((MET, REFUTED, OPEN, ADDED), 0), ((MISSED, REFUTED), 1), ((MET, FALLEN), 1)],
)
def test_only_what_is_missed_or_fails_makes_the_command_fail(
    answer, claims, code, capsys
):
    answer(*claims)
    assert reproduce_command("moll2006", trees=1, json_output=True) == code
    printed = json.loads(capsys.readouterr().out)
    told = [c.status for c in claims]
    rows = printed["claims"] + printed["beyond"]
    assert sorted(c["status"] for c in rows) == sorted(told)


def test_what_we_add_is_shown_apart_and_never_counted(answer, capsys):
    answer(MET, ADDED, OPEN)
    assert reproduce_command("moll2006", trees=1) == 0
    claims, added = capsys.readouterr().out.split("Results beyond the work")
    assert "blocks" not in claims and "joints" not in added
    assert "VI: blocks [kg]: 4.7 (agrees: exactly)" in added
    assert "2 claims: 1 met, 1 not checkable." in added
    assert "1 beyond: 1 holds." in added


def test_a_status_that_turns_with_the_seed_is_said_to_be_mixed(monkeypatch, capsys):
    other = compared("II", "joints", 3, 4, "counted")
    found = {None: [OPEN], 200: [MET], 300: [other], 400: [MET]}
    monkeypatch.setattr(run, "claims", lambda **given: found)
    monkeypatch.setattr(run, "settings", list)
    assert reproduce_command("moll2006", trees=1) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "seed 200 3 (met); seed 300 4 (missed); seed 400 3 (met)" in printed
    assert "2 claims: 1 mixed, 1 not checkable." in printed


def test_settings_and_tolerances_are_printed_apart_from_the_claims(answer, capsys):
    answer(MET, MISSED, OPEN)
    assert reproduce_command("moll2006", trees=1) == 1
    printed = capsys.readouterr().out
    head, rest = printed.split("\n\n", 1)
    assert head.splitlines() == [
        "Settings, which are not claims: the work's values and ours.",
        "  V: trees: 4, ours 20 (ours are random)",
    ]
    assert "II: joints: paper 3, ours 3 (agrees: exactly)" in rest
    assert rest.count("counted") == 2  # a reason beside every claim, met or not
    assert "3 claims: 1 met, 1 missed, 1 not checkable." in rest
