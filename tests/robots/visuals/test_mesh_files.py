"""Mesh files read one by one: colours that stay in their folder, counts that lie."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from equipoise.core.errors import BadFileError
from equipoise.robots.files.places import mesh_places
from equipoise.robots.files.visual import Visual, urdf_visuals
from equipoise.robots.visuals.appearance import appearance_of
from equipoise.robots.visuals.dae import DEEPEST, read_dae
from equipoise.robots.visuals.stl_obj import MOST_MTL_BYTES, read_obj, read_stl
from equipoise.robots.visuals.triangles import coarser, surface

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl paint\nf 1 2 3\n"
PAINT = "newmtl paint\nKd .2 .4 .6\n"
RGBA = (0.2, 0.4, 0.6, 1.0)
PLAIN = '<node><instance_geometry url="#g"/></node>'


def volume(part) -> float:
    """Return the volume inside a surface, negative where it is inside out [m³]."""
    a, b, c = np.moveaxis(part.vertices[part.faces].astype(float), 1, 0)
    return float(np.einsum("ij,ij->", np.cross(a, b), c)) / 6.0


def colour_in(folder: Path, name: str):
    """Return the colour that a triangle has by the named file of materials."""
    (part,) = read_obj(f"mtllib {name}\n{TRIANGLE}".encode(), folder)
    return part.rgba


# --- OBJ ------------------------------------------------------------------------------


def test_colours_come_from_the_mesh_s_own_folder_alone(tmp_path: Path):
    """A downloaded mesh cannot have a file of its reader's looked into."""
    folder, outside = tmp_path / "meshes", tmp_path / "outside.mtl"
    (folder / "inner").mkdir(parents=True)
    for place in (outside, folder / "own.mtl", folder / "inner" / "below.mtl"):
        place.write_text(PAINT)
    (folder / "link.mtl").symlink_to(outside)
    (folder / "near.mtl").symlink_to(folder / "own.mtl")
    for name in ("own.mtl", "inner/below.mtl", "inner/../own.mtl", "near.mtl"):
        assert colour_in(folder, name) == RGBA
    for name in ("../outside.mtl", str(outside), "link.mtl", "inner/../../outside.mtl"):
        assert colour_in(folder, name) is None
    assert colour_in(folder, "gone.mtl") is None


def test_a_huge_file_of_materials_is_not_read(tmp_path: Path):
    (tmp_path / "c.mtl").write_text(PAINT.ljust(MOST_MTL_BYTES))
    assert colour_in(tmp_path, "c.mtl") == RGBA
    (tmp_path / "c.mtl").write_text(PAINT.ljust(MOST_MTL_BYTES + 1))
    assert colour_in(tmp_path, "c.mtl") is None


@pytest.mark.parametrize(
    ("line", "rgba"),
    [
        ("Kd 2 -1 .5", (1.0, 0.0, 0.5, 1.0)),
        ("Kd nan .4 .6", None),
        ("Kd .2 .4", None),
        ("Kd red", None),
        ("Ka .2 .4 .6", None),
    ],
)
def test_a_colour_is_three_numbers_from_0_to_1(line, rgba, tmp_path: Path):
    (tmp_path / "c.mtl").write_text(f"newmtl paint\n{line}\n")
    assert colour_in(tmp_path, "c.mtl") == rgba


def test_materials_may_have_blanks_in_their_names(tmp_path: Path):
    (tmp_path / "c.mtl").write_text(f"newmtl paint\nKd 0 0 0\n{PAINT}".replace(
        "newmtl paint\nKd .2", "newmtl paint two\nKd .2"))  # fmt: skip
    text = f"mtllib c.mtl\n{TRIANGLE}".replace("usemtl paint", "usemtl paint two")
    (part,) = read_obj(text.encode(), tmp_path)
    assert part.rgba == RGBA


def test_a_polygon_is_a_fan_and_numbers_count_back_from_the_last_corner(tmp_path: Path):
    turns = np.exp(2j * np.pi * np.arange(6) / 6.0)
    lines = "".join(f"v {z.real} {z.imag} 0\n" for z in turns)
    (part,) = read_obj(f"{lines}f -6 -5 -4 -3 -2 -1\nv 9 9 9\n".encode(), tmp_path)
    a, b, c = np.moveaxis(part.vertices[part.faces].astype(float), 1, 0)
    assert len(part.faces) == 4
    area = 0.5 * np.cross(b - a, c - a)[:, 2]
    assert (area > 0.0).all()
    # reading: corners are in single precision
    assert area.sum() == pytest.approx(1.5 * np.sqrt(3.0), rel=1e-6)


def test_numbers_of_corners_are_of_those_before_the_face(tmp_path: Path):
    text = (
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf -3 -2 -1\n"
    )
    (part,) = read_obj(text.encode(), tmp_path)
    heights = part.vertices[part.faces][:, :, 2]
    assert sorted(heights.mean(axis=1).tolist()) == [0.0, 5.0]


# --- STL ------------------------------------------------------------------------------


def test_corners_left_over_in_a_text_are_no_triangle():
    three = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    (part,) = read_stl(f"solid x\n{three}vertex 7 7 7\nvertex 8 8 8\n".encode())
    assert part.faces.shape == (1, 3) and part.vertices.max() == 1.0


def test_a_binary_file_that_is_longer_than_it_says_is_refused():
    whole = b"\0" * 80 + (1).to_bytes(4, "little") + b"\0" * 50
    with pytest.raises(BadFileError, match="185 bytes of 134"):
        read_stl(whole + b"\0" * 51)


# --- COLLADA --------------------------------------------------------------------------


def dae(nodes: str = PLAIN, *, group: str = "", stride: int = 3, more: str = "") -> str:
    """Return a tetrahedron in COLLADA, or other groups of triangles of its corners."""
    values = " ".join(f"{x:g}" for x in CORNERS.ravel())
    own = " ".join(map(str, FACES.ravel()))
    vertex = '<input semantic="VERTEX" source="#v" offset="0"/>'
    group = group or f"<triangles>{vertex}<p>{own}</p></triangles>"
    return f"""<COLLADA><library_geometries><geometry id="g"><mesh>
    <source id="s"><float_array>{values}</float_array><technique_common>
    <accessor stride="{stride}"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
    {group.replace("VERTEX0", vertex)}</mesh></geometry></library_geometries>{more}
    <library_visual_scenes><visual_scene id="w">{nodes}</visual_scene>
    </library_visual_scenes><scene><instance_visual_scene url="#w"/></scene>
    </COLLADA>"""


@pytest.mark.parametrize("factor", ["2 1 1", "-2 1 1", "-1 -2 1", "-1 -1 -2"])
def test_a_mirrored_piece_is_not_inside_out(factor: str):
    scale = f"<scale>{factor}</scale>"
    (part,) = read_dae(dae(PLAIN.replace("<instance", f"{scale}<instance")).encode())
    assert volume(part) == pytest.approx(2.0 / 6.0)


def test_polygons_and_lists_of_polygons_are_fans():
    (part,) = read_dae(
        dae(group="<polygons>VERTEX0<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p>"
            "</polygons>").encode()
    )  # fmt: skip
    assert volume(part) == pytest.approx(1.0 / 6.0)
    counts = "<vcount>2 3 3 3 3</vcount><p>0 1 0 2 1 0 1 3 0 3 2 1 2 3</p>"
    (part,) = read_dae(dae(group=f"<polylist>VERTEX0{counts}</polylist>").encode())
    assert volume(part) == pytest.approx(1.0 / 6.0)  # two corners are no polygon


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (dae(stride=2), "12 numbers for corners of 2"),
        (dae(stride=5), "12 numbers for corners of 5"),
        (
            dae(group="<polylist>VERTEX0<vcount>3 4</vcount><p>0 1 2 0 1 3</p>"
                "</polylist>"),
            "polygons with corners that are not there",
        ),
        (
            dae(group="<polylist>VERTEX0<vcount>-3 6</vcount><p>0 1 2</p></polylist>"),
            "polygons with corners that are not there",
        ),
        (
            dae(group='<triangles><input semantic="VERTEX" source="#v" offset="-2"/>'
                "<p>0 1 2</p></triangles>"),
            "half a corner",
        ),
        (
            dae(group='<triangles><input semantic="VERTEX" source="#v" offset="64"/>'
                f"<p>{'0 ' * 65}</p></triangles>"),
            "half a corner",
        ),
        (dae(group="<triangles>VERTEX0<p>0 1 4</p></triangles>"), "is not there"),
        (dae("<node>" * DEEPEST + PLAIN + "</node>" * DEEPEST), "levels"),
    ],
)  # fmt: skip
def test_counts_that_lie_are_refused(text: str, said: str):
    with pytest.raises(BadFileError, match=said):
        read_dae(text.encode())


def test_nodes_that_stand_for_each_other_come_to_an_end():
    """Twelve nodes, each two times the next: 4,096 pieces out of a kilobyte."""
    twice = '<node id="n{k}"><instance_node url="#n{m}"/><instance_node url="#n{m}"/>'
    nodes = "".join(twice.format(k=k, m=k + 1) + "</node>" for k in range(12))
    end = '<node id="n12"/>'
    text = dae(
        '<node><instance_node url="#n0"/></node>',
        more=f"<library_nodes>{nodes}{end}</library_nodes>",
    )
    with pytest.raises(BadFileError, match="2000 nodes"):
        read_dae(text.encode())


# --- what is drawn --------------------------------------------------------------------


def looks(folder: Path, *visuals: str):
    """Return what a URDF with these visuals shows."""
    shown = "".join(f"<visual>{visual}</visual>" for visual in visuals)
    paint = '<material name="sky"><color rgba="0 .5 1 1"/></material>'
    text = f'<robot name="r">{paint}<link name="a">{shown}</link></robot>'
    return urdf_visuals(text.encode(), mesh_places(folder / "r.urdf"))


def test_simple_shapes_have_half_lengths_and_their_own_colour_first(tmp_path: Path):
    own = '<material name="paint"><color rgba=".1 .2 2 1"/></material>'
    named, other = '<material name="sky"/>', own.replace(".1 .2 2", "1 0 0")
    found, lost = looks(
        tmp_path,
        f'<geometry><box size="1 2 3"/></geometry>{own}',
        f'<geometry><cylinder radius="1" length="3"/></geometry>{named}',
        f'<geometry><capsule radius="1" length="4"/></geometry>{other}',
        '<geometry><sphere radius="2"/></geometry><material name="none"/>',
        '<geometry><sphere radius="2"/></geometry><material name="p">'
        '<color rgba="nan 0 0 1"/></material>',
    )
    assert lost == ()
    assert [(one.kind, one.size) for one in found] == [
        ("box", (0.5, 1.0, 1.5)),
        ("cylinder", (1.0, 1.5, 0.0)),
        ("capsule", (1.0, 2.0, 0.0)),
        ("sphere", (2.0, 0.0, 0.0)),
        ("sphere", (2.0, 0.0, 0.0)),
    ]
    colours = [(0.1, 0.2, 1.0, 1.0), (0.0, 0.5, 1.0, 1.0), (1.0, 0.0, 0.0, 1.0)]
    assert [one.rgba for one in found] == [*colours, None, None]


def test_a_mesh_s_own_colours_come_before_those_of_the_robot(tmp_path: Path):
    """Two pieces of one colour are one mesh, each with its own corners."""
    (tmp_path / "c.mtl").write_text(f"{PAINT}newmtl plain\n")
    high = TRIANGLE.replace("v 0 0 0", "v 0 0 5").replace("1 2 3", "4 5 6")
    text = f"mtllib c.mtl\n{TRIANGLE}{high}usemtl plain\nf 1 2 6\n"
    (tmp_path / "a.obj").write_text(text)
    red = (1.0, 0.0, 0.0, 1.0)
    one = Visual(body="a", kind="mesh", size=(1, 2, 1), rgba=red,
                 path=str(tmp_path / "a.obj"))  # fmt: skip
    painted, plain = appearance_of([one]).shapes
    assert (painted.rgba, plain.rgba) == (RGBA, red)
    mesh = appearance_of([one]).meshes[painted.mesh]
    heights = mesh.vertices[mesh.faces][:, :, 2].max(axis=1)
    assert sorted(heights.tolist()) == [0.0, 5.0] and mesh.vertices[:, 1].max() == 2.0
    flat = replace(one, size=(1, 0, 1))
    (line,) = appearance_of([flat]).unseen
    assert "is scaled to nothing" in line


@pytest.mark.parametrize("faces", [[[0, 1, -1]], [[0, 1, 4]]])
def test_triangles_of_corners_that_are_not_there_are_refused(faces):
    with pytest.raises(BadFileError, match="a corner that is not there"):
        surface(CORNERS, faces)


def test_flat_triangles_go_and_corners_at_one_place_are_one():
    """Also where one is at minus nothing."""
    twice = np.vstack([CORNERS, CORNERS * [-1.0, 1.0, 1.0]])
    part = surface(twice, [[0, 1, 2], [4, 2, 1], [0, 1, 4], [1, 4, 0], [4, 0, 2]])
    assert len(part.faces) == 2 and len(part.vertices) == 3


def test_pieces_of_one_colour_are_one_mesh_with_corners_of_each(tmp_path: Path):
    high = PLAIN.replace("<instance", "<translate>0 0 5</translate><instance")
    (tmp_path / "a.dae").write_text(dae(PLAIN + high))
    one = Visual(body="a", kind="mesh", size=(1, 1, 1), path=str(tmp_path / "a.dae"))
    (mesh,) = appearance_of([one]).meshes
    assert volume(mesh) == pytest.approx(2.0 / 6.0)
    heights = mesh.vertices[mesh.faces][:, :, 2].max(axis=1)
    assert sorted(heights.tolist()) == [0.0, 1.0, 1.0, 1.0, 5.0, 6.0, 6.0, 6.0]


def test_a_surface_that_is_small_enough_stays_as_it_is():
    part = surface(CORNERS, FACES)
    assert coarser(part, 4) is part and len(coarser(part, 3).faces) <= 3
