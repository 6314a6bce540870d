"""Rows on a cluster of Dask's: one that runs, one on this machine, or one by ssh.

The scheduler does a row again whose worker died, so that a worker that is shot loses
nothing. Rows travel in chunks, so that the scheduler's own time does not count.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from equipoise.core.errors import ConfigError
from equipoise.core.extras import require_extra
from equipoise.runs.process_map import Lost, attempted
from equipoise.runs.sweep.crew import AbstractCrew

__all__ = ["Cluster"]

Ask = Callable[[Any], Any]
WAITS = "10s"  # for a scheduler to answer
ROUNDS = 8  # chunks a worker gets, about
SSH = "ssh:"
LOCAL = "local"


@final
@dataclass(frozen=True)
class Cluster(AbstractCrew):
    """A scheduler and its workers, as separate processes."""

    where: str
    """``local``, ``ssh:hosts.txt`` or a scheduler's address."""
    workers: int
    """How many a local cluster has."""

    def work(
        self, ask: Ask, rows: Sequence[Any], done: Callable[[int, Any], None]
    ) -> None:
        """Do all rows and tell of each."""
        distributed: Any = require_extra("cluster", "distributed")
        with ExitStack() as opened:
            client = self.client(distributed, opened)
            threads = sum(client.nthreads().values()) or 1
            size = max(1, min(25, len(rows) // (ROUNDS * threads)))
            chunks = [
                range(k, min(k + size, len(rows))) for k in range(0, len(rows), size)
            ]
            futures = {
                client.submit(answers, ask, [rows[k] for k in chunk], pure=False): chunk
                for chunk in chunks
            }
            for future in distributed.as_completed(futures):
                for k, answer in zip(
                    futures[future], self.got(future, futures), strict=True
                ):
                    done(k, answer)

    @staticmethod
    def got(future: Any, futures: Any) -> list[Any]:
        """Return a chunk's answers, or why there are none."""
        try:
            return future.result()
        except Exception as error:  # of the cluster, not of a row
            return [Lost(f"{type(error).__name__}: {error}")] * len(futures[future])

    def client(self, distributed: Any, opened: ExitStack) -> Any:
        """Return a connection to the scheduler.

        Args:
            distributed: the package.
            opened: what closes it, and a cluster of our own, in the end.

        Raises:
            ConfigError: nobody answers there, or the list of hosts cannot be read.
        """
        try:
            if self.where == LOCAL:
                cluster = distributed.LocalCluster(
                    n_workers=self.workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address=None,
                )
                return opened.enter_context(
                    distributed.Client(opened.enter_context(cluster))
                )
            if self.where.startswith(SSH):
                hosts = listed(Path(self.where.removeprefix(SSH)))
                cluster = opened.enter_context(distributed.SSHCluster(hosts))
                return opened.enter_context(distributed.Client(cluster))
            return opened.enter_context(distributed.Client(self.where, timeout=WAITS))
        except ConfigError:
            raise
        except Exception as error:
            told = " ".join(str(error).split())[:200] or type(error).__name__
            problem = f"no cluster at '{self.where}' ({told}); give local, ssh:FILE or"
            raise ConfigError(
                "the sweep", [f"{problem} a scheduler's address as tcp://host:8786"]
            ) from None


def answers(ask: Ask, rows: Sequence[Any]) -> list[Any]:
    """Return a worker's answers to some rows; what a row raises is its answer."""
    return [attempted(ask, row) for row in rows]


def listed(path: Path) -> list[str]:
    """Return the hosts of a file, one a line, the first being the scheduler's."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    hosts = [line.strip() for line in lines if line.strip() and line[0] != "#"]
    if len(hosts) < 2:
        problem = f"{path} must list a host for the scheduler and one or more workers"
        raise ConfigError("the sweep", [problem])
    return hosts
