"""Strange files at the door: an answer or one sentence, and nothing gets out."""

from pathlib import Path

import pytest

import equipoise as eq
from equipoise.cli.app import run
from equipoise.core.errors import BadFileError, EquipoiseError
from equipoise.robots.found.file import description_text
from oracles.stick_quadruped import stick_quadruped

NAMES = (
    "<img src=x onerror=alert(1)>",
    "$(touch gone)",
    "a; rm -rf x",
    "a&#10;b",
    "é足",
    "null",
    "1e3",
    "- x: y #",
    "*knee[a-z]",
    "!!python/object:x",
    "' or \" or \\",
)
LAUGHS = '<!DOCTYPE lol [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>'


def renamed(name: str) -> str:
    """Return the quadruped with one joint called otherwise, as XML writes it."""
    safe = name.replace("&", "&amp;").replace("&amp;#", "&#")
    safe = safe.replace("<", "&lt;").replace('"', "&quot;")
    return stick_quadruped().replace('"FL_knee"', f'"{safe}"')


@pytest.mark.parametrize("name", NAMES)
def test_names_come_back_as_they_were(name: str, tmp_path: Path, capfd):
    path = tmp_path / "dog.urdf"
    path.write_text(renamed(name))
    robot = eq.load(path)
    told = tmp_path / "told.yaml"
    told.write_text(description_text(robot.found.summary(robot)))
    again = eq.load(path, description=told)
    assert again.found.legs[0].joints == robot.found.legs[0].joints
    assert run(["describe", str(path), "--out", str(tmp_path / "out")]) == 0
    out, err = capfd.readouterr()
    assert all(line.isprintable() for line in (out + err).splitlines())
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "dog.urdf",
        "out",
        "told.yaml",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('effort="40.0"', 'effort="1e300"'),
        ('effort="40.0"', 'effort="-5"'),
        ('velocity="12.0"', 'velocity="1e308"'),
        ('velocity="12.0"', 'velocity="inf"'),
        ('velocity="12.0"', 'velocity="fast"'),
        ('lower="-1" upper="2"', 'lower="-1e9" upper="1e9"'),
        ('mass value="1.0"', 'mass value="1e-30"'),
        ('sphere radius="0.02"', 'sphere radius="1e-9"'),
        ('<sphere radius="0.02"/>', '<mesh filename="gone.stl"/>'),
    ],
)
def test_strange_numbers_are_answered(old: str, new: str, tmp_path: Path, capfd):
    text = stick_quadruped()
    assert old in text
    path = tmp_path / "dog.urdf"
    path.write_text(text.replace(old, new))
    assert run(["describe", str(path), "--json"]) in (0, 1, 2)
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    assert "Infinity" not in out and "NaN" not in out


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (stick_quadruped().replace('ixx="0.02"', 'ixx="nan"', 1), r"has a NaN in"),
        (LAUGHS + stick_quadruped(), r"has a DOCTYPE"),
        (
            stick_quadruped().replace(
                '<parent link="trunk"/>', '<parent link="FL_foot"/>'
            ),
            r"MuJoCo cannot use it|no bodies",
        ),
        (
            stick_quadruped().replace("<link", "<no:link", 1),
            r"is not complete "
            r"XML|MuJoCo",
        ),
    ],
)
def test_files_that_cannot_be_are_refused(text: str, match: str, tmp_path: Path):
    path = tmp_path / "dog.urdf"
    path.write_text(text)
    with pytest.raises(BadFileError, match=rf"dog\.urdf: .*({match})"):
        _ = eq.load(path).found


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("legs: !!python/object/apply:os.system ['x']", r"line 1 has the tag"),
        ("legs: &a {b: *a}", r"uses the alias"),
        ("stand: {joints: {FR_thigh_joint: 0.7}}", r"'FR_thigh_joint' is no joint"),
        ("robot: go1", r"is of robot 'go1', not of 'sticks'"),
        ("base: pelvis", r"'pelvis' is no link of the robot"),
        ("torques: {FL_hip: 3}", r"has 'torques'; it may have robot, base, legs"),
        ("legs: {a: {joints: [[FL_hip]]}}", r"is no joint of the robot"),
        ("drives: {FL_hip: {torque: [1]}}", r"must be a number above 0, got \[1\]"),
        ("a: [" * 3000, r"nested too deeply|is not valid YAML"),
        ("\x00\x01", r"is not valid YAML|is not text"),
    ],
)
def test_descriptions_that_cannot_be_are_refused(
    text: str, match: str, tmp_path: Path, capfd
):
    path, told = tmp_path / "dog.urdf", tmp_path / "dog.robot.yaml"
    path.write_text(stick_quadruped())
    told.write_text(text)
    with pytest.raises(BadFileError, match=rf"dog\.robot\.yaml: .*({match})"):
        _ = eq.load(path).found
    assert run(["describe", str(path)]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_an_srdf_that_laughs_is_passed_over(tmp_path: Path):
    path = tmp_path / "dog.urdf"
    path.write_text(stick_quadruped())
    state = '<robot name="sticks"><group_state name="standing" group="a">'
    state += '<joint name="FL_hip" value="1"/></group_state></robot>'
    (tmp_path / "dog.srdf").write_text(LAUGHS + state)
    assert "computed" in eq.load(path).found.stand
    (tmp_path / "dog.srdf").write_text(state.replace('"1"', '"nan"'))
    assert "computed" in eq.load(path).found.stand


@pytest.mark.parametrize("path", ["", "\0", "x" * 5000, "no/such.urdf", "/dev/null"])
def test_paths_that_are_none(path: str):
    with pytest.raises(EquipoiseError):
        eq.load(path)
    with pytest.raises(EquipoiseError):
        eq.load("dog.urdf", description=path or "none.yaml")
