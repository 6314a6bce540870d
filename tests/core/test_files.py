"""Files are whole or absent, whatever goes wrong on the way."""

import errno
from pathlib import Path

import pytest

from equipoise.core import files
from equipoise.core.errors import BadFileError
from equipoise.core.files import atomic_path, atomic_write


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize(
    ("data", "stored"),
    [(b"\x00\xff", b"\x00\xff"), ("grün", b"gr\xc3\xbcn"), (b"", b"")],
)
def test_content_arrives_and_nothing_else(tmp_path, data, stored):
    target = tmp_path / "new" / "deep" / "a.bin"
    assert atomic_write(target, data) == target
    assert target.read_bytes() == stored
    assert names(target.parent) == ["a.bin"]


def test_mode_is_that_of_an_ordinary_file(tmp_path):
    ordinary = tmp_path / "ordinary"
    ordinary.write_bytes(b"")
    target = atomic_write(tmp_path / "a", b"x")
    assert target.stat().st_mode == ordinary.stat().st_mode


def test_full_disk_keeps_the_old_file_and_leaves_no_rest(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    target.write_text("old")

    def full(_: int) -> None:
        assert len(names(tmp_path)) == 2  # the temporary file does exist by now
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "fsync", full)
    with pytest.raises(
        BadFileError, match=r"a\.txt could not be written: No space left"
    ):
        atomic_write(target, "new")
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_reader_never_sees_a_half_written_file(tmp_path):
    # Renamed into place, not written into: whoever has the old file keeps it whole.
    target, old = tmp_path / "a.txt", tmp_path / "old.txt"
    target.write_text("old")
    old.hardlink_to(target)
    atomic_write(target, "new")
    assert target.read_text() == "new"
    assert old.read_text() == "old"


def test_interrupted_block_keeps_the_old_file(tmp_path):
    target = tmp_path / "run.nc"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt), atomic_path(target) as temporary:
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".nc"
        temporary.write_text("half")
        raise KeyboardInterrupt
    assert target.read_text() == "old"
    assert names(tmp_path) == ["run.nc"]


def test_path_block_renames_at_the_end(tmp_path):
    with atomic_path(tmp_path / "run.nc") as temporary:
        temporary.write_text("whole")
        assert names(tmp_path) == [temporary.name]
    assert names(tmp_path) == ["run.nc"]
    assert (tmp_path / "run.nc").read_text() == "whole"


def test_a_folder_in_the_way_is_one_sentence(tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(
        BadFileError, match=r"taken could not be written: Is a directory"
    ):
        atomic_write(tmp_path / "taken", b"x")
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadFileError, match="could not be written"):
        atomic_write(tmp_path / "file" / "below", b"x")
    assert names(tmp_path) == ["file", "taken"]
