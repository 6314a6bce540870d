"""Which frames a module believes, and which links it may use; compiled.

Steps 1 and 2 of a round. A frame counts when it is newer than the last one from the
same neighbour, and a link is used only when both directions are proven.
"""

import equipoise.modules.frame as fr
import equipoise.modules.kernels.rows as at
import equipoise.modules.rules as ru
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules.kernels.rows import Seats

__all__ = ["age_links", "is_off", "take"]


@compiled(allocates=False, force_inline=True)
def is_off(rule: Ints, bit: int) -> bool:
    """Return whether a rule is switched off, as the mutation tests do."""
    return (rule[ru.RULE_OFF] & bit) != 0


@compiled(allocates=False)
def take(
    rule: Ints, seats: Seats, i: int, p: int, head: Ints, h: int, value: Array, v: int
) -> bool:
    """Let module i read one frame that arrived at its port p.

    Args:
        rule: what ``rules_vector`` returns.
        seats: the state; the port's row is written.
        i: the module's row.
        p: its port.
        head: header rows, (any, 13).
        h: the frame's row in them.
        value: rows of ten numbers.
        v: the frame's row in them; read only where the header says SUM.

    Returns:
        Whether the frame was accepted.
    """
    node, port, last = seats
    e = i * (port.shape[0] // node.shape[0]) + p
    sender = head[h, fr.SENDER]
    if sender == 0 or sender == node[i, at.ID]:
        return False
    if port[e, at.PEER] != 0 and sender != port[e, at.PEER]:
        port[e, at.GOOD] = 0
        port[e, at.HALF] = 0
        port[e, at.UP] = 0
        port[e, at.HAS_VALUE] = 0
        port[e, at.QUIET] = at.NEVER
    elif port[e, at.QUIET] < rule[ru.RULE_SILENCE] and not is_off(rule, ru.OFF_SERIAL):
        ahead = (head[h, fr.SEQ] - port[e, at.HEAD + fr.SEQ]) & 0xFF
        if ahead < 1 or ahead > 127:
            return False
    full = (head[h, fr.FLAGS] & fr.F) != 0
    if (
        not full
        or head[h, fr.ROOT] != port[e, at.HEAD + fr.ROOT]
        or head[h, fr.EPOCH] != port[e, at.HEAD + fr.EPOCH]
        or (
            head[h, fr.JOIN] != port[e, at.HEAD + fr.JOIN]
            and not is_off(rule, ru.OFF_JOIN)
        )
    ):
        port[e, at.HAS_VALUE] = 0
    for a in range(fr.COLUMNS):
        port[e, at.HEAD + a] = head[h, a]
    port[e, at.PEER] = sender
    port[e, at.QUIET] = -1
    if full and (head[h, fr.FLAGS] & fr.SUM) != 0:
        for a in range(at.VALUE):
            last[e, a] = value[v, a]
        port[e, at.HAS_VALUE] = 1
    node[i, at.LIVE] |= 1 << p
    return True


@compiled(allocates=False)
def age_links(rule: Ints, me: Ints, ends: Ints) -> None:
    """Age the module's ports and decide which links are up.

    A port that is silent, unrecorded and empty is not LIVE and costs nothing.
    """
    silence = rule[ru.RULE_SILENCE]
    live = me[at.LIVE]
    ups = 0
    for p in range(ends.shape[0]):
        if (live >> p) & 1 == 0:
            continue
        ends[p, at.QUIET] = min(ends[p, at.QUIET] + 1, at.NEVER)
        if ends[p, at.QUIET] >= silence:
            ends[p, at.PEER] = 0
            ends[p, at.HAS_VALUE] = 0
        ok = ends[p, at.PEER] != 0
        if ok and not is_off(rule, ru.OFF_ECHO):
            behind = (me[at.SEQ] - ends[p, at.HEAD + fr.ECHO]) & 0xFF
            heard = (ends[p, at.HEAD + fr.FLAGS] & fr.HEARD) != 0
            ok = heard and behind <= rule[ru.RULE_ECHO]
        ends[p, at.GOOD] = min(ends[p, at.GOOD] + 1, 2) if ok else 0
        ends[p, at.UP] = 1 if ends[p, at.GOOD] >= 2 else 0
        ups |= ends[p, at.UP] << p
        if ends[p, at.PEER] != 0 and ends[p, at.UP] == 0:
            ends[p, at.HALF] = min(ends[p, at.HALF] + 1, at.NEVER)
        else:
            ends[p, at.HALF] = 0
    me[at.UPS] = ups
