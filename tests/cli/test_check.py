"""The command ``check``: exit codes, keys, files, wrong input."""

import json

import pytest

from equipoise.cli.app import run

KEYS = {
    "robot", "stands", "reasons", "mass", "com", "contacts", "friction",
    "static_margin_m", "energy_margin_j", "region_area_m2", "region_margin_m",
    "compliance",
}  # fmt: skip


def test_yes_no_and_unknown_have_their_codes(capsys, tmp_path):
    assert run(["check", "warp1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == KEYS
    assert found["stands"] == "yes"
    pose = tmp_path / "pose.yaml"
    pose.write_text("front_left_knee: -2.0\nfront_right_knee: -2.0\n")
    assert run(["check", "warp1", "--pose", str(pose)]) == 1
    assert "It does not stand" in capsys.readouterr().out
    assert run(["check", "superbot"]) == 3
    assert "Not known" in capsys.readouterr().out


def test_files_are_written_when_asked(tmp_path, capsys):
    assert run(["check", "biped", "--keyframe", "set", "--out", str(tmp_path)]) == 0
    assert json.loads((tmp_path / "check.json").read_text())["robot"] == "biped"
    assert (tmp_path / "stance.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("check", "ROBOT"),
        ("check nope", "has no robot 'nope'"),
        ("check warp1 --friction 0", "friction must be > 0, got 0.0"),
        ("check warp1 --keyframe sit", "no keyframe 'sit'"),
        ("check warp1 --pose none.yaml", "none.yaml: there is no such file"),
        ("check warp1 --keyframe start --pose x.yaml", "not both"),
        ("check warp1 --slope steep", "--slope must be DEG or DEG:HEADING"),
        ("check warp1 --slope 1:2:3", "--slope must be DEG or DEG:HEADING"),
        ("check warp1 --slope 91", "slope must be 0 to below 90 degrees, got 91.0"),
        ("check warp1 --torque-limits much", "'own' or a number of N m, got 'much'"),
        ("check warp1 --torque-limits own", "no torque limits of its own"),
    ],
)
def test_wrong_input_is_code_2_and_one_sentence(words, said, capsys):
    assert run(words.split()) == 2
    assert said in capsys.readouterr().err


def test_slopes_and_torques_from_the_shell(capsys):
    assert run("check warp1 --slope 25:90 --json".split()) == 0
    level = json.loads(capsys.readouterr().out)
    assert level["contacts"][0]["normal"][1] == pytest.approx(0.42262, abs=1e-5)
    assert run("check warp1 --slope 27:90".split()) == 1
    assert run("check warp1 --torque-limits 5".split()) == 1
    assert run("check warp1 --torque-limits 200".split()) == 0
