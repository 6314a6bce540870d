"""Names of the package robot_descriptions: found, misspelt, missing, out of reach."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from equipoise.cli.app import run
from equipoise.core.errors import BadFileError, MissingToolError, UnknownNameError
from equipoise.robots.files.described import is_described, near_described
from equipoise.robots.files.named import robot_path
from equipoise.robots.lint.lint import lint
from equipoise.robots.load import load
from equipoise.robots.sidecar import sidecar_path
from equipoise.runs.robot import RobotChoice, find_robot

descriptions = pytest.importorskip("robot_descriptions")

NAME = "go2_description"
URDF = """<robot name="cached"><link name="trunk"><inertial><mass value="3"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision></link></robot>"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, an empty cache, and no network, whatever this machine has."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("ROBOT_DESCRIPTIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "url./nowhere/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/")
    monkeypatch.delenv("ROBOT_DESCRIPTION_COMMIT", raising=False)
    monkeypatch.delitem(sys.modules, f"robot_descriptions.{NAME}", raising=False)
    return work


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A robot that was fetched before."""
    file = tmp_path / "kept" / "dog.urdf"
    file.parent.mkdir()
    file.write_text(URDF)
    module = ModuleType(f"robot_descriptions.{NAME}")
    module.URDF_PATH = str(file)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return file


def test_a_name_is_its_file_wherever_a_robot_is_taken(cached: Path, capsys):
    """The library and the commands read the file that the package names."""
    assert robot_path(NAME) == cached
    assert load(NAME).model.body_mass.sum() == 3.0
    assert find_robot(RobotChoice(name=NAME, options={"base": "fixed"})).model.nv == 0
    assert lint(NAME).file == str(cached)
    assert run(["describe", NAME, "--json"]) == 1  # it has no legs
    assert run(["mass", NAME]) == 0
    assert "3" in capsys.readouterr().out


def test_what_lies_beside_the_file_counts(cached: Path):
    """A description is looked for where the file is."""
    assert sidecar_path(NAME) is None
    place = cached.with_name("dog.robot.yaml")
    place.write_text("base: trunk\n")
    assert sidecar_path(NAME) == place
    assert RobotChoice(name=NAME).resolved()["description"] == str(place)


def test_what_is_here_comes_first(cached: Path, elsewhere: Path):
    """A file or folder of the same name is meant, not the package's robot."""
    assert is_described(NAME)
    (elsewhere / NAME).mkdir()
    assert not is_described(NAME)
    with pytest.raises(BadFileError, match="is a folder; name a robot file inside it"):
        load(NAME)
    assert not is_described("biped")
    assert not is_described(f"./{NAME}")
    assert not is_described(f"{NAME}.urdf")


def test_out_of_reach_is_one_sentence_and_leaves_nothing(tmp_path: Path, capsys):
    """No network: what, why, what would work; and no half of a repository."""
    assert run(["check", NAME, "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"'{NAME}' is not on this machine yet" in said.err
    assert "fatal: " in said.err
    assert "give a path to a robot file." in said.err
    assert not list((tmp_path / "cache").iterdir())


def test_an_older_copy_is_never_removed(tmp_path: Path):
    """Only what a failed fetch has made goes away again."""
    own = tmp_path / "cache" / "unitree_ros" / "notes.txt"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    (own.parent / ".git").write_text("gitdir: nowhere")
    with pytest.raises(MissingToolError):
        load(NAME)
    assert own.parent.exists()


def test_without_the_package_a_sentence_says_what_to_install(monkeypatch):
    """It is optional."""
    monkeypatch.setitem(sys.modules, "robot_descriptions", None)
    with pytest.raises(MissingToolError, match="pip install robot_descriptions"):
        load(NAME)
    assert near_described("go2") == []
    with pytest.raises(UnknownNameError, match="take colt or squire"):
        load("go2")


@pytest.mark.parametrize("name", ["go2", "go2_descripton", "go_2_description"])
def test_near_misses_are_named(name: str):
    """A typo is answered with the names that were meant."""
    with pytest.raises(UnknownNameError) as error:
        load(name)
    assert NAME in str(error.value)
    assert "go2_mj_description" in str(error.value)


def test_a_robot_without_a_file_we_read_is_refused(monkeypatch):
    """Some descriptions hold other formats only."""
    module = ModuleType(f"robot_descriptions.{NAME}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    with pytest.raises(BadFileError, match="neither a URDF nor an MJCF file"):
        load(NAME)
