"""Wires that misbehave, as wrappers: ``Lossy(Delayed(InMemory(links), ...), ...)``.

Each wrapper spoils one thing and forwards the rest. Random faults come from a generator
that is passed in: same seed, same losses. They wrap wires of messages and of bytes
alike; ``Corrupted`` alone needs bytes.
"""

import heapq
from collections.abc import Iterable
from typing import TypeVar, final

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.modules.clock import VirtualClock
from equipoise.modules.transports.transport import AbstractTransport, End, Link

__all__ = [
    "Corrupted",
    "Delayed",
    "Duplicated",
    "Lossy",
    "OneWay",
    "Partitioned",
    "Reordered",
]

T = TypeVar("T")


def _expect_chance(where: str, name: str, value: float) -> float:
    if not 0.0 <= value < 1.0:
        raise ConfigError(where, [f"{name} must lie in [0, 1), got {value!r}"])
    return value


class _Wrapper(AbstractTransport[T]):
    """Forwards everything; subclasses override what they spoil."""

    def __init__(self, inner: AbstractTransport[T]) -> None:
        self.inner = inner

    def send(self, end: End, message: T) -> None:
        """Pass the message on."""
        self.inner.send(end, message)

    def receive(self, node: int) -> list[tuple[int, T]]:
        """Return what the inner transport has for the node."""
        return self.inner.receive(node)

    def in_flight(self) -> int:
        """Return the inner transport's count."""
        return self.inner.in_flight()

    def close(self) -> None:
        """Close the inner transport."""
        self.inner.close()


@final
class Lossy(_Wrapper[T]):
    """Wrapper that loses a share of a transport's messages, the same in each run."""

    def __init__(
        self, inner: AbstractTransport[T], loss: float, rng: np.random.Generator
    ) -> None:
        """Lose each message with chance ``loss`` in [0, 1)."""
        super().__init__(inner)
        self.loss, self.rng = _expect_chance("Lossy", "loss", loss), rng
        self.lost = 0

    def send(self, end: End, message: T) -> None:
        """Send the message, or lose and count it."""
        if self.rng.random() >= self.loss:
            self.inner.send(end, message)
        else:
            self.lost += 1


@final
class Duplicated(_Wrapper[T]):
    """Wrapper that sends a share of a transport's messages twice."""

    def __init__(
        self, inner: AbstractTransport[T], chance: float, rng: np.random.Generator
    ) -> None:
        """Send each message a second time with chance ``chance`` in [0, 1)."""
        super().__init__(inner)
        self.chance, self.rng = _expect_chance("Duplicated", "chance", chance), rng

    def send(self, end: End, message: T) -> None:
        """Send the message once or twice."""
        self.inner.send(end, message)
        if self.rng.random() < self.chance:
            self.inner.send(end, message)


@final
class Reordered(_Wrapper[T]):
    """Wrapper that delivers a node's messages in random order."""

    def __init__(self, inner: AbstractTransport[T], rng: np.random.Generator) -> None:
        """Shuffle every delivery with the given generator."""
        super().__init__(inner)
        self.rng = rng

    def receive(self, node: int) -> list[tuple[int, T]]:
        """Return the node's mail, shuffled."""
        mail = self.inner.receive(node)
        return [mail[i] for i in self.rng.permutation(len(mail))]


@final
class Delayed(_Wrapper[T]):
    """Wrapper that delays messages by a fixed or random number of ticks.

    Without it a message sent at tick t is received at tick t + 1; with it at
    t + 1 + delay. With ``jitter`` a later message can overtake an earlier one.
    """

    def __init__(
        self,
        inner: AbstractTransport[T],
        clock: VirtualClock,
        delay: int,
        *,
        jitter: int = 0,
        rng: np.random.Generator | None = None,
    ) -> None:
        """Add ``delay`` ticks, plus 0 to ``jitter`` ticks drawn from ``rng``.

        Raises:
            ConfigError: a negative number of ticks, or jitter without a generator.
        """
        super().__init__(inner)
        problems = [
            f"{name} must be >= 0 ticks, got {value!r}"
            for name, value in (("delay", delay), ("jitter", jitter))
            if value < 0
        ]
        if jitter > 0 and rng is None:
            problems.append(f"jitter of {jitter} ticks needs rng, got None")
        if problems:
            raise ConfigError("Delayed", problems)
        self.clock, self.delay, self.jitter, self.rng = clock, delay, jitter, rng
        self._count = 0  # keeps messages with one due tick in the order of sending
        self._waiting: list[tuple[int, int, End, T]] = []

    def send(self, end: End, message: T) -> None:
        """Hold the message until its time has come."""
        extra = 0 if self.rng is None else int(self.rng.integers(self.jitter + 1))
        due = self.clock.now + 1 + self.delay + extra
        heapq.heappush(self._waiting, (due, self._count, end, message))
        self._count += 1

    def receive(self, node: int) -> list[tuple[int, T]]:
        """Pass what is due to the inner transport, and return its messages."""
        while self._waiting and self._waiting[0][0] <= self.clock.now:
            _, _, end, message = heapq.heappop(self._waiting)
            self.inner.send(end, message)
        return self.inner.receive(node)

    def in_flight(self) -> int:
        """Return the number of held messages plus the inner transport's."""
        return len(self._waiting) + self.inner.in_flight()


@final
class Corrupted(_Wrapper[bytes]):
    """Wrapper that flips bits in a share of a transport's frames."""

    def __init__(
        self,
        inner: AbstractTransport[bytes],
        chance: float,
        rng: np.random.Generator,
        *,
        bits: int = 12,
    ) -> None:
        """Flip 1 to ``bits`` different bits of a frame with chance ``chance``.

        Raises:
            ConfigError: a chance outside [0, 1), or less than one bit.
        """
        super().__init__(inner)
        if bits < 1:
            raise ConfigError("Corrupted", [f"bits must be >= 1, got {bits!r}"])
        self.chance, self.rng = _expect_chance("Corrupted", "chance", chance), rng
        self.bits, self.corrupted = bits, 0

    def send(self, end: End, message: bytes) -> None:
        """Send the frame, intact or corrupted."""
        if self.rng.random() < self.chance and message:
            spoilt = bytearray(message)
            count = min(int(self.rng.integers(1, self.bits + 1)), 8 * len(spoilt))
            for bit in self.rng.choice(8 * len(spoilt), count, replace=False).tolist():
                spoilt[bit // 8] ^= 1 << bit % 8
            message = bytes(spoilt)
            self.corrupted += 1
        self.inner.send(end, message)


@final
class OneWay(_Wrapper[T]):
    """Wrapper with which some ends of a transport receive but do not send."""

    def __init__(self, inner: AbstractTransport[T], muted: Iterable[End] = ()) -> None:
        """Mute the given ends; change ``muted`` in place to mute or mend others."""
        super().__init__(inner)
        self.muted, self.lost = set(muted), 0

    def send(self, end: End, message: T) -> None:
        """Send the message unless its end is muted."""
        if end in self.muted:
            self.lost += 1
        else:
            self.inner.send(end, message)


@final
class Partitioned(_Wrapper[T]):
    """Wrapper with which links can be cut in both directions, and restored."""

    def __init__(self, inner: AbstractTransport[T]) -> None:
        """Start whole."""
        super().__init__(inner)
        self._cut: set[End] = set()
        self.lost = 0

    def part(self, links: Iterable[Link]) -> None:
        """Cut the given links; nothing passes until they are healed."""
        self._cut.update(end for link in links for end in link)

    def heal(self) -> None:
        """Restore every link."""
        self._cut.clear()

    def send(self, end: End, message: T) -> None:
        """Send the message unless its link is cut."""
        if end in self._cut:
            self.lost += 1
        else:
            self.inner.send(end, message)
