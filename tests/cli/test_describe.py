"""``equipoise describe`` as a user types it."""

import json
from pathlib import Path

import pytest

from equipoise.cli.app import run
from oracles.stick_quadruped import stick_quadruped


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
