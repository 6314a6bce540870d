"""How fast a job's time goes beside ours, and what comes of it."""

from collections import deque
from dataclasses import dataclass, field
from typing import final

__all__ = ["LivePace"]

MOST_OWED = 0.2  # that is caught up with; more is forgotten [s]
RECENT = 2.0  # over which the factor is told [s]


@final
@dataclass
class LivePace:
    """Owes the job the time that has passed; all times are given from outside [s]."""

    period: float
    """Of frames."""
    rate: float = 1.0
    """Of the job's time over ours; below 1 it is slow motion."""
    is_paused: bool = False
    frames: int = 0
    """Painted so far."""
    debt: float = 0.0
    """That the job owes, in its own time."""
    last: float = 0.0
    next_frame: float = 0.0
    asked: float = 0.0
    """Time of ours that the job should have kept up with."""
    done: float = 0.0
    """Time of its own that it did meanwhile, over the rate."""
    lived: float = 0.0
    """That the job went on in all, in its own time."""
    factor: float = 1.0
    """Of the job's time over ours, lately."""
    recent: deque[tuple[float, float]] = field(default_factory=deque, repr=False)
    """When frames were painted, and at which time of the job."""
    first: float | None = None
    latest: float = 0.0

    @property
    def budget(self) -> float:
        """Longest time for which the job may run before the next frame."""
        return 3.0 * self.period

    def begin(self, now: float) -> None:
        """Start counting."""
        self.last = self.next_frame = now

    def owed(self, now: float) -> float:
        """Return by how long the job shall go on.

        Args:
            now: by our clock.
        """
        passed, self.last = now - self.last, now
        if self.is_paused:
            return 0.0
        self.asked += passed
        self.debt = min(self.debt + self.rate * passed, self.rate * MOST_OWED)
        return self.debt

    def did(self, seconds: float) -> None:
        """Take note of what the job did.

        Args:
            seconds: of its own time.
        """
        self.debt -= seconds
        self.lived += seconds
        self.done += seconds / self.rate

    def forgive(self) -> None:
        """Forget what is owed: the job waits."""
        self.asked -= min(self.debt / self.rate, self.asked)
        self.debt = 0.0

    def pause(self, is_paused: bool) -> None:
        """Stop time, or let it go on.

        Args:
            is_paused: which.
        """
        self.is_paused, self.debt = is_paused, 0.0

    def painted(self, now: float, time: float) -> None:
        """Take note of a frame.

        Args:
            now: by our clock.
            time: by the job's.
        """
        self.frames += 1
        self.first, self.latest = now if self.first is None else self.first, now
        if self.recent and time < self.recent[-1][1]:
            self.recent.clear()
        self.recent.append((now, time))
        while now - self.recent[0][0] > RECENT:
            self.recent.popleft()
        (start, earlier), (end, later) = self.recent[0], self.recent[-1]
        if end > start:
            self.factor = (later - earlier) / (end - start)

    def rest(self, now: float) -> float:
        """Return how long to wait for the next frame; late ones are left out.

        Args:
            now: by our clock.
        """
        self.next_frame += self.period
        if self.next_frame < now:
            self.next_frame = now
        return self.next_frame - now

    @property
    def mean_factor(self) -> float:
        """The same since the start, pauses left out and at full speed of time."""
        return self.done / self.asked if self.asked > 0.0 else 1.0

    @property
    def frames_a_second(self) -> float:
        """Painted, on the whole."""
        span = self.latest - (self.first or 0.0)
        return (self.frames - 1) / span if self.frames > 1 and span > 0.0 else 0.0
