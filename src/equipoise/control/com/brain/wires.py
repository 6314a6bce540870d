"""Wires between the modules of one process: they lose, double and delay frames."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules.frame import FRAME_SIZE

__all__ = ["FrameWires", "deliver_later", "idle_wires"]


class FrameWires(NamedTuple):
    """Frames under way, by the tick at which they arrive (modulo the slots)."""

    frames: NDArray[np.uint8]
    """(slots, twice the ends, 64)."""
    where: Ints
    """(slots, twice the ends, 2) receiving module and its connector."""
    waiting: Ints
    """(slots,) how many there are."""
    link: Ints
    """(ends,) the far end of each connector, -1 where nothing is held."""


def idle_wires(link: Ints, most_delay: int) -> FrameWires:
    """Return wires on which nothing is under way.

    Args:
        link: the far end of each connector, -1 where nothing is held, (ends,).
        most_delay: largest extra delay [rounds].
    """
    slots, room = most_delay + 2, 2 * len(link) * (most_delay + 1)
    return FrameWires(
        frames=np.zeros((slots, room, FRAME_SIZE), np.uint8),
        where=np.zeros((slots, room, 2), np.int64),
        waiting=np.zeros(slots, np.int64),
        link=link,
    )


@compiled(allocates=False)
def deliver_later(
    wires: FrameWires,
    sent: NDArray[np.uint8],
    sends: NDArray[np.bool_],
    tick: int,
    ports: int,
    faults: tuple[float, float, float],
    luck: Array,
) -> tuple[int, int]:
    """Put what was sent at a tick on the wires.

    Args:
        wires: written.
        sent: frames by connector, (ends, 64).
        sends: which of them there are, (ends,).
        tick: number of this tick.
        ports: connectors of a module.
        faults: chances that a frame is lost, comes twice, and comes late.
        luck: uniform draws, (ends, 4).

    Returns:
        How many frames were sent, and how many of them were lost.
    """
    frames, where, waiting, link = wires
    slots, total, lost = waiting.shape[0], 0, 0
    for e in range(sends.shape[0]):
        if not sends[e] or link[e] < 0:
            continue
        total += 1
        if luck[e, 0] < faults[0]:
            lost += 1
            continue
        copies = 2 if luck[e, 1] < faults[1] else 1
        for c in range(copies):
            late = 0
            if slots > 2 and luck[e, 2 + c] < faults[2]:  # the draw also says how late
                late = 1 + int(luck[e, 2 + c] / faults[2] * (slots - 2))
            slot = (tick + 1 + late) % slots
            n = waiting[slot]
            if n < where.shape[1]:
                waiting[slot] = n + 1
                where[slot, n, 0], where[slot, n, 1] = link[e] // ports, link[e] % ports
                for a in range(FRAME_SIZE):
                    frames[slot, n, a] = sent[e, a]
    return total, lost
