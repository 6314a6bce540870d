"""What runs on a machine of a cluster by ssh: tell what it is, then hold workers.

``python -m equipoise.runs.sweep.cluster.remote ask`` prints the cores, free ports and
versions as JSON. ``... serve PORT LISTEN:CONTACT ...`` starts a worker for each pair,
starts one again that dies, and ends them when its input does: when ssh is gone.
"""

import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from equipoise.runs.sweep.cluster.beside import worker_versions

__all__ = ["free_ports", "machine_facts", "worker_line"]

HERE = "127.0.0.1"
LOOK = 0.5  # [s] between looks at the workers
AGAIN = 5  # times that a worker is started again


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


def machine_facts(workers: int | None) -> dict[str, object]:
    """Return what the sweep must know of this machine.

    Args:
        workers: that it will have; None for one a core.
    """
    from importlib.util import find_spec

    count = workers or os.cpu_count() or 1
    return {
        "ports": free_ports(1 + count),
        "versions": worker_versions(),
        "has_dask": find_spec("distributed") is not None,
    }


def worker_line(scheduler: int, listen: str, contact: str) -> list[str]:
    """Return how a worker is started.

    Args:
        scheduler: the port at which it is reached from here.
        listen: the port that the worker opens here.
        contact: the port at which the scheduler reaches it there.
    """
    return [
        *(sys.executable, "-m", "distributed.cli.dask_worker"),
        f"tcp://{HERE}:{scheduler}",
        *("--listen-address", f"tcp://{HERE}:{listen}"),
        *("--contact-address", f"tcp://{HERE}:{contact}"),
        *("--nthreads", "1", "--no-nanny", "--no-dashboard"),
        *("--death-timeout", "60"),
    ]


def serve(scheduler: int, pairs: Sequence[str]) -> None:
    """Hold workers until the input ends.

    Args:
        scheduler: the port at which it is reached from here.
        pairs: ports of each worker, here and there, as ``4001:5001``.
    """
    lines = [worker_line(scheduler, *pair.split(":")) for pair in pairs]
    workers: list[subprocess.Popen[bytes] | None] = [None] * len(lines)
    tries = 0
    try:
        while True:
            for k, line in enumerate(lines):
                worker = workers[k]
                if worker is None or worker.poll() is not None:
                    tries += 1
                    if tries <= len(lines) + AGAIN:
                        workers[k] = begun(line)
            if select.select([sys.stdin], [], [], LOOK)[0] and not sys.stdin.read(1):
                return
    finally:
        for worker in workers:
            if worker is not None:
                worker.kill()


def begun(line: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start a worker that says nothing."""
    nothing = subprocess.DEVNULL
    return subprocess.Popen(line, stdin=nothing, stdout=nothing, stderr=nothing)


def main() -> None:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["ask", workers]:
            print(json.dumps(machine_facts(int(workers) or None)))
        case ["serve", scheduler, *pairs]:
            serve(int(scheduler), pairs)
        case words:
            raise SystemExit(f"no such words: {words}")


if __name__ == "__main__":
    main()
