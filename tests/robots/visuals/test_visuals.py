"""What a URDF shows is kept, read once, and weighs and touches nothing."""

import struct
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from equipoise.core.errors import BadFileError
from equipoise.robots.files.visual import GREY, Visual
from equipoise.robots.load import load
from equipoise.robots.visuals.appearance import (
    MOST_BYTES,
    MOST_TRIANGLES,
    appearance_of,
    read_surfaces,
)
from equipoise.robots.visuals.picture import HIDDEN_GROUP, picture_model
from equipoise.robots.visuals.robot_looks import robot_appearance
from equipoise.robots.visuals.triangles import coarser, surface
from oracles.robot_files import example_urdfs

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
 <library_effects><effect id="e"><profile_COMMON><technique sid="c"><phong>
  <diffuse><color>0.8 0.1 0.2 1</color></diffuse>
 </phong></technique></profile_COMMON></effect></library_effects>
 <library_materials><material id="red"><instance_effect url="#e"/></material>
 </library_materials>
 <library_geometries><geometry id="g"><mesh>
  <source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
   <technique_common><accessor source="#a" count="4" stride="3"/></technique_common>
  </source>
  <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
  <triangles count="2" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
   <input semantic="NORMAL" source="#s" offset="1"/><p>0 0 2 0 1 0 0 0 1 0 3 0</p>
  </triangles>
  <polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/>
   <vcount>4</vcount><p>0 1 2 3</p></polylist>
 </mesh></geometry></library_geometries>
 <library_visual_scenes><visual_scene id="w"><node>
   <translate>10 0 0</translate><rotate>0 0 1 90</rotate>
   <instance_geometry url="#g"><bind_material><technique_common>
     <instance_material symbol="m" target="#red"/>
   </technique_common></bind_material></instance_geometry>
 </node></visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#w"/></scene>
</COLLADA>"""


def stl(corners: np.ndarray = CORNERS, faces: np.ndarray = FACES) -> bytes:
    """Return a binary STL file."""
    rows = [
        struct.pack("<12f", 0, 0, 0, *corners[face].ravel()) + b"\0\0" for face in faces
    ]
    return b"\0" * 80 + struct.pack("<I", len(rows)) + b"".join(rows)


def grid(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a wavy sheet of 2 n² triangles."""
    x, y = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1))
    corners = np.column_stack((x.ravel(), y.ravel(), 0.1 * np.sin(9 * x.ravel())))
    k = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = [np.column_stack((k, k + 1, k + n + 2)), np.column_stack((k, k + n + 2, k))]
    faces[1][:, 2] = k + n + 1
    return corners, np.vstack(faces)


def robot_text(*visuals: str) -> str:
    """Return a URDF of one link."""
    shown = "".join(f"<visual>{visual}</visual>" for visual in visuals)
    return (
        '<robot name="r"><material name="sky"><color rgba="0 0.4 0.8 1"/></material>'
        '<link name="a"><inertial><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".1" '
        'ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry>'
        f'<box size=".2 .2 .2"/></geometry></collision>{shown}</link></robot>'
    )


def mesh(name: str, more: str = "") -> str:
    """Return the geometry of a mesh."""
    return f'<geometry><mesh filename="{name}" {more}/></geometry>'


def robot(folder: Path, *visuals: str):
    """Return a robot of one link that shows this."""
    (folder / "r.urdf").write_text(robot_text(*visuals))
    return load(folder / "r.urdf")


def test_each_kind_of_mesh_gives_its_triangles_and_colours(tmp_path: Path):
    (tmp_path / "a.stl").write_bytes(stl())
    lines = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in CORNERS[face])
        + "endloop\nendfacet\n"
        for face in FACES
    )
    (tmp_path / "b.STL").write_text(f"solid x\n{lines}endsolid\n")
    (tmp_path / "c.mtl").write_text("newmtl paint\nKd .2 .4 .6\n")
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
    faces = "".join(f"f {a + 1}//1 {b + 1}//1 {c - 4}//1\n" for a, b, c in FACES)
    (tmp_path / "c.obj").write_text(f"mtllib c.mtl\n{corners}usemtl paint\n{faces}")
    (tmp_path / "d.dae").write_text(DAE)
    for name in ("a.stl", "b.STL", "c.obj"):
        (part,) = read_surfaces(tmp_path / name)
        assert len(part.faces) == 4
        triangles = np.sort(part.vertices[part.faces].reshape(4, -1), axis=0)
        assert (triangles == np.sort(CORNERS[FACES].reshape(4, -1), axis=0)).all()
    assert read_surfaces(tmp_path / "c.obj")[0].rgba == (0.2, 0.4, 0.6, 1.0)
    red, plain = read_surfaces(tmp_path / "d.dae")
    assert (red.rgba, plain.rgba) == ((0.8, 0.1, 0.2, 1.0), None)
    assert (len(red.faces), len(plain.faces)) == (2, 2)  # a quad is two triangles
    # turned by 90 degrees, moved by 10, in centimetres; float32 of numbers below 1
    wanted = {(0.1, 0.01, 0.0), (0.09, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0.0, 0.01)}
    assert {tuple(v) for v in red.vertices.round(7).tolist()} == {
        tuple(np.float32(x).round(7).item() for x in v) for v in wanted
    }


def test_visuals_are_kept_with_place_and_colour(tmp_path: Path):
    (tmp_path / "a.stl").write_bytes(stl())
    place = '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>'
    own = robot(
        tmp_path,
        place + mesh("a.stl", 'scale="2 2 -2"') + '<material name="sky"/>',
        '<geometry><cylinder radius=".1" length=".6"/></geometry>',
    )
    looks = robot_appearance(own)
    one, two = looks.shapes
    assert one.visual.pos == (1.0, 2.0, 3.0)
    assert one.visual.quat == pytest.approx((0.5**0.5, 0, 0, 0.5**0.5), abs=1e-15)
    assert (one.rgba, two.rgba) == ((0.0, 0.4, 0.8, 1.0), GREY)
    assert (two.visual.kind, two.visual.size) == ("cylinder", (0.1, 0.3, 0.0))
    (part,) = looks.meshes
    assert part.vertices.min() == -2.0 and part.vertices.max() == 2.0
    a, b, c = np.moveaxis(part.vertices[part.faces].astype(float), 1, 0)
    volume = np.einsum("ij,ij->", np.cross(a, b), c) / 6.0
    assert volume == pytest.approx(8.0 / 6.0)  # mirrored, and still not inside out
    picture = picture_model(own.spec, looks)
    assert picture.geom_group.tolist() == [HIDDEN_GROUP, 0, 0]


def test_the_same_triangles_are_kept_once(tmp_path: Path):
    (tmp_path / "a.stl").write_bytes(stl())
    (tmp_path / "b.stl").write_bytes(b"another head".ljust(80) + stl()[80:])
    own = robot(tmp_path, mesh("a.stl"), mesh("b.stl"), mesh("a.stl", 'scale="2"'))
    assert len(robot_appearance(own).shapes) == 3
    assert [shape.mesh for shape in robot_appearance(own).shapes] == [0, 0, 1]
    assert len(robot_appearance(own).meshes) == 2


BROKEN = {
    "gone.stl": (None, "is not there"),
    "half.stl": (stl()[:150], "is cut off: 150 bytes of 284"),
    "empty.dae": (b"", "is empty"),
    "hostile.dae": (b'<!DOCTYPE a [<!ENTITY b "c">]><COLLADA/>', "has a DOCTYPE"),
    "odd.dae": (DAE.replace(">0 1 2 3<", ">0 1 2 9<").encode(), "is not there"),
    "ahead.dae": (
        DAE.replace('source="#v" offset="0"', 'source="#v" offset="-1"').encode(),
        "triangles with half a corner",
    ),
    "words.dae": (DAE.replace("0 1 2 3", "a b c d").encode(), "something else in it"),
    "nan.stl": (stl(CORNERS * np.nan), "not within 1e+06 m"),
    "flat.stl": (stl(0 * CORNERS), "no triangle with an area"),
    "few.obj": (b"v 0 0 0\nf 1 2 3\n", "a corner that is not there"),
    "bad.obj": (b"v 0 0\nf 1 x 3\n", "a line that cannot be read"),
    "other.ply": (b"ply", "is .ply, not one of .stl, .obj, .dae"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_said_and_the_robot_loads(name: str, tmp_path: Path):
    content, why = BROKEN[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    own = robot(tmp_path, mesh(name))
    (line,) = robot_appearance(own).unseen
    assert line.startswith(f"visual of 'a' not shown: mesh {name} ")
    assert why in line
    assert robot_appearance(own).shapes == ()
    picture = picture_model(own.spec, robot_appearance(own))
    assert picture.geom_group.tolist() == [0]  # the box that touches is seen instead


@pytest.mark.parametrize(
    "visual",
    [
        "",
        "<geometry/>",
        '<geometry><box size="1 1"/></geometry>',
        '<geometry><sphere radius="-1"/></geometry>',
        '<geometry><torus radius="1"/></geometry>',
        '<origin xyz="0 0 inf"/><geometry><sphere radius="1"/></geometry>',
    ],
)
def test_an_odd_visual_is_said_and_the_robot_loads(visual: str, tmp_path: Path):
    own = robot(tmp_path, visual)
    assert len(own.unseen) == 1 and own.unseen[0].startswith("visual of 'a' not shown")
    assert own.found.assumed[-1] == own.unseen[0]


def test_names_in_a_line_cannot_move_the_cursor(tmp_path: Path):
    own = robot(tmp_path, mesh("\u202egone\u2028.stl"))
    assert own.unseen[0].isprintable()


def test_a_huge_mesh_is_made_smaller_and_said(tmp_path: Path):
    corners, faces = grid(150)
    (tmp_path / "a.stl").write_bytes(stl(corners, faces))
    looks = robot_appearance(robot(tmp_path, mesh("a.stl")))
    (part,) = looks.meshes
    assert 0.5 * MOST_TRIANGLES < len(part.faces) <= MOST_TRIANGLES
    said = f"is shown with {len(part.faces)} of its 45000 triangles"
    assert looks.coarse == (f"mesh a.stl {said}",)
    # no corner leaves its cell: sides of 1 / 90 or finer, and the sheet is still there
    assert np.abs(part.vertices.min(axis=0) - corners.min(axis=0)).max() < 0.02
    assert np.abs(part.vertices.max(axis=0) - corners.max(axis=0)).max() < 0.02


def test_all_meshes_together_stay_within_the_budget(tmp_path: Path, monkeypatch):
    corners, faces = grid(60)
    for k in range(3):
        (tmp_path / f"{k}.stl").write_bytes(stl(corners * (k + 1.0), faces))
    visuals = [
        Visual(body="a", kind="mesh", size=(1, 1, 1), path=str(tmp_path / f"{k}.stl"))
        for k in range(3)
    ]
    whole = appearance_of(visuals)
    assert sum(m.bytes for m in whole.meshes) < MOST_BYTES and not whole.coarse
    monkeypatch.setattr(
        "equipoise.robots.visuals.appearance.MOST_BYTES", 2**17
    )  # 128 kB
    looks = appearance_of(visuals)
    assert sum(m.bytes for m in looks.meshes) <= 2**17
    assert len(looks.shapes) == 3 and "triangles each" in looks.coarse[0]


def test_a_surface_has_no_corner_twice():
    twice = surface(np.vstack((CORNERS, CORNERS)), np.vstack((FACES, FACES + 4)))
    assert len(twice.vertices) == 4
    assert coarser(twice, 100) is twice
    with pytest.raises(BadFileError, match="no triangles"):
        surface(CORNERS, np.zeros((0, 3)))


def stripped(path: Path, to: Path) -> Path:
    """Write a URDF without its visuals."""
    root = ET.parse(path).getroot()
    for link in root.findall("link"):
        for visual in link.findall("visual"):
            link.remove(visual)
    ET.ElementTree(root).write(to, "utf-8")
    return to


def expect_same_physics(path: Path, folder: Path) -> bool:
    """Compare a robot with its file without visuals; False where it does not load."""
    root = [p for p in path.parents if p.name == "robots"][-1].parent
    (folder / root.name).unlink(missing_ok=True)
    (folder / root.name).symlink_to(root)  # where package:// leads
    try:
        shown = load(path)
    except BadFileError:
        return False
    bare = load(stripped(path, folder / "bare.urdf"))
    assert len(shown.lost_shapes) == len(bare.lost_shapes)
    for name in ("nq", "nv", "nbody", "ngeom", "nmesh", "nu", "npair"):
        assert getattr(shown.model, name) == getattr(bare.model, name), path.name
    for name in dir(bare.model):
        value = getattr(bare.model, name)
        # colours of shapes that touch are taken from visuals by MuJoCo itself
        if isinstance(value, np.ndarray) and name not in ("paths", "geom_rgba"):
            same = np.array_equal(getattr(shown.model, name), value)
            assert same or name.startswith("name"), (path.name, name)
    picture = picture_model(shown.spec, robot_appearance(shown))
    for name in ("body_mass", "body_ipos", "body_inertia", "body_pos", "qpos0"):
        own = getattr(picture, name)
        assert np.array_equal(own, getattr(bare.model, name)), (path.name, name)
    touching = [m.geom_contype | m.geom_conaffinity for m in (picture, bare.model)]
    assert (touching[0] > 0).sum() == (touching[1] > 0).sum()
    return True


FEW = [f for f in example_urdfs() if f.stem in ("go2", "solo12", "icub_reduced")]


@pytest.mark.skipif(not FEW, reason="example-robot-data is not installed")
@pytest.mark.parametrize("path", FEW, ids=lambda path: path.stem)
def test_visuals_change_no_number(path: Path, tmp_path: Path):
    """Against the same file with its visuals cut out, every array, bit by bit."""
    assert expect_same_physics(path, tmp_path)


@pytest.mark.skipif(not FEW, reason="example-robot-data is not installed")
@pytest.mark.slow
def test_visuals_change_no_number_of_any_public_robot(tmp_path: Path):
    same = [expect_same_physics(path, tmp_path) for path in example_urdfs()]
    assert sum(same) >= 60  # version 5 has 75 that load, version 6 has 68
