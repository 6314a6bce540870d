"""Rows to the workers of a cluster, a few at a time, until every one has its answer.

Only as many chunks are under way as keep the workers busy, so that a million rows cost
the scheduler no memory. Short rows travel several at a time. What a dead worker held is
done by another; the scheduler sees to that, and where it gives up, we ask again.
"""

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pickle import dumps, loads
from queue import Empty, SimpleQueue
from typing import Any, final

from equipoise.core.errors import ConfigError
from equipoise.runs.process_map import Lost
from equipoise.runs.sweep.cluster.agreement import expect_versions
from equipoise.runs.sweep.cluster.shipped_files import (
    FileBundle,
    drop_bundles,
    unpack_bundle,
)
from equipoise.runs.sweep.cluster.worker_process import ChunkAnswers, answer_chunk

__all__ = ["Dispatch"]

CHUNK = 2.0  # [s] of work that travel together
LEAST = 0.1  # [s] of it near the end, where all are to end together
MOST = 100  # rows that do
TRIES = 2  # of a row whose process or workers die
SENDS = 10  # of files to a worker, which may ask for each row that it has begun
LOOK = 2.0  # [s] between looks at who is there
PATIENCE = 30.0  # [s] without any worker
GONE = "its scheduler does not answer any more"
TAKEN_BACK = ("cancelled", "lost")  # of a future, where nobody knows its task


@final
@dataclass(eq=False)
class Dispatch:
    """One sweep's rows on their way to workers and back."""

    client: Any
    """Of ``distributed``."""
    ask: bytes
    """The function that answers a row, as a pickle."""
    rows: Sequence[Any]
    bundle: FileBundle
    """Files that the rows name."""
    done: Callable[[int, Any], None]
    came: SimpleQueue[Any] = field(default_factory=SimpleQueue)
    """Futures that have ended, put there by the client's own thread."""
    flying: dict[Any, list[int]] = field(default_factory=dict)
    """Places of the rows of each chunk that is under way."""
    tries: Counter[int] = field(default_factory=Counter)
    """How often a row was lost with a process."""
    sent: Counter[str] = field(default_factory=Counter)
    """How often a worker asked for files, by address."""
    slots: int = 1
    """Rows that the workers do at a time."""
    pace: float = math.inf
    """What a row takes [s], of late."""

    def run(self) -> None:
        """Do all rows.

        Raises:
            ConfigError: the scheduler or all its workers are gone, or a worker joins
                that has other versions.
        """
        todo, seen = deque(range(len(self.rows))), time.monotonic()
        looked = -math.inf
        try:
            self.send_bundle()
            while todo or self.flying:
                if time.monotonic() - looked > LOOK:
                    count = self.count_workers()
                    looked = time.monotonic()
                    seen = looked if count else seen
                    self.expect_somebody(looked - seen)
                self.hand_out(todo)
                with suppress(Empty):
                    todo.extend(self.collected(self.came.get(timeout=LOOK)))
        finally:
            self.recall()

    def count_workers(self) -> int:
        """Return how many rows can be done at a time, and remember it.

        Raises:
            ConfigError: the scheduler is gone.
        """
        try:
            count = sum(self.client.nthreads().values())
        except Exception:  # of many kinds, all of them saying that nobody answers
            count = -1
        if count < 0 or self.client.status != "running":
            raise _lost_cluster(GONE)
        self.slots = count or self.slots
        return count

    def expect_somebody(self, alone: float) -> None:
        """Refuse to wait for workers that do not come back.

        Args:
            alone: for how long there was none [s].
        """
        if alone > PATIENCE:
            raise _lost_cluster(f"it has had no worker for {PATIENCE:.0f} s")

    def hand_out(self, todo: deque[int]) -> None:
        """Send chunks until every worker has one to do and one to come."""
        while todo and len(self.flying) < 2 * self.slots:
            fair = max(len(todo) / (2 * self.slots), LEAST / self.pace)
            size = max(1, int(min(MOST, fair, CHUNK / self.pace)))
            chunk = [todo.popleft() for _ in range(min(size, len(todo)))]
            words = self.ask, [dumps(self.rows[k]) for k in chunk], self.name
            try:
                future = self.client.submit(answer_chunk, *words, pure=False)
            except Exception:  # the client knows before we look
                raise _lost_cluster(GONE) from None
            self.flying[future] = chunk
            future.add_done_callback(self.came.put)

    def collected(self, future: Any) -> list[int]:
        """Report a chunk's answers and return the rows that must be run again."""
        chunk = self.flying.pop(future)
        try:
            said: ChunkAnswers = future.result()
        except ImportError as error:
            raise ConfigError("the cluster", [f"a worker says: {error}"]) from None
        except Exception as error:  # of the cluster, not of a row
            if future.status in TAKEN_BACK:
                return list(chunk)  # its scheduler is gone, which is told, or back
            reason = f"its workers died ({type(error).__name__})"
            return self.again(chunk, [Lost(reason, died=True)] * len(chunk))
        expect_versions({"a worker": said.versions})
        if said.wanting:
            self.send_again(said.wanting)
            return list(chunk)
        self.pace = max(said.seconds / len(chunk), 1e-6)
        return self.again(chunk, [loads(answer) for answer in said.answers])

    @property
    def name(self) -> str:
        """Of the bundle; empty where there is none."""
        return self.bundle.name if self.bundle.files else ""

    def send_bundle(self, workers: Sequence[str] | None = None) -> None:
        """Let workers have the files that rows name.

        Args:
            workers: their addresses; None for all.
        """
        if self.name:
            with suppress(Exception):  # one that is gone needs none; others say so
                self.client.run(unpack_bundle, self.bundle, workers=workers)

    def send_again(self, worker: str) -> None:
        """Let a worker that came later have the files too.

        Args:
            worker: its address.

        Raises:
            ConfigError: it had them sent before.
        """
        self.sent[worker] += 1
        if self.sent[worker] > SENDS:
            problem = f"the worker {worker} cannot store the files that rows name"
            raise ConfigError("the cluster", [f"{problem}; make room there"])
        self.send_bundle([worker])

    def again(self, chunk: Sequence[int], answers: Sequence[Any]) -> list[int]:
        """Report answers and return the rows that have none yet."""
        lost: list[int] = []
        for k, answer in zip(chunk, answers, strict=True):
            self.tries[k] += isinstance(answer, Lost) and answer.died
            if isinstance(answer, Lost) and answer.died and self.tries[k] < TRIES:
                lost.append(k)
            else:
                self.done(k, answer)
        return lost

    def recall(self) -> None:
        """Take back what is under way, if anything, and the files."""
        if self.flying:
            with suppress(Exception):  # the scheduler may be gone
                self.client.cancel(list(self.flying), force=True)
            self.flying.clear()
        if self.name:
            with suppress(Exception):
                self.client.run(drop_bundles, [self.name])


def _lost_cluster(reason: str) -> ConfigError:
    """Return the error of a cluster that is gone in the middle of a sweep."""
    more = (
        "finished rows are kept in the folder of --out; the same command "
        "continues there"
    )
    return ConfigError("the cluster", [f"{reason}; {more}"])
