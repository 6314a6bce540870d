"""Where the state of module programs stands in arrays, and how a module starts.

One row a module (``node``) and one row a port (``port``; row i * P + p is port p of
module i), all integers. The last thirteen columns of a port's row are the header of
the last frame accepted there, in the order of ``frame``.
"""

from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = [
    "NEVER",
    "VALUE",
    "Seats",
    "boot",
    "empty_seats",
    "enter",
    "next_own",
    "rows_of",
]

VALUE = 10  # numbers in a sum
NEVER = 255  # rounds of silence that are counted, at most

# columns of a node's row: what the program remembers
ID, LIVE, SEQ, OWN_EPOCH, JOIN, BOOT, ROOT, EPOCH, DIST, PARENT = range(10)
ROUNDS, FROZEN, DIRTY, SEEN, INCUMBENT, SINCE_BUMP = range(10, 16)
SLOTS = (16, 19, 22, 25)  # where root, epoch and timer of each left epoch stand
CALM, MARK_ROOT, MARK_EPOCH, MARK_FEET, MARK_COUNT, MARK_OPEN = range(28, 34)
# what it publishes: totals over the whole component, void unless KNOWN
KNOWN, STEADY, OPEN, COUNT, LEADER, IS_LEADER, TREE, AGE, FEET = range(34, 43)
# scratch between the steps of one round
UPS, TALKS, DIRTY_OUT = range(43, 46)
OWN_TOKEN, OWN_FEET, OWN_CAND, OWN_OPEN = range(46, 50)
NODE = 56  # seven lines of a cache

# columns of a port's row
PEER, QUIET, GOOD, HALF, UP, HAS_VALUE = range(6)
REC, REC_PEER, REC_JOIN, REC_CHILD = range(6, 10)
CHILD, REFUSED, F_IN, V_IN, F_OUT, V_OUT, G_OUT = range(10, 17)
HEAD = 17
PORT = 32  # four lines of a cache


class Seats(NamedTuple):
    """The state of n module programs with P ports each."""

    node: Ints
    """(n, NODE)."""
    port: Ints
    """(n * P, PORT)."""
    value: Array
    """(n * P, 10), the last accepted sum of each port."""


def empty_seats(modules: int, ports: int) -> Seats:
    """Return room for ``modules`` programs with ``ports`` ports each, none booted."""
    seats = Seats(  # empty and filled: for these NumPy asks for large memory pages
        np.empty((modules, NODE), np.int64),
        np.empty((modules * ports, PORT), np.int64),
        np.empty((modules * ports, VALUE)),
    )
    for array in seats:
        array.fill(0)
    return seats


@compiled(allocates=False)
def boot(seats: Seats, i: int, own: int, seq: int, epoch: int, join: int) -> None:
    """Give module i the state of a program that has just started.

    Args:
        seats: the state; module i's rows are written.
        i: the module's row.
        own: its id, from 1 on.
        seq: first sequence number, 0 to 255, drawn by lot.
        epoch: first own epoch, 0 to 65535, drawn by lot.
        join: join counter, 0 to 255, drawn by lot.
    """
    node, port, value = seats
    ports = port.shape[0] // node.shape[0]
    for a in range(NODE):
        node[i, a] = 0
    node[i, ID] = own
    node[i, SEQ] = seq
    node[i, OWN_EPOCH] = epoch
    node[i, JOIN] = join
    node[i, ROOT] = own
    node[i, EPOCH] = epoch
    node[i, PARENT] = -1
    node[i, LEADER] = -1
    for e in range(i * ports, (i + 1) * ports):
        for a in range(PORT):
            port[e, a] = 0
        port[e, QUIET] = NEVER
        for a in range(VALUE):
            value[e, a] = 0.0


@compiled(allocates=False, force_inline=True)
def rows_of(seats: Seats, i: int) -> tuple[Ints, Ints]:
    """Return module i's row, (NODE,), and its ports' rows, (P, PORT)."""
    ports = seats.port.shape[0] // seats.node.shape[0]
    return seats.node[i], seats.port[i * ports : (i + 1) * ports]


@compiled(allocates=False)
def enter(me: Ints, ends: Ints, root: int, epoch: int, dist: int, parent: int) -> None:
    """Let the module enter a tree: a new join count, nothing frozen, nothing spoilt."""
    me[JOIN] = (me[JOIN] + 1) & 0xFF
    me[ROOT] = root
    me[EPOCH] = epoch
    me[DIST] = dist
    me[PARENT] = parent
    me[ROUNDS] = 0
    me[FROZEN] = 0
    me[DIRTY] = 0
    me[SEEN] = 0
    me[CALM] = 0
    for p in range(ends.shape[0]):
        if (me[LIVE] >> p) & 1 == 0:
            continue
        ends[p, REC] = 0
        ends[p, REC_PEER] = 0
        ends[p, REC_JOIN] = 0
        ends[p, REC_CHILD] = 0


@compiled(allocates=False)
def next_own(me: Ints, ends: Ints) -> None:
    """Let the module root a tree of its own under its next epoch."""
    me[OWN_EPOCH] = (me[OWN_EPOCH] + 1) & 0xFFFF
    enter(me, ends, me[ID], me[OWN_EPOCH], 0, -1)
