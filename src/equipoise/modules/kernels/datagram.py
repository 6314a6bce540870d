"""The inner loops of ``datagram``: frames into datagrams and back.

A datagram is eleven 64-bit words: the sender's end and the receiver's (32 bits each),
the sender's tick, the frame's eight words, the tag over all that. An end is
node * ports + port.
"""

from typing import NamedTuple

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
    "ArrivedFrames",
    "Came",
    "Docks",
    "OutgoingFrames",
    "PutAside",
    "copy_into_mail",
    "keep_frames",
    "pack_datagrams",
    "put_aside",
]

WINDOW = 16
"""Ticks by which a datagram may be old, or its sender ahead."""
ENDS, TICK, FRAME, TAG = 0, 1, 2, 10
WORDS = 11
LENGTH = 8 * WORDS
"""Bytes of a datagram."""


FRAME_WORDS = TAG - FRAME


class Docks(NamedTuple):
    """Link ends in a process, and the ends to which they are docked."""

    own: Ints
    """Ends of the nodes here, (n * ports,)."""
    far: Ints
    """For each end of the robot the end docked to it; -1 for none."""
    place: Ints
    """For each end of the robot its place in ``own``; -1 elsewhere."""
    outer: Ints
    """Places in ``own`` of those docked to another process."""
    inner: Ints
    """Places in ``own`` of those docked to an end of this process."""
    ports: int
    """Connectors of a node."""


class OutgoingFrames(NamedTuple):
    """Frames of the nodes here, by their place in ``Docks.own``."""

    frames: Ints
    """(n * ports, 8)."""
    sends: NDArray[np.bool_]
    """Which of them are to be sent."""


class ArrivedFrames(NamedTuple):
    """Frames that arrived here."""

    frames: Ints
    """(room, 8)."""
    where: Ints
    """For which node (its place here) and port, (room, 2)."""


class PutAside(NamedTuple):
    """Frames that go from one node here to another."""

    frames: Ints
    """(room, 8)."""
    to: Ints
    """Place in ``Docks.own`` of the end that gets each, (room,)."""


class Came(NamedTuple):
    """Datagrams as they came in."""

    words: Ints
    """(room, WORDS or more)."""
    lengths: NDArray[np.uint32]
    """Of each [bytes]."""


@compiled(allocates=False)
def pack_datagrams(
    key: Ints, box: OutgoingFrames, docks: Docks, words: Ints, chosen: Ints, tick: int
) -> int:
    """Write the marked frames as datagrams; return how many there are.

    Args:
        key: the run's key, (2,).
        box: what is to be sent.
        docks: who lives here.
        words: datagrams, a row for each of ``docks.outer``; overwritten.
        chosen: rows that are to be sent; overwritten.
        tick: of the sender.
    """
    count = 0
    for r in range(docks.outer.shape[0]):
        at = docks.outer[r]
        if not box.sends[at]:
            continue
        end = docks.own[at]
        words[r, ENDS] = end | docks.far[end] << 32
        words[r, TICK] = tick
        for k in range(FRAME_WORDS):
            words[r, FRAME + k] = box.frames[at, k]
        words[r, TAG] = tag_of(key, words, r, TAG)
        chosen[count] = r
        count += 1
    return count


@compiled(allocates=False)
def keep_frames(
    key: Ints,
    came: Came,
    docks: Docks,
    mail: ArrivedFrames,
    tick: int,
    count: int,
    found: int,
) -> int:
    """Keep the frames of good datagrams after the first ``found``; return how many.

    Args:
        key: the run's key, (2,).
        came: what came in.
        docks: who lives here.
        mail: overwritten after the first.
        tick: of the receiver.
        count: how many rows came in.
        found: how many are in it.
    """
    words, place = came.words, docks.place
    for r in range(count):
        if came.lengths[r] != LENGTH or not sealed(key, words, r, TAG):
            continue
        sender, end = words[r, ENDS] & 0xFFFFFFFF, words[r, ENDS] >> 32
        is_here = 0 <= end < docks.far.shape[0] and place[end] >= 0
        if not (is_here and docks.far[end] == sender):
            continue
        if abs(tick - words[r, TICK]) > WINDOW or found >= mail.frames.shape[0]:
            continue
        for k in range(FRAME_WORDS):
            mail.frames[found, k] = words[r, FRAME + k]
        mail.where[found, 0] = place[end] // docks.ports
        mail.where[found, 1] = place[end] % docks.ports
        found += 1
    return found


@compiled(allocates=False)
def put_aside(box: OutgoingFrames, docks: Docks, aside: PutAside) -> int:
    """Put the marked frames for nodes of this process aside; return how many.

    Args:
        box: what is to be sent.
        docks: who lives here.
        aside: overwritten.
    """
    count = 0
    for r in range(docks.inner.shape[0]):
        at = docks.inner[r]
        if box.sends[at]:
            for k in range(FRAME_WORDS):
                aside.frames[count, k] = box.frames[at, k]
            aside.to[count] = docks.place[docks.far[docks.own[at]]]
            count += 1
    return count


@compiled(allocates=False)
def copy_into_mail(
    aside: PutAside, docks: Docks, mail: ArrivedFrames, count: int
) -> int:
    """Copy what was put aside into the mail; return how many.

    Args:
        aside: what was put there.
        docks: who lives here.
        mail: overwritten.
        count: how many.
    """
    for r in range(count):
        for k in range(FRAME_WORDS):
            mail.frames[r, k] = aside.frames[r, k]
        mail.where[r, 0] = aside.to[r] // docks.ports
        mail.where[r, 1] = aside.to[r] % docks.ports
    return count
