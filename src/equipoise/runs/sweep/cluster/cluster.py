"""A cluster of Dask's as a crew: one that runs, one on this machine, or one by ssh.

The scheduler and its workers are processes of their own, here or elsewhere. Rows are
questions with their seeds in them, so that whoever does them gives the same numbers.
"""

import gc
import logging
import sys
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, final

from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError, EquipoiseError, OpenClusterWarning
from equipoise.core.extras import require_extra
from equipoise.core.systems import expect_posix
from equipoise.core.text import shown
from equipoise.runs.sweep.cluster.agreement import expect_agreement
from equipoise.runs.sweep.cluster.dispatch import Dispatch
from equipoise.runs.sweep.cluster.keys import temporary_keys
from equipoise.runs.sweep.cluster.remote import free_ports
from equipoise.runs.sweep.cluster.settings import HERE, SETTINGS, TLS, WAITS
from equipoise.runs.sweep.cluster.shipped_files import FileBundle, files_named
from equipoise.runs.sweep.cluster.tunnels import (
    REMOTE,
    holding,
    tell_keys,
    tunnelled_workers,
)
from equipoise.runs.sweep.cluster.worker_process import same_path
from equipoise.runs.sweep.crew import AbstractCrew

__all__ = ["Cluster"]

COMES = 60  # [s] for the first worker of a cluster of our own
LOCAL, SSH = "local", "ssh:"
FORMS = "give local, ssh:FILE or a scheduler's address such as tls://host:8786"
SEALED = ("tls://", "wss://")
OPEN = (
    "the cluster at '{where}' requires no key: anyone who reaches its ports can run "
    "programs as its users; start it with TLS and give tls://host:port"
)


@final
@dataclass(frozen=True)
class Cluster(AbstractCrew):
    """Scheduler and its workers.

    Raises:
        ConfigError: no name at all, or less than one worker.
    """

    where: str
    """``local``, ``ssh:hosts.txt`` or a scheduler's address."""
    workers: int
    """Number of rows that a local cluster runs at a time."""

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
        """Run all rows and report each.

        Raises:
            MissingExtraError: ``distributed`` is not installed.
            UnsupportedSystemError: this is Windows.
            ConfigError: there is no such cluster, it has no workers, they have other
                versions, or it went away in the middle.
        """
        if not rows:
            return
        expect_posix("Clusters", "use --workers there")
        with ExitStack() as opened:
            port, worker = self.begin_worker(opened, len(rows))
            distributed: Any = require_extra("cluster", "distributed")
            cloudpickle: Any = require_extra("cluster", "cloudpickle")
            sent, bundle = cloudpickle.dumps(ask), packed_files(rows)
            opened.enter_context(_quiet())
            client = self.client(distributed, opened, port)
            if worker is not None:
                tell_keys(worker, client.security)
            _expect_workers(client, self.where)
            expect_agreement(client)
            Dispatch(client, sent, rows, bundle, done).run()

    def begin_worker(self, opened: ExitStack, rows: int) -> tuple[int, Any]:
        """Start the worker of a local cluster; return the scheduler's port and it.

        It comes up while we import Dask ourselves, which takes both a while, and waits
        for its keys.

        Args:
            opened: what ends it.
            rows: that there are to do.
        """
        (port,) = free_ports(1)
        if self.where == LOCAL and find_spec("distributed") is not None:
            numbers = map(str, (port, 0, 0, min(self.workers, rows)))
            line = [sys.executable, "-m", REMOTE, "serve", *numbers]
            return port, opened.enter_context(holding(line, same_path()))
        return port, None

    def client(self, distributed: Any, opened: ExitStack, port: int) -> Any:
        """Return a connection to the scheduler.

        Args:
            distributed: the package.
            opened: what closes it, and a scheduler of our own.
            port: for a scheduler of our own.
        """
        dask: Any = require_extra("cluster", "dask")
        opened.enter_context(dask.config.set(SETTINGS))
        is_ssh = self.where.startswith(SSH)
        if self.where != LOCAL and not is_ssh:
            return opened.enter_context(_connected(distributed, self.where))
        scheduler = distributed.LocalCluster(
            n_workers=0,
            host=HERE,
            protocol=TLS,
            security=temporary_keys(),
            scheduler_port=port,
            dashboard_address=f"{HERE}:0",
            silence_logs=logging.CRITICAL,
        )
        opened.enter_context(scheduler)
        client = distributed.Client(scheduler, set_as_default=False)
        opened.enter_context(client)
        if is_ssh:
            path = Path(self.where.removeprefix(SSH))
            opened.enter_context(tunnelled_workers(path, client))
        return client


def packed_files(rows: Sequence[Any]) -> FileBundle:
    """Return the files that rows name; robots are not imported where there is none."""
    if not (paths := files_named(rows)):
        return FileBundle(str(Path.cwd()), {})
    from equipoise.runs.sweep.cluster.packing import file_bundle

    return file_bundle(paths)


def _connected(distributed: Any, address: str) -> Any:
    """Return a connection to a scheduler that runs, by TLS files of Dask's settings.

    Warns:
        OpenClusterWarning: it speaks without TLS.

    Raises:
        ConfigError: nobody answers there.
    """
    client, told = None, ""
    try:
        client = distributed.Client(address, timeout=f"{WAITS}s", set_as_default=False)
    except EquipoiseError:
        raise
    except Exception as error:
        told = " ".join(str(error).split())[:200] or type(error).__name__
    if client is None:
        gc.collect()  # it ends itself when it is collected; not within the next one
        problem = f"no scheduler answers at '{shown(address)}' ({told}); {FORMS}"
        raise ConfigError("the cluster", [problem])
    if not str(client.scheduler.address).startswith(SEALED):
        told = OPEN.format(where=shown(address))
        warnings.warn(told, OpenClusterWarning, stacklevel=2)
    return client


def _expect_workers(client: Any, where: str) -> None:
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
def _quiet() -> Generator[None, None, None]:
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
