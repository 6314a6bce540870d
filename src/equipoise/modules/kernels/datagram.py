"""The inner loops of ``datagram``: frames into datagrams and back.

A datagram is eleven 64-bit words: the sender's end and the receiver's (32 bits each),
the sender's tick, the frame's eight words, the tag over all that. An end is
node * ports + port.
"""

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.transports.keyed_tag import sealed, tag_of

__all__ = [
    "ENDS",
    "FRAME",
    "LENGTH",
    "TAG",
    "TICK",
    "WINDOW",
    "WORDS",
    "hand_over",
    "pack",
    "put_aside",
    "unpack",
]

WINDOW = 16
"""Ticks by which a datagram may be old, or its sender ahead."""
ENDS, TICK, FRAME, TAG = 0, 1, 2, 10
WORDS = 11
LENGTH = 8 * WORDS
"""Bytes of a datagram."""


@compiled(allocates=False)
def pack(
    key: Ints,
    tick: int,
    frames: Ints,
    sends: NDArray[np.bool_],
    outer: Ints,
    own: Ints,
    far: Ints,
    words: Ints,
    chosen: Ints,
) -> int:
    """Write the marked frames as datagrams; return how many there are."""
    count = 0
    for r in range(outer.shape[0]):
        if not sends[outer[r]]:
            continue
        end = own[outer[r]]
        words[r, ENDS] = end | far[end] << 32
        words[r, TICK] = tick
        for k in range(8):
            words[r, FRAME + k] = frames[outer[r], k]
        words[r, TAG] = tag_of(key, words, r, TAG)
        chosen[count] = r
        count += 1
    return count


@compiled(allocates=False)
def unpack(
    key: Ints,
    tick: int,
    words: Ints,
    lengths: NDArray[np.uint32],
    count: int,
    far: Ints,
    place: Ints,
    ports: int,
    mail: Ints,
    where: Ints,
    found: int,
) -> int:
    """Keep the frames of good datagrams after the first ``found``; return how many."""
    for r in range(count):
        if lengths[r] != LENGTH or not sealed(key, words, r, TAG):
            continue
        sender, end = words[r, ENDS] & 0xFFFFFFFF, words[r, ENDS] >> 32
        if not (0 <= end < far.shape[0] and place[end] >= 0 and far[end] == sender):
            continue
        if abs(tick - words[r, TICK]) > WINDOW or found >= mail.shape[0]:
            continue
        for k in range(8):
            mail[found, k] = words[r, FRAME + k]
        where[found, 0], where[found, 1] = place[end] // ports, place[end] % ports
        found += 1
    return found


@compiled(allocates=False)
def put_aside(
    frames: Ints,
    sends: NDArray[np.bool_],
    inner: Ints,
    own: Ints,
    far: Ints,
    place: Ints,
    box: Ints,
    to: Ints,
) -> int:
    """Put the marked frames for nodes of this process aside; return how many."""
    count = 0
    for r in range(inner.shape[0]):
        if sends[inner[r]]:
            for k in range(8):
                box[count, k] = frames[inner[r], k]
            to[count] = place[far[own[inner[r]]]]
            count += 1
    return count


@compiled(allocates=False)
def hand_over(
    box: Ints, to: Ints, count: int, ports: int, mail: Ints, where: Ints
) -> int:
    """Copy what was put aside into the mail; return how many."""
    for r in range(count):
        for k in range(8):
            mail[r, k] = box[r, k]
        where[r, 0], where[r, 1] = to[r] // ports, to[r] % ports
    return count
