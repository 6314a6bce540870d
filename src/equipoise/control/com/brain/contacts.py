"""The contact table of a module, and what it says about balance on one foot, compiled.

A table is complete when the digests of its entries add up to the protocol's total: then
it names exactly those who touch, at the places that they last announced. A foot that
has moved by more than a step counts as another one, so a table can be wrong about a
place by that step and by what the foot moved since.
"""

from math import sqrt

from equipoise.control.com.brain import state as st
from equipoise.control.com.brain.state import PLACE, TABLE, Mind, Senses
from equipoise.control.com.geometry.vectors import V3, add_scaled, dot, get3, put3
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.kernels import rows as at
from equipoise.modules.lots import foot_digest_kernel

__all__ = ["is_complete", "note_touch", "verdict"]

GONE = 1000  # rounds for which it is remembered that a foot has lifted
MARGIN = 0.001  # [m], for rounding and for a foot's step
JOLT = 10.0  # [m/s²], change of speed that old numbers may not show


@compiled(allocates=False)
def note_touch(
    mind: Mind, senses: Senses, node: Ints, i: int, foot_step: float
) -> None:
    """Count module i's contact places, keep its own entry, let the others age.

    Every touchdown and every place counts, so no two contacts look alike. A tree that
    has changed makes all the others' entries void: they are told anew.
    """
    own, who, row = mind.own, mind.who, i * TABLE
    touches, touched = senses.touching[i], own[i, st.WAS_TOUCHING] != 0
    point = get3(senses.contact, i, 0)
    away = add_scaled(point, -1.0, get3(mind.spot, i, 0))
    if touches and not (touched and dot(away, away) <= foot_step * foot_step):
        own[i, st.MY_FOOT] = (own[i, st.MY_FOOT] + 1) & 0xFF
        put3(mind.spot, i, 0, point)
        who[row, st.NEWS] = -1
    if touched and not touches:
        who[row, st.NEWS] = -1
    own[i, st.WAS_TOUCHING] = 1 if touches else 0
    who[row, st.WHO] = node[i, at.ID] if touches or who[row, st.WHO] != 0 else 0
    who[row, st.FOOT], who[row, st.PORT] = own[i, st.MY_FOOT], -1
    who[row, st.TOUCHES], who[row, st.AGE] = own[i, st.WAS_TOUCHING], 0
    if touches:
        for a in range(PLACE):
            mind.place[row, a] = senses.contact[i, a]
    name = node[i, at.ROOT] << 16 | node[i, at.EPOCH]
    is_new = name != own[i, st.TREE_NAME]
    own[i, st.TREE_NAME] = name
    if is_new:
        who[row, st.NEWS] = -1
    for k in range(row + 1, row + TABLE):
        who[k, st.AGE] += 1
        if is_new or (who[k, st.TOUCHES] == 0 and who[k, st.AGE] > GONE):
            who[k, st.WHO] = 0


@compiled(allocates=False)
def is_complete(mind: Mind, node: Ints, i: int) -> bool:
    """Return whether module i's table names all who touch, and nobody else."""
    digest, who = 0, mind.who
    for k in range(i * TABLE, (i + 1) * TABLE):
        if who[k, st.WHO] != 0 and who[k, st.TOUCHES] != 0:
            digest += foot_digest_kernel(who[k, st.WHO], who[k, st.FOOT])
    return node[i, at.KNOWN] != 0 and digest & 0xFFFFFF == node[i, at.FEET]


@compiled(allocates=False)
def verdict(mind: Mind, i: int, com: V3, velocity: V3, age: float) -> float:
    """Return 1 if the centre of mass is above the one foot, 0 if not, -1 if unknown.

    The foot is a level disc. Numbers up to ``age`` old allow for what the centre may
    have moved since: both answers need that margin. Several feet are for others.

    Args:
        mind: the modules' tables.
        i: the module.
        com: p_WC [m].
        velocity: v_WC [m/s].
        age: of the oldest number [s].
    """
    feet, foot = 0, 0
    for k in range(i * TABLE, (i + 1) * TABLE):
        if mind.who[k, st.WHO] != 0 and mind.who[k, st.TOUCHES] != 0:
            feet += 1
            foot = k
    if feet != 1:
        return -1.0
    x, y = com[0] - mind.place[foot, 0], com[1] - mind.place[foot, 1]
    distance, radius = sqrt(x * x + y * y), mind.place[foot, 7]
    speed = sqrt(dot(velocity, velocity))
    margin = MARGIN + age * (2.0 * speed + JOLT * age)
    if distance <= radius - margin:
        return 1.0
    return 0.0 if distance >= radius + margin else -1.0
