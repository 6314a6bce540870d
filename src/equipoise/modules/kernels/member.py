"""The program of one module, compiled, on rows of arrays.

The same program as ``member`` runs with objects, frame for frame, for runtimes that
have many modules or little time. A round of module i is: ``take`` for each frame that
arrived, ``run_module_round`` once, then ``write_head`` for each port on which it sends.

Sums are left to the caller, since in a robot they are brought from one frame to
another: where the header that ``write_head`` wrote has flag SUM, the sum is the
module's own value plus rows ``value[i * P + q]`` of all ports q in the mask
``node[i, TREE]`` but p, in ascending order. Where ``node[i, KNOWN]`` is set, the total
is its own value plus those of all tree ports.
"""

import equipoise.modules.frame as fr
import equipoise.modules.kernels.rows as at
import equipoise.modules.rules as ru
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.kernels.frame import read_frame_bytes, write_frame_bytes
from equipoise.modules.kernels.freeze import freeze_links
from equipoise.modules.kernels.links import age_links, take
from equipoise.modules.kernels.rows import Seats, boot, empty_seats, rows_of
from equipoise.modules.kernels.sums import add_tree_sums, know
from equipoise.modules.kernels.tree import enter_better_tree
from equipoise.modules.rules import rules_vector

__all__ = [
    "Seats",
    "boot",
    "empty_seats",
    "read_frame_bytes",
    "rules_vector",
    "run_module_round",
    "take",
    "write_frame_bytes",
    "write_head",
]


@compiled(allocates=False)
def run_module_round(
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
    me, ends = rows_of(seats, i)
    me[at.SEQ] = (me[at.SEQ] + 1) & 0xFF
    me[at.BOOT] += 1
    me[at.ROUNDS] += 1
    me[at.SINCE_BUMP] += 1
    for slot in at.SLOTS:
        me[slot + 2] = max(me[slot + 2] - 1, 0)
    age_links(rule, me, ends)
    if me[at.BOOT] <= rule[ru.RULE_QUARANTINE]:
        _keep_silent(me, ends)
        return
    me[at.TALKS] = 1
    enter_better_tree(rule, me, ends)
    freeze_links(rule, me, ends)
    know(rule, me, ends, touching, foot, attached)


@compiled(allocates=False)
def _keep_silent(me: Ints, ends: Ints) -> None:
    """Let the module use no link, say nothing and know nothing in this round."""
    for p in range(ends.shape[0]):
        if (me[at.LIVE] >> p) & 1 != 0:
            for a in (at.GOOD, at.UP, at.F_IN, at.V_IN, at.F_OUT, at.V_OUT, at.G_OUT):
                ends[p, a] = 0
    for a in (at.TALKS, at.UPS, at.TREE, at.KNOWN, at.STEADY, at.IS_LEADER):
        me[a] = 0
    for a in (at.COUNT, at.FEET, at.AGE, at.OPEN):
        me[a] = 0
    me[at.LEADER] = -1


@compiled(allocates=False)
def write_head(rule: Ints, seats: Seats, i: int, p: int, out: Ints, o: int) -> bool:
    """Write the header that module i sends through port p in this round.

    Args:
        rule: what ``rules_vector`` returns.
        seats: the state after ``run_module_round``.
        i: the module's row.
        p: its port.
        out: header rows, (any, 13).
        o: the row to write.

    Returns:
        False, with a row of zeros, while the module keeps silent.
    """
    me, ends = rows_of(seats, i)
    for a in range(fr.COLUMNS):
        out[o, a] = 0
    if me[at.TALKS] == 0:
        return False
    flags = fr.PAR if p == me[at.PARENT] else 0
    flags |= fr.DIRTY if me[at.DIRTY_OUT] != 0 else 0
    flags |= fr.REF if ends[p, at.REFUSED] != 0 else 0
    if ends[p, at.PEER] != 0:
        flags |= fr.HEARD
        out[o, fr.ECHO] = ends[p, at.HEAD + fr.SEQ]
    out[o, fr.SEQ] = me[at.SEQ]
    out[o, fr.DIST] = me[at.DIST]
    out[o, fr.SENDER] = me[at.ID]
    out[o, fr.ROOT] = me[at.ROOT]
    out[o, fr.EPOCH] = me[at.EPOCH]
    out[o, fr.JOIN] = me[at.JOIN]
    if ends[p, at.F_OUT] != 0:
        count, token, feet, age, is_open, cand = add_tree_sums(rule, me, ends, p)
        flags |= fr.F
        flags |= fr.G if ends[p, at.G_OUT] != 0 else 0
        flags |= fr.OPEN if is_open != 0 else 0
        flags |= fr.SUM if ends[p, at.V_OUT] != 0 and me[at.SEQ] & 1 == 0 else 0
        out[o, fr.COUNT] = count
        out[o, fr.TOKEN] = token
        out[o, fr.FEET] = feet
        out[o, fr.AGE] = age
        out[o, fr.CAND] = cand
    out[o, fr.FLAGS] = flags
    return True
