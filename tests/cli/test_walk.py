"""``equipoise walk``: JSON, exit codes and words for people."""

import json

import pytest
from tests.oracles.servo_quadruped import servo_quadruped

from equipoise.cli.app import run
from equipoise.cli.walk_report import assumed_torques, margins_in_words

SHORT = ["walk", "warp1", "--seconds", "2.5"]


def test_a_walk_prints_one_json_object_and_exits_0(capsys):
    assert run([*SHORT, "--json"]) == 0
    said = capsys.readouterr()
    s = json.loads(said.out)
    assert s["fell"] is False and s["gait"] == "trot" and said.err == ""


def test_a_fall_exits_1_and_says_when(capsys):
    assert run([*SHORT, "--push", "400"]) == 1
    assert "It fell after 1." in capsys.readouterr().out


@pytest.mark.usefixtures("blank_pictures")
def test_a_walk_is_told_in_a_table_and_can_be_viewed(tmp_path, capsys):
    out = tmp_path / "walk"
    assert run([*SHORT, "--turn", "0.2", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "warp1, trot at 0.4 m/s, turning 0.2 rad/s, flat" in said
    assert "cost of transport" in said and str(out / "run.nc") in said
    assert run(["view", str(out), "--out", str(tmp_path / "view"), "--json"]) == 0
    page = json.loads(capsys.readouterr().out)["replay"]
    assert page.endswith("replay.html")


def test_seeds_are_counted_and_written(tmp_path, capsys):
    fast = ["--actuators", "ideal", "--sensors", "ideal", "--seeds", "1"]
    assert run([*SHORT, *fast, "--out", str(tmp_path)]) == 0
    assert "0 of 1 fell." in capsys.readouterr().out
    assert len(json.loads((tmp_path / "walk.json").read_text())["runs"]) == 1


def test_parts_are_listed_and_can_be_typed(capsys):
    assert run(["controllers", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["controllers"]
    own = [row for row in rows if row["robot"] == "walking machines"]
    parts = {(row["what"].split(":")[0], row["name"]) for row in own}
    assert {("support", "clocked"), ("balance", "capture")} <= parts
    kinds = {"pilot", "planner", "support", "motion", "balance", "legs", "reflexes"}
    assert {kind for kind, _ in parts} == kinds | {"whole"}
    assert {("whole", "walking"), ("whole", "titan6")} <= parts
    typed = ["--support", "standing", "--speed", "0", "--reflexes", "", "--json"]
    assert run([*SHORT, *typed]) == 0
    settings = json.loads(capsys.readouterr().out)["settings"]
    assert settings["support"] == "standing" and settings["reflexes"] == []


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            ["--gait", "tort"],
            "no gait has that name (did you mean 'trot'?); take one of",
        ),
        (["--speed", "2"], "speed must be at most"),
        (["--terrain", "mud:1"], "no terrain 'mud'"),
        (["--seeds", "0"], "seeds must be 1 to"),
        (["--speed", "fast"], "got 'fast'"),
    ],
)
def test_bad_input_exits_2_with_one_line(typed, said, capsys):
    assert run(["walk", "warp1", *typed, "--json"]) == 2
    found = capsys.readouterr()
    assert found.out == "" and said in found.err and found.err.count("\n") == 1


def test_a_file_on_balls_is_held_in_stance_and_hit(tmp_path, capsys):
    path = tmp_path / "servos.xml"
    path.write_text(servo_quadruped())
    assert run(["balance", str(path), "--seconds", "4"]) == 0
    said = capsys.readouterr().out
    assert "held on all feet, a push of 2.05 N s" in said  # 0.03 of 15.2 kg at 4.5 m/s
    assert "It stands" in said
    assert run(["balance", str(path), "--block-mass", "40", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["fell"]
    assert run(["balance", str(path), "--controller", "workspace"]) == 2


@pytest.mark.parametrize(
    ("static", "pressure", "said"),
    [
        (-0.0549, -0.187, "centre of mass was up to 55 mm outside the feet that stood"),
        (0.012, -0.0926, "centre of pressure was up to 93 mm outside the feet that"),
        (0.012, 0.0, ""),
        (None, None, ""),
    ],
)
def test_margins_below_zero_are_explained(static, pressure, said):
    told = margins_in_words(
        {"static_margin_min_m": static, "zmp_margin_min_m": pressure, "gait": "trot"}
    )
    assert said in told
    assert bool(told) == bool(said)
    assert ("normal" in told) == (static is not None and static < 0.0)


def test_a_fall_on_assumed_torques_says_so():
    line = "torque limits of 'knee' and 3 more are assumed, 2 N m"
    assert assumed_torques({"assumed": ["the stand is found", line]}) == f"; its {line}"
    assert assumed_torques({"assumed": ["speed of the drive of 'knee'"]}) == ""
