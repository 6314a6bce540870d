"""What a module says about those behind it, and when it knows the whole; compiled.

Steps 7 to 9 of a round. Every directed tree link carries the sum of all that lies
behind the sender; two sweeps over it, and tokens that cancel, make the total known.
"""

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules import member_kernel_rows as at
from equipoise.modules import rules as ru
from equipoise.modules.lots import foot_digest_kernel, link_hash_kernel, lot_kernel
from equipoise.modules.member_kernel_freeze import is_same_tree
from equipoise.modules.member_kernel_links import is_off

__all__ = ["gather", "know", "lead", "own_share"]

_WORD = 0xFFFFFFFF
_DIGEST = 0xFFFFFF


@compiled(allocates=False)
def better_candidate(a: int, b: int, root: int, epoch: int) -> int:
    """Return the one of two candidates that leads: incumbent first, then by lot."""
    if a == 0 or a == b:
        return b
    if b == 0:
        return a
    if (a & fr.INCUMBENT) != (b & fr.INCUMBENT):
        return max(a, b)
    x, y = a & (fr.INCUMBENT - 1), b & (fr.INCUMBENT - 1)
    lot_x, lot_y = lot_kernel(x, root, epoch), lot_kernel(y, root, epoch)
    if lot_x != lot_y:
        return a if lot_x > lot_y else b
    return max(a, b)


@compiled(allocates=False)
def own_share(
    node: Ints, port: Ints, i: int, touching: bool, foot: int, attached: int
) -> None:
    """Write what module i itself adds: link tokens, digest, candidate, open docks."""
    ports = port.shape[0] // node.shape[0]
    own, token = node[i, at.ID], 0
    for p in range(ports):
        e = i * ports + p
        if (node[i, at.LIVE] >> p) & 1 != 0 and port[e, at.REC] != 0:
            peer = port[e, at.REC_PEER]
            word = link_hash_kernel(own, peer, node[i, at.ROOT], node[i, at.EPOCH])
            token += word if own < peer else -word
    node[i, at.OWN_TOKEN] = token & _WORD
    node[i, at.OWN_FEET] = foot_digest_kernel(own, foot) if touching else 0
    bit = fr.INCUMBENT if node[i, at.INCUMBENT] != 0 else 0
    node[i, at.OWN_CAND] = bit | own if touching else 0
    node[i, at.OWN_OPEN] = 1 if (attached & ~node[i, at.UPS]) != 0 else 0


@compiled(allocates=False)
def sweep(node: Ints, port: Ints, i: int) -> tuple[int, int, int]:
    """Write TREE, F_IN, V_IN, F_OUT and V_OUT of module i.

    Returns:
        How many tree ports miss F, miss their value, and miss G.
    """
    ports = port.shape[0] // node.shape[0]
    frozen = node[i, at.FROZEN] != 0
    tree, no_f, no_v, no_g = 0, 0, 0, 0
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 == 0:
            continue
        e = i * ports + p
        above = p == node[i, at.PARENT]
        in_tree = frozen and port[e, at.REC] != 0
        in_tree = in_tree and (above or port[e, at.REC_CHILD] != 0)
        flags = port[e, at.HEAD + fr.FLAGS]
        f_in = in_tree and (flags & fr.F) != 0 and is_same_tree(node, port, i, e)
        v_in = f_in and port[e, at.HAS_VALUE] != 0
        port[e, at.F_IN] = 1 if f_in else 0
        port[e, at.V_IN] = 1 if v_in else 0
        if in_tree:
            tree |= 1 << p
            no_f += 0 if f_in else 1
            no_v += 0 if v_in else 1
            no_g += 0 if (flags & fr.G) != 0 else 1
    node[i, at.TREE] = tree
    clean = frozen and node[i, at.DIRTY] == 0
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 != 0:
            e = i * ports + p
            mine = clean and (tree >> p) & 1 != 0
            f_out = mine and no_f == 1 - port[e, at.F_IN]
            v_out = f_out and no_v == 1 - port[e, at.V_IN]
            port[e, at.F_OUT] = 1 if f_out else 0
            port[e, at.V_OUT] = 1 if v_out else 0
    return no_f, no_v, no_g


@compiled(allocates=False)
def gather(
    rule: Ints, node: Ints, port: Ints, i: int, skip: int
) -> tuple[int, int, int, int, int, int]:
    """Add up module i's own share and what came in through its tree ports.

    Args:
        rule: what ``rules_vector`` returns.
        node: the modules' rows.
        port: the ports' rows.
        i: the module.
        skip: a port that is left out, as for what is said through it; -1 for none.

    Returns:
        Count, token, feet, age, open, candidate.
    """
    ports = port.shape[0] // node.shape[0]
    count, token, feet = 1, node[i, at.OWN_TOKEN], node[i, at.OWN_FEET]
    age, is_open, cand = 0, node[i, at.OWN_OPEN], node[i, at.OWN_CAND]
    for p in range(ports):
        if (node[i, at.TREE] >> p) & 1 != 0 and p != skip:
            e = i * ports + p
            count += port[e, at.HEAD + fr.COUNT]
            token += port[e, at.HEAD + fr.TOKEN]
            feet += port[e, at.HEAD + fr.FEET]
            age = max(age, port[e, at.HEAD + fr.AGE] + port[e, at.QUIET] + 1)
            is_open |= 1 if (port[e, at.HEAD + fr.FLAGS] & fr.OPEN) != 0 else 0
            theirs = port[e, at.HEAD + fr.CAND]
            cand = better_candidate(cand, theirs, node[i, at.ROOT], node[i, at.EPOCH])
    count = min(count, rule[ru.RULE_MOST] + 1)
    age = min(age, at.NEVER)
    return count, token & _WORD, feet & _DIGEST, age, is_open, cand


@compiled(allocates=False)
def know(rule: Ints, node: Ints, port: Ints, i: int) -> int:
    """Decide whether module i knows the whole, and whether that is steady.

    Returns:
        The best candidate to lead, 0 for none; void unless known.
    """
    ports = port.shape[0] // node.shape[0]
    no_f, no_v, no_g = sweep(node, port, i)
    count, token, feet, age, is_open, cand = gather(rule, node, port, i, -1)
    cancels = token == 0 or is_off(rule, ru.OFF_TOKEN)
    clean = node[i, at.FROZEN] != 0 and node[i, at.DIRTY] == 0
    closed = clean and no_f == 0 and cancels and count <= rule[ru.RULE_MOST]
    if closed:
        node[i, at.SEEN] = 1
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 != 0:
            e = i * ports + p
            lacks = 1 if (port[e, at.HEAD + fr.FLAGS] & fr.G) == 0 else 0
            says = closed and port[e, at.F_OUT] != 0 and no_g == lacks
            port[e, at.G_OUT] = 1 if says else 0
    swept = no_g == 0 or is_off(rule, ru.OFF_SECOND_SWEEP)
    known = closed and swept and no_v == 0
    node[i, at.KNOWN] = 1 if known else 0
    node[i, at.COUNT] = count if known else 0
    node[i, at.FEET] = feet if known else 0
    node[i, at.AGE] = age if known else 0
    node[i, at.OPEN] = is_open if known else 0
    settle(rule, node, i)
    return cand


@compiled(allocates=False)
def settle(rule: Ints, node: Ints, i: int) -> None:
    """Count for how long what module i knows has not changed; write STEADY."""
    known = node[i, at.KNOWN] != 0
    same = (
        node[i, at.MARK_ROOT] == node[i, at.ROOT]
        and node[i, at.MARK_EPOCH] == node[i, at.EPOCH]
        and node[i, at.MARK_FEET] == node[i, at.FEET]
        and node[i, at.MARK_COUNT] == node[i, at.COUNT]
        and node[i, at.MARK_OPEN] == node[i, at.OPEN]
    )
    node[i, at.CALM] = min(node[i, at.CALM] + 1, at.NEVER) if known and same else 0
    node[i, at.MARK_ROOT] = node[i, at.ROOT] if known else 0
    node[i, at.MARK_EPOCH] = node[i, at.EPOCH]
    node[i, at.MARK_FEET] = node[i, at.FEET]
    node[i, at.MARK_COUNT] = node[i, at.COUNT]
    node[i, at.MARK_OPEN] = node[i, at.OPEN]
    age = node[i, at.AGE]
    steady = known and node[i, at.OPEN] == 0 and age < at.NEVER
    steady = steady and node[i, at.CALM] >= age
    if is_off(rule, ru.OFF_STEADY):
        steady = known
    node[i, at.STEADY] = 1 if steady else 0


@compiled(allocates=False)
def lead(node: Ints, i: int, touching: bool, cand: int) -> None:
    """Write who leads, and whether module i goes on as the one who does."""
    if not touching:
        node[i, at.INCUMBENT] = 0
    node[i, at.LEADER] = -1
    node[i, at.IS_LEADER] = 0
    if node[i, at.KNOWN] != 0:
        leader = cand & (fr.INCUMBENT - 1)
        node[i, at.LEADER] = leader
        node[i, at.INCUMBENT] = 1 if leader == node[i, at.ID] else 0
        node[i, at.IS_LEADER] = node[i, at.INCUMBENT]
