"""The contact table of a module, and what it says about balance on one foot, compiled.

A table is complete when the digests of its entries add up to the protocol's total: then
it names exactly those who touch, at the places that they last announced. A foot that
has moved by more than a step counts as another one, so a table can be wrong about a
place by that step and by what the foot moved since.
"""

from math import sqrt

from equipoise.control.com.brain.state import TABLE, BrainMemory, Senses
from equipoise.control.com.geometry.vectors import V3, add_scaled, dot, put_vec, vec
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.hashing import foot_digest_kernel
from equipoise.modules.kernels import rows as at

__all__ = ["foot_verdict", "is_complete", "note_touch"]

GONE = 1000  # rounds for which it is remembered that a foot has lifted
MARGIN = 0.001  # [m], for rounding and for a foot's step
JOLT = 10.0  # [m/s²], change of speed that old numbers may not show


@compiled(allocates=False)
def note_touch(
    memory: BrainMemory, senses: Senses, node: Ints, i: int, foot_step: float
) -> None:
    """Count module i's contact places, keep its own entry, let the others age.

    Every touchdown and every place counts, so no two contacts look alike. A tree that
    has changed makes all the others' entries void: they are told anew.
    """
    module, own = memory.modules[i], memory.contacts[i * TABLE]
    touches, touched = senses.touching[i], module.touched != 0
    point = vec(senses.contact[i].point)
    away = add_scaled(point, -1.0, vec(module.spot))
    if touches and not (touched and dot(away, away) <= foot_step * foot_step):
        module.foot = (module.foot + 1) & 0xFF
        put_vec(module.spot, point)
        own.news = -1
    if touched and not touches:
        own.news = -1
    module.touched = 1 if touches else 0
    own.who = node[i, at.ID] if touches or own.who != 0 else 0
    own.foot, own.port = module.foot, -1
    own.touches, own.age = module.touched, 0
    if touches:
        own.place = senses.contact[i]
    name = node[i, at.ROOT] << 16 | node[i, at.EPOCH]
    is_new = name != module.tree_name
    module.tree_name = name
    if is_new:
        own.news = -1
    for k in range(i * TABLE + 1, (i + 1) * TABLE):
        contact = memory.contacts[k]
        contact.age += 1
        if is_new or (contact.touches == 0 and contact.age > GONE):
            contact.who = 0


@compiled(allocates=False)
def is_complete(memory: BrainMemory, node: Ints, i: int) -> bool:
    """Return whether module i's table names all who touch, and nobody else."""
    digest = 0
    for k in range(i * TABLE, (i + 1) * TABLE):
        contact = memory.contacts[k]
        if contact.who != 0 and contact.touches != 0:
            digest += foot_digest_kernel(contact.who, contact.foot)
    return node[i, at.KNOWN] != 0 and digest & 0xFFFFFF == node[i, at.FEET]


@compiled(allocates=False)
def foot_verdict(
    memory: BrainMemory, i: int, com: V3, velocity: V3, age: float
) -> float:
    """Return 1 if the centre of mass is above the one foot, 0 if not, -1 if unknown.

    The foot is a level disc. Numbers up to ``age`` old allow for what the centre may
    have moved since: both answers need that margin. Several feet are for others.

    Args:
        memory: the modules' tables.
        i: the module.
        com: p_WC [m].
        velocity: v_WC [m/s].
        age: of the oldest number [s].
    """
    feet, foot = 0, 0
    for k in range(i * TABLE, (i + 1) * TABLE):
        if memory.contacts[k].who != 0 and memory.contacts[k].touches != 0:
            feet += 1
            foot = k
    if feet != 1:
        return -1.0
    place = memory.contacts[foot].place
    x, y = com[0] - place.point[0], com[1] - place.point[1]
    distance = sqrt(x * x + y * y)
    speed = sqrt(dot(velocity, velocity))
    margin = MARGIN + age * (2.0 * speed + JOLT * age)
    if distance <= place.radius - margin:
        return 1.0
    return 0.0 if distance >= place.radius + margin else -1.0
