"""What a module says about those behind it, and when it knows the whole; compiled.

Steps 7 to 9 of a round. Every directed tree link carries the sum of all that lies
behind the sender; two sweeps over it, and tokens that cancel, make the total known.
"""

import equipoise.modules.frame as fr
import equipoise.modules.kernels.rows as at
import equipoise.modules.rules as ru
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.hashing import (
    foot_digest_kernel,
    identity_hash_kernel,
    link_hash_kernel,
)
from equipoise.modules.kernels.freeze import is_same_tree
from equipoise.modules.kernels.links import is_off

__all__ = ["add_tree_sums", "know"]

_WORD = 0xFFFFFFFF
_DIGEST = 0xFFFFFF


@compiled(allocates=False)
def _better_candidate(a: int, b: int, root: int, epoch: int) -> int:
    """Return the one of two candidates that leads: incumbent first, then by lot."""
    if a == 0 or a == b:
        return b
    if b == 0:
        return a
    if (a & fr.INCUMBENT) != (b & fr.INCUMBENT):
        return max(a, b)
    x, y = a & (fr.INCUMBENT - 1), b & (fr.INCUMBENT - 1)
    lot_x, lot_y = (
        identity_hash_kernel(x, root, epoch),
        identity_hash_kernel(y, root, epoch),
    )
    if lot_x != lot_y:
        return a if lot_x > lot_y else b
    return max(a, b)


@compiled(allocates=False)
def _sweep(me: Ints, ends: Ints) -> tuple[int, int, int]:
    """Write TREE and OWN_TOKEN of the module, F_IN and V_IN of its ports.

    Returns:
        How many tree ports miss F, miss their value, and miss G.
    """
    frozen, own = me[at.FROZEN] != 0, me[at.ID]
    tree, token, no_f, no_v, no_g = 0, 0, 0, 0, 0
    for p in range(ends.shape[0]):
        if (me[at.LIVE] >> p) & 1 == 0:
            continue
        if ends[p, at.REC] != 0:
            peer = ends[p, at.REC_PEER]
            word = link_hash_kernel(own, peer, me[at.ROOT], me[at.EPOCH])
            token += word if own < peer else -word
        in_tree = frozen and ends[p, at.REC] != 0
        in_tree = in_tree and (p == me[at.PARENT] or ends[p, at.REC_CHILD] != 0)
        flags = ends[p, at.HEAD + fr.FLAGS]
        f_in = in_tree and (flags & fr.F) != 0 and is_same_tree(me, ends, p)
        v_in = f_in and ends[p, at.HAS_VALUE] != 0
        ends[p, at.F_IN] = 1 if f_in else 0
        ends[p, at.V_IN] = 1 if v_in else 0
        if in_tree:
            tree |= 1 << p
            no_f += 0 if f_in else 1
            no_v += 0 if v_in else 1
            no_g += 0 if (flags & fr.G) != 0 else 1
    me[at.TREE] = tree
    me[at.OWN_TOKEN] = token & _WORD
    return no_f, no_v, no_g


@compiled(allocates=False)
def _rounds_ago(me: Ints, ends: Ints, p: int) -> int:
    """Return for how many rounds what the neighbour at a port last said has stood.

    It was sent after I had sent what it echoes, however long it was under way.
    """
    since = ((me[at.SEQ] - ends[p, at.HEAD + fr.ECHO]) & 0xFF) - 1
    return max(since, ends[p, at.QUIET] + 1)


@compiled(allocates=False)
def add_tree_sums(
    rule: Ints, me: Ints, ends: Ints, skip: int
) -> tuple[int, int, int, int, int, int]:
    """Add up the module's own share and what came in through its tree ports.

    Args:
        rule: what ``rules_vector`` returns.
        me: the module's row.
        ends: its ports' rows.
        skip: a port that is left out, as for what is said through it; -1 for none.

    Returns:
        Count, token, feet, age, open, candidate.
    """
    count, token, feet = 1, me[at.OWN_TOKEN], me[at.OWN_FEET]
    age, is_open, cand = 0, me[at.OWN_OPEN], me[at.OWN_CAND]
    for p in range(ends.shape[0]):
        if (me[at.TREE] >> p) & 1 != 0 and p != skip:
            count += ends[p, at.HEAD + fr.COUNT]
            token += ends[p, at.HEAD + fr.TOKEN]
            feet += ends[p, at.HEAD + fr.FEET]
            age = max(age, ends[p, at.HEAD + fr.AGE] + _rounds_ago(me, ends, p))
            is_open |= 1 if (ends[p, at.HEAD + fr.FLAGS] & fr.OPEN) != 0 else 0
            theirs = ends[p, at.HEAD + fr.CAND]
            cand = _better_candidate(cand, theirs, me[at.ROOT], me[at.EPOCH])
        elif (me[at.TREE] >> p) & 1 == 0 and ends[p, at.REC] != 0:
            # it closes a loop: that nothing dead hangs here is as old as its last word
            age = max(age, _rounds_ago(me, ends, p))
    count = min(count, rule[ru.RULE_MOST] + 1)
    age = min(age, at.NEVER)
    return count, token & _WORD, feet & _DIGEST, age, is_open, cand


@compiled(allocates=False)
def know(
    rule: Ints, me: Ints, ends: Ints, touching: bool, foot: int, attached: int
) -> None:
    """Decide what the module says, whether it knows the whole, and who leads.

    Args:
        rule: what ``rules_vector`` returns.
        me: the module's row.
        ends: its ports' rows.
        touching: whether it touches the ground.
        foot: counts its contact places.
        attached: bit mask of the docked ports.
    """
    bit = fr.INCUMBENT if me[at.INCUMBENT] != 0 else 0
    me[at.OWN_CAND] = bit | me[at.ID] if touching else 0
    me[at.OWN_FEET] = foot_digest_kernel(me[at.ID], foot) if touching else 0
    me[at.OWN_OPEN] = 1 if (attached & ~me[at.UPS]) != 0 else 0
    no_f, no_v, no_g = _sweep(me, ends)
    count, token, feet, age, is_open, cand = add_tree_sums(rule, me, ends, -1)
    cancels = token == 0 or is_off(rule, ru.OFF_TOKEN)
    clean = me[at.FROZEN] != 0 and me[at.DIRTY] == 0
    closed = clean and no_f == 0 and cancels and count <= rule[ru.RULE_MOST]
    if closed:
        me[at.SEEN] = 1
    _prepare(rule, me, ends, clean, closed, no_f, no_v, no_g)
    swept = no_g == 0 or is_off(rule, ru.OFF_SECOND_SWEEP)
    known = closed and swept and no_v == 0
    me[at.KNOWN] = 1 if known else 0
    me[at.COUNT] = count if known else 0
    me[at.FEET] = feet if known else 0
    me[at.AGE] = age if known else 0
    me[at.OPEN] = is_open if known else 0
    _settle(rule, me)
    _lead(me, touching, cand)


@compiled(allocates=False)
def _prepare(
    rule: Ints,
    me: Ints,
    ends: Ints,
    clean: bool,
    closed: bool,
    no_f: int,
    no_v: int,
    no_g: int,
) -> None:
    """Write what is said through each port: F_OUT, V_OUT and G_OUT.

    Ports on which nothing can happen by itself any more are LIVE no longer, and cost
    nothing until the next frame.

    Args:
        rule: what ``rules_vector`` returns.
        me: the module's row.
        ends: its ports' rows.
        clean: whether it is frozen and its epoch not spoilt.
        closed: whether all have frozen and all tokens cancel.
        no_f: tree ports that miss F.
        no_v: tree ports that miss their value.
        no_g: tree ports that miss G.
    """
    for p in range(ends.shape[0]):
        if (me[at.LIVE] >> p) & 1 == 0:
            continue
        lacks_g = 1 if (ends[p, at.HEAD + fr.FLAGS] & fr.G) == 0 else 0
        in_tree = clean and (me[at.TREE] >> p) & 1 != 0
        f_out = in_tree and no_f == 1 - ends[p, at.F_IN]
        v_out = f_out and no_v == 1 - ends[p, at.V_IN]
        ends[p, at.F_OUT] = 1 if f_out else 0
        ends[p, at.V_OUT] = 1 if v_out else 0
        ends[p, at.G_OUT] = 1 if f_out and closed and no_g == lacks_g else 0
        if ends[p, at.PEER] == 0 and ends[p, at.REC] == 0:
            if ends[p, at.QUIET] >= rule[ru.RULE_SILENCE]:
                me[at.LIVE] &= ~(1 << p)


@compiled(allocates=False)
def _settle(rule: Ints, me: Ints) -> None:
    """Count for how long what the module knows has not changed; write STEADY."""
    known = me[at.KNOWN] != 0
    same = (
        me[at.MARK_ROOT] == me[at.ROOT]
        and me[at.MARK_EPOCH] == me[at.EPOCH]
        and me[at.MARK_FEET] == me[at.FEET]
        and me[at.MARK_COUNT] == me[at.COUNT]
        and me[at.MARK_OPEN] == me[at.OPEN]
    )
    me[at.CALM] = min(me[at.CALM] + 1, at.NEVER) if known and same else 0
    me[at.MARK_ROOT] = me[at.ROOT] if known else 0
    me[at.MARK_EPOCH] = me[at.EPOCH]
    me[at.MARK_FEET] = me[at.FEET]
    me[at.MARK_COUNT] = me[at.COUNT]
    me[at.MARK_OPEN] = me[at.OPEN]
    age = me[at.AGE]
    steady = known and me[at.OPEN] == 0 and age < at.NEVER
    steady = steady and me[at.CALM] >= age
    if is_off(rule, ru.OFF_STEADY):
        steady = known
    me[at.STEADY] = 1 if steady else 0


@compiled(allocates=False)
def _lead(me: Ints, touching: bool, cand: int) -> None:
    """Write who leads, and whether the module goes on as the one who does."""
    if not touching:
        me[at.INCUMBENT] = 0
    me[at.LEADER] = -1
    me[at.IS_LEADER] = 0
    if me[at.KNOWN] != 0:
        leader = cand & (fr.INCUMBENT - 1)
        me[at.LEADER] = leader
        me[at.INCUMBENT] = 1 if leader == me[at.ID] else 0
        me[at.IS_LEADER] = me[at.INCUMBENT]
