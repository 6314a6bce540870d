"""What runs on a machine that does rows: tell what it is, then hold a worker.

``python -m equipoise.runs.sweep.cluster.remote ask`` prints its cores, free ports and
versions as JSON. ``... serve SCHEDULER LISTEN CONTACT THREADS`` runs a worker, hands on
to it the line with the cluster's keys that it is told, starts it again if it dies, and
ends it when its own input ends: when the sweep is gone.
"""

import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress

from equipoise.runs.sweep.cluster.settings import HERE
from equipoise.runs.sweep.cluster.worker_process import worker_versions

__all__ = ["free_ports", "machine_facts"]

WORKER = "equipoise.runs.sweep.cluster.worker"
LOOK = 0.5  # [s] between looks at the worker
AGAIN = 5  # times that it is started again


def free_ports(count: int) -> list[int]:
    """Return ports of this machine that nobody uses now.

    Args:
        count: how many.
    """
    with ExitStack() as opened:
        held = [opened.enter_context(socket.socket()) for _ in range(count)]
        for one in held:
            one.bind((HERE, 0))
        return [one.getsockname()[1] for one in held]


def machine_facts() -> dict[str, object]:
    """Return what the sweep must know of this machine."""
    from importlib.util import find_spec

    return {
        "cores": os.cpu_count() or 1,
        "ports": free_ports(2),
        "versions": worker_versions(),
        "has_dask": find_spec("distributed") is not None,
    }


def serve(words: Sequence[str]) -> None:
    """Hold a worker until the input ends.

    Args:
        words: what the worker is started with.
    """
    worker, tries = _begun(words), 0
    try:
        keys = sys.stdin.buffer.readline()
        _hand(worker, keys)
        while True:
            if worker.poll() is not None and tries < AGAIN:
                worker, tries = _begun(words), tries + 1
                _hand(worker, keys)
            if select.select([sys.stdin], [], [], LOOK)[0] and not sys.stdin.read(1):
                return
    finally:
        worker.kill()


def _begun(words: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start a worker that says nothing; it waits for its keys."""
    line, nothing = [sys.executable, "-m", WORKER, *words], subprocess.DEVNULL
    return subprocess.Popen(line, stdin=subprocess.PIPE, stdout=nothing, stderr=nothing)


def _hand(worker: "subprocess.Popen[bytes]", keys: bytes) -> None:
    """Hand a worker its keys; nobody else sees them there.

    Args:
        worker: its process.
        keys: a line of text.
    """
    if worker.stdin is not None:
        with suppress(OSError):  # it died; that is seen later
            worker.stdin.write(keys)
            worker.stdin.close()


def _main() -> None:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["ask"]:
            print(json.dumps(machine_facts()))
        case ["serve", *words]:
            serve(words)
        case words:
            raise SystemExit(f"no such words: {words}")


if __name__ == "__main__":
    _main()
