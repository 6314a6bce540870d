"""The same work on many jobs in several processes, none of which is trusted to live.

A worker that dies (memory, a crash in compiled code) costs the one job that it held:
that job is reported as lost, with the reason, and a new worker takes the next one.
Results come in the order of the jobs, whoever was faster.
"""

import ctypes
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from pickle import PickleError, dumps
from typing import Any, TypeVar

from equipoise.core.errors import ConfigError

__all__ = ["Gathered", "Lost", "gathered", "process_map"]

J = TypeVar("J")
R = TypeVar("R")
Progress = Callable[[float], None]
Done = Callable[[int, Any], None]
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


@dataclass(frozen=True, slots=True)
class Lost:
    """A job without a result."""

    reason: str
    """In words: the error that it raised, or how its process ended."""
    died: bool = field(default=False, compare=False)
    """Whether its process ended, which another may not."""


@dataclass(slots=True)
class Worker:
    """A process and our end of the pipe to it."""

    process: SpawnProcess
    pipe: Connection
    job: int = -1
    """Number of the job it works on; -1 for none."""


def process_map(
    work: Callable[[J], R],
    jobs: Sequence[J],
    *,
    processes: int = 2,
    progress: Progress | None = None,
    done: Done | None = None,
    is_apart: bool = False,
) -> list[R | Lost]:
    """Return the work's result for each job, in order.

    Args:
        work: a function that a new process can import; not a lambda.
        jobs: what it is called with; they travel as pickles.
        processes: how many at a time; 1 works in this process, which a crash then ends.
        progress: called with the share done, in [0, 1].
        done: called with each job's number and result as it comes in.
        is_apart: whether a single job too is done in a process of its own.

    Raises:
        ConfigError: ``processes`` below 1.
    """
    if processes < 1:
        raise ConfigError("process_map", [f"processes must be >= 1, got {processes!r}"])
    if processes == 1 or (len(jobs) < 2 and not is_apart):
        return _alone(work, jobs, progress, done)
    context = multiprocessing.get_context("spawn")
    results: list[Any] = [Lost("it was never begun")] * len(jobs)
    todo, crew = deque(range(len(jobs))), list[Worker]()
    came = 0
    try:
        while came < len(jobs):
            _give_work(context, work, jobs, todo, crew, processes)
            busy = {worker.pipe: worker for worker in crew if worker.job >= 0}
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                k, worker.job = worker.job, -1
                results[k] = _collected(worker, crew)
                came += 1
                _tell(k, results[k], came / len(jobs), progress, done)
    finally:
        _dismiss(crew)
    return results


@dataclass(frozen=True, slots=True)
class Gathered:
    """Results as far as they came."""

    done: dict[int, Any]
    """Each job's result by its number; those that are missing were lost or stopped."""
    lost: list[str]
    """Why jobs have no result, in words, a sentence each."""
    is_stopped: bool
    """Whether Ctrl-C ended it early."""

    @property
    def is_complete(self) -> bool:
        """Whether every job has a result."""
        return not self.lost and not self.is_stopped


def gathered(
    work: Callable[[J], R],
    jobs: Sequence[J],
    *,
    processes: int = 2,
    progress: Progress | None = None,
    done: Done | None = None,
    is_stoppable: bool = False,
) -> Gathered:
    """Return the results of some jobs, after Ctrl-C those that were finished before.

    Args:
        work: as ``process_map`` takes it.
        jobs: what it is called with.
        processes: how many at a time.
        progress: called with the share done, in [0, 1].
        done: called with each job's number and result as it comes in.
        is_stoppable: whether Ctrl-C ends it early instead of raising.

    Raises:
        ConfigError: ``processes`` below 1.
        KeyboardInterrupt: Ctrl-C, unless ``is_stoppable``.
    """
    found, lost, is_stopped = dict[int, R](), list[str](), False

    def keep(k: int, result: Any) -> None:
        if isinstance(result, Lost):
            lost.append(result.reason)
        else:
            found[k] = result
        if done is not None:
            done(k, result)

    try:
        process_map(work, jobs, processes=processes, progress=progress, done=keep)
    except KeyboardInterrupt:
        if not is_stoppable:
            raise
        is_stopped = True
    return Gathered(found, lost, is_stopped)


def _alone(
    work: Callable[[J], R],
    jobs: Sequence[J],
    progress: Progress | None,
    done: Done | None,
) -> list[R | Lost]:
    """Do all jobs here, one after the other."""
    results: list[R | Lost] = []
    for k, job in enumerate(jobs):
        results.append(attempted(work, job))
        _tell(k, results[k], len(results) / len(jobs), progress, done)
    return results


def _tell(
    k: int, result: Any, share: float, progress: Progress | None, done: Done | None
) -> None:
    """Tell who wants to know that a job's result is in."""
    if done is not None:
        done(k, result)
    if progress is not None:
        progress(share)


def attempted(work: Callable[[J], R], job: J) -> R | Lost:
    """Return a job's result, or what it raised."""
    try:
        return work(job)
    except Exception as error:
        return Lost(f"{type(error).__name__}: {error}")


def _give_work(
    context: SpawnContext,
    work: Callable[[J], R],
    jobs: Sequence[J],
    todo: deque[int],
    crew: list[Worker],
    processes: int,
) -> None:
    """Hand out jobs until everybody is busy; hire where somebody is missing."""
    while todo:
        idle = next((worker for worker in crew if worker.job < 0), None)
        if idle is None:
            if len(crew) >= processes:
                return
            with _main_aside(_is_of_main(work, jobs[todo[0]])):
                idle = _hired(context, work)
            crew.append(idle)
        idle.job = todo.popleft()
        try:
            idle.pipe.send(jobs[idle.job])
        except OSError:  # it is dead already; its pipe says so when we listen
            pass


def _hired(context: SpawnContext, work: Callable[..., Any]) -> Worker:
    """Return a new worker."""
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(work, there), daemon=True)
    process.start()
    there.close()  # so that its death ends the pipe
    return Worker(process, here)


def _is_of_main(work: Callable[..., Any], job: Any) -> bool:
    """Return whether work or job is defined in the script that was started."""
    try:
        return b"__main__" in dumps((work, job))
    except (AttributeError, TypeError, ValueError, PickleError):
        return True  # the worker, or who sends the job, says what cannot travel


@contextmanager
def _main_aside(is_needed: bool) -> Generator[None, None, None]:
    """Let new processes not import the script that was started, unless they need it.

    A script without ``if __name__ == "__main__"`` would begin anew in each of them.
    """
    if is_needed:
        yield
        return
    names = vars(sys.modules["__main__"])
    kept = {name: names[name] for name in ("__spec__", "__file__") if name in names}
    try:
        names.update(dict.fromkeys(kept))
        yield
    finally:
        names.update(kept)


def _serve(work: Callable[[Any], Any], pipe: Connection) -> None:
    """Do jobs until there are no more; the life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started us is told, and ends us
    _end_with_parent()
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        result = attempted(work, job)
        try:
            pipe.send(result)
        except OSError:  # who started us is gone
            return
        except (AttributeError, TypeError, ValueError, PickleError) as error:
            pipe.send(Lost(f"its result cannot travel, {error}"))


def _end_with_parent() -> None:
    """Ask Linux to end this process with the one that started it, be it shot.

    Elsewhere a worker ends when its row is done and nobody takes the result.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)


def _collected(worker: Worker, crew: list[Worker]) -> Any:
    """Return a worker's result, or say that it died and strike it off."""
    try:
        return worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        worker.pipe.close()
        crew.remove(worker)
        code = worker.process.exitcode
        return Lost(f"its process died, exit code {code}", died=True)


def _dismiss(crew: Sequence[Worker]) -> None:
    """Send everybody home: idle ones find their pipe closed, busy ones are ended."""
    for worker in crew:
        worker.pipe.close()
        if worker.job >= 0:
            worker.process.terminate()
    for worker in crew:
        worker.process.join()
