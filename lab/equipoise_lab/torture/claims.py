"""Is what modules claim true: members counted once, and a robot that there was.

Values are made for this: each module's own value has a 1 in eight bits of its own, six
modules in each of the ten numbers, so that a sum tells exactly who was counted, and how
often.
"""

from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules.kernels.rows import (
    COUNT,
    EPOCH,
    ID,
    KNOWN,
    PEER,
    ROOT,
    TREE,
    VALUE,
    Seats,
)
from equipoise_lab.torture.chronicle import RING, Chronicle
from equipoise_lab.torture.components import flooded, size

__all__ = [
    "FINDINGS",
    "Ledger",
    "blame",
    "empty_ledger",
    "is_whole_robot",
    "judge_claims",
    "own_values",
]

DIGIT, DIGITS = 8, 6
NAMES = 1024
FINDINGS = (
    "double",
    "never-linked",
    "never-there",
    "two-sets",
    "cut",
    "two-leaders",
    "leader-in-the-air",
    "verdict",
    "frames",
    "sums",
)
"""What an oracle can find; the columns of ``Ledger.found``."""
DOUBLE, UNLINKED, ABSENT, TWO_SETS, CUT = range(5)


class Ledger(NamedTuple):
    """What the oracles keep from round to round."""

    claim: Ints
    """(n,) the set that each module claims; 0 where it is not known."""
    total: Array
    """(n, 10) the sum that it claims."""
    age: Ints
    """(n, 2) rounds since that set was a component as linked, and as it really was."""
    name: Ints
    """(n,) row of its claim's name, -1 for none."""
    names: Ints
    """(NAMES, 4) root, epoch, set and the round it was last claimed in."""
    found: Ints
    """(10,) how often each finding was made."""
    first: Ints
    """(3,) round, module and finding of the first one; -1 for none."""
    stale: Ints
    """(RING + 1,) how many claims outlived the truth by so many rounds."""
    seen: Ints
    """(8,) plain counts; see ``truth_feet`` for the later ones: claims, names."""


def empty_ledger(modules: int) -> Ledger:
    """Return a ledger before the first round."""
    return Ledger(
        np.zeros(modules, np.int64),
        np.zeros((modules, VALUE)),
        np.zeros((modules, 2), np.int64),
        np.full(modules, -1, np.int64),
        np.full((NAMES, 4), -1, np.int64),
        np.zeros(len(FINDINGS), np.int64),
        np.full(3, -1, np.int64),
        np.zeros(RING + 1, np.int64),
        np.zeros(8, np.int64),
    )


def own_values(modules: int) -> Array:
    """Return what each module adds to a sum, (modules, 10)."""
    values = np.zeros((modules, VALUE))
    k = np.arange(modules)
    values[k, k // DIGITS] = 2.0 ** (DIGIT * (k % DIGITS))
    return values


@compiled(allocates=False)
def blame(ledger: Ledger, now: int, module: int, finding: int) -> None:
    """Write down that a module was found wrong."""
    ledger.found[finding] += 1
    if ledger.first[0] < 0:
        ledger.first[0] = now
        ledger.first[1] = module
        ledger.first[2] = finding


@compiled(allocates=False)
def _decoded(total: Array, own: int, modules: int) -> int:
    """Return the set that a sum counts; -1 if not each member is counted once."""
    members = 0
    for w in range(VALUE):
        left = int(total[w])
        if left != total[w] or left < 0 or left >> (DIGIT * DIGITS):
            return -1
        for k in range(DIGITS):
            digit = (left >> (DIGIT * k)) & 0xFF
            if digit > 1:
                return -1
            members |= digit << (DIGITS * w + k)
    if members >> modules or not (members >> own) & 1:
        return -1
    return members


@compiled(allocates=False)
def is_whole_robot(past: Chronicle, row: int, i: int, members: int) -> bool:
    """Return whether a set was all that hung together with module i in one round.

    Links that may count or not are taken as suits the set.
    """
    if not past.alive[row, i] or past.heard[row, i] & ~members:
        return False
    if members == past.whole[row, i]:
        return True
    certain = past.certain[row]
    for j in range(certain.shape[0]):
        if (members >> j) & 1 and certain[j] & ~members:
            return False
    return flooded(past.may[row], i, members) == members


@compiled(allocates=False)
def _was_true(past: Chronicle, row: int, i: int, members: int, sort: int) -> bool:
    """Return whether a set was a component in one round: as linked (0), really (1)."""
    if sort == 0:
        return past.seen[row, i] == members
    return is_whole_robot(past, row, i, members)


@compiled(allocates=False)
def _age_of(
    past: Chronicle, now: int, i: int, members: int, sort: int, window: int
) -> int:
    """Return how long ago a set was last a component; beyond the window if never."""
    for back in range(min(window, now) + 1):
        if _was_true(past, (now - back) % RING, i, members, sort):
            return back
    return window + 1


@compiled(allocates=False)
def _claimed(ledger: Ledger, seats: Seats, own: Array, i: int) -> bool:
    """Add up module i's sum; return whether it differs from the last round's."""
    ports = seats.port.shape[0] // seats.node.shape[0]
    tree = seats.node[i, TREE]
    is_new = ledger.claim[i] <= 0
    for w in range(VALUE):
        total = own[i, w]
        for p in range(ports):
            if (tree >> p) & 1:
                total += seats.value[i * ports + p, w]
        if total != ledger.total[i, w]:
            is_new = True
            ledger.total[i, w] = total
    return is_new


@compiled(allocates=False)
def _drop_claim(ledger: Ledger, i: int) -> None:
    """Forget module i's claim, and note by how much it outlived the truth."""
    if ledger.claim[i] > 0 and ledger.age[i, 1] > 0:
        ledger.stale[min(ledger.age[i, 1], RING)] += 1
    ledger.claim[i] = 0
    ledger.name[i] = -1


@compiled(allocates=False)
def judge_claims(
    ledger: Ledger,
    past: Chronicle,
    alive: Ints,
    seats: Seats,
    own: Array,
    now: int,
    window: int,
) -> None:
    """Judge every module that says "known" in one round.

    Args:
        ledger: what is found goes here.
        past: the rounds up to this one.
        alive: (n,) 1 where a module runs; the dead claim nothing.
        seats: the modules' programs.
        own: (n, 10) what each module adds.
        now: number of the round.
        window: for how many rounds a set may outlive the truth.
    """
    n = seats.node.shape[0]
    for i in range(n):
        if not (seats.node[i, KNOWN] and alive[i]):
            _drop_claim(ledger, i)
            continue
        ledger.seen[0] += 1
        is_new = _claimed(ledger, seats, own, i)
        if is_new:
            _drop_claim(ledger, i)
            ledger.claim[i] = _decoded(ledger.total[i], i, n)
        members = ledger.claim[i]
        if members < 0 or seats.node[i, COUNT] != size(members):
            ledger.claim[i] = -1
            blame(ledger, now, i, DOUBLE)
            continue
        _judge_age(ledger, past, i, now, window, is_new)
        _judge_name(ledger, seats, i, now, window)
    for i in range(n):
        if ledger.claim[i] > 0:
            _judge_cuts(ledger, past, seats, i, now)


@compiled(allocates=False)
def _judge_age(
    ledger: Ledger, past: Chronicle, i: int, now: int, window: int, is_new: bool
) -> None:
    """Blame a set that was a component at no time of the window."""
    members = ledger.claim[i]
    for sort in range(2):
        if is_new:
            ledger.age[i, sort] = _age_of(past, now, i, members, sort, window)
        elif _was_true(past, now % RING, i, members, sort):
            if sort == 1 and ledger.age[i, 1] > 0:
                ledger.stale[min(ledger.age[i, 1], RING)] += 1
            ledger.age[i, sort] = 0
        else:
            ledger.age[i, sort] += 1
        if ledger.age[i, sort] > window:
            blame(ledger, now, i, UNLINKED if sort == 0 else ABSENT)


@compiled(allocates=False)
def _judge_name(ledger: Ledger, seats: Seats, i: int, now: int, window: int) -> None:
    """Blame two sets under one root and epoch."""
    root, epoch = seats.node[i, ROOT], seats.node[i, EPOCH]
    names, k = ledger.names, ledger.name[i]
    if k >= 0 and names[k, 0] == root and names[k, 1] == epoch:
        names[k, 3] = now
        return
    for k in range(NAMES):
        if names[k, 0] != root or names[k, 1] != epoch or names[k, 3] < now - window:
            continue
        if names[k, 2] != ledger.claim[i]:
            blame(ledger, now, i, TWO_SETS)
        names[k, 3] = now
        ledger.name[i] = k
        return
    k = ledger.seen[1] % NAMES
    ledger.seen[1] += 1
    names[k, 0], names[k, 1] = root, epoch
    names[k, 2], names[k, 3] = ledger.claim[i], now
    ledger.name[i] = k


@compiled(allocates=False)
def _judge_cuts(
    ledger: Ledger, past: Chronicle, seats: Seats, i: int, now: int
) -> None:
    """Blame a tree link whose two sides do not add up to the whole."""
    node, port, value = seats
    ports = port.shape[0] // node.shape[0]
    for p in range(ports):
        e = i * ports + p
        if not (node[i, TREE] >> p) & 1:
            continue
        j = past.row_of[port[e, PEER]]
        if j < 0 or ledger.claim[j] <= 0:
            continue
        if node[j, ROOT] != node[i, ROOT] or node[j, EPOCH] != node[i, EPOCH]:
            continue
        f = -1
        for q in range(ports):
            is_back = port[j * ports + q, PEER] == node[i, ID]
            if is_back and (node[j, TREE] >> q) & 1:
                f = j * ports + q
        is_whole = f >= 0
        for w in range(VALUE):
            if is_whole and value[e, w] + value[f, w] != ledger.total[i, w]:
                is_whole = False
        if not is_whole:
            blame(ledger, now, i, CUT)
