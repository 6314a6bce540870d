"""When a module's neighbourhood is settled, spoilt, and renewed; compiled.

Steps 5 and 6 of a round. What a module counts is written down once in an epoch; any
later change spoils the epoch, the news runs to the root, and the root issues the next.
"""

import equipoise.modules.frame as fr
import equipoise.modules.kernels.rows as at
import equipoise.modules.rules as ru
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.kernels.links import is_off
from equipoise.modules.kernels.rows import next_own
from equipoise.modules.kernels.tree import is_refused

__all__ = ["freeze_links", "is_same_tree"]


@compiled(allocates=False, force_inline=True)
def is_same_tree(me: Ints, ends: Ints, p: int) -> bool:
    """Return whether port p last heard of the module's own root and epoch."""
    return (
        ends[p, at.HEAD + fr.ROOT] == me[at.ROOT]
        and ends[p, at.HEAD + fr.EPOCH] == me[at.EPOCH]
    )


@compiled(allocates=False, force_inline=True)
def _has_changed(ends: Ints, p: int, joins: bool) -> bool:
    """Return whether the link at port p differs from what is written down."""
    if ends[p, at.UP] != ends[p, at.REC]:
        return True
    return ends[p, at.REC] != 0 and (
        ends[p, at.PEER] != ends[p, at.REC_PEER]
        or (joins and ends[p, at.HEAD + fr.JOIN] != ends[p, at.REC_JOIN])
        or ends[p, at.CHILD] != ends[p, at.REC_CHILD]
    )


@compiled(allocates=False)
def _survey(rule: Ints, me: Ints, ends: Ints) -> tuple[bool, bool, bool, bool]:
    """Look at all links; write CHILD and REFUSED of each port.

    Returns:
        Whether all are settled and proven, whether one differs from what is written
        down, whether a neighbour asks for a newer epoch (REF), and whether one of the
        same epoch says that it is spoilt.
    """
    joins = not is_off(rule, ru.OFF_JOIN)
    waits = 0 if is_off(rule, ru.OFF_HALF_OPEN) else 2 * rule[ru.RULE_SILENCE]
    echoes = not is_off(rule, ru.OFF_ECHO)
    settled, changed, asked, told = True, False, False, False
    for p in range(ends.shape[0]):
        if (me[at.LIVE] >> p) & 1 == 0:
            continue
        flags = ends[p, at.HEAD + fr.FLAGS]
        is_up, says_parent = ends[p, at.UP] != 0, (flags & fr.PAR) != 0
        same = is_same_tree(me, ends, p)
        is_child = is_up and same and says_parent
        is_child = is_child and ends[p, at.HEAD + fr.DIST] == me[at.DIST] + 1
        ends[p, at.CHILD] = 1 if is_child else 0
        fits = p == me[at.PARENT] or is_child or (same and not says_parent)
        if (is_up and not fits) or 1 <= ends[p, at.HALF] <= waits:
            settled = False
        echo = (me[at.SEQ] - ends[p, at.HEAD + fr.ECHO]) & 0xFF
        if is_up and echoes and echo > me[at.ROUNDS]:
            settled = False  # it has not heard this module in this epoch
        root, refused = ends[p, at.HEAD + fr.ROOT], False
        if is_up and root > me[at.ROOT]:
            refused = is_refused(rule, me, root, ends[p, at.HEAD + fr.EPOCH])
        ends[p, at.REFUSED] = 1 if refused else 0
        changed = changed or _has_changed(ends, p, joins)
        asked = asked or (is_up and (flags & fr.REF) != 0)
        told = told or (is_up and same and (flags & fr.DIRTY) != 0)
    return settled, changed, asked, told


@compiled(allocates=False)
def _record(me: Ints, ends: Ints) -> None:
    """Write down the module's links as they are now."""
    for p in range(ends.shape[0]):
        if (me[at.LIVE] >> p) & 1 != 0:
            ends[p, at.REC] = ends[p, at.UP]
            ends[p, at.REC_PEER] = ends[p, at.PEER]
            ends[p, at.REC_JOIN] = ends[p, at.HEAD + fr.JOIN]
            ends[p, at.REC_CHILD] = ends[p, at.CHILD]


@compiled(allocates=False)
def freeze_links(rule: Ints, me: Ints, ends: Ints) -> None:
    """Let the module write down its links once, or find its epoch spoilt.

    DIRTY is passed on through the whole epoch to its root, which issues the next one.
    """
    settled, changed, asked, told = _survey(rule, me, ends)
    rounds = me[at.ROUNDS]
    awake = me[at.BOOT] >= rule[ru.RULE_QUARANTINE] + rule[ru.RULE_LISTEN]
    if me[at.FROZEN] != 0:
        if is_off(rule, ru.OFF_FREEZE):
            _record(me, ends)
        elif changed:
            me[at.DIRTY] = 1
    elif me[at.DIRTY] == 0 and settled and awake and rounds >= 2:
        me[at.FROZEN] = 1
        _record(me, ends)
    if rounds >= 2 and asked:
        me[at.DIRTY] = 1
    if me[at.FROZEN] == 0 and rounds > rule[ru.RULE_JOIN]:
        me[at.DIRTY] = 1
    spoilt = me[at.DIRTY] != 0 or told
    may_bump = me[at.ROOT] == me[at.ID] and me[at.SINCE_BUMP] >= rule[ru.RULE_BUMP]
    if spoilt and may_bump and not is_off(rule, ru.OFF_BUMP):
        if me[at.BOOT] < at.NEVER and me[at.SEEN] == 0:
            # maybe refused for epochs of a former life: leap over them
            me[at.OWN_EPOCH] += rule[ru.RULE_LEAP] - 1
        next_own(me, ends)
        me[at.SINCE_BUMP] = 0
        spoilt = False
    me[at.DIRTY_OUT] = 1 if spoilt else 0
