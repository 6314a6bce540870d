"""Files are whole or absent, whatever goes wrong on the way."""

import errno
import json
import math
from pathlib import Path

import numpy as np
import pytest

from equipoise.core import files
from equipoise.core.errors import BadFileError
from equipoise.core.files import (
    atomic_path,
    atomic_write,
    plain,
    write_json,
    write_together,
)


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


def two(folder: Path) -> list[Path]:
    """Write a file and one in a folder of its own."""
    return [atomic_write(folder / "b", "new b"), atomic_write(folder / "s/a", "new a")]


def test_files_arrive_together(tmp_path):
    out = tmp_path / "deep" / "out"
    written = write_together(out, two)
    assert written.files == [out / "b", out / "s" / "a"]
    assert written.replaced == []
    assert names(out) == ["b", "s"] and names(out / "s") == ["a"]
    (out / "b").write_text("old")
    (out / "mine").write_text("mine")
    (out / "s" / "a").unlink()
    again = write_together(out, two)
    assert again.replaced == [out / "b"]
    assert (out / "b").read_text() == "new b"
    assert names(out) == ["b", "mine", "s"]


def test_a_failure_leaves_the_folder_as_it_was(tmp_path):
    out = tmp_path / "deep" / "out"

    def fails(folder: Path) -> list[Path]:
        one = atomic_write(folder / "b", "new")
        (folder / "taken").mkdir()
        return [one, atomic_write(folder / "taken", "x")]

    with pytest.raises(BadFileError) as caught:
        write_together(out, fails)
    assert str(caught.value).startswith(f"{out / 'taken'} could not be written: Is a")
    assert names(tmp_path) == []  # the folders made for it are gone as well
    out.mkdir(parents=True)
    (out / "b").write_text("old")
    with pytest.raises(BadFileError):
        write_together(out, fails)
    assert names(out) == ["b"] and (out / "b").read_text() == "old"


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interruption_leaves_the_folder_as_it_was(tmp_path, error):
    def stops(folder: Path) -> list[Path]:
        atomic_write(folder / "b", "new")
        raise error

    with pytest.raises(error):
        write_together(tmp_path / "out", stops)
    assert names(tmp_path) == []


def test_a_move_that_fails_is_undone(tmp_path, monkeypatch):
    for name in ("b", "c", "d"):
        (tmp_path / name).write_text(f"old {name}")
    rename, count = Path.rename, 0

    def stubborn(self: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count == 4:  # two files lie aside and one has moved in
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, target)

    def three(folder: Path) -> list[Path]:
        return [atomic_write(folder / name, "new") for name in ("b", "c", "d")]

    monkeypatch.setattr(Path, "rename", stubborn)
    with pytest.raises(BadFileError, match="could not be written: Input/output error"):
        write_together(tmp_path, three)
    assert count > 4
    assert names(tmp_path) == ["b", "c", "d"]
    assert [(tmp_path / n).read_text() for n in "bcd"] == ["old b", "old c", "old d"]


def test_a_folder_where_a_file_shall_be_is_refused_before_anything_moves(tmp_path):
    (tmp_path / "s" / "a").mkdir(parents=True)
    (tmp_path / "b").write_text("old")
    with pytest.raises(BadFileError, match=r"s/a is a folder; choose another place\."):
        write_together(tmp_path, two)
    assert (tmp_path / "b").read_text() == "old"
    assert names(tmp_path) == ["b", "s"]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (np.float64("inf"), None),
        (np.float32(0.5), 0.5),
        (np.int64(7), 7),
        (np.bool_(True), True),
        (np.array([[1.0, np.nan], [-np.inf, 2.0]]), [[1.0, None], [None, 2.0]]),
        (np.array(3.0), 3.0),
        ((1, "a", None, True), [1, "a", None, True]),
        ({1: {2.5: math.inf}, "b": (math.nan, [np.array([4])])},
         {"1": {"2.5": None}, "b": [None, [[4]]]}),
    ],
)  # fmt: skip
def test_what_json_cannot_say_is_null_wherever_it_stands(value, wanted):
    found = plain(value)
    assert found == wanted and type(found) is type(wanted)
    assert json.loads(json.dumps(found, allow_nan=False)) == wanted


def test_an_object_is_written_whole_and_without_words_that_json_lacks(tmp_path):
    content = {"a": math.inf, "b": np.array([1.5, np.nan]), 3: "ä"}
    path = write_json(tmp_path / "inner", "x.json", content)
    assert path == tmp_path / "inner" / "x.json"
    assert json.loads(path.read_text()) == {"a": None, "b": [1.5, None], "3": "ä"}
    assert path.read_text().endswith("}\n")
