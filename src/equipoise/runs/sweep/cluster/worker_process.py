"""What a cluster's worker does: hand rows to a process beside it, and time them."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection
from pickle import dumps
from typing import final

from equipoise.runs.process_map import Lost
from equipoise.runs.sweep.cluster.shipped_files import PLACED, UnpackedBundle

__all__ = ["ChunkAnswers", "answer_chunk", "same_path", "worker_versions"]

LOOK = 0.5  # [s] between looks whether a row is still wanted
CHILD = "equipoise.runs.sweep.cluster.child"
PACKAGES = ("equipoise", "mujoco", "numpy", "numba", "scipy")
"""Whose numbers a row's answer is made of."""
IDLE: list["Child"] = []
"""Processes of this worker that wait for rows; appending and popping are atomic."""


@final
@dataclass(frozen=True, slots=True)
class ChunkAnswers:
    """Answers of a worker to some rows."""

    answers: list[bytes]
    """Pickles, in the order of the rows; none where files are wanted first."""
    seconds: float
    """That the rows took."""
    versions: dict[str, str]
    """As ``worker_versions`` gives them."""
    wanting: str = ""
    """The worker's address, where it has not got the files that the rows name."""


@final
@dataclass(frozen=True, slots=True)
class Child:
    """A process that does rows, and our end of the pipe to it."""

    process: "subprocess.Popen[bytes]"
    pipe: Connection


def answer_chunk(ask: bytes, rows: Sequence[bytes], bundle: str) -> ChunkAnswers:
    """Return the answers to some rows; what a row raises is its answer.

    Args:
        ask: a function that answers one, as a pickle.
        rows: what it is called with, as pickles.
        bundle: name of the files that they need; empty for none.
    """
    began = time.perf_counter()
    placed = PLACED.get(bundle)
    if bundle and placed is None:
        from distributed import get_worker

        return ChunkAnswers([], 0.0, worker_versions(), get_worker().address)
    answers = [_answered((placed, ask, row)) for row in rows]
    return ChunkAnswers(answers, time.perf_counter() - began, worker_versions())


def _answered(errand: tuple[UnpackedBundle | None, bytes, bytes]) -> bytes:
    """Return one row's answer, or say that its process died, as a pickle."""
    while IDLE:
        child = IDLE.pop()
        try:
            child.pipe.send(errand)
            break
        except OSError:  # it waited too long and ended
            _buried(child)
    else:
        child = _started()
        with suppress(OSError):  # told below, by the pipe's end
            child.pipe.send(errand)
    try:
        while not child.pipe.poll(LOOK):
            if _is_cancelled():
                child.process.kill()
        answer = child.pipe.recv_bytes()
    except (EOFError, OSError):
        code = _buried(child)
        return dumps(Lost(f"its process died, exit code {code}", died=True))
    IDLE.append(child)
    return answer


def _is_cancelled() -> bool:
    """Return whether the sweep took back the chunk that this thread works on."""
    from dask.context import thread_state
    from distributed.worker import get_worker

    task = get_worker().state.tasks.get(getattr(thread_state, "key", ""))
    return task is None or task.state == "cancelled"


def _started() -> Child:
    """Return a new process; it finds our packages where this one does."""
    here, there = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, "-m", CHILD, str(there.fileno()), str(os.getpid())],
        pass_fds=[there.fileno()],
        env=same_path(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    there.close()  # so that its death ends the pipe
    return Child(process, Connection(here.detach()))


def same_path() -> dict[str, str]:
    """Return the environment of a process that finds modules where this one does."""
    path = os.pathsep.join(word for word in sys.path if word)
    return {**os.environ, "PYTHONPATH": path}


def _buried(child: Child) -> int:
    """Return how a process ended, once it has."""
    child.pipe.close()
    return child.process.wait()


def worker_versions() -> dict[str, str]:
    """Return the versions of what makes a row's numbers, by package."""
    found = {"Python": ".".join(map(str, sys.version_info[:2]))}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "none"
    return found
