"""Which tree a module belongs to, and which names it refuses; compiled.

Steps 3 and 4 of a round: the largest id roots the tree, within an epoch the parent is
chosen once, and an epoch that was left is refused for a while, so that the name of a
dead root cannot chase itself around a loop.
"""

import equipoise.modules.frame as fr
import equipoise.modules.kernels.rows as at
import equipoise.modules.rules as ru
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.kernels.rows import enter, next_own

__all__ = ["enter_better_tree", "is_refused"]

ANY_NAME = 2**31  # more than any id


@compiled(allocates=False, force_inline=True)
def _is_newer(a: int, b: int) -> bool:
    """Return whether epoch a is newer than b, on the circle of 65536."""
    ahead = (a - b) & 0xFFFF
    return 0 < ahead < 0x8000


@compiled(allocates=False, force_inline=True)
def is_refused(rule: Ints, me: Ints, root: int, epoch: int) -> bool:
    """Return whether the module left that epoch, or one shortly after it."""
    for slot in at.SLOTS:
        is_kept = me[slot + 2] > 0 and me[slot] == root
        if is_kept and (me[slot + 1] - epoch) & 0xFFFF < rule[ru.RULE_WINDOW]:
            return True
    return False


@compiled(allocates=False)
def _leave(rule: Ints, me: Ints) -> None:
    """Remember that the module leaves its present epoch, unless it is its own.

    It takes the place of one of the same root shortly before or after, of one that ran
    out, or of the smallest root.
    """
    root, window = me[at.ROOT], rule[ru.RULE_NEAR]
    if root == me[at.ID]:
        return
    place, least = at.SLOTS[0], ANY_NAME
    for slot in at.SLOTS:
        key = me[slot] if me[slot + 2] > 0 else 0
        ahead = (me[at.EPOCH] - me[slot + 1] + window) & 0xFFFF
        if me[slot + 2] > 0 and me[slot] == root and ahead < 2 * window:
            key = -1
        if key < least:
            place, least = slot, key
    me[place] = root
    me[place + 1] = me[at.EPOCH]
    me[place + 2] = rule[ru.RULE_MEMORY]


@compiled(allocates=False)
def _read_offers(rule: Ints, me: Ints, ends: Ints) -> int:
    """Return the port that offers the best tree, -1 when none offers a larger root.

    On the way the module catches up with epochs of its own name that somebody shows.
    """
    own, best = me[at.ID], -1
    for p in range(ends.shape[0]):
        if (me[at.UPS] >> p) & 1 == 0:
            continue
        root, epoch = ends[p, at.HEAD + fr.ROOT], ends[p, at.HEAD + fr.EPOCH]
        dist = ends[p, at.HEAD + fr.DIST]
        if root == own and _is_newer(epoch, me[at.OWN_EPOCH]):
            me[at.OWN_EPOCH] = epoch
            if me[at.ROOT] == own:
                next_own(me, ends)
        if root <= own or (ends[p, at.HEAD + fr.FLAGS] & fr.PAR) != 0:
            continue
        if dist + 1 > rule[ru.RULE_HOPS] or is_refused(rule, me, root, epoch):
            continue
        if best < 0 or root > ends[best, at.HEAD + fr.ROOT]:
            best = p
        elif root == ends[best, at.HEAD + fr.ROOT]:
            rival = ends[best, at.HEAD + fr.EPOCH]
            nearer = dist < ends[best, at.HEAD + fr.DIST]
            if _is_newer(epoch, rival) or (epoch == rival and nearer):
                best = p
    return best


@compiled(allocates=False, force_inline=True)
def _has_good_parent(me: Ints, ends: Ints) -> bool:
    """Return whether the module's parent still is what it was chosen for."""
    p = me[at.PARENT]
    return (
        p < ends.shape[0]
        and ends[p, at.UP] != 0
        and ends[p, at.HEAD + fr.ROOT] == me[at.ROOT]
        and ends[p, at.HEAD + fr.EPOCH] == me[at.EPOCH]
        and ends[p, at.HEAD + fr.DIST] == me[at.DIST] - 1
        and (ends[p, at.HEAD + fr.FLAGS] & fr.PAR) == 0
    )


@compiled(allocates=False)
def enter_better_tree(rule: Ints, me: Ints, ends: Ints) -> None:
    """Let the module mend impossible state, enter a better tree, or leave a bad one."""
    own = me[at.ID]
    best = _read_offers(rule, me, ends)
    is_root = me[at.ROOT] == own
    if (
        is_root != (me[at.PARENT] == -1)
        or me[at.DIST] > rule[ru.RULE_HOPS]
        or (is_root and me[at.DIST] != 0)
        or me[at.ROOT] < own
    ):
        next_own(me, ends)
    root, epoch = me[at.ROOT], me[at.EPOCH]
    if best >= 0:
        offered, its = ends[best, at.HEAD + fr.ROOT], ends[best, at.HEAD + fr.EPOCH]
        if offered > root or (offered == root and _is_newer(its, epoch)):
            _leave(rule, me)
            dist = ends[best, at.HEAD + fr.DIST] + 1
            enter(me, ends, offered, its, dist, best)
            return
    if me[at.PARENT] >= 0 and not _has_good_parent(me, ends):
        _leave(rule, me)
        next_own(me, ends)
