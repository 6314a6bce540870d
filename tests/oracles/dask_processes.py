"""A real scheduler and workers of Dask's, each a process of its own on 127.0.0.1."""

import os
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["DaskProcesses", "dask_processes"]

TESTS = Path(__file__).parents[1]
HERE = ("--host", "127.0.0.1", "--no-dashboard")


@dataclass
class DaskProcesses:
    """A scheduler's address and its workers."""

    address: str
    scheduler: "subprocess.Popen[str]"
    workers: list["subprocess.Popen[str]"] = field(default_factory=list)


def begun(opened: ExitStack, program: str, *words: str) -> "subprocess.Popen[str]":
    """Start one of Dask's programs; it ends with the stack."""
    path = os.pathsep.join([str(TESTS), *(word for word in sys.path if word)])
    process = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{program}", *words],
        env={**os.environ, "PYTHONPATH": path},
        stderr=subprocess.PIPE,
        text=True,
    )

    def end() -> None:
        process.kill()
        process.communicate()

    opened.callback(end)
    return process


def said(process: "subprocess.Popen[str]", word: str) -> str:
    """Return what follows a word in what a program logs."""
    assert process.stderr is not None
    for line in process.stderr:
        if word in line:
            return line.split(word)[1].strip()
    raise RuntimeError(f"a process of Dask's ended without saying '{word}'")


@contextmanager
def dask_processes(
    workers: int, threads: int = 1, words: Sequence[str] = ()
) -> Generator[DaskProcesses]:
    """Start a scheduler and workers, and end them.

    Args:
        workers: how many.
        threads: of each.
        words: more of the command line, of all of them.
    """
    with ExitStack() as opened:
        scheduler = begun(opened, "dask_scheduler", *HERE, *words, "--port", "0")
        found = DaskProcesses(said(scheduler, "Scheduler at:"), scheduler)
        line = (found.address, *words, *HERE, "--no-nanny", "--nthreads", str(threads))
        for _ in range(workers):
            found.workers.append(begun(opened, "dask_worker", *line))
        for worker in found.workers:
            said(worker, "Registered to:")
        yield found
