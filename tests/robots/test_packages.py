"""Meshes are found where a user, ROS or the file itself says that they are."""

import os
from pathlib import Path

import pytest

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.robots.files.packages import Packages, packages_below, packages_of
from equipoise.robots.files.places import MeshPlaces, mesh_places
from equipoise.robots.lint.lint import lint
from equipoise.robots.load import load
from robots.test_foreign_files import link, tetrahedron, urdf

NAME = "package://dog_description/meshes/foot.stl"
VARIABLES = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH")


@pytest.fixture(autouse=True)
def no_ros(monkeypatch: pytest.MonkeyPatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def package(folder: Path, name: str = "dog_description", mesh: str = "foot") -> Path:
    """Write a package with one mesh; return its folder."""
    (folder / "meshes").mkdir(parents=True)
    (folder / f"meshes/{mesh}.stl").write_bytes(tetrahedron())
    (folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
    return folder


def alone(tmp_path: Path, mesh: str = NAME) -> Path:
    """Write a URDF that lies far from its package."""
    return urdf(tmp_path / "desk/dog.urdf", link("a", mesh=mesh))


def shapes(path: Path, **options: object) -> int:
    """Return how many meshes a file's robot has; none is lost if there is one."""
    robot = load(path, **options)
    assert bool(robot.dropped) != bool(robot.model.nmesh)
    return int(robot.model.nmesh)


def test_a_file_copied_alone_finds_a_package_that_is_named(tmp_path: Path):
    where, file = package(tmp_path / "ws/src/nest/checkout"), alone(tmp_path)
    assert shapes(file) == 0
    assert shapes(file, packages={"dog_description": where}) == 1
    assert shapes(file, packages=f"dog_description={where}") == 1
    assert shapes(file, packages=[f"dog_description={where}"]) == 1
    assert shapes(file, packages=where) == 1  # the folder is the package
    assert shapes(file, packages=tmp_path / "ws") == 1  # or holds it, by package.xml
    assert shapes(file, packages=f"{tmp_path}/desk{os.pathsep}{tmp_path}/ws") == 1
    assert shapes(file, packages={"cat_description": where}) == 0


def test_a_named_package_counts_alone(tmp_path: Path):
    package(tmp_path / "dog_description")  # above the file, too
    (tmp_path / "empty").mkdir()
    file = alone(tmp_path)
    assert shapes(file) == 1
    robot = load(file, packages={"dog_description": tmp_path / "empty"})
    assert robot.model.nmesh == 0
    assert f"is not there, in {tmp_path / 'empty'}" in robot.dropped[0]


@pytest.mark.parametrize(
    ("variable", "inside"),
    [
        ("ROS_PACKAGE_PATH", "src/deep/er/dog_repo"),
        ("ROS_PACKAGE_PATH", "dog_description"),
        ("AMENT_PREFIX_PATH", "share/dog_description"),
        ("GZ_SIM_RESOURCE_PATH", "dog_description"),
    ],
)
def test_the_variables_of_ros_say_where_packages_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, inside: str
):
    package(tmp_path / "ws" / inside)
    file = alone(tmp_path)
    assert shapes(file) == 0
    monkeypatch.setenv(variable, f"/nowhere{os.pathsep}{tmp_path / 'ws'}{os.pathsep}")
    assert shapes(file) == 1


def test_packages_are_looked_for_as_ros_does(tmp_path: Path):
    package(tmp_path / "a", "one")
    package(tmp_path / "a/inner", "inside_one")  # packages do not hold packages
    package(tmp_path / "b/c", "two")
    (tmp_path / "b/COLCON_IGNORE").touch()
    (package(tmp_path / "d", "four") / "AMENT_IGNORE").touch()
    package(tmp_path / ".hidden", "three")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = packages_below(tmp_path)
    assert found == {"one": tmp_path / "a", "a": tmp_path / "a"}


def test_of_a_link_both_ends_count(tmp_path: Path):
    where = package(tmp_path / "repo/dog_description")
    real = urdf(where / "urdf/dog.urdf", link("a", mesh=NAME))
    (tmp_path / "desk").mkdir()
    one, folder = tmp_path / "desk/dog.urdf", tmp_path / "desk/urdf"
    one.symlink_to(real)
    folder.symlink_to(where / "urdf")
    assert shapes(one) == 1
    assert shapes(folder / "dog.urdf") == 1
    near = urdf(where / "urdf/near.urdf", link("a", mesh="../meshes/foot.stl"))
    (tmp_path / "desk/near.urdf").symlink_to(near)
    assert shapes(tmp_path / "desk/near.urdf") == 1
    (tmp_path / "desk/loop.urdf").symlink_to(tmp_path / "desk/loop.urdf")
    with pytest.raises(BadFileError, match=r"loop\.urdf"):
        load(tmp_path / "desk/loop.urdf")


@pytest.mark.parametrize("is_included", [True, False])
def test_a_link_to_an_mjcf_file_finds_what_lies_beside_its_end(
    tmp_path: Path, is_included: bool
):
    """Without its include the file is no robot; without its mesh it lacks a shape."""
    (tmp_path / "repo/assets").mkdir(parents=True)
    (tmp_path / "repo/assets/foot.stl").write_bytes(tetrahedron())
    inertial = '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>'
    body = f'<worldbody><body name="a"><freejoint/>{inertial}'
    body += '<geom type="mesh" mesh="foot"/></body></worldbody>'
    (tmp_path / "repo/part.xml").write_text(f"<mujoco>{body}</mujoco>")
    inside = '<include file="part.xml"/>' if is_included else body
    (tmp_path / "repo/dog.xml").write_text(
        '<mujoco><compiler meshdir="assets"/><asset><mesh file="foot.stl"/></asset>'
        f"{inside}</mujoco>"
    )
    (tmp_path / "desk").mkdir()
    (tmp_path / "desk/dog.xml").symlink_to(tmp_path / "repo/dog.xml")
    robot = load(tmp_path / "desk/dog.xml")
    assert (robot.model.nmesh, robot.dropped) == (1, ())
    assert robot.source == str(tmp_path / "desk/dog.xml")


@pytest.mark.parametrize(
    "name",
    [
        "package://dog_description/my%20meshes/left%20foot.stl",
        "package://dog_description/my meshes/left foot.stl",
        "package://dog_description/my%20meshes\\left foot.stl",
        "model://dog_description/my meshes/left foot.stl",
        "$(find dog_description)/my meshes/left foot.stl",
        "file://$(find dog_description)/my%20meshes/left%20foot.stl",
        "file://{root}/dog_description/my%20meshes/left%20foot.stl",
        "file://localhost{root}/dog_description/my meshes/left foot.stl",
        "{root}/dog_description/my meshes/left foot.stl",
        "package://dog_description/../dog_description/my meshes/left foot.stl",
        "package://../dog_description/my meshes/left foot.stl",
    ],
)
def test_a_mesh_may_be_written_in_many_ways(tmp_path: Path, name: str):
    folder = tmp_path / "dog_description/my meshes"
    folder.mkdir(parents=True)
    (folder / "left foot.stl").write_bytes(tetrahedron())
    (tmp_path / "dog_description/urdf").mkdir()
    file = tmp_path / "dog_description/urdf/dog.urdf"
    found = mesh_places(file).find(name.replace("{root}", str(tmp_path)))
    assert found is not None and found.samefile(folder / "left foot.stl")


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "package://",
        "package:///",
        "package://..",
        "package://dog_description",
        "package://%2e%2e/%00",
        "package://a\0b/c.stl",
        "file://",
        "file:///",
        "file:///dev/zero",
        "model://" + "x" * 5000 + "/y.stl",
        "$(find ",
        "$(find )/x.stl",
        "package://" + "../" * 2000 + "dev/null",
    ],
)
def test_a_hostile_name_is_no_mesh(tmp_path: Path, name: str):
    places = MeshPlaces((tmp_path,), Packages({}, (tmp_path,)))
    assert places.find(name) is None
    words = places.why_missing(name)
    assert words.startswith("is not there") and len(words) < 1500
    assert words.isprintable()


def test_what_is_missing_is_named_with_where_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = alone(tmp_path)
    (line,) = load(file).dropped
    assert line == (
        f"body 'a': mesh {NAME} is not there: no package 'dog_description' in "
        f"{file.parent} and the folders above, no ROS_PACKAGE_PATH; give "
        "--package-path dog_description=DIR"
    )
    for name in "abcd":
        (tmp_path / name).mkdir()
    monkeypatch.setenv("ROS_PACKAGE_PATH", "/nowhere:/nothing")
    given = [tmp_path / name for name in "abcd"]
    (line,) = load(file, packages=given).dropped
    told = f"{tmp_path / 'a'}, {tmp_path / 'b'} and 2 more, {file.parent} and the"
    assert told in line and "ROS_PACKAGE_PATH; give" in line
    (package(tmp_path / "dog_description") / "meshes/foot.stl").unlink()
    (line,) = load(file).dropped
    assert f"{tmp_path / 'dog_description'} has no meshes/foot.stl; give" in line


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("dog=/nowhere/at/all", "is not a folder"),
        ("/nowhere/at/all", "is not a folder"),
        ({"../dog": "/tmp"}, "is no name of a package"),
        ({"dog": "a\0b"}, "is not a folder"),
    ],
)
def test_a_path_of_packages_that_cannot_be_is_refused(said: object, problem: str):
    with pytest.raises(ConfigError, match=problem):
        packages_of(said)  # type: ignore[arg-type]


def test_a_folder_with_an_equals_sign_is_a_folder(tmp_path: Path):
    folder = tmp_path / "v=2"
    folder.mkdir()
    assert packages_of(str(folder)).folders == (folder,)
    assert packages_of([f"dog={folder}"]).named == {"dog": folder}


def test_lint_sees_the_shapes_of_packages(tmp_path: Path):
    where = package(tmp_path / "far/checkout")
    # a body of 2 kg and 1 kg m² on a mesh of 1 m: its shape bears the inertia out
    file = alone(tmp_path)
    blind, seeing = lint(file), lint(file, [f"dog_description={where}"])
    assert blind.findings != seeing.findings


def test_meshes_named_from_the_packages_root_on_are_found(tmp_path: Path):
    where = package(tmp_path / "dog_description")
    file = urdf(where / "urdf/dog.urdf", link("a", mesh="meshes/foot.stl"))
    assert shapes(file) == 1
    (where / "package.xml").unlink()
    assert shapes(file) == 0
    assert "starts from, --package-path DIR" in load(file).dropped[0]
    assert shapes(file, packages=where) == 1


LOOKS = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>
<link name="a"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0"
 ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="package://gone/eye.dae"/></geometry>
<material name="x"><color rgba="1 0 0 1"/></material><material name="y>"/></visual>
<visual><geometry><box size="1 1 1"/></geometry><material
 name="red"/></visual>
<visual name='a>b'/><collision><geometry><box size="1 1 1"/></geometry></collision>
</link>{more}</robot>"""


def test_no_robot_is_refused_for_its_looks(tmp_path: Path):
    """Two materials of one visual, and a mesh for the eye alone that is not there."""
    path = tmp_path / "dog.urdf"
    path.write_text(LOOKS.format(more=""))
    robot = load(path)
    assert (robot.dropped, robot.lost_shapes) == ((), ())
    assert robot.model.ngeom == 1
    assert len(robot.visuals) == 1 and len(robot.unseen) == 2
    assert "no package 'gone'" in robot.unseen[0]


def test_nor_where_the_file_asks_mujoco_to_keep_its_looks(tmp_path: Path):
    path = tmp_path / "dog.urdf"
    keep = '<mujoco><compiler discardvisual="false" meshdir="m"/></mujoco>'
    path.write_text(LOOKS.format(more=keep))
    robot = load(path)
    assert (robot.lost_shapes, robot.model.ngeom) == ((), 1)


def test_mujoco_still_counts_lines_as_the_file_does(tmp_path: Path):
    path = tmp_path / "dog.urdf"
    path.write_text(LOOKS.format(more='\n<joint name="j" type="odd"/>'))
    line = 1 + LOOKS.format(more="").count("\n") + 1
    with pytest.raises(BadFileError, match=rf"line {line}\b"):
        load(path)


def test_an_inertia_that_mujoco_takes_for_none_is_kept(tmp_path: Path):
    """A logo of 65 µg: MuJoCo wants principal moments above 1e-14 kg m²."""
    tiny = (
        '<inertia ixx="1.6e-15" iyy="1.6e-15" izz="1.6e-15" ixy="0" ixz="0" iyz="0"/>'
    )
    text = link("b", mass="6.5e-8", inertia=tiny)
    robot = load(urdf(tmp_path / "dog.urdf", link("a"), text, joint="fixed"))
    assert robot.model.body_mass.sum() == pytest.approx(2.0 + 6.5e-8, rel=1e-15)
    assert robot.mended == ("link 'b' had an inertia of 1.6e-15 kg m², got 2e-14 more",)


def test_a_urdfs_robot_can_be_hashed(tmp_path: Path):
    path = urdf(tmp_path / "dog.urdf", link("a"), link("b"))
    path.write_text(
        path.read_text().replace("</joint>", '<limit velocity="7" effort="1"/></joint>')
    )
    robot = load(path)
    assert robot.speeds == {"ab": 7.0}
    assert isinstance(hash(robot), int)
