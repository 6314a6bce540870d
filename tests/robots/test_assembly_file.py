"""Assembly files: exact round trips, and one sentence for each kind of mistake."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.file import assembly_text, read_assembly, write_assembly
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.superbot.superbot import random_assembly

GOOD = """equipoise: assembly/1
name: three
modules:
  a: [0.0, 0.0, 0.0]
  b: [0.0, 1e-3, 0.0]
  c: [0, -1.5, 0.25]
connections:
  - {from: a.b_front, to: b.a_front, turn: 90}
  - {from: b.b_front, to: c.a_front}
ground: {at: a.a_front}
"""
ROW_A = "a: [0.0, 0.0, 0.0]"
BOMB = "".join(f"x{k}: &x{k} [{', '.join([f'*x{k - 1}'] * 9)}]\n" for k in range(1, 10))

# what is wrong: (text to replace, replacement, what the sentence must say)
MISTAKES = {
    "unknown connector": (
        "b.a_front",
        "b.a_top",
        r"'b.a_top', has no .*'a_top'.*a_left",
    ),
    "unknown module": ("to: b.a", "to: z.a", r"'connections\[0\]', 'z.a_front', .*'z'"),
    "unknown ground": ("at: a", "at: q", r"'ground', 'q.a_front', has no module 'q'"),
    "connector used twice": (
        "from: b.b_f",
        "from: a.b_f",
        r"'a.b_front' .*twice.*'b'.*'c'",
    ),
    "ground face used": (
        "from: a.b_f",
        "from: a.a_f",
        r"'a.a_front' .*the ground and .*'b'",
    ),
    "loop": (
        "ground:",
        "  - {from: a.b_left, to: c.b_left}\nground:",
        r"modules '[abc]', '[abc]', '[abc]' form a loop",
    ),
    "two connections": (
        "ground:",
        "  - {from: a.b_left, to: b.b_left}\nground:",
        r"modules 'a', 'b' form a loop|modules 'b', 'a' form a loop",
    ),
    "to itself": (
        "to: b.a_front",
        "to: a.b_left",
        r"module 'a' is connected to itself",
    ),
    "unreachable": (
        "  - {from: b.b_front, to: c.a_front}\n",
        "",
        r"'c' cannot be reached",
    ),
    "angle": (ROW_A, "a: [0, 0, 2.0]", r"'a.hinge_b' must be within -1.57.* got 2.0"),
    "nan": (ROW_A, "a: [0, .nan, 0]", r"'modules.a\[1\]' must be a finite .*nan"),
    "infinite": (
        ROW_A,
        "a: [0, -.inf, 0]",
        r"'modules.a\[1\]' must be a finite .*-inf",
    ),
    "overflow": (
        ROW_A,
        "a: [0, 1e999, 0]",
        r"'modules.a\[1\]' must be a finite number",
    ),
    "huge integer": (
        ROW_A,
        f"a: [0, 1{'0' * 5000}, 0]",
        r"\[1\]' must be a finite number",
    ),
    "a word": (
        ROW_A,
        "a: [0, '1.0', 0]",
        r"'modules.a\[1\]' must be a number, got '1.0'",
    ),
    "a truth": (
        ROW_A,
        "a: [0, true, 0]",
        r"'modules.a\[1\]' must be a number, got True",
    ),
    "nothing": (
        ROW_A,
        "a: [0, null, 0]",
        r"'modules.a\[1\]' must be a number, got None",
    ),
    "no list": (ROW_A, "a: 3", r"'modules.a' must be a list, got 3"),
    "two angles": (ROW_A, "a: [0, 0]", r"'a' has 2 angles, 3 are needed"),
    "name twice": (ROW_A, f"{ROW_A}\n  {ROW_A}", r"line 5 gives 'a' a second time"),
    "number as name": (ROW_A, "1: [0, 0, 0]", r"line 4 has the key 1, .*quotes"),
    "list as name": (ROW_A, "[1, 2]: [0, 0, 0]", r"line 4 has the key a list"),
    "space in name": (ROW_A, "a b: [0, 0, 0]", r"'modules.a b' must be letters.*'a b'"),
    "markup in name": ("name: three", "name: <b>", r"'name' must be letters.*'<b>'"),
    "long name": ("name: three", f"name: {'t' * 65}", r"'name' must be .*at most 64"),
    "turn 45": (
        "turn: 90",
        "turn: 45",
        r"'connections\[0\].turn' must be 0, 90, .*got 45",
    ),
    "turn as word": ("turn: 90", "turn: '90'", r"turn' must be 0, 90.*got '90'"),
    "unknown key": (
        "turn: 90",
        "trun: 90",
        r"'connections\[0\].trun' .*from, to, turn",
    ),
    "unknown part": ("ground:", "grond: 3\nground:", r"'grond' is not a known key"),
    "missing part": (
        "ground: {at: a.a_front}",
        "",
        r"'ground' is missing; equipoise, name",
    ),
    "other version": ("assembly/1", "assembly/2", r"'equipoise' must be 'assembly/1'"),
    "mount": (
        "a.a_front}",
        "a.a_front, mount: glue}",
        r"'ground.mount' must be 'fixed', 'free' or 'feet'",
    ),
    "no dot": ("at: a.a_front", "at: a", r"'ground.at' must be a module and .*got 'a'"),
    "tab": ("  a: [", "\ta: [", r"not valid YAML: line 4: .*'\\t'"),
    "alias": ("b: [0.0, 1e-3, 0.0]", "b: *a", r"line 5 uses the alias '\*a'"),
    "alias bomb": (GOOD, "x0: &x0 [1]\n" + BOMB, r"line 2 uses the alias '\*x0'"),
    "tag": (ROW_A, "a: !!set {}", r"line 4 has the tag"),
    "two documents": (
        "ground:",
        "---\nground:",
        r"not valid YAML: line 10: .*document",
    ),
    "null character": ("name: three", "name: a\x00b", r"not valid YAML: special"),
    "deep": (GOOD, "[" * 3000, r"nested too deeply|not valid YAML"),
    "list": (GOOD, "- a", r"the file must be a mapping"),
    "empty": (GOOD, "", r"is empty; 'equipoise', 'modules' and 'ground' are needed"),
    "comment": (GOOD, "# nothing yet\n", r"is empty"),
}
SETTINGS = {
    "{mass: -1}": r"'module.mass' must be 0.0001 to 10000, got -1",
    "{mass: heavy}": r"'module.mass' must be a number, got 'heavy'",
    "{mass: true}": r"'module.mass' must be a number, got True",
    "{mass: [1]}": r"'module.mass' must be a number, got \[1\]",
    "{mass: .nan}": r"'module.mass' must be .* got nan",
    f"{{mass: 1{'0' * 400}}}": r"'module.mass' must be .* got inf",
    "{inner_share: 1.5}": r"'module.inner_share' must be between 0 and 1, got 1.5",
    "{damping: -0.1, mass: 0}": r"'module.mass' .*; 'module.damping' must be 0 to",
    "{kind: atron}": r"'module.kind' must be one of superbot, mtran, conro, got 'at",
    "{kind: [a]}": r"'module.kind' must be one of",
    "{mas: 1}": r"'module' has no setting 'mas'. Did you mean 'mass'\?",
    "superbot": r"'module' must be a mapping, name: value, got 'superbot'",
    "{kind: conro}": r"'a.roll' is locked at 1.5707963267948966 rad, got 0.0",
}


def expect_sentence(path: Path, match: str) -> None:
    """Read a bad file: one line that begins with the file's name and ends in a stop."""
    with pytest.raises(BadFileError, match=match) as caught:
        read_assembly(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 500


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_sentence(tmp_path: Path, mistake: str):
    old, new, match = MISTAKES[mistake]
    assert old in GOOD
    path = tmp_path / "bad.yaml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    expect_sentence(path, match)


@pytest.mark.parametrize("line", SETTINGS, ids=lambda line: line[:24])
def test_a_bad_module_setting_gets_one_sentence(tmp_path: Path, line: str):
    path = tmp_path / "bad.yaml"
    path.write_text(f"{GOOD}module: {line}\n")
    expect_sentence(path, SETTINGS[line])


def test_a_file_that_cannot_be_read_gets_one_sentence(tmp_path: Path):
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x80\x00")
    expect_sentence(binary, "is not text")
    expect_sentence(tmp_path, "is a folder")
    expect_sentence(tmp_path / "none.yaml", "there is no such file")
    large = tmp_path / "large.yaml"
    with large.open("wb") as file:
        file.truncate(17 * 2**20)
    expect_sentence(large, r"is 17.0 MiB, at most 16 are read")


def test_a_good_file_says_what_it_says(tmp_path: Path):
    path = tmp_path / "good.yaml"
    path.write_text(f"{GOOD}module: {{kind: superbot, mass: 1, mass_scale: 0.5}}\n")
    made = read_assembly(path)
    assert [m.angles for m in made.modules] == [
        (0.0, 0.0, 0.0),
        (0.0, 1e-3, 0.0),
        (0.0, -1.5, 0.25),
    ]
    front_b, front_a = 3, 0  # order of the connectors: a_front, a_left, a_right, b_...
    assert made.connections == (
        Connection(0, front_b, 1, front_a, 1),
        Connection(1, front_b, 2, front_a, 0),
    )
    assert made.ground == Ground(0, front_a, "fixed")
    assert (made.module.mass, made.module.mass_scale) == (1.0, 0.5)


@settings(max_examples=40)
@given(
    modules=st.integers(1, 12),
    seed=st.integers(0, 10_000),
    angles=st.sampled_from(["zero", "random"]),
    mount=st.sampled_from(["fixed", "free"]),
    kind=st.sampled_from(["superbot", "mtran", "conro"]),
    mass=st.floats(1e-3, 1e3),
    damping=st.floats(0.0, 1e3),
)
def test_what_is_written_is_read_back_exactly(
    tmp_path_factory, modules, seed, angles, mount, kind, mass, damping
):
    module = SuperbotModule(kind=kind, mass=mass, damping=damping)
    branches = 1 + seed % modules
    plan = random_assembly(modules, branches, seed, angles, module, mount)
    path = tmp_path_factory.mktemp("trip") / "plan.yaml"
    write_assembly(plan, path)
    again = read_assembly(path)
    assert again == plan  # exact: every digit of every number
    assert assembly_text(again) == path.read_text()


@given(name=st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_\-]{0,63}", fullmatch=True))
def test_every_allowed_name_survives(tmp_path_factory, name: str):
    """Among them no, on, null, 12, 1e3, 0x1F and 2020-01-01, which YAML may mistake."""
    rows = (
        PlacedModule(name, (0.0, 0.0, 0.0)),
        PlacedModule(f"x{name[:9]}", (0.0,) * 3),
    )
    plan = Assembly(
        name, SuperbotModule(), rows, (Connection(0, 3, 1, 0, 2),), Ground(0, 0)
    )
    path = tmp_path_factory.mktemp("name") / "plan.yaml"
    write_assembly(plan, path)
    assert read_assembly(path) == plan


@pytest.mark.parametrize(
    "name", ["no", "on", "null", "12", "1e3", "0x1F", "2020-01-01", "true", "1_0"]
)
def test_names_that_look_like_something_else_survive(tmp_path: Path, name: str):
    plan = Assembly(
        name, SuperbotModule(), (PlacedModule(name, (0.0,) * 3),), (), Ground(0, 0)
    )
    write_assembly(plan, tmp_path / "plan.yaml")
    assert read_assembly(tmp_path / "plan.yaml") == plan


@pytest.mark.parametrize(
    "name", ["", "a b", "a.b", "<a>", "a&b", "-a", "é", "a\n", 'q"']
)
def test_names_that_would_need_escaping_cannot_occur(name: str):
    good = PlacedModule("m", (0.0,) * 3)
    bad = PlacedModule(name, (0.0,) * 3)
    with pytest.raises(ConfigError, match="a name must be letters"):
        Assembly("robot", SuperbotModule(), (bad,), (), Ground(0, 0))
    with pytest.raises(ConfigError, match="a name must be letters"):
        Assembly(name, SuperbotModule(), (good,), (), Ground(0, 0))


def test_numbers_of_numpy_are_written_as_numbers(tmp_path: Path):
    module = SuperbotModule(mass=np.float64(0.5), damping=np.float32(0.25))
    rows = (PlacedModule("m", tuple(np.array([0.1, 0.2, 0.3]))),)
    plan = Assembly("one", module, rows, (), Ground(0, 0))
    write_assembly(plan, tmp_path / "one.yaml")
    assert read_assembly(tmp_path / "one.yaml") == plan
