"""Timing of short functions on a machine that does other things meanwhile.

The clock counts the processor's time of this thread alone. Batches last less than a
millisecond, so that most of them are not interrupted, and all candidates take turns: in
each round every one runs once, so that what disturbs one disturbs all.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

__all__ = ["Runner", "Timing", "measured", "processor_seconds"]

BATCH_NS = 250_000  # aimed at


class Runner(NamedTuple):
    """Something to be timed."""

    name: str
    run: Callable[[int], None]
    """Does a batch a given number of times."""
    calls: int
    """How many calls a batch has."""


class Timing(NamedTuple):
    """Nanoseconds a call."""

    least: float
    median: float
    quartiles: tuple[float, float]


def batch_ns(runner: Runner, times: int) -> int:
    """Return the processor's time of some batches."""
    start = time.thread_time_ns()
    runner.run(times)
    return time.thread_time_ns() - start


def measured(
    runners: list[Runner],
    rounds: int,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Timing]:
    """Return what a call of each costs.

    Args:
        runners: all that take turns.
        rounds: how often each runs.
        progress: told the share done.
    """
    times: list[int] = []
    for runner in runners:
        runner.run(1)  # warm
        once = min(batch_ns(runner, 1) for _ in range(5))
        times.append(max(1, BATCH_NS // max(once, 1)))
    spent = np.zeros((rounds, len(runners)))
    for turn in range(rounds):
        for k, runner in enumerate(runners):
            spent[turn, k] = batch_ns(runner, times[k]) / (times[k] * runner.calls)
        if progress is not None:
            progress((turn + 1) / rounds)
    found: dict[str, Timing] = {}
    for k, runner in enumerate(runners):
        low, middle, high = np.percentile(spent[:, k], [25, 50, 75])
        ends = (float(low), float(high))
        found[runner.name] = Timing(float(spent[:, k].min()), float(middle), ends)
    return found


def processor_seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the least processor time of a piece of work.

    Args:
        work: what to do.
        times: how often.
    """
    found: list[float] = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)
