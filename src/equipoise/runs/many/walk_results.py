"""What each of many robots did: how far, how fast, how tilted, and when it fell."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, VecN
from equipoise.sim.many.robots import ManyRobots

__all__ = ["WATCHED", "Flags", "Recorded", "WalkOutcomes", "walk_outcomes"]

Flags = NDArray[np.bool_]
WATCHED = ("height", "upright")
"""Of what the least and the largest are kept, the first of them."""
COUNTED = 2.0  # after which the mean speed counts, as of one walk [s]
PIECE = 0.25  # of the way that is taken as straight [s]


class Recorded(NamedTuple):
    """Recorded quantities of a walk."""

    time: VecN
    """(rows,) [s]."""
    values: Array
    """(rows, recorded, robots); NaN after a fall, and of what is told at time 0."""


@final
@dataclass(frozen=True, eq=False)
class WalkOutcomes:
    """One number a robot."""

    fell_at: VecN
    """(robots,), NaN where it has not [s]."""
    simulated: VecN
    """Until the end or the fall, (robots,) [s]."""
    distance: VecN
    """Way along the command, in the robot's own axes, (robots,) [m]."""
    speed: VecN
    """The same over time, from 2 s on; NaN where it fell, (robots,) [m/s]."""
    tilt: VecN
    """Largest from the ground's normal, (robots,) [rad]."""
    height: VecN
    """Least of the trunk over the ground, (robots,) [m]."""

    @property
    def fell(self) -> Flags:
        """Who has, (robots,)."""
        return np.isfinite(self.fell_at)


def walk_outcomes(
    robots: ManyRobots,
    seconds: float,
    *,
    records: Any = None,
    every: int = 0,
    progress: Callable[[float], None] | None = None,
) -> WalkOutcomes:
    """Let robots walk from their start and return what they did.

    Args:
        robots: that stand at their start; ``WATCHED`` is what they watch.
        seconds: for which.
        records: where what is recorded is written, see ``ManyRobots.advance``.
        every: ticks from row to row.
        progress: called with the share done, in [0, 1].
    """
    tick = robots.program.tick
    ticks, piece = max(1, round(seconds / tick)), max(1, round(PIECE / tick))
    counted = min(round(COUNTED / tick), ticks)
    ends = sorted({*range(piece, ticks, piece), counted, ticks})
    gone = Gone(robots)
    before = np.zeros(robots.robots)
    for end in ends:
        robots.run(end - robots.tick, records, every, _told(progress, robots, ticks))
        gone.add()
        before = gone.way() if end == counted else before
    way = gone.way()
    return outcomes_of(robots, way, way - before, (ticks - counted) * tick)


@final
class Gone:
    """Distances covered by robots, stored on their device.

    Args:
        robots: at their start.
    """

    def __init__(self, robots: ManyRobots) -> None:
        self.robots, memory, count = robots, robots.memory, robots.robots
        self._towards = memory.put(commanded(robots), robots.real)
        self._place = memory.full((3, count), 0.0, robots.real)
        self._way = memory.full((count,), 0.0, robots.real)
        self.add()
        self._way = memory.full((count,), 0.0, robots.real)

    def add(self) -> None:
        """Add what they went since the last time."""
        robots = self.robots
        given = [robots.robots, robots.state, self._towards, self._place, self._way]
        robots.module.launch("many_way", robots.robots, given)

    def way(self) -> VecN:
        """Return how far they have come, (robots,) [m]."""
        return self.robots.memory.take(self._way).astype(np.float64)


def outcomes_of(
    robots: ManyRobots, way: VecN, counts: VecN, lasted: float
) -> WalkOutcomes:
    """Return what robots did, from how far they came."""
    tick, end = robots.program.tick, robots.tick
    fell = robots.memory.take(robots.fell)
    extremes = robots.memory.take(robots.extremes).astype(np.float64)
    at = robots.plan.watch.index("height"), robots.plan.watch.index("upright")
    with np.errstate(invalid="ignore", divide="ignore"):
        speed = np.where(fell < 0, counts / lasted if lasted else math.nan, math.nan)
    return WalkOutcomes(
        fell_at=np.where(fell < 0, math.nan, fell * tick),
        simulated=np.where(fell < 0, end, fell) * tick,
        distance=way,
        speed=speed,
        tilt=np.arccos(np.clip(extremes[2 * at[1]], -1.0, 1.0)),
        height=extremes[2 * at[0]],
    )


def _told(
    progress: Callable[[float], None] | None, robots: ManyRobots, ticks: int
) -> Callable[[float], None] | None:
    """Return what tells the progress of the whole from that of a piece."""
    if progress is None:
        return None
    return lambda _: progress(robots.tick / ticks)


def commanded(robots: ManyRobots) -> VecN:
    """Return where each is told to go, from its own forward to its left, [rad]."""
    names = [one.name for one in robots.program.settings]
    rows = robots.memory.take(robots.settings).astype(np.float64)
    given = [rows[names.index(n)] for n in ("speed", "left") if n in names]
    if len(given) < 2:
        return np.zeros(robots.robots)
    return np.arctan2(given[1], given[0])
