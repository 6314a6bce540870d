"""Which tree a module belongs to, and which names it refuses; compiled.

Steps 3 and 4 of a round: the largest id roots the tree, within an epoch the parent is
chosen once, and an epoch that was left is refused for a while, so that the name of a
dead root cannot chase itself around a loop.
"""

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules import member_kernel_rows as at
from equipoise.modules import rules as ru
from equipoise.modules.member_kernel_rows import enter, next_own

__all__ = ["choose_tree", "claim_name", "is_newer"]


@compiled(allocates=False, melts=True)
def is_newer(a: int, b: int) -> bool:
    """Return whether epoch a is newer than b, on the circle of 65536."""
    ahead = (a - b) & 0xFFFF
    return 0 < ahead < 0x8000


@compiled(allocates=False, melts=True)
def is_refused(rule: Ints, node: Ints, i: int, root: int, epoch: int) -> bool:
    """Return whether module i left that epoch, or one shortly after it."""
    for slot in (at.A_ROOT, at.B_ROOT):
        if node[i, slot + 2] > 0 and node[i, slot] == root:
            if (node[i, slot + 1] - epoch) & 0xFFFF < rule[ru.RULE_WINDOW]:
                return True
    return False


@compiled(allocates=False)
def leave(rule: Ints, node: Ints, i: int) -> None:
    """Remember that module i leaves its present epoch, unless it is its own."""
    root = node[i, at.ROOT]
    if root == node[i, at.ID]:
        return
    slot = at.B_ROOT
    if node[i, at.A_TIMER] == 0 or node[i, at.A_ROOT] == root:
        slot = at.A_ROOT
    elif root > node[i, at.A_ROOT]:
        for a in range(3):
            node[i, at.B_ROOT + a] = node[i, at.A_ROOT + a]
        slot = at.A_ROOT
    node[i, slot] = root
    node[i, slot + 1] = node[i, at.EPOCH]
    node[i, slot + 2] = rule[ru.RULE_MEMORY]


@compiled(allocates=False)
def claim_name(node: Ints, port: Ints, i: int) -> None:
    """Let module i catch up with an epoch of its own name that somebody shows."""
    ports = port.shape[0] // node.shape[0]
    for p in range(ports):
        e = i * ports + p
        if (node[i, at.UPS] >> p) & 1 == 0 or port[e, at.HEAD + fr.ROOT] != node[
            i, at.ID
        ]:
            continue
        shown = port[e, at.HEAD + fr.EPOCH]
        if is_newer(shown, node[i, at.OWN_EPOCH]):
            node[i, at.OWN_EPOCH] = shown
            if node[i, at.ROOT] == node[i, at.ID]:
                next_own(node, port, i)


@compiled(allocates=False)
def best_offer(rule: Ints, node: Ints, port: Ints, i: int) -> int:
    """Return the port row that offers module i the best tree, -1 when none does."""
    ports = port.shape[0] // node.shape[0]
    best = -1
    for p in range(ports):
        if (node[i, at.UPS] >> p) & 1 == 0:
            continue
        e = i * ports + p
        root, dist = port[e, at.HEAD + fr.ROOT], port[e, at.HEAD + fr.DIST]
        epoch = port[e, at.HEAD + fr.EPOCH]
        if root <= node[i, at.ID]:
            continue
        if (port[e, at.HEAD + fr.FLAGS] & fr.PAR) != 0:
            continue
        if dist + 1 > rule[ru.RULE_HOPS]:
            continue
        if is_refused(rule, node, i, root, epoch):
            continue
        if best < 0 or root > port[best, at.HEAD + fr.ROOT]:
            best = e
        elif root == port[best, at.HEAD + fr.ROOT]:
            rival = port[best, at.HEAD + fr.EPOCH]
            nearer = dist < port[best, at.HEAD + fr.DIST]
            if is_newer(epoch, rival) or (epoch == rival and nearer):
                best = e
    return best


@compiled(allocates=False)
def has_good_parent(node: Ints, port: Ints, i: int) -> bool:
    """Return whether module i's parent still is what it was chosen for."""
    e = i * (port.shape[0] // node.shape[0]) + node[i, at.PARENT]
    return (
        port[e, at.UP] != 0
        and port[e, at.HEAD + fr.ROOT] == node[i, at.ROOT]
        and port[e, at.HEAD + fr.EPOCH] == node[i, at.EPOCH]
        and port[e, at.HEAD + fr.DIST] == node[i, at.DIST] - 1
        and (port[e, at.HEAD + fr.FLAGS] & fr.PAR) == 0
    )


@compiled(allocates=False)
def choose_tree(rule: Ints, node: Ints, port: Ints, i: int) -> None:
    """Let module i mend impossible state, then enter a better tree or leave a bad one.

    Also writes REFUSED of each port: a larger name is offered there that is refused.
    """
    ports = port.shape[0] // node.shape[0]
    own = node[i, at.ID]
    is_root = node[i, at.ROOT] == own
    too_far = node[i, at.DIST] > rule[ru.RULE_HOPS]
    if (
        is_root != (node[i, at.PARENT] == -1)
        or too_far
        or (is_root and node[i, at.DIST] != 0)
        or node[i, at.ROOT] < own
    ):
        next_own(node, port, i)
    best = best_offer(rule, node, port, i)
    root, epoch = node[i, at.ROOT], node[i, at.EPOCH]
    offered, its = port[best, at.HEAD + fr.ROOT], port[best, at.HEAD + fr.EPOCH]
    if best >= 0 and (offered > root or (offered == root and is_newer(its, epoch))):
        leave(rule, node, i)
        dist = port[best, at.HEAD + fr.DIST] + 1
        enter(node, port, i, offered, its, dist, best - i * ports)
    elif node[i, at.PARENT] >= 0 and not has_good_parent(node, port, i):
        leave(rule, node, i)
        next_own(node, port, i)
    for p in range(ports):
        if (node[i, at.LIVE] >> p) & 1 == 0:
            continue
        e = i * ports + p
        offered, its = port[e, at.HEAD + fr.ROOT], port[e, at.HEAD + fr.EPOCH]
        is_larger = port[e, at.UP] != 0 and offered > node[i, at.ROOT]
        refused = is_larger and is_refused(rule, node, i, offered, its)
        port[e, at.REFUSED] = 1 if refused else 0
