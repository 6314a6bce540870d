"""The commands ``derive`` and ``linearize``: keys, files, scripts, wrong input."""

import json
import sys

import numpy as np
import pytest

from equipoise.cli.app import run

SCRIPT = """
from equipoise.equations.mechanism.system import System

print("not a result")
S = System("pendulum")
(q,), (w,) = S.coords("q"), S.speeds("w")
S.kde(q=w)
m, l, g = S.parameters("m l g", 1.0, 0.5, 9.81)
n = S.inertial("n")
a = n.rot("a", 2, q)
bob = S.body("bob", m, a[0, 0, -l])
S.force(bob, n[0, 0, -m * g])
number = 3


def with_place():
    return S.block(outputs={"place": bob.point})


def broken():
    return 1 / 0


def leaves():
    raise SystemExit(3)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def test_warp1_is_derived_counted_and_written(tmp_path, capsys):
    out = tmp_path / "out"
    assert run(["derive", "warp1", "--json", "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["operations"]) == {"add", "mul", "trig"}
    assert found["operations"]["add"] <= 1000
    assert found["operations"]["mul"] <= 1100
    assert found["operations"]["trig"] == 30
    assert 0.0 < found["derive_s"] < 2.0  # 0.06 s on a quiet machine
    assert found["emit_s"] > 0.0
    assert len(found["parameters"]) == 73
    assert len(found["states"]) == 36
    assert found["inputs"][0] == "tau"
    assert len(found["inputs"]) == 5
    assert found["outputs"] == ["acceleration"]
    assert found["unused_inputs"] == []
    names = [f"{out}/warp1{end}" for end in (".c", ".h", "_info.json")]
    assert found["files"] == names
    info = json.loads((out / "warp1_info.json").read_text())
    assert [p["name"] for p in info["parameters"]] == found["parameters"]


def test_without_a_folder_nothing_is_written(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["derive", "warp1", "--outputs", "com, feet"]) == 0
    said = capsys.readouterr().out
    assert "36 states, 73 parameters" in said
    assert "outputs acceleration, com, feet." in said
    assert not list(tmp_path.iterdir())


def test_an_atmega_gets_single_precision_by_itself(capsys):
    assert run(["derive", "warp1", "--target", "atmega128", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["precision"] == "single"


def test_kernels_for_a_card_are_written_with_mujocos_layout(tmp_path, capsys):
    order = ["derive", "warp1", "--target", "cuda", "--outputs", "bias", "--json"]
    assert run([*order, "--out", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    ends = (".cu", ".h", "_info.json")
    assert found["files"] == [f"{tmp_path}/warp1{end}" for end in ends]
    info = json.loads((tmp_path / "warp1_info.json").read_text())
    kernels = {k["kernel"].removeprefix("warp1_"): k for k in info["kernels"]}
    assert {"forward_on_feet", "inverse_dynamics", "linearization"} < set(kernels)
    assert list(kernels)[-1] == "bias"
    assert found["kernels"] == [k["kernel"] for k in info["kernels"]]
    rows = [len(a["rows"]) for a in kernels["forward_on_feet"]["inputs"]]
    assert rows == [19, 18, 18, 12]
    assert (info["precision"], info["attitude"]) == ("double", "quaternion")
    text = (tmp_path / "warp1.cu").read_text()
    assert text.count("\nKERNEL ") == len(kernels) + 1  # and warp1_init


def test_a_script_becomes_a_kernel_too(script, tmp_path, capsys):
    order = ["derive", f"{script}:S", "--target", "cuda", "--precision", "single"]
    assert run([*order, "--out", str(tmp_path / "made")]) == 0
    capsys.readouterr()
    info = json.loads((tmp_path / "made" / "pendulum_info.json").read_text())
    assert [k["kernel"] for k in info["kernels"]] == ["pendulum_step"]
    assert info["kernels"][0]["inputs"][0]["rows"] == ["q", "w"]


def test_what_is_not_in_the_equations_is_said(capsys):
    assert run(["derive", "superbot", "--modules", "2"]) == 0
    assert "Not in the equations: dampers along speeds: 6" in capsys.readouterr().out


def test_a_script_of_ones_own(script, capsys):
    before = list(sys.path)
    assert run(["derive", f"{script}:S", "--json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert told.err == "not a result\n"
    assert found["parameters"] == ["g", "l", "m"]
    assert found["states"] == ["q", "w"]
    assert run(["derive", f"{script}:with_place", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"] == ["place"]
    assert sys.path == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("number", "'number' is of type int; name a System, a Block or a Robot"),
        ("T", "has no system 'T'. Known: S."),
        ("broken", "ZeroDivisionError: division by zero, in line 21."),
        ("leaves", "SystemExit: 3, in line 25."),
    ],
)
def test_a_script_that_cannot_be_used(script, name, said, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(["derive", f"{script}:{name}", "--out", str(out)]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_a_script_with_bad_syntax(tmp_path, capsys):
    path = tmp_path / "bad.py"
    path.write_text("x = (\n")
    assert run(["derive", f"{path}:x"]) == 2
    assert "SyntaxError" in capsys.readouterr().err


def test_linearize_gives_matrices_and_poles(tmp_path, capsys):
    words = ["linearize", "warp1", "--keyframe", "start", "--json", "--out"]
    assert run([*words, str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    A, B = np.array(found["A"]), np.array(found["B"])
    assert A.shape == (36, 36)
    assert B.shape == (36, 12)
    poles = [complex(*pair) for pair in found["eigenvalues"]]
    trace = sum(poles)
    np.testing.assert_allclose(trace.real, np.trace(A), rtol=1e-9)
    assert abs(trace.imag) < 1e-6
    assert sum(pole.real > 1e-6 for pole in poles) == 6
    named = {mode["name"] for mode in found["modes"] if mode["does"] == "grows"}
    assert named == {"roll", "pitch", "yaw", "surge", "sway", "bounce"}
    assert found["is_equilibrium"]
    assert len(found["states"]) == 36
    assert len(found["inputs"]) == len(found["torques"]) == 12
    lift = sum(force[2] for force in found["forces"].values())
    np.testing.assert_allclose(lift, 60.4 * 9.81, rtol=1e-9)
    assert json.loads((tmp_path / "linearize.json").read_text()) == found


def test_linearize_tells_people_the_poles(capsys):
    assert run(["linearize", "biped", "--keyframe", "set"]) == 0
    said = capsys.readouterr().out
    assert "biped: modes near this pose, the least stable first" in said
    assert "pitch" in said and "bounce" in said and "doubles in" in said
    assert "time constant" in said and "Without control it falls: '" in said
    assert "36 states, 12 inputs, 6 unstable." in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("derive", "ROBOT|FILE.py:SYSTEM"),
        ("derive nope", "has no robot 'nope'"),
        ("derive nope.py:S", "nope.py: does not exist"),
        (
            "derive warp1 --target pic",
            "target must be one of host, simd, cortex-m, atmega128, cuda",
        ),
        ("derive warp1 --target atmega128 --precision double", "has no double"),
        (
            "derive warp1 --precision half",
            "precision must be 'double' or 'single', got 'half'",
        ),
        (
            "derive warp1 --parameters few",
            "parameters must be one of sparse, general, numbers",
        ),
        (
            "derive warp1 --attitude euler",
            "attitude must be 'yaw-pitch-roll' or 'quaternion'",
        ),
        ("derive warp1 --outputs height", "no output 'height'"),
        ("linearize warp1 --keyframe sit", "no keyframe 'sit'"),
        ("linearize warp1 --keyframe start --pose x.yaml", "not both"),
        ("linearize warp1 --ground-stiffness 0", "stiffness must be > 0 N/m, got 0.0"),
        ("linearize warp1 --ground-damping -1", "damping must be >= 0 N s/m, got -1.0"),
    ],
)
def test_wrong_input_is_code_2_and_one_sentence(words, said, capsys):
    assert run(words.split()) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert not told.out


def test_large_files_are_told_before_they_are_written(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("equipoise.runs.derive.LARGE", 100_000)
    assert run(["derive", "warp1", "--json", "--out", str(tmp_path)]) == 0
    said = capfd.readouterr()
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert json.loads(said.out)["bytes"] == size
    assert said.err.startswith("The C of 'warp1' is 0 MB, which takes long")
    monkeypatch.setattr("equipoise.runs.derive.LARGE", size)
    assert run(["derive", "warp1", "--json"]) == 0
    assert capfd.readouterr().err == ""
