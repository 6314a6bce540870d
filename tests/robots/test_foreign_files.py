"""Robots of other people: nothing is weighed wrong, what is lost is named."""

import struct
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from equipoise.core.errors import BadFileError
from equipoise.robots.files.mend_inertia import physical_inertia
from equipoise.robots.files.places import MeshPlaces
from equipoise.robots.load import load
from oracles.robot_files import example_urdfs

CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
FACES = ((0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3))
ROUND = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'


def is_whole(root: ET.Element) -> bool:
    """Say whether a URDF has links, and every link that its joints name.

    Two files are not: ``falcon.urdf`` of version 5, and ``ur3.urdf``, which is xacro;
    Pinocchio's reader refuses them as well.
    """
    links = {e.get("name") for e in root.findall("link")}
    ends = [e for j in root.findall("joint") for e in j if e.tag in ("parent", "child")]
    return bool(links) and {e.get("link") for e in ends} <= links


def tetrahedron() -> bytes:
    """Return a binary STL of the unit tetrahedron."""
    faces = [[x for k in face for x in CORNERS[k]] for face in FACES]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *face, 0) for face in faces)
    return b"\0" * 80 + struct.pack("<I", len(faces)) + body


def link(name: str, mass: str = "2", inertia: str = ROUND, mesh: str = "") -> str:
    """Return a URDF link."""
    shape = f'<geometry><mesh filename="{mesh}"/></geometry>' if mesh else ""
    collision = f"<collision>{shape}</collision>" if mesh else ""
    inertial = f'<inertial><mass value="{mass}"/>{inertia}</inertial>' if mass else ""
    return f'<link name="{name}">{inertial}{collision}</link>'


def urdf(path: Path, *links: str, joint: str = "continuous") -> Path:
    """Write a URDF chain of links called a, b, c ..."""
    joints = "".join(
        f'<joint name="{one}{two}" type="{joint}"><parent link="{one}"/>'
        f'<child link="{two}"/><axis xyz="0 1 0"/></joint>'
        for one, two in zip("abcd", "bcd"[: len(links) - 1], strict=False)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'<robot name="r">{"".join(links)}{joints}</robot>')
    return path


@pytest.mark.skipif(not example_urdfs(), reason="example-robot-data is not installed")
@pytest.mark.slow
def test_every_public_urdf_weighs_what_it_says():
    """Against the plain sum of the file's ``<mass>`` elements."""
    tried = 0
    for path in example_urdfs():
        root = ET.parse(path).getroot()
        if not is_whole(root):
            with pytest.raises(BadFileError):
                load(path)
            continue
        stated = sum(float(m.get("value", "")) for m in root.iter("mass"))
        robot = load(path)
        weighed = robot.model.body_mass.sum()
        # 1e-9 kg is what a moving link without mass gets, each is named; else rounding
        added = 1e-9 * sum("has no mass" in line for line in robot.mended)
        assert weighed == pytest.approx(stated + added, rel=1e-12), path.name
        tried += 1
    assert tried >= 60  # version 5 has 75 that load, version 6 has 68


@pytest.mark.parametrize(
    "prefix", ["package://dog/", "package:///dog/", "model://dog/"]
)
def test_a_package_is_found_above_the_file(tmp_path: Path, prefix: str):
    (tmp_path / "dog/meshes").mkdir(parents=True)
    (tmp_path / "dog/meshes/foot.STL").write_bytes(tetrahedron())
    text = link("a", mesh=f"{prefix}meshes/foot.STL")
    robot = load(urdf(tmp_path / "dog/urdf/dog.urdf", text))
    assert (robot.dropped, robot.lost_shapes) == ((), ())
    assert robot.model.nmesh == 1
    assert robot.model.body_mass.sum() == 2.0  # the mesh weighs nothing of its own


def test_a_package_whose_folder_was_renamed(tmp_path: Path):
    (tmp_path / "checkout/meshes").mkdir(parents=True)
    mesh = tmp_path / "checkout/meshes/foot.stl"
    mesh.write_bytes(tetrahedron())
    folder = tmp_path / "checkout/urdf"
    places, above = MeshPlaces((folder,)), MeshPlaces((folder / "..",))
    assert places.find("package://dog/meshes/foot.stl") == mesh
    assert places.find(f"file://{mesh}") == mesh
    assert above.find("../meshes/foot.stl") is None
    assert places.find("package://dog") is None
    assert places.find("a\0b") is None
    assert places.find("file:///dev/zero") is None  # it would never end


LOST = {
    "missing.stl": (None, "is not there"),
    "kind.dae": (b"<COLLADA/>", r"is .dae, not .stl, .obj or .msh"),
    "empty.stl": (b"", "cannot be read"),
    "half.stl": (tetrahedron()[:150], "cannot be read"),
    "text.stl": (b"solid x\nendsolid x\n", "cannot be read"),
}


@pytest.mark.parametrize("name", LOST)
def test_a_mesh_that_cannot_be_used_is_dropped_and_named(tmp_path: Path, name: str):
    content, why = LOST[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    (tmp_path / "good.stl").write_bytes(tetrahedron())
    path = urdf(tmp_path / "r.urdf", link("a", mesh="good.stl"), link("b", mesh=name))
    robot = load(path)
    assert robot.lost_shapes == ("b",)
    assert len(robot.dropped) == 1
    assert robot.dropped[0].startswith("body 'b': mesh ")
    assert name in robot.dropped[0] and why in robot.dropped[0]
    assert robot.model.body_mass.sum() == 4.0
    assert robot.model.ngeom == 1


def test_an_mjcf_mesh_is_dropped_only_where_the_mass_is_said(tmp_path: Path):
    inertial = '<inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>'
    text = """<mujoco><asset><mesh name="x" file="x.stl"/></asset><worldbody>
    <body name="b">{}<geom type="mesh" mesh="x"/></body></worldbody></mujoco>"""
    path = tmp_path / "r.xml"
    path.write_text(text.format(inertial))
    robot = load(path)
    assert (robot.model.body_mass.sum(), robot.lost_shapes) == (3.0, ("b",))
    path.write_text(text.format(""))
    with pytest.raises(BadFileError, match=r"x\.stl"):
        load(path)


def test_a_shape_weighs_nothing_in_urdf(tmp_path: Path):
    """MuJoCo alone gives this base 1000 kg."""
    box = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    bare = f'<link name="a">{box}</link>'
    robot = load(urdf(tmp_path / "r.urdf", bare, link("b"), joint="fixed"))
    assert robot.model.body_mass.sum() == 2.0
    assert robot.mended == ()


def test_impossible_inertias_are_mended_and_named(tmp_path: Path):
    flat = ROUND.replace('izz="1"', 'izz="9"')
    negative = ROUND.replace('izz="1"', 'izz="-1"')
    zero = ROUND.replace('"1"', '"0"')
    path = urdf(tmp_path / "r.urdf", link("a"), link("b", "2", flat),
                link("c", "2", negative), link("d", "2", zero))  # fmt: skip
    robot = load(path)
    assert [line.split("'")[1] for line in robot.mended] == ["b", "c", "d"]
    assert robot.model.body_mass.tolist()[1:] == [2.0, 2.0, 2.0, 2.0]
    for moments in robot.model.body_inertia[1:]:  # rounding of a sum of three
        assert 2.0 * moments.max() <= moments.sum() * (1 + 1e-12)


def test_a_massless_link_that_moves_is_named(tmp_path: Path):
    robot = load(urdf(tmp_path / "r.urdf", link("a"), link("b", ""), link("c")))
    assert robot.mended == ("link 'b' moves and has no mass, got 1e-9 kg",)
    # exact but for the nanogram that is named
    assert robot.model.body_mass.sum() == pytest.approx(4.0 + 1e-9, rel=1e-15)


def test_an_endless_mass_is_refused(tmp_path: Path):
    path = urdf(tmp_path / "r.urdf", link("a", mass="inf"))
    with pytest.raises(BadFileError, match="'a' that is not a finite number"):
        load(path)


def test_the_nearest_physical_inertia():
    rng = np.random.default_rng(4)
    for _ in range(200):
        points = rng.normal(size=(6, 3))
        second = points.T @ points
        good = np.trace(second) * np.eye(3) - second
        assert physical_inertia(good, 1.0) is good
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        bad = turn @ np.diag([1.0, 1.0, 2.0 + rng.uniform(0.01, 5.0)]) @ turn.T
        mended = physical_inertia(bad, 1.0)
        values = np.linalg.eigvalsh(mended)
        assert values[0] + values[1] >= values[2]
        # the two good second moments stay, the third is that of a grain of sand
        moments = np.sort(0.5 * np.trace(mended) - values)
        wanted = np.sort(0.5 * np.trace(bad) - np.linalg.eigvalsh(bad))
        np.testing.assert_allclose(moments[0], 1e-8, rtol=1e-6)  # digits lost in sums
        np.testing.assert_allclose(moments[1:], wanted[1:], rtol=1e-12)


def test_reading_leaves_no_file_behind(tmp_path: Path, monkeypatch, capfd):
    """MuJoCo would write MUJOCO_LOG.TXT about a limit that is none."""
    text = urdf(tmp_path / "in/r.urdf", link("a"), link("b"), joint="revolute")
    limit = '<limit lower="1" upper="1" effort="1" velocity="1"/></joint>'
    text.write_text(text.read_text().replace("</joint>", limit))
    folder = tmp_path / "cwd"
    folder.mkdir()
    monkeypatch.chdir(folder)
    load(text)
    assert list(folder.iterdir()) == []
    assert capfd.readouterr() == ("", "")
