"""Xacro files: expanded as xacro does, and never at any price."""

import sys
from pathlib import Path

import pytest

from equipoise.core.errors import BadFileError, MissingToolError
from equipoise.robots.files import xacro as module
from equipoise.robots.files.expand_xacro import expect_harmless
from equipoise.robots.files.other_xml import no_robot
from equipoise.robots.lint.lint import lint
from equipoise.robots.load import load
from equipoise.robots.sidecar import description_name, sidecar_path
from robots.test_foreign_files import ROUND, tetrahedron

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
LINK = (
    f'<link name="{{name}}"><inertial><mass value="{{mass}}"/>{ROUND}</inertial></link>'
)
JOINT = (
    '<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
    '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="{speed}"/>'
    "</joint>"
)


def written(path: Path, *parts: str) -> Path:
    """Write a xacro file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD + "".join(parts) + "</robot>")
    return path


def a_link(name: str = "a", mass: str = "2") -> str:
    """Return a link."""
    return LINK.format(name=name, mass=mass)


@pytest.fixture(name="has_xacro")
def has_xacro_fixture():
    pytest.importorskip("xacro")


def test_a_xacro_file_is_expanded_with_packages_and_includes(
    tmp_path: Path, has_xacro: None
):
    where = tmp_path / "ws/dog_description"
    (where / "meshes").mkdir(parents=True)
    (where / "meshes/foot.stl").write_bytes(tetrahedron())
    macro = '<xacro:macro name="leg" params="name mass">{}</xacro:macro>'
    written(where / "xacro/leg.xacro", macro.format(a_link("${name}", "${2*mass}")))
    mesh = '<mesh filename="package://dog_description/meshes/foot.stl"/>'
    file = written(
        tmp_path / "desk/dog.urdf.xacro",
        '<xacro:include filename="$(find dog_description)/xacro/leg.xacro"/>',
        '<xacro:arg name="mass" default="1.5"/><xacro:property name="v" value="12"/>',
        '<xacro:leg name="a" mass="$(arg mass)"/>',
        a_link("b", "${sqrt(4) + $(eval mass * 2)}").replace(
            "</link>", f"<collision><geometry>{mesh}</geometry></collision></link>"
        ),
        JOINT.format(speed="${v}"),
    )
    with pytest.raises(BadFileError, match="--package-path dog_description=DIR"):
        load(file)
    robot = load(file, packages=tmp_path / "ws")
    assert robot.model.body("a").mass[0] == 3.0
    assert robot.model.body("b").mass[0] == 5.0
    assert robot.model.nmesh == 1
    assert robot.speeds == {"j": 12.0}
    assert lint(file, tmp_path / "ws").total_mass == 8.0
    (tmp_path / "desk/dog.robot.yaml").write_text("{}")
    assert sidecar_path(file) == tmp_path / "desk/dog.robot.yaml"
    assert description_name("go2.xacro") == "go2.robot.yaml"


def test_only_what_ends_in_xacro_is_expanded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def never(*_: object, **__: object) -> None:
        raise AssertionError("started a process")

    monkeypatch.setattr("equipoise.robots.files.xacro.subprocess.run", never)
    part = '<xacro:leg name="b"/>'
    robot = load(written(tmp_path / "dog.urdf", a_link(), part))
    assert robot.model.nbody == 2
    broken = written(tmp_path / "broken.urdf", a_link("a", "${m}"), part)
    with pytest.raises(BadFileError, match=r"xacro FILE > NAME\.urdf"):
        load(broken)


def test_without_xacro_the_line_to_type_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "xacro", None)
    file = written(tmp_path / "dog.urdf.xacro", a_link())
    with pytest.raises(MissingToolError) as refused:
        load(file)
    assert f"pip install xacro), or run xacro {file} > dog.urdf" in str(refused.value)
    assert no_robot(file) == ""


def test_a_file_xacro_py_beside_the_user_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_xacro: None
):
    (tmp_path / "xacro.py").write_text("open('ran', 'w').close()")
    monkeypatch.chdir(tmp_path)
    assert load(written(tmp_path / "dog.xacro", a_link())).model.nbody == 2
    assert not (tmp_path / "ran").exists()


def test_parts_of_a_robot_are_none(tmp_path: Path, has_xacro: None):
    macro = f'<xacro:macro name="leg" params="n">{a_link()}</xacro:macro>'
    part = written(tmp_path / "leg.xacro", macro)
    assert no_robot(part) == "it has no body"
    with pytest.raises(BadFileError, match="has no bodies"):
        load(part)


HOSTILE = {
    "itself": ('<xacro:include filename="{path}"/>', "without end|too much"),
    "pipe": ('<xacro:include filename="/dev/zero"/>', "is no plain file"),
    "gone": ('<xacro:include filename="gone.xacro"/>', "cannot be expanded"),
    "name": ('<link name="${nobody}"/>', "nobody"),
    "argument": ('<link name="$(arg nobody)"/>', "NAME:=VALUE"),
    "eval": ('<link name="$(eval open)"/>', "'open' is not defined"),
    "inner": ('<link name="$(eval true.real.imag.f_back)"/>', "'f_back' is not taken"),
    "lambda": (
        "<link name=\"${(lambda: ''.__class__.__base__)()}\"/>",
        "'__(class|base)__' is not taken",
    ),
    "frame": (
        '<link name="${[g.gi_frame for g in [(x for x in [1])]]}"/>',
        "'gi_frame' is not taken",
    ),
    "format": ('<link name="${str.format}"/>', "'format' is not taken"),
    "type": ("<link name=\"${python.type('')}\"/>", "cannot be expanded"),
    "yaml": ("<link name=\"${xacro.load_yaml('/dev/zero')}\"/>", "is no plain file"),
    "memory": ('<link name="${[0] * 10**11}"/>', "memory"),
    "words": ("no < xml", "cannot be expanded"),
}


def test_what_xacro_tells_twice_is_said_once():
    why = "package 'cat' is not there: no package 'cat' in /desk"
    assert module.last_words(f"a\nxacro: <class 'ValueError'>: {why} {why}\n") == why
    other = "<class 'ValueError'>: one thing, another"
    assert module.last_words(f"xacro: {other}.") == other


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.slow
def test_a_hostile_file_ends_in_a_sentence(tmp_path: Path, kind: str, has_xacro: None):
    text, why = HOSTILE[kind]
    path = tmp_path / "dog.xacro"
    text = text.replace("{path}", str(path))
    with pytest.raises(BadFileError, match=why) as refused:
        load(written(path, a_link(), text))
    said = str(refused.value)
    assert said.startswith(f"{path}: ") and "\n" not in said and len(said) < 1200


def test_an_expansion_without_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_xacro: None
):
    monkeypatch.setattr(module, "SECONDS", 1.0)
    path = written(tmp_path / "dog.xacro", '<link name="${len(str(9**9**9))}"/>')
    with pytest.raises(BadFileError, match=r"more than 1 s|memory or time"):
        load(path)


def test_too_much_included_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_xacro: None
):
    monkeypatch.setattr(module, "MAX_BYTES", 400)
    written(tmp_path / "big.xacro", "<!--" + "x" * 300 + "-->")
    part = '<xacro:include filename="big.xacro"/>'
    with pytest.raises(BadFileError, match="includes too much"):
        load(written(tmp_path / "dog.xacro", a_link("a"), part))


@pytest.mark.parametrize(
    "text",
    ["2*pi*r", "-width/2 + max(a, b)", "legs['FL'].length", "[x for x in range(3)][0]"],
)
def test_usual_expressions_are_taken(text: str):
    expect_harmless(text)


@pytest.mark.parametrize("ending", ["sdf", "world", "usd", "usda", "usdc", "usdz"])
def test_other_formats_name_a_program_that_converts_them(tmp_path: Path, ending: str):
    path = tmp_path / f"dog.{ending}"
    path.write_text("<sdf/>")
    tool = "sdf2mjcf" if ending in ("sdf", "world") else "usd_to_urdf"
    with pytest.raises(BadFileError, match=rf"dog\.{ending}: is .* {tool}"):
        load(path)


def test_sdf_in_an_xml_file_is_told_the_same(tmp_path: Path):
    path = tmp_path / "dog.xml"
    path.write_text('<sdf version="1.9"><model name="dog"/></sdf>')
    with pytest.raises(BadFileError, match="sdf2mjcf"):
        load(path)
