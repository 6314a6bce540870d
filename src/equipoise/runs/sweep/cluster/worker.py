"""A worker of our own clusters: ``... .worker SCHEDULER LISTEN CONTACT THREADS``.

It opens ports of 127.0.0.1 only, to those who have the keys that it reads from its
standard input; it does as many rows at a time as it has threads, each in a process
beside it, and ends with its scheduler.
"""

import asyncio
import logging
import sys
from importlib import import_module
from typing import Any

from equipoise.runs.sweep.cluster.keys import read_keys
from equipoise.runs.sweep.cluster.settings import HERE, SETTINGS, TLS

__all__ = ["run_worker"]

PATIENCE = 60  # [s] for a scheduler to be there


async def run_worker(
    scheduler: int, listen: int, contact: int, threads: int, keys: Any
) -> None:
    """Do what a scheduler asks until it is gone.

    Args:
        scheduler: its port, as it is reached from here.
        listen: port that is opened here; 0 for any.
        contact: port at which the scheduler reaches that one; 0 for the same.
        threads: rows at a time.
        keys: of the cluster, Dask's ``Security``.
    """
    from distributed import Worker  # slow to import

    worker = Worker(
        f"{TLS}{HERE}:{scheduler}",
        nthreads=threads,
        host=HERE,
        port=listen,
        contact_address=f"{TLS}{HERE}:{contact}" if contact else None,
        protocol=TLS,
        security=keys,
        dashboard=False,
        memory_limit=0,
        death_timeout=PATIENCE,
        silence_logs=logging.CRITICAL,
    )
    async with worker:
        await worker.finished()


def _main() -> None:
    """Run the worker whose ports are on the command line."""
    import_module("distributed")  # slow, while the keys are made
    from dask import config

    config.set(SETTINGS)
    scheduler, listen, contact, threads = map(int, sys.argv[1:])
    keys = read_keys(sys.stdin.buffer.readline())
    asyncio.run(run_worker(scheduler, listen, contact, threads, keys))


if __name__ == "__main__":
    _main()
