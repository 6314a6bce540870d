"""The program of one module, compiled, on rows of arrays.

The same program as ``member`` runs with objects, frame for frame, for runtimes that
have many modules or little time. A round of module i is: ``take`` for each frame that
arrived, ``decide`` once, then ``write_head`` for each port on which it sends.

Sums are left to the caller, since in a robot they are brought from one frame to
another: where the header that ``write_head`` wrote has flag SUM, the sum is the
module's own value plus rows ``value[i * P + q]`` of all ports q in the mask
``node[i, TREE]`` but p, in ascending order. Where ``node[i, KNOWN]`` is set, the total
is its own value plus those of all tree ports.
"""

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules import member_kernel_rows as at
from equipoise.modules import rules as ru
from equipoise.modules.frame_kernel import pack_frame, unpack_frame
from equipoise.modules.member_kernel_freeze import bump, freeze
from equipoise.modules.member_kernel_links import judge_links, take
from equipoise.modules.member_kernel_rows import Seats, boot, empty_seats
from equipoise.modules.member_kernel_sums import gather, know, lead, own_share
from equipoise.modules.member_kernel_tree import choose_tree, claim_name
from equipoise.modules.rules import rules_vector

__all__ = [
    "Seats",
    "boot",
    "decide",
    "empty_seats",
    "pack_frame",
    "rules_vector",
    "take",
    "unpack_frame",
    "write_head",
]


@compiled(allocates=False)
def decide(
    rule: Ints, seats: Seats, i: int, touching: bool, foot: int, attached: int
) -> None:
    """Run one round of module i after its mail was taken, up to sending.

    Args:
        rule: what ``rules_vector`` returns.
        seats: the state; module i's rows are written.
        i: the module's row.
        touching: whether it touches the ground.
        foot: counts its contact places, 0 to 255: bump it when the place changes.
        attached: bit mask of the ports that are mechanically closed.
    """
    node, port, _ = seats
    node[i, at.SEQ] = (node[i, at.SEQ] + 1) & 0xFF
    node[i, at.BOOT] += 1
    node[i, at.ROUNDS] += 1
    node[i, at.SINCE_BUMP] += 1
    node[i, at.A_TIMER] = max(node[i, at.A_TIMER] - 1, 0)
    node[i, at.B_TIMER] = max(node[i, at.B_TIMER] - 1, 0)
    judge_links(rule, node, port, i)
    if node[i, at.BOOT] <= rule[ru.RULE_QUARANTINE]:
        keep_silent(node, port, i)
        return
    node[i, at.TALKS] = 1
    claim_name(node, port, i)
    choose_tree(rule, node, port, i)
    freeze(rule, node, port, i)
    bump(rule, node, port, i)
    own_share(node, port, i, touching, foot, attached)
    cand = know(rule, node, port, i)
    lead(node, i, touching, cand)
    rest(rule, node, port, i)


@compiled(allocates=False)
def keep_silent(node: Ints, port: Ints, i: int) -> None:
    """Let module i use no link, say nothing and know nothing in this round."""
    ports = port.shape[0] // node.shape[0]
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 != 0:
            e = i * ports + p
            for a in (at.GOOD, at.UP, at.F_IN, at.V_IN, at.F_OUT, at.V_OUT, at.G_OUT):
                port[e, a] = 0
    for a in (at.TALKS, at.UPS, at.TREE, at.KNOWN, at.STEADY, at.IS_LEADER):
        node[i, a] = 0
    for a in (at.COUNT, at.FEET, at.AGE, at.OPEN):
        node[i, a] = 0
    node[i, at.LEADER] = -1


@compiled(allocates=False)
def rest(rule: Ints, node: Ints, port: Ints, i: int) -> None:
    """Leave out of later rounds those ports on which nothing can happen by itself."""
    ports = port.shape[0] // node.shape[0]
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 != 0:
            e = i * ports + p
            silent = (
                port[e, at.PEER] == 0 and port[e, at.QUIET] >= rule[ru.RULE_SILENCE]
            )
            if silent and port[e, at.REC] == 0:
                node[i, at.LIVE] &= ~(1 << p)


@compiled(allocates=False)
def write_head(rule: Ints, seats: Seats, i: int, p: int, out: Ints, o: int) -> bool:
    """Write the header that module i sends through port p in this round.

    Args:
        rule: what ``rules_vector`` returns.
        seats: the state after ``decide``.
        i: the module's row.
        p: its port.
        out: header rows, (any, 13).
        o: the row to write.

    Returns:
        False, with a row of zeros, while the module keeps silent.
    """
    node, port, _ = seats
    e = i * (port.shape[0] // node.shape[0]) + p
    for a in range(fr.COLUMNS):
        out[o, a] = 0
    if node[i, at.TALKS] == 0:
        return False
    flags = fr.PAR if p == node[i, at.PARENT] else 0
    flags |= fr.DIRTY if node[i, at.DIRTY_OUT] != 0 else 0
    flags |= fr.REF if port[e, at.REFUSED] != 0 else 0
    if port[e, at.PEER] != 0:
        flags |= fr.HEARD
        out[o, fr.ECHO] = port[e, at.HEAD + fr.SEQ]
    out[o, fr.SEQ] = node[i, at.SEQ]
    out[o, fr.DIST] = node[i, at.DIST]
    out[o, fr.SENDER] = node[i, at.ID]
    out[o, fr.ROOT] = node[i, at.ROOT]
    out[o, fr.EPOCH] = node[i, at.EPOCH]
    out[o, fr.JOIN] = node[i, at.JOIN]
    if port[e, at.F_OUT] != 0:
        count, token, feet, age, is_open, cand = gather(rule, node, port, i, p)
        flags |= fr.F
        flags |= fr.G if port[e, at.G_OUT] != 0 else 0
        flags |= fr.OPEN if is_open != 0 else 0
        flags |= fr.SUM if port[e, at.V_OUT] != 0 and node[i, at.SEQ] & 1 == 0 else 0
        out[o, fr.COUNT] = count
        out[o, fr.TOKEN] = token
        out[o, fr.FEET] = feet
        out[o, fr.AGE] = age
        out[o, fr.CAND] = cand
    out[o, fr.FLAGS] = flags
    return True
