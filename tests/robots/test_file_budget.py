"""What a robot file may ask for: refused in a sentence, at once, without the memory."""

import os
import struct
import time
import zlib
from pathlib import Path

import pytest

from equipoise.core.errors import BadFileError
from equipoise.robots.lint.lint import lint
from equipoise.robots.load import load

BODY = '<body name="b"><freejoint/><geom size=".1" mass="1"/>{}</body>'


def scene(
    folder: Path, asset: str = "", body: str = "", head: str = "", coding: str = "utf-8"
) -> Path:
    """Write an MJCF file with a ball, and return its path."""
    path = folder / "scene.xml"
    world = f"<worldbody>{BODY.format(body)}</worldbody>"
    path.write_bytes(f"{head}<mujoco>{asset}{world}</mujoco>".encode(coding))
    return path


def png(width: int, height: int) -> bytes:
    """Return a PNG file's first part; the rest would be small as well."""
    part = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + part + bytes(4)


COPIES = '<replicate count="{}" offset="0 0 1">{}</replicate>'
GEOM = '<geom size=".1" mass="1"/>'
ASSET = "<asset>{}</asset>"
CASES = {
    "copies": ("", COPIES.format(100000, GEOM), "100,005 elements"),
    "copies of copies": ("", COPIES.format(90, COPIES.format(90, GEOM)), "copies by"),
    "bodies": ("", COPIES.format(1600, "<body>" + GEOM + "</body>"), "3,200 copies"),
    "poses": ('<size nkey="100000000"/>', "", "100,000,000 in <size nkey>"),
    "user data": ('<size nuser_geom="1e9"/>', "", "1,000,000,000 in <size nuser_geom>"),
    "memory": ('<size memory="500G"/>', "", "536,870,912,000 bytes of memory"),
    "contacts": ('<size nconmax="1000000000"/>', "", "in <size nconmax>"),
    "texture": (
        ASSET.format(
            '<texture name="t" type="2d" builtin="flat" width="60000" height="60000"/>'
        ),
        "",
        "3,600,000,000 pixels",
    ),
    "ground": (
        ASSET.format('<hfield name="h" nrow="60000" ncol="60000" size="1 1 1 1"/>'),
        "",
        "3,600,000,000 cells",
    ),
    "mesh": (
        ASSET.format('<mesh name="m" builtin="supersphere" params="1e5 1 1"/>'),
        "",
        "100,000 rows",
    ),
    "soft body": (
        "",
        '<flexcomp name="f" type="grid" count="1000 1000 9" spacing="1 1 1"/>',
        "9,000,000 points",
    ),
    "meshes": (
        ASSET.format(
            "".join(
                f'<mesh name="m{k}" builtin="supersphere" params="299 1 1"/>'
                for k in range(2)
            )
        ),
        "",
        "178,802 points of meshes by formula",
    ),
    "iterations": ('<option ccd_iterations="2000000000"/>', "", "in <option ccd_it"),
    "lengths": (
        "",
        COPIES.format(80, '<body><joint name="j"/>' + GEOM + "</body>")
        + "</body></worldbody><actuator>"
        + '<muscle joint="j0"/>' * 70
        + "</actuator><worldbody><body>"
        + GEOM,
        "muscles of unknown length times joints",
    ),
    "muscles": (
        '<compiler><lengthrange inttotal="1e9" timestep="1e-9"/></compiler>',
        "",
        r"1e\+18 steps",
    ),
}


@pytest.mark.parametrize(("asset", "body", "what"), CASES.values(), ids=CASES)
def test_too_much_is_refused(tmp_path, asset, body, what):
    path = scene(tmp_path, asset, body)
    start = time.perf_counter()
    with pytest.raises(BadFileError, match=what) as caught:
        load(path)
    assert time.perf_counter() - start < 2.0  # 5 s are promised, with the imports
    assert str(caught.value).startswith(f"{path}: asks for ")
    assert "on line 1; at most" in str(caught.value)


def test_very_many_loose_things_are_refused(tmp_path):
    block = '<body pos="{} 9 1"><freejoint/><geom size=".1"/></body>'
    others = "".join(block.format(k) for k in range(750))
    path = tmp_path / "scene.xml"
    robot = BODY.format("<body><joint/><geom size='.1'/></body>")
    path.write_text(f"<mujoco><worldbody>{robot}{others}</worldbody></mujoco>")
    with pytest.raises(BadFileError, match="holds 750 things that move beside 'b'"):
        load(path)


def test_muscles_whose_lengths_are_known_are_read(tmp_path):
    legs = COPIES.format(80, '<body><joint name="j"/>' + GEOM + "</body>")
    muscles = '<muscle joint="j00" lengthrange="-1 1"/>' * 70
    path = tmp_path / "scene.xml"
    world = f"<worldbody>{BODY.format(legs)}</worldbody>"
    path.write_text(f"<mujoco>{world}<actuator>{muscles}</actuator></mujoco>")
    assert load(path).model.nu == 70


def test_what_a_scene_needs_is_read(tmp_path):
    asset = '<size nkey="20" memory="64M"/>' + ASSET.format(
        '<texture name="t" type="2d" builtin="flat" width="1024" height="1024"/>'
        '<hfield name="h" nrow="100" ncol="100" size="1 1 1 1"/>'
    )
    robot = load(scene(tmp_path, asset, COPIES.format(200, GEOM)))
    assert robot.model.ngeom == 201


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        (ASSET.format('<mesh name="q" file="pipe.stl"/>'), "pipe.stl in <mesh>"),
        (ASSET.format('<texture type="2d" file="pipe.png"/>'), "pipe.png in <texture>"),
        (ASSET.format('<texture fileup="pipe.png"/>'), "pipe.png in <texture>"),
        (ASSET.format('<hfield file="pipe.png" size="1 1 1 1"/>'), "in <hfield>"),
        (ASSET.format('<skin file="pipe.skn"/>'), "pipe.skn in <skin>"),
        (ASSET.format('<model name="z" file="pipe.xml"/>'), "includes pipe.xml"),
        ('<include file="pipe.xml"/>', "includes pipe.xml"),
        (
            '<compiler meshdir="deep"/>' + ASSET.format('<mesh file="pipe.stl"/>'),
            "pipe.stl in <mesh>",
        ),
    ],
)
def test_a_pipe_is_not_waited_for(tmp_path, tag, name):
    (tmp_path / "deep").mkdir()
    folder = tmp_path / "deep" if "meshdir" in tag else tmp_path
    os.mkfifo(folder / f"pipe.{name.split('.')[1][:3] if '.' in name else 'png'}")
    body = '<geom type="mesh" mesh="q"/>' if "<mesh" in tag else ""
    with pytest.raises(BadFileError, match="is not a regular file") as caught:
        load(scene(tmp_path, tag, body))
    assert name in str(caught.value)


def test_a_picture_that_unpacks_without_end_is_refused(tmp_path):
    (tmp_path / "t.png").write_bytes(png(60000, 60000) + zlib.compress(bytes(999)))
    asset = ASSET.format('<texture name="t" type="2d" file="t.png"/>')
    with pytest.raises(
        BadFileError, match=r"names t\.png in <texture>, which is 60000 x"
    ):
        load(scene(tmp_path, asset))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><mujocoinclude/>', "has a DOCTYPE"),
        ("<mujocoinclude>", "is not complete XML"),
        ("<html/>", "has the root element <html>"),
        ('<mujocoinclude><size nkey="100000000"/></mujocoinclude>', "asks for"),
        ('<mujocoinclude><include file="more.xml"/></mujocoinclude>', "has a DOCTYPE"),
        ("", "is empty"),
    ],
)
def test_included_files_are_looked_at_alike(tmp_path, text, what):
    (tmp_path / "part.xml").write_text(text)
    (tmp_path / "more.xml").write_text("<!DOCTYPE a><mujocoinclude/>")
    with pytest.raises(BadFileError, match=what) as caught:
        load(scene(tmp_path, '<include file="part.xml"/>'))
    assert "scene.xml: includes " in str(caught.value)


def test_copies_are_counted_over_all_files(tmp_path):
    part = f"<mujocoinclude>{COPIES.format(1600, '<body>' + GEOM + '</body>')}"
    (tmp_path / "part.xml").write_text(f"{part}</mujocoinclude>")
    (tmp_path / "more.xml").write_text(f"{part}</mujocoinclude>")
    body = '</body><include file="part.xml"/><include file="more.xml"/><body name="c">'
    with pytest.raises(BadFileError, match="copies by <replicate>"):
        load(scene(tmp_path, "", body + GEOM))


DECLARED = '<?xml version="1.0" encoding="{}"?>'
NAMED = '<geom name="Jörg" size=".1" mass="1"/>'


@pytest.mark.parametrize(
    ("head", "coding", "what"),
    [
        (
            DECLARED.format("ISO-8859-1"),
            "latin-1",
            "character on line 1 that is not UTF-8",
        ),
        ("", "latin-1", "character on line 1 that is not UTF-8"),
        (DECLARED.format("klingon"), "utf-8", "the unknown encoding 'klingon'"),
        (DECLARED.format("utf-16"), "utf-16", "is written in UTF-16"),
    ],
)
@pytest.mark.parametrize("read", [load, lint])
def test_letters_are_utf_8(tmp_path, head, coding, what, read):
    with pytest.raises(BadFileError, match=f"{what}.*; save it as UTF-8"):
        read(scene(tmp_path, body=NAMED, head=head, coding=coding))


def test_letters_beyond_ascii_are_fine(tmp_path):
    path = scene(tmp_path, body=NAMED, head=DECLARED.format("utf-8"))
    assert load(path).model.geom("Jörg").id == 1
    assert lint(path).bodies == 1


def test_a_prefix_without_a_name_space_is_one_sentence(tmp_path):
    with pytest.raises(BadFileError, match=r"is not complete XML \(unbound prefix"):
        lint(scene(tmp_path, body="<foo:bar/>"))


@pytest.mark.parametrize("size", ["1e308", "inf", "4e10"])
def test_sizes_with_which_nothing_computes(tmp_path, size, recwarn):
    path = tmp_path / "r.urdf"
    path.write_text(
        '<robot name="r"><link name="a"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
        f'<collision><geometry><box size="{size} 1 1"/></geometry></collision>'
        "</link></robot>"
    )
    with pytest.raises(BadFileError, match="in its geom size; the largest that works"):
        load(path)
    assert [f.level for f in lint(path).findings if "box size" in f.what] == ["error"]
    assert not list(recwarn)
