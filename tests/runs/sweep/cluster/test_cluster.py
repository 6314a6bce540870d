"""Rows on a real scheduler with two workers, all of them processes of their own."""

import gc
import math
import operator
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.runs.process_map import Lost
from equipoise.runs.sweep.cluster import cluster
from equipoise.runs.sweep.cluster.agreement import expect_versions
from equipoise.runs.sweep.cluster.dispatch import Dispatch
from equipoise.runs.sweep.cluster.shipped_files import FileBundle
from equipoise.runs.sweep.cluster.worker_process import ChunkAnswers, worker_versions
from equipoise.runs.sweep.swept import ask
from oracles.dask_processes import DaskProcesses, dask_processes
from oracles.slow_rows import (
    die,
    die_once,
    fail_at_three,
    process_and_parent,
    read_file,
    slow_square,
)

pytest.importorskip("distributed")
pytestmark = pytest.mark.sim


@pytest.fixture(scope="module")
def running() -> Iterator[DaskProcesses]:
    """A scheduler and two workers for all tests; the last one shoots a worker."""
    with dask_processes(2) as found:
        yield found


def answers(where: str, ask: Any, rows: list[Any]) -> dict[int, Any]:
    """Return the answers by place; fails where one comes twice."""
    found: dict[int, Any] = {}

    def done(k: int, answer: Any) -> None:
        assert k not in found
        found[k] = answer

    cluster.Cluster(where, 1).work(ask, rows, done)
    return found


def is_running(process: int) -> bool:
    """Say whether a process is there and no mere entry in the table."""
    psutil = pytest.importorskip("psutil")  # Dask brings it
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_every_row_has_its_answer(running: DaskProcesses):
    rows = [float(k) for k in range(300)]
    found = answers(running.address, math.sqrt, rows)
    assert found == {k: math.sqrt(row) for k, row in enumerate(rows)}


def test_what_a_row_raises_is_its_answer(running: DaskProcesses):
    found = answers(running.address, fail_at_three, list(range(6)))
    assert found[3] == Lost("ValueError: three is not liked")
    assert [found[k] for k in (0, 1, 2, 4, 5)] == [0, 1, 4, 16, 25]


def test_a_crash_costs_its_row_and_not_the_worker(running: DaskProcesses):
    found = answers(running.address, die, list(range(6)))
    assert found[3] == Lost(f"its process died, exit code {-signal.SIGSEGV}")
    assert [found[k] for k in (0, 1, 2, 4, 5)] == [0, 1, 4, 16, 25]
    assert [worker.poll() for worker in running.workers] == [None, None]


def test_a_row_whose_process_died_once_is_done_again(
    running: DaskProcesses, tmp_path: Path
):
    rows = [(k, tmp_path / "died") for k in range(5)]
    found = answers(running.address, die_once, rows)
    assert (tmp_path / "died").exists()
    assert found == {k: k * k for k in range(5)}


def test_numbers_are_those_of_this_process(running: DaskProcesses):
    words = ["check", "robot=warp1", "slope=12.3%", "seed=3"]
    (there,) = answers(running.address, ask, [words]).values()
    here = ask(words)
    assert there.verdict == "yes"
    assert there == here  # every number to the last bit


def test_ctrl_c_keeps_what_is_done_and_frees_the_workers(running: DaskProcesses):
    found: dict[int, Any] = {}

    def done(k: int, answer: Any) -> None:
        found[k] = answer
        raise KeyboardInterrupt

    rows = [0.0, *[60.0] * 9]  # [s]
    with pytest.raises(KeyboardInterrupt):
        cluster.Cluster(running.address, 1).work(time.sleep, rows, done)
    assert found == {0: None}
    began = time.monotonic()
    assert answers(running.address, operator.neg, [5, 6]) == {0: -5, 1: -6}
    assert time.monotonic() - began < 30.0  # those that slept are not waited for


@pytest.mark.parametrize("is_late", [False, True])
def test_files_that_rows_name_go_to_workers_without_them(
    running: DaskProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_late
):
    """A worker on this machine finds other contents here than the sweep had."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "note.txt"
    path.write_text("of the sweep")
    bundle = cluster.packed_files([["note.txt"], [str(path)]])
    assert bundle == FileBundle(str(tmp_path), {str(path): b"of the sweep"})
    path.write_text("of the worker")
    monkeypatch.setattr(cluster, "packed_files", lambda rows: bundle)
    asked, send = list[Any](), Dispatch.send_bundle

    def send_bundle(one: Dispatch, workers: Any = None) -> None:
        asked.append(workers)
        if workers or not is_late:  # as if the workers had come later
            send(one, workers)

    monkeypatch.setattr(Dispatch, "send_bundle", send_bundle)
    found = answers(running.address, read_file, [["note.txt"], [str(path)]])
    assert found == {0: ("of the sweep", False), 1: ("of the sweep", True)}
    assert (len(asked) > 1) == is_late


def test_a_worker_that_is_shot_loses_nothing(running: DaskProcesses, tmp_path: Path):
    found: dict[int, Any] = {}

    def done(k: int, answer: Any) -> None:
        assert k not in found
        found[k] = answer
        if len(found) == 5:
            running.workers[0].send_signal(signal.SIGKILL)

    cluster.Cluster(running.address, 1).work(slow_square, list(range(30)), done)
    assert running.workers[0].wait() == -signal.SIGKILL
    assert found == {k: k * k for k in range(30)}


def test_a_scheduler_that_is_gone_in_the_middle_is_told(
    running: DaskProcesses, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cluster, "WAITS", 1)
    found: dict[int, int] = {}

    def done(k: int, answer: int) -> None:
        found[k] = answer
        if len(found) == 2:
            running.scheduler.send_signal(signal.SIGKILL)

    with pytest.raises(ConfigError, match="its scheduler does not answer any more"):
        cluster.Cluster(running.address, 1).work(slow_square, list(range(99)), done)
    assert 2 <= len(found) < 99
    # else xarray would look for a cluster when it writes the table
    assert pytest.importorskip("dask").config.get("scheduler", None) is None
    assert all(found[k] == k * k for k in found)


def test_a_cluster_of_this_machine_ends_with_its_rows():
    found = answers("local", process_and_parent, [1, 2])
    assert len({worker for _, worker in found.values()}) == 1
    until = time.monotonic() + 10.0
    while any(is_running(k) for pair in found.values() for k in pair):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:9", "nonsense", "tcp://:"])
def test_a_cluster_that_is_not_there_is_told(
    where: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cluster, "WAITS", 1)
    with pytest.raises(ConfigError, match=f"no scheduler answers at '{where}'"):
        answers(where, math.sqrt, [4.0])
    clients = pytest.importorskip("distributed").Client
    # one that is collected while the next one starts waits for itself for ever
    known = [one for one in gc.get_objects() if isinstance(one, clients)]
    assert all(one.status == "closed" for one in known)


def test_nothing_is_left_where_there_is_no_cluster(tmp_path: Path):
    out = tmp_path / "out"
    with pytest.raises(ConfigError, match="missing port number"):
        eq.sweep("check", "warp1", vary={"slope": [0, 5]}, cluster="nowhere", out=out)
    assert not out.exists()


def test_other_versions_are_told():
    here = worker_versions()
    assert here["mujoco"].count(".") == 2
    expect_versions({"tcp://one": here})
    told = {"tcp://one": here, "tcp://two": {**here, "mujoco": "3.1.0"}}
    said = rf"tcp://two has mujoco 3\.1\.0, here is mujoco {here['mujoco']}; install"
    with pytest.raises(ConfigError, match=said):
        expect_versions(told)
    told = {"tcp://two": ModuleNotFoundError("No module named 'equipoise'")}
    with pytest.raises(ConfigError, match=r"two cannot do rows .No module named 'equi"):
        expect_versions(told)


def test_a_worker_that_cannot_store_files_is_told():
    said = ChunkAnswers([], 0.0, worker_versions(), "tcp://bee")
    one = Dispatch(Mock(), b"", [16.0], FileBundle("/", {"/a": b"1"}), print)
    with pytest.raises(ConfigError, match="tcp://bee cannot store the files"):
        for _ in range(100):
            future = Mock(result=lambda: said)
            one.flying[future] = [0]
            assert one.collected(future) == [0]


def test_late_workers_with_other_versions_are_told():
    said = ChunkAnswers([b""], 0.1, {**worker_versions(), "equipoise": "0.0.1"})
    future = Mock(result=lambda: said)
    one = Dispatch(None, b"", [16.0], FileBundle("/", {}), print)
    one.flying[future] = [0]
    with pytest.raises(ConfigError, match=r"a worker has equipoise 0\.0\.1, here is"):
        one.collected(future)


@pytest.mark.parametrize(
    ("where", "workers", "said"),
    [
        (" ", 1, "give local, ssh:FILE or a scheduler's address .*, got ' '"),
        ("ssh:", 1, "got 'ssh:'"),
        ("local", 0, "workers must be 1 to 1024, got 0"),
    ],
)
def test_what_can_be_no_cluster_is_refused(where: str, workers: int, said: str):
    with pytest.raises(ConfigError, match=said):
        cluster.Cluster(where, workers)
