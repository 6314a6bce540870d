"""``--set`` and ``controllers NAME``: gains on the command line."""

import json

import pytest

from equipoise.cli.app import run

SMALL = ["--modules", "3", "--branches", "1", "--seconds", "0.05", "--json"]


def answer(capfd, *typed):
    """Return the exit code, the JSON on stdout and what was complained about."""
    code = run(list(typed))
    out, err = capfd.readouterr()
    return code, json.loads(out) if out else None, err


def test_settings_of_a_law_are_listed_with_default_and_unit(capfd):
    code, found, _ = answer(capfd, "controllers", "upright", "--json")
    rows = {row["name"]: row for row in found["settings"]}
    assert code == 0
    assert (rows["pace"]["default"], rows["pace"]["unit"]) == (150.0, "1/s")
    assert run(["controllers", "upright"]) == 0
    assert "150" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("name", "setting"),
    [("workspace-step", "stand.place"), ("stride", "stride.sway"),
     ("walker", "capture.posture.roll_stiffness"), ("workspace", "position_gain")],
)  # fmt: skip
def test_settings_of_other_controllers_are_listed(capfd, name, setting):
    _, found, _ = answer(capfd, "controllers", name, "--json")
    assert setting in {row["name"] for row in found["settings"]}


def test_a_gain_counts(capfd):
    _, usual, _ = answer(capfd, "balance", *SMALL)
    _, same, _ = answer(capfd, "balance", *SMALL, "--set", "pace=150")
    typed = ("--set", "pace=1", "--set", "brake=0.5")
    _, slow, _ = answer(capfd, "balance", *SMALL, *typed)
    assert same["distance_final_w"] == usual["distance_final_w"]
    assert slow["distance_final_w"] != usual["distance_final_w"]
    assert list(slow) == list(usual)


def test_a_gain_counts_for_a_biped_and_a_walk(capfd):
    biped = ("balance", "biped", "--seconds", "0.02", "--json")
    _, usual, _ = answer(capfd, *biped)
    _, other, _ = answer(capfd, *biped, "--set", "position_gain=60,60,200")
    assert usual["position_error_m"] != other["position_error_m"]
    walk = ("walk", "--seconds", "2.5", "--json", "--set", "stride.sway=0.03")
    _, walked, _ = answer(capfd, *walk)
    assert walked["settings"]["gains"] == {"stride.sway": 0.03}


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("balance", "--set", "pac=1"), "no setting 'pac'. Did you mean 'pace'"),
        (("balance", "--set", "pace=fast"), "pace [1/s] must be a finite number"),
        (("balance", "--set", "pace=-1"), "pace must be > 0 1/s, got -1"),
        (("balance", "--set", "pace"), "--set is not usable: it must be NAME=VALUE"),
        (("balance", "--compare", "--set", "pace=1"), "leave --set out"),
        (("balance", "biped", "--set", "pace=1"), "has no setting 'pace'"),
        (("walk", "--set", "stride.swa=1"), "no setting 'stride.swa'. Did you mean"),
        (("controllers", "uprigt"), "no controller 'uprigt'. Did you mean 'upright'"),
    ],
)
def test_a_wrong_gain_is_one_sentence(capfd, typed, says):
    code, _, err = answer(capfd, *typed)
    assert code == 2
    assert err.count("\n") == 1
    assert says in err
