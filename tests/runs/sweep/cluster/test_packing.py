"""Files that rows name, packed here and unpacked where they are not."""

import os
from pathlib import Path

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.robot_file import read_robot_file
from equipoise.runs.sweep.cluster.packing import (
    file_bundle,
    included,
    same_numbers,
)
from equipoise.runs.sweep.cluster.shipped_files import (
    PLACED,
    drop_bundles,
    files_named,
    unpack_bundle,
)

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = ["1 2 3", "2 4 3", "5 7 6", "6 7 8", "1 5 2", "2 5 6", "3 4 7", "4 8 7"]
FACES += ["1 3 5", "3 7 5", "2 6 4", "4 6 8"]
BOX = "\n".join(
    [f"v {x} {y} {z}" for x, y, z in CORNERS] + [f"f {face}" for face in FACES]
)
URDF = """
<robot name="box"><link name="base">
  <inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><mesh filename="package://box/meshes/box.obj"/></geometry>
  </collision></link></robot>
"""


@pytest.fixture
def robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A robot file with a mesh and a description, named from beside."""
    for name in ("box/meshes", "box/urdf", "work"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "box/meshes/box.obj").write_text(BOX)
    (tmp_path / "box/urdf/box.robot.yaml").write_text("drives: {}\n")
    path = tmp_path / "box/urdf/box.urdf"
    path.write_text(URDF)
    monkeypatch.chdir(tmp_path / "work")
    return Path("../box/urdf/box.urdf")


def test_a_robot_file_goes_with_all_that_it_reads(robot: Path, tmp_path: Path):
    found = file_bundle(files_named([["check", f"robot={robot}", "seed=1"]]))
    names = {os.path.relpath(os.path.realpath(p), tmp_path) for p in found.files}
    assert names == {
        "box/urdf/box.urdf",
        "box/urdf/box.robot.yaml",
        "box/meshes/box.obj",
    }
    here = read_robot_file(robot, None).model
    assert here.nmesh == 1
    unpack_bundle(found)
    assert PLACED[found.name].root == ""  # the same files stand here
    drop_bundles([found.name])
    (tmp_path / "box/meshes/box.obj").unlink()
    unpack_bundle(found)
    placed = PLACED[found.name]
    there = read_robot_file(Path(placed.folder) / robot, None).model
    assert np.array_equal(here.mesh_vert, there.mesh_vert)
    drop_bundles([found.name])
    assert not Path(placed.root).exists()
    assert found.name not in PLACED


def test_words_mean_the_same_over_there(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "hill.png"
    path.write_bytes(b"png")
    rows = [["walk", "terrain=field:hill.png"], ["walk", f"drives={path}"]]
    found = file_bundle(files_named(rows))
    assert list(found.files) == [str(path)]
    path.unlink()
    unpack_bundle(found)
    placed = PLACED[found.name]
    words = [placed.word(word) for row in rows for word in row]
    over = f"{placed.root}{path}"
    assert words == ["walk", "terrain=field:hill.png", "walk", f"drives={over}"]
    assert Path(placed.folder, "hill.png").read_bytes() == b"png"
    drop_bundles([found.name])


def test_rows_without_files_take_nothing_along(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "3").write_text("no row names it")
    rows = [["check", "robot=warp1", "slope=10%", "seed=4"], ({"x": 1.0}, 3), 7]
    assert files_named(rows) == set()


def test_a_robot_whose_files_stand_elsewhere_is_refused(robot: Path, tmp_path: Path):
    text = robot.read_text().replace("package://box", str(tmp_path / "box"))
    robot.write_text(text)
    with pytest.raises(ConfigError, match=r"reads files in other folders"):
        file_bundle([robot])


def test_too_much_is_refused(tmp_path: Path, monkeypatch):
    path = tmp_path / "large"
    path.write_bytes(bytes(2000))
    monkeypatch.setattr("equipoise.runs.sweep.cluster.packing.MOST_BYTES", 1000)
    with pytest.raises(ConfigError, match="its rows name 0 MB of files, more than 0"):
        file_bundle([path])


def test_files_that_include_each_other_are_named_once(tmp_path: Path):
    for name, other in (("a", "b"), ("b", "a"), ("c", "b")):
        text = f'<mujoco><include file="{other}.xml"/></mujoco>'
        (tmp_path / f"{name}.xml").write_text(text * (2 if name == "c" else 1))
    found = included(tmp_path / "c.xml")
    assert [path.name for path in found] == ["b.xml", "a.xml"]


def test_two_robots_are_the_same_if_all_their_numbers_are():
    text = """<mujoco><worldbody><body><joint/><geom size="{}" mass="{}"/></body>
    </worldbody></mujoco>"""
    one, same, heavier, larger = (
        mujoco.MjModel.from_xml_string(text.format(size, mass))
        for size, mass in ((1, 2), (1, 2), (1, 3), (2, 2))
    )
    assert same_numbers(one, same)
    assert not same_numbers(one, heavier) and not same_numbers(one, larger)
