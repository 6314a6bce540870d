"""The wires between an ensemble's modules, and what can go wrong on them; compiled.

A frame that is sent gets a place in the store of its round and, for each copy that
will arrive, an entry in the queue of the round of arrival: to which port, which frame.
So a frame under way outlives its link, and late frames of a former neighbour arrive at
a port that has long been used again.
"""

from typing import NamedTuple

import numpy as np

import equipoise.modules.frame as fr
import equipoise.modules.kernels.rows as at
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules.ensemble.splitmix import Words, chance, pick, stir

__all__ = ["EnsembleWires", "empty_wires", "fold_frame", "post", "shuffle_mail"]

FACTOR, TWICE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0x3C6EF372FE94F82A)
# entries of ``odds``
LOSS, CORRUPTION, DUPLICATION, DELAY, GARBAGE, REORDERING, ODDS = range(7)
# entries of ``tally``
SENT, DELIVERED, ACCEPTED, LOST, REFUSED, DUPLICATED, GARBLED, SEEN, TALLY = range(9)


class EnsembleWires(NamedTuple):
    """Links, frames under way, and what the modules sense; ``ends`` is n * P."""

    far: Ints
    """(ends,), the end at the other side of the link, -1 for a free port."""
    mute: Ints
    """(ends,), 1 where frames sent from this end vanish."""
    cut: Ints
    """(ends,), 1 at both ends of a link that carries nothing."""
    attached: Ints
    """(n,), bit mask of docked ports."""
    alive: Ints
    """(n,), 0 while crashed."""
    touching: Ints
    """(n,), 1 on the ground."""
    foot: Ints
    """(n,), contact places counted, 0 to 255."""
    own: Array
    """(n, 10), what each module adds to the sums."""
    head: Ints
    """(slots * 2 ends, 13), headers of frames sent in the last rounds."""
    value: Array
    """(slots * 2 ends, 10), their sums."""
    bits: Ints
    """The same memory as ``value``, read as integers."""
    source: Ints
    """(slots * 2 ends,), the end that sent each; -1 for injected garbage."""
    stored: Ints
    """(slots,), frames in each slot of the store."""
    queue_to: Ints
    """(slots, cap), the end where each copy arrives in the round of the slot."""
    queue_frame: Ints
    """(slots, cap), its row in the store."""
    waiting: Ints
    """(slots,), entries in each queue."""
    odds: Array
    """(6,), see ``LOSS`` and so on."""
    dice: Words
    """(2,), state of the generator; digest of all frames sent."""
    tally: Ints
    """(8,), see ``SENT`` and so on."""


def empty_wires(modules: int, ports: int, late: int, seed: int) -> EnsembleWires:
    """Return wires without links.

    Args:
        modules: n.
        ports: ports a module.
        late: largest extra delay of a frame [rounds].
        seed: start of the generator.
    """
    ends, slots = modules * ports, late + 2
    value = np.empty((slots * 2 * ends, at.VALUE))
    return EnsembleWires(
        far=np.full(ends, -1, np.int64),
        mute=np.zeros(ends, np.int64),
        cut=np.zeros(ends, np.int64),
        attached=np.zeros(modules, np.int64),
        alive=np.ones(modules, np.int64),
        touching=np.zeros(modules, np.int64),
        foot=np.zeros(modules, np.int64),
        own=np.zeros((modules, at.VALUE)),
        head=np.empty((slots * 2 * ends, fr.COLUMNS), np.int64),
        value=value,
        bits=value.view(np.int64),
        source=np.empty(slots * 2 * ends, np.int64),
        stored=np.zeros(slots, np.int64),
        queue_to=np.empty((slots, 2 * (late + 1) * ends), np.int64),
        queue_frame=np.empty((slots, 2 * (late + 1) * ends), np.int64),
        waiting=np.zeros(slots, np.int64),
        odds=np.zeros(ODDS),
        dice=np.array([seed, 0], dtype=np.uint64),
        tally=np.zeros(TALLY, np.int64),
    )


@compiled(allocates=False)
def shuffle_mail(wires: EnsembleWires, slot: int) -> None:
    """Bring the arrivals of a round into random order."""
    to, frame = wires.queue_to, wires.queue_frame
    for k in range(wires.waiting[slot] - 1, 0, -1):
        other = pick(wires.dice, k + 1)
        to[slot, k], to[slot, other] = to[slot, other], to[slot, k]
        frame[slot, k], frame[slot, other] = frame[slot, other], frame[slot, k]


@compiled(allocates=False)
def post(wires: EnsembleWires, tick: int, e: int, row: int) -> None:
    """Decide what becomes of a frame in the store, sent from end e in round ``tick``.

    Args:
        wires: the queues; entries are added.
        tick: the present round.
        e: the sending end.
        row: the frame's row in the store.
    """
    odds, dice, tally = wires.odds, wires.dice, wires.tally
    if chance(dice, odds[LOSS]):
        tally[LOST] += 1
        return
    if chance(dice, odds[CORRUPTION]):
        tally[REFUSED] += 1
        return
    if chance(dice, odds[GARBAGE]):
        tally[GARBLED] += 1
        row = garble(wires, tick, row)
    copies = 1
    if chance(dice, odds[DUPLICATION]):
        tally[DUPLICATED] += 1
        copies = 2
    slots = wires.waiting.shape[0]
    for _ in range(copies):
        late = 0
        if chance(dice, odds[DELAY]):
            late = 1 + pick(dice, slots - 2)
        slot = (tick + 1 + late) % slots
        k = wires.waiting[slot]
        wires.queue_to[slot, k] = wires.far[e]
        wires.queue_frame[slot, k] = row
        wires.waiting[slot] = k + 1


@compiled(allocates=False, force_inline=True)
def fold_frame(dice: Words, head: Ints, bits: Ints, row: int) -> None:
    """Add a frame to the digest: equal digests, equal frames in equal order."""
    word, factor = np.uint64(row), FACTOR
    for a in range(fr.COLUMNS):
        word += np.uint64(head[row, a]) * factor
        factor += TWICE
    if (head[row, fr.FLAGS] & fr.SUM) != 0:
        for a in range(at.VALUE):
            word += np.uint64(bits[row, a]) * factor
            factor += TWICE
    dice[1] = stir(dice[1] ^ word)


@compiled(allocates=False)
def garble(wires: EnsembleWires, tick: int, row: int) -> int:
    """Store a frame of random fields that no checksum caught; return its row.

    Half of the fields, by lot, stay as they were sent, so that the garbage is
    believed now and then.
    """
    slot = tick % wires.stored.shape[0]
    place = slot * 2 * wires.far.shape[0] + wires.stored[slot]
    wires.stored[slot] += 1
    wires.source[place] = -1
    keep = pick(wires.dice, 1 << fr.COLUMNS)
    for a in range(fr.COLUMNS):
        word = wires.head[row, a]
        if (keep >> a) & 1 == 0:
            word = pick(wires.dice, 1 << (8 * WIDTHS[a]))
            if a == fr.SENDER or a == fr.ROOT or a == fr.CAND:
                word &= 0x7FFF
        wires.head[place, a] = word
    for a in range(at.VALUE):
        wires.value[place, a] = float(pick(wires.dice, 1 << 16))
    return place


WIDTHS = (1, 1, 1, 1, 2, 2, 2, 1, 1, 2, 3, 1, 4)  # bytes of each field on the wire
