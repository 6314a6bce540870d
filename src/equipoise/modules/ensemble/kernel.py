"""One round of a whole ensemble of modules, compiled.

Everything that arrives in this round is read, then each living module decides and
sends. Frames arrive in a later round only, so the order of the modules cannot matter.
"""

import equipoise.modules.ensemble.wires as wi
import equipoise.modules.frame as fr
import equipoise.modules.kernels.rows as at
import equipoise.modules.rules as ru
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules.ensemble.splitmix import pick
from equipoise.modules.ensemble.wires import (
    EnsembleWires,
    fold_frame,
    post,
    shuffle_mail,
)
from equipoise.modules.kernels.links import take
from equipoise.modules.kernels.member import run_module_round, write_head
from equipoise.modules.kernels.rows import Seats, boot

BATCH = 16  # arrivals whose rows are fetched together

__all__ = ["advance", "boot_module", "scramble", "start_all", "totals"]


@compiled(allocates=False)
def advance(
    rule: Ints, seats: Seats, wires: EnsembleWires, tick: int, rounds: int, counts: Ints
) -> None:
    """Run rounds of all modules.

    Args:
        rule: what ``rules_vector`` returns.
        seats: the modules' state, written.
        wires: the links and what is under way, written.
        tick: number of the first round.
        rounds: how many.
        counts: (rounds, 2), written: frames sent and frames delivered in each.
    """
    for k in range(rounds):
        sent, delivered = wires.tally[wi.SENT], wires.tally[wi.DELIVERED]
        _deliver(rule, seats, wires, tick + k)
        _act(rule, seats, wires, tick + k)
        counts[k, 0] = wires.tally[wi.SENT] - sent
        counts[k, 1] = wires.tally[wi.DELIVERED] - delivered


@compiled(allocates=False)
def _fetch(
    seats: Seats, wires: EnsembleWires, slot: int, first: int, ports: int
) -> None:
    """Touch the rows that the next arrivals need.

    The reads do not wait for one another, as those of ``take`` must; where an ensemble
    is larger than the processor's cache that is most of the time.
    """
    seen = 0
    for k in range(first, min(first + BATCH, wires.waiting[slot])):
        end = wires.queue_to[slot, k]
        for a in range(0, at.PORT, 8):
            seen ^= seats.port[end, a]
        seen ^= seats.node[end // ports, at.ID]
        seen ^= int(seats.value[end, 0] > 0.0) ^ int(seats.value[end, 8] > 0.0)
    wires.tally[wi.SEEN] = seen


@compiled(allocates=False)
def _deliver(rule: Ints, seats: Seats, wires: EnsembleWires, tick: int) -> None:
    """Let the living modules read what arrives in a round."""
    ports = seats.port.shape[0] // seats.node.shape[0]
    slot = tick % wires.waiting.shape[0]
    if wires.odds[wi.REORDERING] > 0.0:
        shuffle_mail(wires, slot)
    delivered, accepted = 0, 0
    for k in range(wires.waiting[slot]):
        if k % BATCH == 0:
            _fetch(seats, wires, slot, k, ports)
        end = wires.queue_to[slot, k]
        row = wires.queue_frame[slot, k]
        i = end // ports
        if wires.alive[i] != 0:
            delivered += 1
            if take(rule, seats, i, end - i * ports, wires.head, row, wires.value, row):
                accepted += 1
    wires.tally[wi.DELIVERED] += delivered
    wires.tally[wi.ACCEPTED] += accepted


@compiled(allocates=False, force_inline=True)
def _is_fair_channel(odds: Array) -> bool:
    """Return whether no frame can be hurt on the way."""
    for share in odds:
        if share > 0.0:
            return False
    return True


@compiled(allocates=False)
def _act(rule: Ints, seats: Seats, wires: EnsembleWires, tick: int) -> None:
    """Let each living module decide, and send on all docked ports."""
    alive, docked, touching = wires.alive, wires.attached, wires.touching
    head, value, bits, source = wires.head, wires.value, wires.bits, wires.source
    ports = seats.port.shape[0] // seats.node.shape[0]
    slots, ends = wires.waiting.shape[0], wires.far.shape[0]
    slot, soon = tick % slots, (tick + 1) % slots
    is_fair = _is_fair_channel(wires.odds)
    sent, lost = 0, 0
    wires.stored[slot] = 0
    wires.waiting[(tick + slots - 1) % slots] = 0
    for i in range(alive.shape[0]):
        if alive[i] == 0:
            continue
        run_module_round(rule, seats, i, touching[i] != 0, wires.foot[i], docked[i])
        for p in range(ports):
            if (docked[i] >> p) & 1 == 0:
                continue
            row = slot * 2 * ends + wires.stored[slot]
            if not write_head(rule, seats, i, p, head, row):
                break
            wires.stored[slot] += 1
            e = i * ports + p
            source[row] = e
            if (head[row, fr.FLAGS] & fr.SUM) != 0:
                _add_others(seats, wires.own, i, p, value, row)
            fold_frame(wires.dice, head, bits, row)
            sent += 1
            if wires.mute[e] != 0 or wires.cut[e] != 0:
                lost += 1
            elif is_fair:
                k = wires.waiting[soon]
                wires.queue_to[soon, k] = wires.far[e]
                wires.queue_frame[soon, k] = row
                wires.waiting[soon] = k + 1
            else:
                post(wires, tick, e, row)
    wires.tally[wi.SENT] += sent
    wires.tally[wi.LOST] += lost


@compiled(allocates=False)
def _add_others(
    seats: Seats, own: Array, i: int, skip: int, out: Array, row: int
) -> None:
    """Write module i's own value plus those of its tree ports, ``skip`` left out."""
    ports = seats.port.shape[0] // seats.node.shape[0]
    for a in range(at.VALUE):
        out[row, a] = own[i, a]
    for q in range(ports):
        if (seats.node[i, at.TREE] >> q) & 1 != 0 and q != skip:
            for a in range(at.VALUE):
                out[row, a] += seats.value[i * ports + q, a]


@compiled(allocates=False)
def totals(seats: Seats, own: Array, out: Array) -> None:
    """Write each module's total, (n, 10); zeros where it is not known."""
    for i in range(out.shape[0]):
        if seats.node[i, at.KNOWN] != 0:
            _add_others(seats, own, i, -1, out, i)
        else:
            for a in range(at.VALUE):
                out[i, a] = 0.0


@compiled(allocates=False)
def boot_module(seats: Seats, wires: EnsembleWires, i: int) -> None:
    """Boot module i with sequence number, epoch and join count drawn by lot."""
    seq, epoch = pick(wires.dice, 256), pick(wires.dice, 65536)
    boot(seats, i, seats.node[i, at.ID], seq, epoch, pick(wires.dice, 256))


@compiled(allocates=False)
def start_all(seats: Seats, wires: EnsembleWires) -> None:
    """Boot all modules, each as ``boot_module`` does."""
    for i in range(seats.node.shape[0]):
        boot_module(seats, wires, i)


@compiled(allocates=False)
def scramble(
    rule: Ints, seats: Seats, wires: EnsembleWires, i: int, names: int
) -> None:
    """Give module i an arbitrary state: every number its memory could hold.

    Args:
        rule: what ``rules_vector`` returns.
        seats: module i's rows are written; its id stays.
        wires: the generator.
        i: the module.
        names: ids up to this one are drawn, so that dead names occur too.
    """
    node, port, dice = seats.node, seats.port, wires.dice
    ports = port.shape[0] // node.shape[0]
    own = node[i, at.ID]
    boot_module(seats, wires, i)
    for a in (at.ROOT, at.MARK_ROOT):
        node[i, a] = pick(dice, names + 1)
    for slot in at.SLOTS:
        node[i, slot] = pick(dice, names + 1)
        node[i, slot + 1] = pick(dice, 65536)
        node[i, slot + 2] = pick(dice, min(rule[ru.RULE_MEMORY], 1 << 20) + 1)
    if pick(dice, 2) == 0:
        node[i, at.ROOT] = own
    for a in (at.EPOCH, at.MARK_EPOCH):
        node[i, a] = pick(dice, 65536)
    for a in (at.BOOT, at.DIST, at.ROUNDS, at.SINCE_BUMP, at.CALM, at.MARK_COUNT):
        node[i, a] = pick(dice, 256)
    for a in (at.FROZEN, at.DIRTY, at.SEEN, at.INCUMBENT, at.MARK_OPEN):
        node[i, a] = pick(dice, 2)
    node[i, at.PARENT] = pick(dice, ports + 1) - 1
    node[i, at.MARK_FEET] = pick(dice, 1 << 24)
    node[i, at.LIVE] = (1 << ports) - 1
    for e in range(i * ports, (i + 1) * ports):
        _scramble_port(seats, wires, e, names)


@compiled(allocates=False)
def _scramble_port(seats: Seats, wires: EnsembleWires, e: int, names: int) -> None:
    """Give a port an arbitrary state; half of them know who is at the other side."""
    port, dice = seats.port, wires.dice
    ports = port.shape[0] // seats.node.shape[0]
    peer = pick(dice, names + 1)
    far = wires.far[e]
    if far >= 0 and pick(dice, 2) == 0:
        peer = seats.node[far // ports, at.ID]
    for a in range(fr.COLUMNS):
        port[e, at.HEAD + a] = pick(dice, 1 << (8 * wi.WIDTHS[a]))
    for a in (fr.ROOT, fr.CAND):
        port[e, at.HEAD + a] = pick(dice, names + 1)
    port[e, at.HEAD + fr.SENDER] = peer
    port[e, at.PEER] = peer
    port[e, at.QUIET] = pick(dice, 256)
    port[e, at.GOOD] = pick(dice, 3)
    port[e, at.HALF] = pick(dice, 256)
    port[e, at.REC_PEER] = peer if pick(dice, 2) == 0 else pick(dice, names + 1)
    port[e, at.REC_JOIN] = pick(dice, 256)
    for a in (at.UP, at.HAS_VALUE, at.REC, at.REC_CHILD):
        port[e, a] = pick(dice, 2)
    for a in range(at.VALUE):
        seats.value[e, a] = float(pick(dice, 1 << 16))
