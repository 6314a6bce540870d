"""``equipoise describe`` as a user types it."""

import json
import math
from pathlib import Path

import pytest

from equipoise.cli.app import run
from oracles.stick_quadruped import stick_quadruped
from robots.test_foreign_files import tetrahedron


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sticks.urdf"
    path.write_text(stick_quadruped())
    return path


def test_the_keys_of_its_json(file: Path, capfd):
    assert run(["describe", str(file), "--json"]) == 0
    out, err = capfd.readouterr()
    found = json.loads(out)
    assert err == ""
    keys = "robot base root legs stand drives held assumed heading_rad wheels loops "
    keys += "coupled description stands reasons"
    assert list(found) == keys.split()
    assert (found["stands"], len(found["legs"])) == ("yes", 4)


def test_what_it_writes_is_taken_by_itself(file: Path, capfd):
    assert run(["describe", str(file), "--out", str(file.parent)]) == 0
    assert run(["describe", str(file)]) == 0
    said = capfd.readouterr().out
    assert "taken from" in said and "sticks.robot.yaml" in said


def test_a_robot_without_legs_is_a_no(tmp_path: Path, capfd):
    path = tmp_path / "box.urdf"
    link = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" '
    link += 'ixy="0" ixz="0" iyz="0"/></inertial>'
    path.write_text(f'<robot name="box"><link name="a">{link}</link></robot>')
    assert run(["describe", str(path)]) == 1
    assert "no legs were found" in capfd.readouterr().out


@pytest.mark.parametrize("name", ["warp1", "none.urdf", "robot.yaml"])
def test_what_is_no_robot_file_is_refused(name: str, capfd):
    assert run(["describe", name]) == 2
    assert capfd.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("command", ["check", "mass", "derive", "linearize"])
def test_a_description_beside_the_file_is_said(command: str, file: Path, capfd):
    file.with_name("sticks.robot.yaml").write_text("drives: {FL_hip: {torque: 7}}\n")
    assert run([command, str(file), "--json"]) in (0, 1, 3)
    out, err = capfd.readouterr()
    json.loads(out)
    assert "sticks.robot.yaml take precedence" in err and err.count("\n") == 1


def test_every_command_takes_a_description(file: Path, tmp_path: Path, capfd):
    told = tmp_path / "other.yaml"
    told.write_text("legs: {a: {joints: [nose]}}\n")
    commands = ["check", "mass", "derive", "describe", "linearize", "walk", "balance"]
    for command in [*commands, "limits", "view"]:
        code = run([command, str(file), "--description", str(told)])
        err = capfd.readouterr().err.splitlines()
        assert code == 2
        assert "'nose' is no joint" in err[-1] or "known of the robot" in err[-1]


def test_drives_are_read_from_a_file(file: Path, tmp_path: Path, capfd):
    told = tmp_path / "drives.yaml"
    told.write_text("'*_hip': {torque: 7, speed: 5, armature: 0.1}\n")
    assert run(["describe", str(file), "--drives", str(told), "--json"]) == 0
    drives = json.loads(capfd.readouterr().out)["drives"]
    assert [d["torque"] for d in drives] == [7.0, 40.0] * 4
    told.write_text("'*_hip': {torque: 0.007kNm, speed: 90deg/s, armature: 0.1}\n")
    assert run(["describe", str(file), "--drives", str(told), "--json"]) == 0
    drives = json.loads(capfd.readouterr().out)["drives"]
    assert [d["torque"] for d in drives] == [7.0, 40.0] * 4
    assert drives[0]["speed"] == pytest.approx(math.pi / 2.0)
    told.write_text("'*_hip': {torque: much}\n")
    assert run(["describe", str(file), "--drives", str(told)]) == 2
    said = "torque of '*_hip' takes a torque: 40Nm or 0.04kNm, got 'much'"
    assert said in capfd.readouterr().err


def test_what_is_assumed_of_drives_is_in_their_table(file: Path, capfd):
    assert run(["describe", str(file), "--json"]) == 0
    drives = json.loads(capfd.readouterr().out)["drives"]
    assert run(["describe", str(file)]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert any(drive["assumed"] for drive in drives)
    for drive in drives:
        (line,) = [x for x in lines if x.split()[:1] == [drive["joint"]]]
        assert line.strip().endswith(", ".join(drive["assumed"]) or "-")


def test_what_is_said_of_files_is_not_for_built_in_robots(tmp_path: Path, capfd):
    told = tmp_path / "x.yaml"
    told.write_text("{}")
    assert run(["check", "biped", "--description", str(told)]) == 2
    assert "description is for robot files, got 'biped'" in capfd.readouterr().err


def test_packages_of_meshes_are_named_on_the_command_line(tmp_path: Path, capfd):
    sphere, mesh = (
        '<sphere radius="0.02"/>',
        '<mesh filename="package://dog/foot.stl" scale="0.02 0.02 0.02"/>',
    )
    path = tmp_path / "desk/sticks.urdf"
    path.parent.mkdir()
    path.write_text(stick_quadruped().replace(sphere, mesh))
    where = tmp_path / "far/checkout"
    where.mkdir(parents=True)
    (where / "foot.stl").write_bytes(tetrahedron())
    assert run(["describe", str(path)]) == 0
    told = capfd.readouterr().out
    assert "4 shapes are left out; body 'RR_foot'" in told.replace("\n", " ")
    assert "give --package-path dog=DIR" in told.replace("\n", " ")
    given = ["--package-path", f"cat={tmp_path}", "--package-path", f"dog={where}"]
    assert run(["describe", str(path), *given, "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["legs"][0]["foot"]["kind"] != "unknown"
    assert not any("left out" in line for line in found["assumed"])
    assert run(["mass", str(path), *given, "--json"]) == 0
    assert run(["lint", str(path), *given, "--json"]) in (0, 1)
    capfd.readouterr()
    assert run(["mass", str(path), "--package-path", "dog=/nowhere"]) == 2
    assert "'/nowhere' is not a folder" in capfd.readouterr().err
    assert run(["mass", "warp1", "--package-path", str(where)]) == 2
    assert "for robot files" in capfd.readouterr().err
