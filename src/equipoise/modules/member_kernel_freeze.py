"""When a module's neighbourhood is settled, spoilt, and renewed; compiled.

Steps 5 and 6 of a round. What a module counts is written down once in an epoch; any
later change spoils the epoch, the news runs to the root, and the root issues the next.
"""

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules import member_kernel_rows as at
from equipoise.modules import rules as ru
from equipoise.modules.member_kernel_links import is_off
from equipoise.modules.member_kernel_rows import next_own

__all__ = ["bump", "freeze", "is_same_tree"]


@compiled(allocates=False, melts=True)
def is_same_tree(node: Ints, port: Ints, i: int, e: int) -> bool:
    """Return whether port row e last heard of module i's own root and epoch."""
    return (
        port[e, at.HEAD + fr.ROOT] == node[i, at.ROOT]
        and port[e, at.HEAD + fr.EPOCH] == node[i, at.EPOCH]
    )


@compiled(allocates=False)
def is_resolved(rule: Ints, node: Ints, port: Ints, i: int) -> bool:
    """Write CHILD of each port; return whether all links are settled and proven."""
    ports = port.shape[0] // node.shape[0]
    settled = True
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 == 0:
            continue
        e = i * ports + p
        is_up = port[e, at.UP] != 0
        same = is_same_tree(node, port, i, e)
        says_parent = (port[e, at.HEAD + fr.FLAGS] & fr.PAR) != 0
        below = port[e, at.HEAD + fr.DIST] == node[i, at.DIST] + 1
        is_child = is_up and same and says_parent and below
        port[e, at.CHILD] = 1 if is_child else 0
        crosses = same and not says_parent
        if is_up and not (p == node[i, at.PARENT] or is_child or crosses):
            settled = False
        half = port[e, at.HALF]
        if 1 <= half <= 2 * rule[ru.RULE_SILENCE]:
            if not is_off(rule, ru.OFF_HALF_OPEN):
                settled = False
    return settled


@compiled(allocates=False)
def record(node: Ints, port: Ints, i: int) -> None:
    """Write down module i's links as they are now."""
    ports = port.shape[0] // node.shape[0]
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 != 0:
            e = i * ports + p
            port[e, at.REC] = port[e, at.UP]
            port[e, at.REC_PEER] = port[e, at.PEER]
            port[e, at.REC_JOIN] = port[e, at.HEAD + fr.JOIN]
            port[e, at.REC_CHILD] = port[e, at.CHILD]


@compiled(allocates=False)
def has_changed(rule: Ints, node: Ints, port: Ints, i: int) -> bool:
    """Return whether module i's links differ from what is written down."""
    ports = port.shape[0] // node.shape[0]
    joins = not is_off(rule, ru.OFF_JOIN)
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 == 0:
            continue
        e = i * ports + p
        if port[e, at.UP] != port[e, at.REC]:
            return True
        if port[e, at.REC] != 0 and (
            port[e, at.PEER] != port[e, at.REC_PEER]
            or (joins and port[e, at.HEAD + fr.JOIN] != port[e, at.REC_JOIN])
            or port[e, at.CHILD] != port[e, at.REC_CHILD]
        ):
            return True
    return False


@compiled(allocates=False)
def freeze(rule: Ints, node: Ints, port: Ints, i: int) -> None:
    """Let module i write down its links once, or find its epoch spoilt."""
    ports = port.shape[0] // node.shape[0]
    rounds = node[i, at.ROUNDS]
    settled = is_resolved(rule, node, port, i)
    awake = node[i, at.BOOT] >= rule[ru.RULE_QUARANTINE] + rule[ru.RULE_LISTEN]
    if node[i, at.FROZEN] != 0:
        if is_off(rule, ru.OFF_FREEZE):
            record(node, port, i)
        elif has_changed(rule, node, port, i):
            node[i, at.DIRTY] = 1
    elif node[i, at.DIRTY] == 0 and settled and awake and rounds >= 2:
        node[i, at.FROZEN] = 1
        record(node, port, i)
    if rounds >= 2:
        for p in range(ports):
            if (node[i, at.UPS] >> p) & 1 != 0:
                flags = port[i * ports + p, at.HEAD + fr.FLAGS]
                if (flags & fr.REF) != 0:
                    node[i, at.DIRTY] = 1
    if node[i, at.FROZEN] == 0 and rounds > rule[ru.RULE_JOIN]:
        node[i, at.DIRTY] = 1


@compiled(allocates=False)
def bump(rule: Ints, node: Ints, port: Ints, i: int) -> None:
    """Pass DIRTY on towards the root; the root answers with its next epoch."""
    ports = port.shape[0] // node.shape[0]
    spoilt = node[i, at.DIRTY] != 0
    both = fr.DIRTY | fr.PAR
    for p in range(ports):
        if (node[i, at.UPS] >> p) & 1 != 0:
            e = i * ports + p
            told = (port[e, at.HEAD + fr.FLAGS] & both) == both
            if told and is_same_tree(node, port, i, e):
                spoilt = True
    if (
        spoilt
        and node[i, at.ROOT] == node[i, at.ID]
        and node[i, at.SINCE_BUMP] >= rule[ru.RULE_BUMP]
        and not is_off(rule, ru.OFF_BUMP)
    ):
        next_own(node, port, i)
        node[i, at.SINCE_BUMP] = 0
        spoilt = False
    node[i, at.DIRTY_OUT] = 1 if spoilt else 0
