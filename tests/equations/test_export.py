"""Blocks as C and an info file: names only in the latter, numbers the same."""

import json
import re
import subprocess
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.equations import Tape, exp, sqrt
from equipoise.equations.blocks.block import Block, Output, Parameter, Signal
from equipoise.equations.blocks.export import export_block, safe_name
from equipoise.equations.blocks.info import printed_lists
from equipoise.equations.emit.targets import run_on
from equipoise.equations.emit.toolchains import BOARDS, found
from equipoise.equations.mechanism.arms import arm
from equipoise.equations.motion import derive
from equipoise.equations.tape.interpret import interpret
from equipoise.robots.load import load
from oracles.emulated import need
from oracles.export_blocks import leg_controller, pendulum

HOSTILE = (
    '"; system("touch pwned"); //',
    "*/ int injected; /*",
    "line\n#include </etc/passwd>\n",
    "??/\ntrigraph",
    "back\\slash\\",
    "ÅngströmΩ\u202e\ud800",
    "int",
    "../../../escape",
)


def read(paths, ending):
    return next(p for p in paths if p.name.endswith(ending)).read_text("utf-8")


def test_three_files_named_after_the_block(tmp_path):
    paths = export_block(pendulum(), tmp_path / "new" / "folder", "host", "double")
    names = ["pendulum.c", "pendulum.h", "pendulum_info.json"]
    assert [p.name for p in paths] == names
    assert sorted(p.name for p in (tmp_path / "new" / "folder").iterdir()) == names


def test_the_info_file_lists_everything_by_name(tmp_path):
    known = json.loads(read(export_block(pendulum(), tmp_path), "_info.json"))
    assert [p["name"] for p in known["parameters"]] == ["m", "l", "g"]
    assert [p["value"] for p in known["parameters"]] == [2.0, 0.5, 9.81]
    assert known["parameters"][0]["help"] == "help of m"
    ic = known["initial_conditions"]
    assert [(s["name"], s["value"]) for s in ic] == [("q_0", 0.25), ("w_0", 0.0)]
    assert [s["name"] for s in known["states"]] == ["q", "w"]
    assert [s["name"] for s in known["derivatives"]] == ["qt", "wt"]
    place = [(s["name"], s["width"], s["index"]) for s in known["inputs"]]
    assert place == [("u", 1, 2), ("v", 1, 3)]
    place = [(s["name"], s["width"], s["index"]) for s in known["outputs"]]
    assert place == [("y", 2, 2)]
    assert known["unused_inputs"] == ["v"]
    assert known["operations"] == {"add": 1, "mul": 4, "trig": 2, "other": 0}
    assert known["arrays"] == {"p": 3, "w": 3, "x": 4, "y": 4}
    assert known["help"][0] == "help of pendulum"


def test_an_input_that_only_an_output_uses_is_used():
    tape = Tape()
    a, b, c = (tape.symbol(n, "input") for n in "abc")
    block = Block(
        "sum", inputs=(Signal("ab", (a, b)), Signal("c", (c,))),
        outputs=(Output("y", (2 * b,)),),
    )  # fmt: skip
    lists = printed_lists(block)
    assert block.unused() == ("c",)
    assert "Unused inputs: a c" in lists["h"]
    assert lists["i"] == "ab c"
    assert lists["o"] == "y 1"


def test_the_arm_of_chapter_8_has_the_printed_lists():
    lists = printed_lists(arm().block())
    assert lists["p"] == "I1z I2x I2y I2z I3x I3y I3z L g l2 l3 m2 m3 z0".split()
    assert lists["ic"] == "q1_0 q2_0 q3_0 w1_0 w2_0 w3_0".split()
    assert lists["i"] == "u"
    assert lists["o"] == "qw 6 rE 3"
    assert lists["x"] == "q1 q2 q3 w1 w2 w3".split()
    assert lists["xt"] == "q1t q2t q3t w1t w2t w3t".split()
    assert "Inputs: u(1:3) = [u1, u2, u3]" in lists["h"]
    assert "Outputs: qw(1:6) = [q1, q2, q3, w1, w2, w3]" in lists["h"]
    assert "Unused inputs:" in lists["h"]  # the printed one names u1 u2 u3, wrongly


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("target", ["host", "cortex-m"])
def test_names_that_break_c_do_not_reach_it(tmp_path, target, precision):
    names = [f"{i}{text}" for i, text in enumerate(HOSTILE)]
    block = pendulum(name=HOSTILE[-1], names=names)
    paths = export_block(block, tmp_path / "a" / "b" / "c" / "d", target, precision)
    assert {p.parent for p in paths} == {tmp_path / "a" / "b" / "c" / "d"}
    assert all(re.fullmatch(r"\w+\.\w+", p.name, re.ASCII) for p in paths)
    code = read(paths, ".c") + read(paths, ".h")
    assert code.isascii()
    for text in (*names, *HOSTILE[:-2], "escape", "pwned", "injected", "help of"):
        assert text not in code
    known = json.loads(read(paths, "_info.json"))
    assert known["name"] == HOSTILE[-1]
    assert [p["name"] for p in known["parameters"]] == names[:3]
    assert [s["name"] for s in known["states"]] == names[3:5]
    assert [s["name"] for s in known["inputs"]] == names[5:7]
    assert [s["name"] for s in known["outputs"]] == names[7:8]


def test_names_that_break_c_change_no_number():
    need("host")
    x = np.random.default_rng(5).normal(size=(7, 4))
    plain = run_on(pendulum(), x)
    wild = run_on(pendulum(name=HOSTILE[0], names=HOSTILE), x)
    np.testing.assert_array_equal(wild.outputs, plain.outputs)


ROBOT = """<mujoco model={}><worldbody><body name={} pos="0 0 1"><freejoint name={}/>
<geom type="box" size=".1 .1 .1" mass="3"/><body name={} pos="0 0 -.1"><joint name={}
axis="0 1 0"/><geom type="box" size=".02 .02 .2" mass="1" pos="0 0 -.2"/></body></body>
</worldbody></mujoco>"""


def test_a_robot_file_with_names_that_break_c_is_as_good_as_any(tmp_path):
    need("host")
    wild = [name for name in HOSTILE if name.isprintable() or "\n" in name][:5]
    found = []
    for names in (wild, ["robot", "trunk", "root", "leg", "hip"]):
        path = tmp_path / ('a"; b.xml' if names is wild else "plain.xml")
        quoted = (quoteattr(n, {"\n": "&#10;"}) for n in names)
        path.write_text(ROBOT.format(*quoted), "utf-8")
        block = derive(load(path)).block
        assert any(names[4] in state.name for state in block.states)
        paths = export_block(block, tmp_path / "out")
        code = read(paths, ".c") + read(paths, ".h")
        assert not any(text in code for text in ("pwned", "injected", "passwd", "hip"))
        x = np.random.default_rng(2).normal(size=(5, len(block.program.inputs)))
        found.append(run_on(block, x).outputs)
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("name", [*HOSTILE, "", "main", "Math", "_a", "a/b", "9", "é"])
def test_a_name_that_c_cannot_have_is_replaced(name):
    if name == "int":
        assert safe_name(name) == "int"  # int_step is as good as any
        return
    assert re.fullmatch(r"block_[0-9a-f]{8}", safe_name(name))


def test_a_plain_name_is_kept():
    assert safe_name("warp1_leg") == "warp1_leg"
    assert safe_name("my robot-2.1") == "my_robot_2_1"


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("target", ["host", "cortex-m"])
def test_the_code_compiles_without_a_warning(tmp_path, target, precision):
    need("host")
    export_block(leg_controller(), tmp_path, target, precision)
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O2"]
    compiler = found(BOARDS["host"].compiler)
    subprocess.run([compiler, *flags, "-c", "leg.c"], cwd=tmp_path, check=True)


def test_unordered_sums_are_refused(tmp_path):
    need("host")
    export_block(leg_controller(), tmp_path)
    compiler = found(BOARDS["host"].compiler)
    done = subprocess.run(
        [compiler, "-ffast-math", "-c", "leg.c"], cwd=tmp_path, capture_output=True
    )
    assert done.returncode != 0
    assert b"order" in done.stderr


def test_defaults_are_the_parameters_and_the_initial_state(tmp_path):
    need("host")
    export_block(pendulum(), tmp_path)
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "pendulum.h"\n'
        "int main(void) { double p[3], x[4] = {7, 7, 7, 7}; pendulum_defaults(p, x);\n"
        'printf("%a %a %a %a %a %a %a", p[0], p[1], p[2], x[0], x[1], x[2], x[3]); }\n'
    )
    compiler = found(BOARDS["host"].compiler)
    command = [compiler, "main.c", "pendulum.c", "-o", "main", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "main"], capture_output=True, text=True).stdout
    values = [float.fromhex(word) for word in printed.split()]
    assert values == [2.0, 0.5, 9.81, 0.25, 0.0, 0.0, 0.0]


def test_double_on_the_host_is_the_interpreter(tmp_path):
    need("host")
    block = leg_controller()
    x = np.random.default_rng(3).uniform(-1.5, 1.5, (50, 12))
    ours = run_on(block, x, precision="double")
    wanted = interpret(block.program, x, block.values)
    assert ours.outputs.dtype == np.float64
    # some sixty operations in a row, sine and cosine to an ulp
    scale = np.abs(wanted).max()
    np.testing.assert_allclose(ours.outputs, wanted, rtol=0, atol=60 * 2.3e-16 * scale)


def bad(problem):
    tape = Tape()
    p, x = tape.symbol("p", "parameter"), tape.symbol("x", "input")
    value = {"nan": float("nan"), "large": 1e300}[problem]
    return Block(
        "b", (Parameter("p", p, value),), (), (Signal("x", (x,)),),
        (Output("y", (p * x,)),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("block", "target", "precision", "message"),
    [
        (pendulum(), "z80", "single", "no target 'z80'; the targets are host, simd"),
        (pendulum(), "host", "half", "no precision 'half'; there are double and"),
        (pendulum(), "atmega128", "double", "no double; ask for precision 'single'"),
        (bad("nan"), "host", "double", "parameter 'p' must be finite, got nan"),
        (bad("large"), "host", "single", r"'p' must be below 3.4e\+38 in size, got 1e"),
    ],
)
def test_what_cannot_be_written_writes_nothing(
    tmp_path, block, target, precision, message
):
    folder = tmp_path / "out"
    with pytest.raises(ConfigError, match=message):
        export_block(block, folder, target, precision)
    assert not folder.exists()


@pytest.mark.parametrize("name", ["pendulum.c", "pendulum.h", "pendulum_info.json"])
def test_a_place_that_is_taken_leaves_the_rest_as_it_was(tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(BadFileError, match=name):
        export_block(pendulum(), tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_folder_that_is_a_file_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadFileError, match="could not be written"):
        export_block(pendulum(), tmp_path / "file")


@pytest.mark.parametrize(("precision", "theirs"), [("double", ["exp"]), ("single", [])])
def test_the_info_says_where_the_last_bit_is_up_to_a_library(
    tmp_path, precision, theirs
):
    tape = Tape()
    x = tape.symbol("x", "input")
    block = Block(
        "e", inputs=(Signal("x", (x,)),), outputs=(Output("y", (sqrt(exp(x)),)),)
    )
    known = json.loads(read(export_block(block, tmp_path, "host", precision), ".json"))
    assert known["library_functions"] == theirs
