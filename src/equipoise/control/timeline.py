"""A machine that is changed in place, yet can be stepped from any of its past moments.

Copying all that the modules of a robot know at every tick would cost as much as letting
them think. So it is copied every ``SEGMENT`` ticks, and the readings in between are
kept: a moment that is no longer the present one is found again by doing the same once
more from the copy before it, which gives the same bits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.sensed_room import SensedRoom
from equipoise.core.arrays import VecN
from equipoise.core.contracts import Sensed

__all__ = ["Moment", "Timeline"]

SEGMENT = 64  # ticks

R = TypeVar("R")
Memory = NDArray[Any]


@dataclass(slots=True)
class Segment:
    """Start of some ticks, and the readings since."""

    start: list[Memory]
    log: list[VecN]


class Moment(NamedTuple):
    """A place on a timeline."""

    segment: Segment
    ticks: int
    """How many of the segment's ticks are over."""


@final
class Timeline(Generic[R]):
    """All arrays of a machine, and what changes them."""

    def __init__(self, arrays: Sequence[Any], advance: Callable[[Sensed], R]) -> None:
        """Begin at what the arrays hold now.

        Args:
            arrays: all that ``advance`` changes and reads again later.
            advance: does one tick with readings, always in the same arrays; depends on
                nothing but these and ``arrays``.
        """
        self._arrays: list[Memory] = [_as_bytes(array) for array in arrays]
        self._advance = advance
        self._room: SensedRoom | None = None
        self.now = Moment(Segment(self._saved(), []), 0)

    def step(self, moment: Moment, sensed: Sensed) -> R:
        """Do one tick from a moment; ``now`` is the one after it.

        Args:
            moment: from which to go on.
            sensed: the tick's readings.
        """
        self.go_to(moment)
        segment, ticks = self.now.segment, self.now.ticks
        if ticks == SEGMENT:
            segment, ticks = Segment(self._saved(), []), 0
        elif ticks < len(segment.log):  # another future was seen from here
            segment = Segment(segment.start, segment.log[:ticks])
        if self._room is None:
            self._room = SensedRoom(len(sensed.q), len(sensed.skin))
        own = self._room.take(sensed)
        segment.log.append(self._room.kept())
        result = self._advance(own)
        self.now = Moment(segment, ticks + 1)
        return result

    def go_to(self, moment: Moment) -> None:
        """Bring the arrays to what they were at a moment.

        Args:
            moment: any that ``now`` has been.
        """
        if moment is self.now:
            return
        for array, start in zip(self._arrays, moment.segment.start, strict=True):
            array[...] = start
        for row in moment.segment.log[: moment.ticks]:
            if self._room is not None:
                self._advance(self._room.put_back(row))
        self.now = moment

    def _saved(self) -> list[Memory]:
        return [array.copy() for array in self._arrays]


def _as_bytes(array: Any) -> Memory:
    """Return an array's memory as bytes, which are copied faster than records."""
    return np.asarray(array).reshape(-1).view(np.uint8)
