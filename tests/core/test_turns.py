"""Turns between processes: one works, others wait, and none waits for a dead one."""

import select
import subprocess
import sys

import pytest

from equipoise.core.turns import FILE, turn

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked")
SCRIPT = """
import sys
from equipoise.core.turns import turn
with turn(sys.argv[1], sys.argv[2]):
    print("in", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def worker():
    """Return what starts a process that takes its turn and keeps it."""
    started: list[subprocess.Popen[str]] = []

    def start(folder, work: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", SCRIPT, str(folder), work]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def is_in(process: subprocess.Popen[str], patience: float) -> bool:
    """Tell whether a process has its turn, now or within some time [s]."""
    return bool(select.select([process.stdout], [], [], patience)[0])


def test_one_works_and_the_other_waits_until_it_is_gone(worker, tmp_path):
    first = worker(tmp_path, "one")
    assert is_in(first, 60.0)
    second, apart = worker(tmp_path, "one"), worker(tmp_path, "another")
    assert is_in(apart, 60.0)  # so the second, as old, had time too
    assert not is_in(second, 0.5)
    first.kill()  # not even told
    assert is_in(second, 60.0)


def test_where_nothing_can_be_locked_nobody_waits(tmp_path):
    done = []
    with turn(str(tmp_path / "not there"), "one"):
        done.append(1)
    (tmp_path / FILE).mkdir()
    with turn(str(tmp_path), "one"), turn(str(tmp_path), "two"):
        done.append(2)
    assert done == [1, 2]


def test_nobody_waits_for_ever(worker, tmp_path, monkeypatch):
    assert is_in(worker(tmp_path, "one"), 60.0)
    monkeypatch.setattr("equipoise.core.turns.PATIENCE", 0.05)
    with turn(str(tmp_path), "one"):
        pass  # this line is reached


def test_a_turn_ends_with_an_error_too(worker, tmp_path):
    with pytest.raises(KeyError), turn(str(tmp_path), "one"):
        raise KeyError
    assert is_in(worker(tmp_path, "one"), 60.0)
