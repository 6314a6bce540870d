"""A disk that is full at any moment of a sweep: one sentence, no finished row lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import equipoise
from equipoise.core.errors import BadFileError
from equipoise.runs.sweep.crew import Pool
from equipoise.runs.sweep.design import Choices, Design
from equipoise.runs.sweep.journal import Journal
from equipoise.runs.sweep.sweep import Answer, run_sweep
from oracles.small_disk import filled_but_for, small_disk

ROWS = 40
DESIGN = Design(vary={"n": Choices(tuple(range(ROWS)))})
TESTS = Path(__file__).parents[2]


def long_answer(n):
    """Answer with so many numbers that forty rows take 28 kB."""
    return Answer("yes", {f"number_{k}": n + k / 7 for k in range(20)})


def swept(folder, asks=long_answer):
    """Sweep forty numbers, kept in a folder."""
    return run_sweep(
        "full", DESIGN, asks, lambda row: row.index, Pool(1), folder=folder
    )


def test_a_full_disk_keeps_every_finished_row(tmp_path):
    whole = swept(None).csv()
    with small_disk(tmp_path / "disk", 256) as disk:
        folder = disk / "out"
        for free_kb in (0, 4, 8, 4):
            asked = []

            def noted(n, asked=asked):
                asked.append(n)
                return long_answer(n)

            finished = len(lines(folder)) - 1
            with filled_but_for(disk, free_kb), pytest.raises(BadFileError) as told:
                swept(folder, noted)
            assert "sweep.jsonl could not be written: No space left" in str(told.value)
            if asked:  # else there was not room for the first line
                kept = lines(folder)
                assert len(kept) == max(finished, 0) + len(asked)  # but for the last
                assert all(line.endswith(b"}\n") for line in kept)
            else:
                assert not folder.exists()
        assert swept(folder).csv() == whole


def lines(folder):
    """Return the lines of a sweep's journal."""
    path = folder / "sweep.jsonl"
    return path.read_bytes().splitlines(keepends=True) if path.exists() else []


SAVES = """
import sys
from pathlib import Path
from equipoise.core.errors import BadFileError
from oracles.small_disk import filled_but_for
from runs.sweep.test_full_disk import swept
from equipoise.sim.recording import write_run
disk, result = Path(sys.argv[1]), swept(None)
for free_kb in map(int, sys.argv[2:]):
    with filled_but_for(disk, free_kb):
        for write in (result.save, lambda out: write_run(result.dataset, out / "x.nc")):
            try:
                write(disk / "out")
            except BadFileError as error:
                assert "No space left on device" in str(error), error
                assert not (disk / "out").exists()
            else:
                raise SystemExit(f"{free_kb} kB are room enough")
"""


@pytest.mark.slow
def test_a_full_disk_ends_no_process_that_writes_files(tmp_path):
    """HDF5 ended it with a segmentation fault, where its file lay on the disk itself.

    In a process of its own, which the fault ended as late as at its exit.
    """
    with small_disk(tmp_path / "disk", 256) as disk:
        done = subprocess.run(
            [sys.executable, "-c", SAVES, str(disk), "8", "24"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
            timeout=120,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_is_written_by_hdf5_itself():
    """Whatever a dataset is of, one function writes it, from memory."""
    rooms = Path(equipoise.__file__).parent
    texts = {path: path.read_text("utf-8") for path in rooms.rglob("*.py")}
    writing = [path.name for path, text in texts.items() if ".to_netcdf(" in text]
    assert writing == ["recording.py"]


def test_a_line_that_did_not_fit_is_taken_back(tmp_path, monkeypatch):
    """Where no disk can be mounted: the system writes half of a line, then no more."""
    known = [{"index": k} for k in range(3)]
    journal = Journal(tmp_path, {"job": "x"}, known)
    row = {"index": 0, "verdict": "yes", "error": None}
    journal.keep(row)
    before = journal.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("equipoise.runs.sweep.journal.os.fsync", full)
    with pytest.raises(BadFileError, match="No space left"):
        journal.keep({**row, "index": 1})
    journal.close()
    assert journal.path.read_bytes() == before
