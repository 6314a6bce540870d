"""A cluster of Dask's as a crew: one that runs, one on this machine, or one by ssh.

The scheduler and its workers are processes of their own, here or elsewhere. Rows are
questions with their seeds in them, so that whoever does them gives the same numbers.
"""

import logging
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, final

from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.core.extras import require_extra
from equipoise.core.text import shown
from equipoise.runs.sweep.cluster.agreement import expect_agreement
from equipoise.runs.sweep.cluster.dispatch import Dispatch
from equipoise.runs.sweep.cluster.tunnels import tunnelled_workers
from equipoise.runs.sweep.crew import AbstractCrew

__all__ = ["Cluster"]

WAITS = 5  # [s] for a scheduler to answer
COMES = 30  # [s] for the first worker of a cluster
LOCAL, SSH = "local", "ssh:"
HERE = "127.0.0.1"
SETTINGS = {
    "distributed.scheduler.allowed-failures": 3,
    "distributed.worker.daemon": False,
    "distributed.comm.timeouts.connect": f"{WAITS}s",
}


@final
@dataclass(frozen=True)
class Cluster(AbstractCrew):
    """A scheduler and its workers.

    Raises:
        ConfigError: no name at all, or less than one worker.
    """

    where: str
    """``local``, ``ssh:hosts.txt`` or a scheduler's address."""
    workers: int
    """How many a local cluster has."""

    def __post_init__(self) -> None:
        """Refuse what can be no cluster."""
        problems = []
        if not self.where.strip() or self.where == SSH:
            problems.append(f"{FORMS}, got '{shown(self.where)}'")
        if not (is_whole(self.workers) and 1 <= self.workers <= 1024):
            problems.append(f"workers must be 1 to 1024, got {self.workers!r}")
        if problems:
            raise ConfigError("the cluster", problems)

    def work(
        self, ask: Callable[[Any], Any], rows: Sequence[Any], done: Callable[..., None]
    ) -> None:
        """Do all rows and tell of each.

        Raises:
            MissingExtraError: ``distributed`` is not installed.
            ConfigError: there is no such cluster, it has no workers, they have other
                versions, or it went away in the middle.
        """
        from equipoise.runs.sweep.cluster.packing import luggage_of  # brings robots

        distributed: Any = require_extra("cluster", "distributed")
        cloudpickle: Any = require_extra("cluster", "cloudpickle")
        sent, luggage = cloudpickle.dumps(ask), luggage_of(rows)
        with quiet(), self.opened(distributed) as client:
            expect_workers(client, self.where)
            expect_agreement(client)
            Dispatch(client, sent, rows, luggage, done).run()

    @contextmanager
    def opened(self, distributed: Any) -> Generator[Any, None, None]:
        """Hand out a connection to the scheduler and close it in the end.

        Args:
            distributed: the package.
        """
        dask: Any = require_extra("cluster", "dask")
        with dask.config.set(SETTINGS):
            is_ssh = self.where.startswith(SSH)
            if self.where != LOCAL and not is_ssh:
                with connected(distributed, self.where) as client:
                    yield client
                return
            with ExitStack() as opened:
                count = 0 if is_ssh else self.workers
                cluster = opened.enter_context(local_cluster(distributed, count))
                client = distributed.Client(cluster, set_as_default=False)
                opened.enter_context(client)
                if is_ssh:
                    path = Path(self.where.removeprefix(SSH))
                    opened.enter_context(tunnelled_workers(path, client))
                yield client


FORMS = "give local, ssh:FILE or a scheduler's address as tcp://host:8786"


def local_cluster(distributed: Any, workers: int) -> Any:
    """Return a scheduler and workers on this machine, heard by nobody else."""
    with deaf_to_ctrl_c():
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host=HERE,
            dashboard_address=f"{HERE}:0",
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def deaf_to_ctrl_c() -> Generator[None, None, None]:
    """Let what is started here not hear Ctrl-C, which a terminal sends to everybody.

    Dask's own thread begins here and starts the workers, then and later; a thread hands
    the signals that it holds back on to what it starts. The sweep ends them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def connected(distributed: Any, address: str) -> Any:
    """Return a connection to a scheduler that runs.

    Raises:
        ConfigError: nobody answers there.
    """
    try:
        return distributed.Client(address, timeout=f"{WAITS}s", set_as_default=False)
    except EquipoiseError:
        raise
    except Exception as error:
        told = " ".join(str(error).split())[:200] or type(error).__name__
        problem = f"no scheduler answers at '{shown(address)}' ({told}); {FORMS}"
        raise ConfigError("the cluster", [problem]) from None


def expect_workers(client: Any, where: str) -> None:
    """Wait for the first worker.

    Args:
        client: of ``distributed``.
        where: as the user named the cluster.

    Raises:
        ConfigError: none comes.
    """
    try:
        client.wait_for_workers(1, timeout=COMES if where == LOCAL else WAITS)
    except Exception:
        problem = f"the scheduler at '{shown(where)}' has no workers; start some by "
        problem += "'dask worker ADDRESS --nthreads 1'"
        raise ConfigError("the cluster", [problem]) from None


@contextmanager
def quiet() -> Generator[None, None, None]:
    """Keep what Dask logs from the terminal: what matters is said in a sentence."""
    known = logging.root.manager.loggerDict
    loggers = [logging.getLogger(n) for n in known if n.startswith("distributed")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
