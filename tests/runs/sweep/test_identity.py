"""A sweep is known by all files that its rows read, not by those that are typed."""

import struct
from pathlib import Path

import pytest

from equipoise.runs.sweep.identity import file_digests

MJCF = """
<mujoco model='box'>
  <compiler meshdir='meshes'/>
  <include file='parts.xml'/>
  <asset><mesh name='box' file='box.stl'/></asset>
  <worldbody><body name='box'><freejoint/><inertial pos='0 0 0' mass='1'
    diaginertia='1 1 1'/><geom type='mesh' mesh='box'/></body></worldbody>
</mujoco>
"""
PARTS = "<mujoco><include file='deep.xml'/></mujoco>"
DEEP = "<mujoco><option gravity='0 0 -9.8'/></mujoco>"


def stl(size: float) -> bytes:
    """Return a tetrahedron of an edge's length [m]."""
    o, x, y, z = (0, 0, 0), (size, 0, 0), (0, size, 0), (0, 0, size)
    faces = [(o, y, x), (o, x, z), (o, z, y), (x, y, z)]
    rows = [struct.pack("<12fH", 0, 0, 0, *sum(face, ()), 0) for face in faces]
    return bytes(80) + struct.pack("<I", len(rows)) + b"".join(rows)


@pytest.fixture
def robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A robot file that reads four others."""
    (tmp_path / "bot/meshes").mkdir(parents=True)
    files = {"box.xml": MJCF, "parts.xml": PARTS, "deep.xml": DEEP}
    for name, text in (files | {"box.robot.yaml": "drives: {}\n"}).items():
        (tmp_path / "bot" / name).write_text(text)
    (tmp_path / "bot/meshes/box.stl").write_bytes(stl(0.1))
    monkeypatch.chdir(tmp_path)
    return Path("bot/box.xml")


def test_what_a_robot_file_reads_is_part_of_a_sweep(robot: Path):
    words = [str(robot), "--slope=3%", "nosuch.xml"]
    before = file_digests(words)
    names = ("box.xml", "parts.xml", "deep.xml", "box.robot.yaml", "meshes/box.stl")
    assert set(before) == {str(Path("bot") / name) for name in names}
    for name in names:
        path = robot.parent / name
        content = path.read_bytes()
        if name.endswith(".stl"):
            path.write_bytes(stl(0.2))
        else:
            path.write_bytes(content + b"\n")
        after = file_digests(words)
        changed = {one for one in before if before[one] != after.get(one)}
        assert changed == {str(path)}
        path.write_bytes(content)
    assert file_digests(words) == before


def test_other_files_count_by_their_content_too(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("hill.png").write_bytes(b"png")
    assert set(file_digests(["walk", "--terrain=field:hill.png"])) == {"hill.png"}
    assert file_digests(["walk", "warp1", "--seconds=3"]) == {}
