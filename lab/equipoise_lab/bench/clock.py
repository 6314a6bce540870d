"""Timing of short functions on a machine that does other things meanwhile.

The clock counts the processor's time of this thread alone. Batches last less than a
millisecond, so that most of them are not interrupted, and all candidates take turns: in
each round every one runs once, so that what disturbs one disturbs all.
"""

import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

__all__ = [
    "Ratio",
    "Runner",
    "Timing",
    "measured",
    "processor",
    "processor_seconds",
    "ratio",
]

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
    thirds: tuple[float, float, float]
    """Medians of the first, second and last third of the rounds; of ``measured_anew``,
    of each placement in memory."""


class Ratio(NamedTuple):
    """How many times as long one takes as another, by medians."""

    median: float
    """Over all rounds."""
    least: float
    most: float
    """Of the three thirds, which have their own medians."""


def ratio(slow: Timing, fast: Timing) -> Ratio:
    """Return how many times as long one takes as another."""
    parts = [a / b for a, b in zip(slow.thirds, fast.thirds, strict=True)]
    return Ratio(slow.median / fast.median, min(parts), max(parts))


def _batch_ns(runner: Runner, times: int) -> int:
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
        rounds: how often each runs, three times at least.
        progress: told the share done.
    """
    times: list[int] = []
    for runner in runners:
        runner.run(1)  # warm
        once = min(_batch_ns(runner, 1) for _ in range(5))
        times.append(max(1, BATCH_NS // max(once, 1)))
    spent = np.zeros((rounds, len(runners)))
    for turn in range(rounds):
        for k, runner in enumerate(runners):
            spent[turn, k] = _batch_ns(runner, times[k]) / (times[k] * runner.calls)
        if progress is not None:
            progress((turn + 1) / rounds)
    found: dict[str, Timing] = {}
    for k, runner in enumerate(runners):
        low, middle, high = np.percentile(spent[:, k], [25, 50, 75])
        ends = (float(low), float(high))
        thirds = [float(np.median(x)) for x in np.array_split(spent[:, k], 3)]
        least, last = float(spent[:, k].min()), (thirds[0], thirds[1], thirds[2])
        found[runner.name] = Timing(least, float(middle), ends, last)
    return found


def measured_anew(
    make: Callable[[], list[Runner]],
    rounds: int,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Timing]:
    """Return what a call of each costs, over three placements in memory.

    Where code and data happen to lie can make the same machine code take twice as long:
    of nine processes two had WARP1's C slower by that, another its LLVM. So everybody
    is made three times, at other addresses; the median is that of three medians.

    Args:
        make: makes all that take turns.
        rounds: how often each runs, three times at least.
        progress: told the share done.
    """
    say = progress or (lambda share: None)
    kept: list[list[Runner]] = []  # so that nobody gets the addresses of another
    found: list[dict[str, Timing]] = []
    for k in range(3):
        kept.append(make())
        each = max(3, rounds // 3)
        found.append(measured(kept[-1], each, lambda s, k=k: say((k + s) / 3)))
    return {name: _together([times[name] for times in found]) for name in found[0]}


def _together(times: list[Timing]) -> Timing:
    """Return the timing of three placements as one, with their widest quartiles."""
    medians = (times[0].median, times[1].median, times[2].median)
    ends = min(t.quartiles[0] for t in times), max(t.quartiles[1] for t in times)
    return Timing(min(t.least for t in times), sorted(medians)[1], ends, medians)


def processor() -> str:
    """Return the processor's name, or its kind where nobody tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


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
