"""Files that a robot file includes: each once, so many, so much, from near to far."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from equipoise.core.errors import BadFileError
from equipoise.robots.files import budget, includes
from equipoise.robots.files.budget import expect_budget
from equipoise.robots.files.includes import with_includes
from equipoise.robots.files.raw import file_bytes


def file(path: Path, *inside: str, root: str = "mujoco") -> Path:
    """Write a file of some elements."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<{root}>{''.join(inside)}</{root}>")
    return path


def include(name: str) -> str:
    """Return the element that stands for another file."""
    return f'<include file="{name}"/>'


def names(path: Path) -> list[str]:
    """Return the names of the bodies of a file with all that it includes."""
    root = with_includes(ET.parse(path).getroot(), path)
    return [body.get("name", "") for body in root.iter("body")]


def body(name: str) -> str:
    return f'<body name="{name}"/>'


def test_a_file_stands_where_it_is_included_and_those_below_it_too(tmp_path):
    main = file(tmp_path / "main.xml", body("a"), include("sub/b.xml"), body("e"))
    file(tmp_path / "sub" / "b.xml", body("b"), include("c.xml"), root="mujocoinclude")
    file(tmp_path / "sub" / "c.xml", body("c"), root="mujocoinclude")
    assert names(main) == ["a", "b", "c", "e"]  # c.xml lies beside b.xml
    file(tmp_path / "c.xml", body("first"), root="mujocoinclude")
    assert names(main) == ["a", "b", "first", "e"]  # beside the main file comes first
    expect_budget(main, main.read_bytes())


def test_a_file_that_includes_itself_or_another_twice_is_refused(tmp_path):
    main = file(tmp_path / "main.xml", include("b.xml"), include("b.xml"))
    file(tmp_path / "b.xml", body("b"))
    with pytest.raises(BadFileError, match=r"includes b\.xml more than once"):
        names(main)
    file(tmp_path / "b.xml", include("main.xml"))
    with pytest.raises(BadFileError, match=r"includes main\.xml more than once"):
        names(file(tmp_path / "main.xml", include("b.xml")))


def test_what_is_included_must_be_there_and_be_part_of_a_robot(tmp_path):
    main = file(tmp_path / "main.xml", include("b.xml"))
    with pytest.raises(BadFileError, match=r"includes b\.xml, which does not exist"):
        names(main)
    file(tmp_path / "b.xml", root="html")
    for look in (names, lambda path: expect_budget(path, path.read_bytes())):
        with pytest.raises(BadFileError, match="has the root element <html>"):
            look(main)
    (tmp_path / "b.xml").write_text("<mujoco>")
    with pytest.raises(
        BadFileError,
        match=r"includes b\.xml, which is not "
        r"complete XML",
    ):
        names(main)


def test_files_count_together_against_the_budget(tmp_path, monkeypatch):
    """Each is small enough; two of them are not."""
    text = body("b" * 300)
    main = file(tmp_path / "main.xml", include("b.xml"), include("sub/c.xml"))
    file(tmp_path / "b.xml", text)
    file(tmp_path / "sub" / "c.xml", text)
    for room, is_enough in ((1000, True), (600, False)):
        for module in (budget, includes):
            monkeypatch.setattr(module, "MAX_BYTES", room)
        for look in (names, lambda path: expect_budget(path, path.read_bytes())):
            if is_enough:
                look(main)
                continue
            with pytest.raises(BadFileError, match=r"which is 0\.0 MiB, at most"):
                look(main)


def test_more_files_than_there_may_be_are_refused(tmp_path, monkeypatch):
    main = file(tmp_path / "main.xml", *(include(f"{k}.xml") for k in range(4)))
    for k in range(4):
        file(tmp_path / f"{k}.xml", body(str(k)))
    assert len(names(main)) == 4
    expect_budget(main, main.read_bytes())
    for module in (budget, includes):
        monkeypatch.setattr(module, "MOST_FILES", 3)
    with pytest.raises(BadFileError, match="includes"):
        names(main)
    with pytest.raises(BadFileError, match="includes more than 3 files"):
        expect_budget(main, main.read_bytes())


def test_files_beside_the_one_that_includes_them_are_looked_at_too(tmp_path):
    main = file(tmp_path / "main.xml", include("sub/b.xml"))
    file(tmp_path / "sub" / "b.xml", include("c.xml"))
    file(tmp_path / "sub" / "c.xml", root="html")
    with pytest.raises(BadFileError, match=r"includes c\.xml, which has the root"):
        expect_budget(main, main.read_bytes())


def test_a_file_may_be_as_large_as_the_limit_and_must_be_a_plain_one(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert file_bytes(path, 5) == b"12345" and file_bytes(path, 5, 2) == b"12"
    with pytest.raises(BadFileError, match="at most"):
        file_bytes(path, 4)
    with pytest.raises(BadFileError, match="is a folder; name a file inside it"):
        file_bytes(tmp_path, 5)
    with pytest.raises(BadFileError, match="is not a regular file"):
        file_bytes(Path("/dev/null"), 5)
    with pytest.raises(BadFileError, match="there is no such file"):
        file_bytes(tmp_path / "b", 5)
    with pytest.raises(BadFileError, match="is not a usable path"):
        file_bytes(Path("a\0b"), 5)
