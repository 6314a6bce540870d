"""What a module does with a frame that arrives, compiled.

The checksum, then the protocol, decide whether a frame counts; only then is its page
read. What came from another neighbour, another tree or another life of the same one is
forgotten at once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.brain.pages import (
    CONTACT,
    LIFTED,
    MOTION,
    WORLD,
    Payload,
    empty_payload,
    read_contact_page,
    read_motion_page,
    read_world_page,
)
from equipoise.control.com.brain.state import NOWHERE, OLD, TABLE, BrainMemory
from equipoise.control.com.geometry.vectors import ZERO, put_vec
from equipoise.control.com.loads import clear_load
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import Seats, read_frame_bytes, take

__all__ = ["FrameRoom", "Letters", "empty_room", "forget", "take_frames"]


class Letters(NamedTuple):
    """Frames that have arrived, in their order."""

    frames: NDArray[np.uint8]
    """(number or more, 64)."""
    where: Ints
    """(number or more, 2) module's row and port of each frame."""
    number: int
    """How many of them there are."""


class FrameRoom(NamedTuple):
    """Room to read one frame."""

    head: Ints
    """(1, COLUMNS)."""
    value: Array
    """(1, 10)."""
    page: Payload
    """One row."""


def empty_room() -> FrameRoom:
    """Return room to read one frame."""
    return FrameRoom(
        np.zeros((1, fr.COLUMNS), np.int64), np.zeros((1, 10)), empty_payload(1)
    )


@compiled(allocates=False)
def take_frames(
    rule: Ints,
    alive: NDArray[np.bool_],
    seats: Seats,
    memory: BrainMemory,
    letters: Letters,
    room: FrameRoom,
) -> int:
    """Let modules read frames in the order of their arrival.

    Args:
        rule: what ``rules_vector`` returns.
        alive: modules that run, (n,); the others hear nothing.
        seats: the protocol's state; written.
        memory: what else the modules remember; written.
        letters: the frames.
        room: to read one of them.

    Returns:
        How many frames were accepted.
    """
    node, where = seats.node, letters.where
    ports, accepted = seats.port.shape[0] // node.shape[0], 0
    for f in range(letters.number):
        i, p = where[f, 0], where[f, 1]
        if not (0 <= i < node.shape[0] and 0 <= p < ports) or not alive[i]:
            continue
        if not read_frame_bytes(letters.frames[f], room.head, 0, room.page.byte[0]):
            continue
        accepted += _take_frame(rule, seats, memory, i, p, room)
    return accepted


@compiled(allocates=False)
def _take_frame(
    rule: Ints, seats: Seats, memory: BrainMemory, i: int, p: int, room: FrameRoom
) -> int:
    """Let module i read one frame at port p; return 1 if it was accepted."""
    node, port, head, value = seats.node, seats.port, room.head, room.value
    e = i * (port.shape[0] // node.shape[0]) + p
    is_sum = head[0, fr.FLAGS] & fr.SUM != 0
    if is_sum:
        for a in range(10):
            value[0, a] = room.page.single[0, a]
            if not abs(value[0, a]) < np.inf:
                return 0  # no module sends this
    peer = port[e, at.PEER]
    is_same = (
        head[0, fr.ROOT] == port[e, at.HEAD + fr.ROOT]
        and head[0, fr.EPOCH] == port[e, at.HEAD + fr.EPOCH]
        and head[0, fr.JOIN] == port[e, at.HEAD + fr.JOIN]
    )
    if not take(rule, seats, i, p, head, 0, value, 0):
        return 0
    heard = memory.ports[e]
    if head[0, fr.SENDER] != peer:
        heard.world_age = OLD
        is_same = False
    if not is_same or head[0, fr.FLAGS] & fr.F == 0:
        heard.motion_age = OLD
    late = _transit(node[i, at.SEQ], head)
    if is_sum:
        heard.sum_age = late
    else:
        _read_page(memory, node, i, p, late, room)
    return 1


@compiled(allocates=False, force_inline=True)
def _transit(seq: int, head: Ints) -> int:
    """Return how many rounds late a frame can have come at most.

    It was sent after its sender had heard ``echo``, which is my own count: on wires
    that deliver in one round and lose nothing that is exactly none.
    """
    if head[0, fr.FLAGS] & fr.HEARD == 0:
        return 0
    return max(((seq - head[0, fr.ECHO]) & 0xFF) - 1, 0)


@compiled(allocates=False)
def _read_page(
    memory: BrainMemory, node: Ints, i: int, p: int, late: int, room: FrameRoom
) -> None:
    """Keep what a page says; contacts only from a branch of the tree."""
    page = room.page
    heard = memory.ports[i * (memory.ports.shape[0] // node.shape[0]) + p]
    kind = page.world[0].kind
    if kind == WORLD:
        heard.world_age = late + read_world_page(page.world[0], heard.world)
    elif kind == MOTION and room.head[0, fr.FLAGS] & fr.F != 0:
        age, sums = read_motion_page(page.motion[0], heard.load, heard.span)
        heard.motion_age = late + age
        heard.sum_behind = sums
    elif (kind == CONTACT or kind == LIFTED) and (node[i, at.TREE] >> p) & 1 != 0:
        _note_contact(memory, i, p, node[i, at.ID], page)


@compiled(allocates=False)
def _note_contact(memory: BrainMemory, i: int, p: int, own: int, page: Payload) -> None:
    """Put news of a contact into module i's table: the last row is room to read it."""
    contacts = memory.contacts
    new = contacts[contacts.shape[0] - 1]
    read_contact_page(page.contact[0], new)
    row = _find_entry(memory, i, new.who)
    if new.who == 0 or new.who == own or row < 0:
        return
    kept = contacts[row]
    is_known = kept.who == new.who
    if is_known and kept.port != p and kept.age < new.age:
        return  # an older story by another way
    is_news = not (is_known and kept.foot == new.foot and kept.touches == new.touches)
    kept.who, kept.foot, kept.touches, kept.age = (
        new.who,
        new.foot,
        new.touches,
        new.age,
    )
    kept.place = new.place
    kept.port = p
    if is_news:
        kept.news = ~(1 << p)


@compiled(allocates=False)
def _find_entry(memory: BrainMemory, i: int, name: int) -> int:
    """Return the row of a module in i's table, else an empty one, else -1."""
    empty = -1
    for row in range(i * TABLE + 1, (i + 1) * TABLE):
        who = memory.contacts[row].who
        if who == name:
            return row
        if who == 0 and empty < 0:
            empty = row
    return empty


@compiled(allocates=False)
def forget(memory: BrainMemory, i: int, foot: int) -> None:
    """Clear all that module i remembers, as a program that has just started.

    Args:
        memory: module i's records are written.
        i: the module.
        foot: first value of its foot counter, drawn by lot.
    """
    n = memory.modules.shape[0]
    ports, joints = memory.ports.shape[0] // n, memory.rows.shape[0] // n
    for e in range(i * ports, (i + 1) * ports):
        port = memory.ports[e]
        port.motion_age = port.world_age = port.sum_age = OLD
        port.sum_behind = port.last_page = port.cursor = port.turns = 0
        clear_load(port.load)
    for row in range(i * TABLE, (i + 1) * TABLE):
        contact = memory.contacts[row]
        contact.who = contact.foot = contact.touches = contact.age = 0
        contact.port = contact.news = 0
    module = memory.modules[i]
    module.touched = module.complete = module.tree_name = 0
    module.estimate.known = 0
    module.foot, module.source = foot, NOWHERE
    module.pose_age = module.oldest = OLD
    put_vec(module.estimate.span, ZERO)
    for row in range(i * joints, (i + 1) * joints):
        memory.rows[row].known = 0
