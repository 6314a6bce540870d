"""SAP's three trials through the command: their order, and what is refused."""

import json
import math
from dataclasses import replace

import pytest

from equipoise.cli.app import run
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.walk import WalkConfig, walk

TRIALS = ("position", "rotated", "force")
SAP = WalkConfig(robot=RobotChoice(name="sap"), seconds=6.0)


def walked(tracking, seed):
    """Return the numbers of one trial."""
    return walk(replace(SAP, tracking=tracking, seed=seed)).summary


def expect_order(rows):
    """Check the report: barely moves and slips; better; works."""
    way = {name: row["distance_m"] for name, row in rows.items()}
    slip = {name: row["slip_m"] for name, row in rows.items()}
    assert not any(row["fell"] for row in rows.values())
    assert way["position"] < way["rotated"] < 0.6 * way["force"]
    assert slip["position"] > slip["rotated"] > 5.0 * slip["force"]
    assert rows["position"]["speed_error"] < -0.6
    assert abs(rows["force"]["speed_error"]) < 0.15


def test_the_three_trials_come_out_as_reported():
    expect_order({name: walked(name, 100) for name in TRIALS})


@pytest.mark.slow
def test_they_do_so_whatever_the_seed():
    for seed in range(100, 120):
        expect_order({name: walked(name, seed) for name in TRIALS})


def test_the_command_tells_what_was_tracked(capsys):
    code = run(["walk", "sap", "--tracking", "force", "--seconds", "3", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert code == 0
    assert told["controller"] == told["settings"]["controller"] == "sap"
    assert told["settings"]["tracking"] == "force"
    assert told["settings"]["controller_settings"]["stiffness"] == 600.0
    assert told["static_margin_min_m"] is None  # wheels carry it too
    assert max(told["forces"]["force_error_rms_share"]) < 0.1
    assert told["gait_found"]["duty"] == pytest.approx([0.75, 0.75], abs=0.1)


def test_at_rest_it_stands_on_feet_and_wheels(capsys):
    assert run(["check", "sap", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    slant = 0.02 / 0.4  # of the line from a foot to the wheel behind it
    aside = 0.12 + slant * (0.2 - told["com"][0])
    away = aside / math.hypot(1.0, slant)
    assert told["static_margin_m"] == pytest.approx(away, rel=1e-6)  # stands gently


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["warp1", "--tracking", "force"], "one way to control its legs"),
        (["sap", "--tracking", "fast"], "position or rotated or force, got 'fast'"),
        (["sap", "--left", "0.1", "--turn", "0.1"], "left, turn: it walks straight"),
        (["sap", "--terrain", "slope:5"], "terrain: it walks straight ahead on flat"),
        (["sap", "--support", "clocked"], "has no parts; leave that out"),
        (["sap", "--gait", "trot"], "'sap' has 2"),
        (["sap", "--speed", "0.5"], "up to 0.33 m/s, got 0.5"),
        (["sap", "--set", "stiff=1"], "Did you mean 'stiffness'?"),
    ],
)
def test_what_it_cannot_do_is_refused_in_a_sentence(asked, said, capsys):
    assert run(["walk", *asked]) == 2
    assert said in " ".join(capsys.readouterr().err.split())
