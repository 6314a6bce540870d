"""A process beside a cluster's worker that does rows, one after the other.

Rows are done in the main thread of a process of their own, as our own pool does them:
a crash in compiled code costs one row and not the worker, and a worker with several
threads does as many rows at a time. ``python -m equipoise.runs.sweep.cluster.child FD``
is started by ``beside.py``.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from functools import lru_cache
from multiprocessing.connection import Connection
from pickle import PickleError, dumps, loads
from typing import Any

from equipoise.runs.process_map import Lost, attempted

__all__ = ["serve_rows"]

IDLE = 60.0  # [s] without a row, after which it ends
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


def serve_rows(pipe: Connection) -> None:
    """Do rows until there are none for a while, or nobody who asks.

    Args:
        pipe: brings where a row's files are, the function and the row, both pickled,
            and takes answers as pickles.
    """
    while True:
        try:
            if not pipe.poll(IDLE):
                return
            placed, ask, row = pipe.recv()
        except (EOFError, OSError):
            return
        answer = attempted(_answered, (placed, ask, row))
        try:
            pipe.send_bytes(_travelling(answer))
        except OSError:  # who asked is gone
            return


def _answered(errand: tuple[Any, bytes, bytes]) -> Any:
    """Return the answer to a row.

    Args:
        errand: where its files are, None where it names none; the function and the row.
    """
    placed, ask, row = errand
    question, asked = loads(row), _function_of(ask)
    if placed is not None:
        os.chdir(placed.folder)
        question = [placed.word(word) for word in question]
    return asked(question)


@lru_cache(maxsize=4)
def _function_of(ask: bytes) -> Callable[[Any], Any]:
    """Return the function of a pickle."""
    return loads(ask)


def _travelling(answer: Any) -> bytes:
    """Return an answer as a pickle, or why it is none."""
    try:
        return dumps(answer)
    except (AttributeError, TypeError, ValueError, PickleError) as error:
        return dumps(Lost(f"its answer cannot travel, {error}"))


def _end_with(parent: int) -> None:
    """Ask Linux to end this process with the worker that started it.

    Args:
        parent: the worker's process.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit(0)


def _main() -> None:
    """Serve the worker whose pipe and process are named on the command line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the sweep is told, and ends us
    _end_with(int(sys.argv[2]))
    serve_rows(Connection(int(sys.argv[1])))


if __name__ == "__main__":
    _main()
