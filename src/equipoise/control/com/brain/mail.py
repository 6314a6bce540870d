"""What a module does with a frame that arrives, compiled.

The checksum, then the protocol, decide whether a frame counts; only then is its page
read. What came from another neighbour, another tree or another life of the same one is
forgotten at once.
"""

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.brain import state as st
from equipoise.control.com.brain.pages import (
    CONTACT,
    LIFTED,
    MOTION,
    WORLD,
    Payload,
    read_contact_page,
    read_motion_page,
    read_world_page,
)
from equipoise.control.com.brain.state import ENTRY, OLD, PLACE, TABLE, Mind
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import Seats, take, unpack_frame

__all__ = ["forget", "take_frames"]

Bytes = NDArray[np.uint8]


@compiled(allocates=False)
def take_frames(
    rule: Ints,
    seats: Seats,
    mind: Mind,
    alive: NDArray[np.bool_],
    frames: Bytes,
    where: Ints,
    count: int,
    head: Ints,
    value: Array,
    page: Payload,
) -> int:
    """Let modules read frames in the order of their arrival.

    Args:
        rule: what ``rules_vector`` returns.
        seats: the protocol's state; written.
        mind: what else the modules remember; written.
        alive: modules that run, (n,); the others hear nothing.
        frames: (any, 64).
        where: (any, 2) module's row and port of each frame.
        count: how many of them there are.
        head: scratch, (1, 13).
        value: scratch, (1, 10).
        page: scratch, one row.

    Returns:
        How many frames were accepted.
    """
    node, port = seats.node, seats.port
    ports, accepted = port.shape[0] // node.shape[0], 0
    for f in range(count):
        i, p = where[f, 0], where[f, 1]
        if not (0 <= i < node.shape[0] and 0 <= p < ports) or not alive[i]:
            continue
        if not unpack_frame(frames[f], head, 0, page.byte[0]):
            continue
        accepted += take_frame(rule, seats, mind, i, p, head, value, page)
    return accepted


@compiled(allocates=False)
def take_frame(
    rule: Ints,
    seats: Seats,
    mind: Mind,
    i: int,
    p: int,
    head: Ints,
    value: Array,
    page: Payload,
) -> int:
    """Let module i read one frame at port p; return 1 if it was accepted."""
    node, port = seats.node, seats.port
    e = i * (port.shape[0] // node.shape[0]) + p
    is_sum = head[0, fr.FLAGS] & fr.SUM != 0
    if is_sum:
        for a in range(10):
            value[0, a] = page.single[0, a]
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
    if head[0, fr.SENDER] != peer:
        mind.clock[e, st.WORLD_AGE] = OLD
        is_same = False
    if not is_same or head[0, fr.FLAGS] & fr.F == 0:
        mind.clock[e, st.MOTION_AGE] = OLD
    late = transit(node[i, at.SEQ], head)
    if is_sum:
        mind.clock[e, st.SUM_AGE] = late
    else:
        read_page(mind, node, i, p, e, head, late, page)
    return 1


@compiled(allocates=False, melts=True)
def transit(seq: int, head: Ints) -> int:
    """Return how many rounds late a frame can have come at most.

    It was sent after its sender had heard ``echo``, which is my own count: on wires
    that deliver in one round and lose nothing that is exactly none.
    """
    if head[0, fr.FLAGS] & fr.HEARD == 0:
        return 0
    return max(((seq - head[0, fr.ECHO]) & 0xFF) - 1, 0)


@compiled(allocates=False)
def read_page(
    mind: Mind, node: Ints, i: int, p: int, e: int, head: Ints, late: int, page: Payload
) -> None:
    """Keep what a page says; contacts only from a branch of the tree."""
    kind = page.byte[0, 0]
    if kind == WORLD:
        mind.clock[e, st.WORLD_AGE] = late + read_world_page(page, 0, mind.world, e)
    elif kind == MOTION and head[0, fr.FLAGS] & fr.F != 0:
        age, sums = read_motion_page(page, 0, mind.load, e, mind.load_span, e)
        mind.clock[e, st.MOTION_AGE] = late + age
        mind.clock[e, st.SUM_BEHIND] = sums
    elif (kind == CONTACT or kind == LIFTED) and (node[i, at.TREE] >> p) & 1 != 0:
        note_contact(mind, i, p, node[i, at.ID], page)


@compiled(allocates=False)
def note_contact(mind: Mind, i: int, p: int, own: int, page: Payload) -> None:
    """Put news of a contact into module i's table: the last row is room to read it."""
    who, place = mind.who, mind.place
    new = who.shape[0] - 1
    read_contact_page(page, 0, who, place, new)
    row = find_entry(who, i, who[new, st.WHO])
    if who[new, st.WHO] == 0 or who[new, st.WHO] == own or row < 0:
        return
    is_known = who[row, st.WHO] == who[new, st.WHO]
    if is_known and who[row, st.PORT] != p and who[row, st.AGE] < who[new, st.AGE]:
        return  # an older story by another way
    is_news = not (
        is_known
        and who[row, st.FOOT] == who[new, st.FOOT]
        and who[row, st.TOUCHES] == who[new, st.TOUCHES]
    )
    for a in range(st.PORT):
        who[row, a] = who[new, a]
    for a in range(PLACE):
        place[row, a] = place[new, a]
    who[row, st.PORT] = p
    if is_news:
        who[row, st.NEWS] = ~(1 << p)


@compiled(allocates=False)
def find_entry(who: Ints, i: int, name: int) -> int:
    """Return the row of a module in i's table, else an empty one, else -1."""
    empty = -1
    for row in range(i * TABLE + 1, (i + 1) * TABLE):
        if who[row, st.WHO] == name:
            return row
        if who[row, st.WHO] == 0 and empty < 0:
            empty = row
    return empty


@compiled(allocates=False)
def forget(mind: Mind, i: int, ports: int, joints: int, foot: int) -> None:
    """Clear all that module i remembers, as a program that has just started.

    Args:
        mind: module i's rows are written.
        i: the module.
        ports: connectors of a module.
        joints: joints of a module.
        foot: first value of its foot counter, drawn by lot.
    """
    for e in range(i * ports, (i + 1) * ports):
        for a in range(st.CLOCKS):
            mind.clock[e, a] = OLD if a <= st.SUM_AGE else 0
        mind.held[e] = -1
        for a in range(mind.heard.shape[1]):
            mind.heard[e, a] = 0.0
            mind.load[e, a] = 0.0
    for row in range(i * TABLE, (i + 1) * TABLE):
        for a in range(ENTRY):
            mind.who[row, a] = 0
    for a in range(st.SELF):
        mind.own[i, a] = 0
    mind.own[i, st.MY_FOOT] = foot
    mind.own[i, st.POSE_AGE] = OLD
    mind.own[i, st.OLDEST] = OLD
    mind.own[i, st.SOURCE] = -2
    for a in range(3):
        mind.span[i, a] = 0.0
    for row in range(i * joints, (i + 1) * joints):
        mind.rows[row, 0] = 0.0
