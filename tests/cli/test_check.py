"""The command ``check``: exit codes, keys, files, wrong input."""

import json

import pytest

from equipoise.cli.app import run

KEYS = {
    "robot", "stands", "reasons", "mass", "com", "contacts", "friction",
    "static_margin_m", "energy_margin_j", "region_area_m2", "region_margin_m",
    "compliance", "intervals", "friction_from", "gravity", "floor", "left_out",
    "settled_deg", "settled_m", "joints", "engine_floor", "verdict", "requirements",
    "compared", "remedies", "joints_words", "joints_from", "joints_held",
    "joints_own", "joints_passive", "pose_from", "pose_instead", "let_go", "own_drives",
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
        ("check warp1 --keyframe start --pose x.yaml", "give one of --keyframe"),
        ("check warp1 --slope steep", "--slope takes an angle or a grade: 20deg"),
        ("check warp1 --slope 1:2:3", "--slope takes DEG[:HEADING], as 20deg:20deg"),
        ("check warp1 --slope 91", "slope must be 0 to below 90 degrees, got 91.0"),
        (
            "check warp1 --torque-limits much",
            "'own' or a torque: 40Nm or 0.04kNm, got 'much'",
        ),
        ("check warp1 --torque-limits 0", "torque-limits must be > 0, got 0.0"),
        ("check warp1 --friction 1e31", "at most 1e+30, got '1e31'"),
        ("check biped --torque-limits own", "the robot has no torque limits"),
        ("check warp1 --ground soft", "ground must be 'rigid' or 'engine', got 'soft'"),
        ("check warp1 --ground engine", "needs an MJCF file with ground"),
    ],
)
def test_wrong_input_is_code_2_and_one_sentence(words, said, capsys):
    assert run(words.split()) == 2
    assert said in capsys.readouterr().err


def test_slopes_and_torques_from_the_shell(capsys, tmp_path):
    assert run("check warp1 --slope 25:90 --json".split()) == 0
    level = json.loads(capsys.readouterr().out)
    assert level["contacts"][0]["normal"][1] == pytest.approx(0.42262, abs=1e-5)
    assert run("check warp1 --slope 27:90".split()) == 1
    assert run(["check", "warp1", "--slope", "9:30", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "stance.png").read_bytes()[:4] == b"\x89PNG"
    assert run("check warp1 --torque-limits 5".split()) == 1
    assert run("check warp1 --torque-limits 200".split()) == 0


@pytest.fixture(scope="module")
def run_file(tmp_path_factory):
    """Return the folder of a short recorded run of the biped."""
    import equipoise as eq
    from equipoise.sim.recording import write_run

    folder = tmp_path_factory.mktemp("run")
    write_run(eq.simulate(eq.load("biped"), seconds=0.1).dataset, folder / "run.nc")
    return folder


def test_a_recorded_run_from_the_shell(run_file, capsys):
    words = ["check", "biped", "--run", str(run_file), "--friction", "0.3"]
    assert run([*words, "--at", "last", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == KEYS | {"run"}
    assert found["run"]["last_stands"] == "yes"
    assert found["mass"] == pytest.approx(70.0)
    assert run([*words, "--at", "0.05", "--freeze"]) == 0
    printed = capsys.readouterr().out
    assert "zero moment point" in printed and "frozen: it stands still" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("check warp1 --run RUN", "is a run of 'biped', not of 'warp1'"),
        ("check biped --run RUN --at 5", "a time of the run, 0 to 0.1 s, got 5.0"),
        ("check biped --run RUN --at soon", "got 'soon'"),
        ("check biped --run RUN --keyframe set", "one of --keyframe, --pose and --run"),
        ("check biped --run none.nc", "none.nc does not exist"),
        ("check biped --freeze", "--at and --freeze are for --run"),
    ],
)
def test_wrong_runs_are_code_2_and_one_sentence(words, said, run_file, capsys):
    assert run(words.replace("RUN", str(run_file)).split()) == 2
    assert said in capsys.readouterr().err
