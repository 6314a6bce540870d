"""What a robot file may ask for, and no more: every limit from both sides.

Nothing is read by MuJoCo here: files are counted, and refused, before that.
"""

import os
import struct
from pathlib import Path

import pytest

import equipoise as eq
from equipoise.core.errors import BadFileError, ConfigError
from equipoise.robots.files.budget import expect_budget
from oracles.stick_quadruped import stick_quadruped

MIB = 2**20


def judged(folder: Path, text: str) -> str:
    """Return why an MJCF text is refused; empty where it is not."""
    content = f"<mujoco>{text}</mujoco>".encode()
    try:
        expect_budget(folder / "robot.xml", content)
    except BadFileError as error:
        return str(error)
    return ""


def copies(count: int, inner: str = "<geom/>") -> str:
    return f'<replicate count="{count}">{inner}</replicate>'


def mesh(rows: int) -> str:
    return f'<mesh builtin="sphere" params="1 {rows} 2"/>'


def muscles(count: int, joints: int, more: str = "", kind: str = "muscle") -> str:
    each = f'<{kind} joint="j" {more}/>'
    return "<joint/>" * (joints - 1) + "<freejoint/>" + each * count


LIMITS = {
    # the root counts, and so does what is copied and the copying itself
    "elements": ("<geom/>" * 29_999, "<geom/>" * 30_000, "30,001 elements"),
    "bodies": ("<body/>" * 3000, "<body/>" * 3001, "3,001 bodies"),
    "links": ("<link/>" * 3000, "<link/>" * 3001, "3,001 bodies"),
    "copies": (copies(1500), copies(1501), "3,002 copies by <replicate>"),
    "copies of copies": (
        copies(30, copies(49)),
        copies(30, copies(50)),
        "3,030 copies by <replicate>",
    ),
    "copies in two places": (
        copies(750) + copies(750),
        copies(750) + copies(751),
        "3,002 copies",
    ),
    "one copy": (copies(1) * 9000, copies(1) * 15_000, "30,001 elements"),
    "what comes after copies": (
        copies(1000) + "<body/>" * 2000,
        copies(1000) + "<body/>" * 3001,
        "3,001 bodies",
    ),
    "copied bodies": (
        copies(900, "<body/>"),
        copies(1500, "<body/>") + "<body/>" * 1501,
        "3,001 bodies",
    ),
    "poses": ('<size nkey="10000"/>', '<size nkey="10001"/>', "10,001 in <size nkey>"),
    "user data": (
        '<size nuserdata="1000000"/>',
        '<size nuserdata="1000001"/>',
        "1,000,001 in",
    ),
    "rows": ('<size njmax="100000"/>', '<size njmax="100001"/>', "in <size njmax>"),
    "contacts": (
        '<size nconmax="100000"/>',
        '<size nconmax="100001"/>',
        "in <size nconmax>",
    ),
    "numbers of a user": (
        '<size nuser_body="1000"/>',
        '<size nuser_body="1001"/>',
        "<size nuser_body>",
    ),
    "memory": ('<size memory="512M"/>', '<size memory="513M"/>', "bytes of memory"),
    "memory in gigabytes": ('<size memory="0.5G"/>', '<size memory="1G"/>', "memory"),
    "memory in kilobytes": (
        '<size memory="524288K"/>',
        '<size memory="524289k"/>',
        "536,871,936 bytes",
    ),
    "memory in bytes": (
        '<size memory="536870912"/>',
        '<size memory="536870913"/>',
        "536,870,913 bytes",
    ),
    "much memory": ('<size memory=""/>', '<size memory="1T"/>', "1,099,511,627,776"),
    "stack": ('<size nstack="67108864"/>', '<size nstack="67108865"/>', "536,870,920"),
    "texture": (
        '<texture width="4096" height="4096"/>',
        '<texture width="4096" height="4097"/>',
        "16,781,312 pixels",
    ),
    "ground": (
        '<hfield nrow="2048" ncol="2048"/>',
        '<hfield nrow="2048" ncol="2049"/>',
        "4,196,352 cells",
    ),
    "camera": (
        '<camera resolution="2048 2048"/>',
        '<camera resolution="2049 2048"/>',
        "pixels",
    ),
    "soft body": (
        '<flexcomp count="30 10 100"/>',
        '<flexcomp count="30 10 101"/>',
        "30,300 points",
    ),
    "cells of a soft body": (
        '<flexcomp cellcount="30 1000"/>',
        '<flexcomp cellcount="30 1001"/>',
        "30,030 cells",
    ),
    "mesh by formula": (mesh(300), mesh(301), "301 rows"),
    "meshes by formula": (
        mesh(300) + mesh(244),
        mesh(300) + mesh(245),
        "150,025 points of meshes",
    ),
    **{
        key: (f'<option {key}="10000"/>', f'<option {key}="10001"/>', f"<option {key}>")
        for key in (
            "iterations",
            "ls_iterations",
            "noslip_iterations",
            "ccd_iterations",
            "sdf_iterations",
            "sdf_initpoints",
        )
    },
    "negative counts": (
        '<option iterations="-10000"/>',
        '<option iterations="-10001"/>',
        "10,001 in",
    ),
    "samples": ('<a nsample="10000"/>', '<a nsample="10001"/>', "in <a nsample>"),
    "activations": ('<a actdim="1000"/>', '<a actdim="1001"/>', "in <a actdim>"),
    "dimensions": ('<a dim="10000"/>', '<a dim="10001"/>', "in <a dim>"),
    "steps": (
        '<lengthrange timestep="0.001"/>',
        '<lengthrange timestep="0.0009"/>',
        "steps",
    ),
    "time": (
        '<lengthrange inttotal="100"/>',
        '<lengthrange inttotal="100.1"/>',
        "10,010 steps",
    ),
    "no step": (
        '<lengthrange timestep="0.01"/>',
        '<lengthrange timestep="0"/>',
        "inf steps",
    ),
    "muscles": (muscles(50, 100), muscles(50, 101), "5,050 muscles of unknown length"),
    "muscles of general kind": (
        muscles(50, 100, 'gaintype="muscle"', "general"),
        muscles(50, 101, 'biastype="muscle"', "general"),
        "5,050 muscles",
    ),
    "known lengths": (
        muscles(90, 100, 'lengthrange="0 1"'),
        muscles(51, 100),
        "5,100 muscles",
    ),
    "all lengths": (
        muscles(90, 100, "", "motor"),
        '<lengthrange mode="all"/>' + muscles(51, 100, "", "motor"),
        "5,100 muscles",
    ),
}


@pytest.mark.parametrize(("within", "beyond", "said"), LIMITS.values(), ids=LIMITS)
def test_what_may_be_asked_for(tmp_path, within, beyond, said):
    assert judged(tmp_path, within) == ""
    why = judged(tmp_path, beyond)
    assert said in why and why.startswith("asks for ")
    assert "on line 1; at most" in why


def sparse(path: Path, size: int) -> None:
    """Write a file of a size that takes no room."""
    path.touch()
    os.truncate(path, size)


def test_how_large_a_named_file_may_be(tmp_path):
    sparse(tmp_path / "a.stl", 64 * MIB)
    assert judged(tmp_path, '<mesh file="a.stl"/>') == ""
    sparse(tmp_path / "a.stl", 64 * MIB + 1)
    assert "names a.stl in <mesh>, which" in judged(tmp_path, '<mesh file="a.stl"/>')


def test_how_large_all_named_files_may_be(tmp_path):
    (tmp_path / "meshes").mkdir()
    for k in range(4):
        sparse(tmp_path / "meshes" / f"m{k}.stl", 64 * MIB)
    named = "".join(f'<mesh file="m{k}.stl"/>' for k in range(4))
    folder = '<compiler meshdir="meshes"/>'
    assert judged(tmp_path, folder + named) == ""
    assert judged(tmp_path, folder + named * 2) == ""  # each counts once
    (tmp_path / "last.stl").write_bytes(b"1")
    why = judged(tmp_path, folder + named + '<mesh file="last.stl"/>')
    assert why == "names files of more than 256 MiB together"


def png(width: int, height: int) -> bytes:
    part = b"IHDR" + struct.pack(">II", width, height) + bytes(5)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + part + bytes(4)


@pytest.mark.parametrize(
    ("kind", "width", "height", "is_read"),
    [
        ("texture", 4096, 4096, True),
        ("texture", 4097, 4096, False),
        ("hfield", 2048, 2048, True),
        ("hfield", 2048, 2049, False),
    ],
)
def test_how_large_a_picture_may_be(tmp_path, kind, width, height, is_read):
    (tmp_path / "a.png").write_bytes(png(width, height))
    why = judged(tmp_path, f'<{kind} file="a.png"/>')
    assert (why == "") is is_read
    if not is_read:
        assert f"is {width} x {height} pixels, at most" in why


def test_included_files_count_as_the_file_itself(tmp_path):
    (tmp_path / "deep").mkdir()
    part = "<mujocoinclude>{}</mujocoinclude>"
    (tmp_path / "deep" / "a.xml").write_text(
        part.format('<include file="b.xml"/>' + "<body/>" * 1000)
    )
    (tmp_path / "deep" / "b.xml").write_text(part.format("<body/>" * 1000))
    both = '<include file="deep/a.xml"/>'
    assert judged(tmp_path, both + "<body/>" * 1000) == ""
    assert "3,001 bodies" in judged(tmp_path, both + "<body/>" * 1001)
    (tmp_path / "deep" / "b.xml").write_text("<svg/>")
    assert judged(tmp_path, both) == (
        "includes b.xml, which has the root element <svg>"
    )
    (tmp_path / "deep" / "b.xml").unlink()
    assert judged(tmp_path, both) == ""  # MuJoCo will say so


def test_how_much_all_included_files_may_be(tmp_path, monkeypatch):
    monkeypatch.setattr("equipoise.robots.files.budget.MAX_BYTES", 1000)
    text = '<include file="a.xml"/>'
    left = 1000 - len(f"<mujoco>{text}</mujoco>")
    for size, is_read in ((left, True), (left + 1, False)):
        part = "<mujocoinclude></mujocoinclude>".ljust(size)
        (tmp_path / "a.xml").write_text(part)
        assert (judged(tmp_path, text) == "") is is_read


@pytest.mark.parametrize(
    ("value", "is_taken"),
    [
        (-2.5, True),
        (-0.1, True),
        (-0.1 + 0.9e-9, True),  # rounding
        (-2.5 - 0.9e-9, True),
        (-0.1 + 1.1e-9, False),
        (-2.5 - 1.1e-9, False),
    ],
)
def test_how_far_a_pose_may_be_out_of_a_joints_range(tmp_path, value, is_taken):
    path = tmp_path / "sticks.urdf"
    path.write_text(stick_quadruped())
    robot = eq.load(path)
    joint = robot.model.joint("FL_knee")
    assert joint.range == pytest.approx([-2.5, -0.1], abs=1e-15)
    if is_taken:
        assert robot.pose({"FL_knee": value})[joint.qposadr[0]] == value
    else:
        with pytest.raises(ConfigError, match=r"'FL_knee' must be -2\.5 to -0\.1"):
            robot.pose({"FL_knee": value})
