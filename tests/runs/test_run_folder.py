"""Folders of dead runs are removed at the next start; all others stay."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from equipoise.runs.processes import folder as run_folder
from equipoise.runs.processes.folder import PREFIX, RunFolder, sweep_folders

DEAD = 999_999_999  # beyond what a process can be numbered


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def left_by(place: Path, process: int) -> Path:
    folder = place / f"{PREFIX}{process}-abc"
    folder.mkdir()
    (folder / "world").touch()
    return folder


def test_a_folder_is_private_and_goes_with_its_run(place):
    folder = RunFolder()
    assert folder.path.parent == place
    assert folder.path.stat().st_mode & 0o777 == 0o700
    folder.remove()
    folder.remove()
    assert not list(place.iterdir())


def test_only_what_a_dead_run_left_is_removed(place):
    gone = left_by(place, DEAD)
    stays = [left_by(place, os.getpid()), place / "equipoise-abc", place / f"{PREFIX}x"]
    for path in stays[1:]:
        path.mkdir()
    (elsewhere := place / "elsewhere").mkdir()
    link = place / f"{PREFIX}{DEAD}-link"
    link.symlink_to(elsewhere)
    assert sweep_folders() == [gone]
    assert not gone.exists()
    assert all(path.exists() for path in (*stays, link, elsewhere))


def test_what_another_user_left_stays(place, monkeypatch):
    folder = left_by(place, DEAD)
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert sweep_folders() == []
    assert folder.exists()


def test_a_folder_that_somebody_still_holds_stays(place):
    """As with processes of another container, whose numbers mean nothing here."""
    folder = RunFolder()
    renamed = folder.path.rename(place / f"{PREFIX}{DEAD}-held")
    assert sweep_folders() == []
    folder.remove()
    assert sweep_folders() == [renamed]


def test_the_next_start_removes_what_a_killed_start_left(place):
    text = (
        "import runpy, tempfile, time\n"
        f"tempfile.tempdir = {str(place)!r}\n"
        f"folder = runpy.run_path({run_folder.__file__!r})['RunFolder']()\n"
        "(folder.path / 'world').touch()\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", text]) as child:
        deadline = time.monotonic() + 20.0
        while not list(place.glob("*/world")):
            assert time.monotonic() < deadline and child.poll() is None
            time.sleep(0.005)
        mine = RunFolder()  # it lives: its folder stays
        (theirs,) = (world.parent for world in place.glob("*/world"))
        mine.remove()
        assert theirs.exists()
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert theirs.exists()
    RunFolder().remove()
    assert not list(place.iterdir())
