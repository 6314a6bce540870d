"""``equipoise modules torture``: JSON, exit codes and words for people."""

import json

import pytest

from equipoise.cli.app import run
from equipoise.modules.rules import Rules
from equipoise_lab.torture.campaign import family_rows, torture
from equipoise_lab.torture.scenario import FAMILIES, KINDS
from equipoise_lab.torture.trial import run_trial

TORTURE = ["modules", "torture", "--faults", "small"]
KEYS = "runs, violations, slowest_recovery_rounds, seed_of_first_violation".split(", ")


@pytest.fixture
def unfrozen(monkeypatch):
    """Modules that do not freeze their links."""
    rules = Rules(off=frozenset({"freeze"}))
    monkeypatch.setattr(
        "equipoise_lab.torture.campaign.run_trial",
        lambda scenario, _: run_trial(scenario, rules),
    )


def test_it_prints_the_promised_keys_and_exits_0(capsys):
    assert run([*TORTURE, "--seed", "3", "--seeds", "4", "--json"]) == 0
    said = capsys.readouterr()
    summary = json.loads(said.out)
    assert list(summary) == KEYS and said.err == ""
    assert summary["runs"] == 4 and summary["violations"] == 0
    assert summary["slowest_recovery_rounds"] > 0
    assert summary["seed_of_first_violation"] is None


def test_a_violation_exits_1_names_its_seed_and_replays(unfrozen, tmp_path, capsys):
    typed = ["modules", "torture", "--faults", "redock-storm", "--json"]
    assert run([*typed, "--seeds", "3", "--out", str(tmp_path)]) == 1
    summary = json.loads(capsys.readouterr().out)
    assert summary["violations"] > 0
    seed = summary["seed_of_first_violation"]
    content = json.loads((tmp_path / "torture.json").read_text())
    wrong = content["violating"][0]
    assert wrong["seed"] == seed and wrong["first"] and content["families"]
    again = tmp_path / "again"
    once = [*typed, "--seed", str(seed), "--seeds", "1", "--out", str(again)]
    assert run(once) == 1
    alone = json.loads((again / "torture.json").read_text())["violating"][0]
    assert alone == wrong  # the digest of all frames too


def test_people_get_a_table_and_the_digest_of_a_single_run(capsys):
    assert run([*TORTURE, "--seeds", "1"]) == 0
    said = capsys.readouterr().out
    assert "small" in said and "0 of 1 runs violated a promise." in said
    assert (
        f"Digest of all frames: {torture(0, 1, 'small').trials[0].digest:016x}" in said
    )


def test_people_are_told_which_seeds_went_wrong(unfrozen, capsys):
    assert run(["modules", "torture", "--faults", "redock-storm", "--seeds", "3"]) == 1
    assert "  seed " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--faults", "crush"], "--faults has no fault 'crush'. Did you mean 'crash'?"),
        (["--seeds", "0"], "seeds must be 1 to 1000000, got 0"),
        (["--seed", "-1"], "--seed must be >= 0 and below 2^63, got -1"),
    ],
)
def test_bad_input_is_one_sentence_and_exits_2(typed, said, capsys):
    assert run(["modules", "torture", *typed]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_an_unknown_fault_lists_all_there_are(capsys):
    assert run(["modules", "torture", "--faults", "storm"]) == 2
    error = capsys.readouterr().err
    assert all(name in error for name in ["all", *FAMILIES, *KINDS])


def test_the_rows_of_a_family_count_its_trials():
    result = torture(7, 3, "small", processes=1)
    (row,) = family_rows(result.trials)
    assert row["runs"] == 3 and row["rounds"] == sum(t.rounds for t in result.trials)
    assert row["recovery_max"] == result.summary["slowest_recovery_rounds"]


@pytest.mark.slow
def test_two_processes_find_what_one_does(monkeypatch):
    monkeypatch.setattr(
        "equipoise_lab.torture.campaign.BATCH", 2
    )  # so that both get some
    alone, both = (torture(7, 5, "small", processes=k) for k in (1, 2))
    digests = [trial.digest for trial in alone.trials]
    assert digests == [trial.digest for trial in both.trials] and len(digests) == 5
