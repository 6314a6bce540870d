"""What a cluster's worker does: hand rows to a process beside it, and time them."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection
from typing import Any, final

from equipoise.runs.process_map import Lost

__all__ = ["ChunkAnswers", "answer_chunk", "worker_versions"]

CHILD = "equipoise.runs.sweep.cluster.child"
PACKAGES = ("equipoise", "mujoco", "numpy", "numba", "scipy")
"""Whose numbers a row's answer is made of."""
IDLE: list["Child"] = []
"""Processes of this worker that wait for rows; appending and popping are atomic."""


@final
@dataclass(frozen=True, slots=True)
class ChunkAnswers:
    """What a worker says of some rows."""

    answers: list[Any]
    seconds: float
    """That the rows took."""
    versions: dict[str, str]
    """As ``worker_versions`` gives them."""


@final
@dataclass(frozen=True, slots=True)
class Child:
    """A process that does rows, and our end of the pipe to it."""

    process: "subprocess.Popen[bytes]"
    pipe: Connection


def answer_chunk(ask: Callable[[Any], Any], rows: Sequence[Any]) -> ChunkAnswers:
    """Return the answers to some rows; what a row raises is its answer.

    Args:
        ask: answers one; a function that another process can import.
        rows: what it is called with.
    """
    began = time.perf_counter()
    answers = [answered(ask, row) for row in rows]
    return ChunkAnswers(answers, time.perf_counter() - began, worker_versions())


def answered(ask: Callable[[Any], Any], row: Any) -> Any:
    """Return one row's answer, or say that its process died."""
    while IDLE:
        child = IDLE.pop()
        try:
            child.pipe.send((ask, row))
            break
        except OSError:  # it waited too long and ended
            buried(child)
    else:
        child = started()
        try:
            child.pipe.send((ask, row))
        except OSError:  # told below, by the pipe's end
            pass
    try:
        answer = child.pipe.recv()
    except (EOFError, OSError):
        code = buried(child)
        return Lost(f"its process died, exit code {code}", died=True)
    IDLE.append(child)
    return answer


def started() -> Child:
    """Return a new process; it finds our packages where this one does."""
    here, there = socket.socketpair()
    path = os.pathsep.join(word for word in sys.path if word)
    process = subprocess.Popen(
        [sys.executable, "-m", CHILD, str(there.fileno()), str(os.getpid())],
        pass_fds=[there.fileno()],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    there.close()  # so that its death ends the pipe
    return Child(process, Connection(here.detach()))


def buried(child: Child) -> int:
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
