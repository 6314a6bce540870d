"""What the feet of a simulated robot would sense: touch, place, and their own pose.

A module that stands knows where it stands in W, as the one contact of [Moll2006] does:
an inertial unit says how it is turned, and a foot that sticks says where it is. Here
both come from the pose of one part and the joints between: the same numbers, exactly. A
ball touches once its skin has felt a push for some ticks on end.
"""

from typing import NamedTuple

import numpy as np

from equipoise.control.com.brain.controller import spread
from equipoise.control.com.brain.speak import face_in_world
from equipoise.control.com.brain.state import Senses
from equipoise.control.com.exchange import find_world
from equipoise.control.com.geometry.vectors import (
    add,
    add_scaled,
    cross,
    dot,
    get3,
    get9,
    matmul,
    put3,
    put9,
    turn,
)
from equipoise.control.com.module_motion import (
    MATE,
    Motion,
    P,
    R,
    V,
    W,
    empty_motion,
    place_face,
    place_parts,
)
from equipoise.control.com.network import Network, network_of
from equipoise.core.arrays import Array, Ints
from equipoise.core.contracts import Sensed
from equipoise.core.jit import compiled
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.assembly.spec import feet_of

__all__ = ["FeetRoom", "feet_room", "sense_feet"]

ON, OFF = 5, 2  # ticks on end with and without a push until touch is believed
FAINTEST = 0.02  # [N]; less is no push


class FeetRoom(NamedTuple):
    """Constants and room for ``sense_feet``."""

    net: Network
    free: Ints
    """Joints that move, of all joints module by module."""
    skins: Ints
    """(2 nm,) part of each skin."""
    has_foot: Ints
    """(nm,) 1 where a module's last ball is a foot."""
    radius: float
    """Of a ball [m]."""
    friction: float
    """That the feet count on."""
    pose: Array
    """(nm, 18) room: every module in W."""
    world: Array
    """(ends, 18) room: every connector in W."""
    at: Motion
    """Room for one module."""
    felt: Ints
    """(nm,) ticks on end with a push, or minus those without."""


def feet_room(assembly: Assembly, friction: float) -> FeetRoom:
    """Return what ``sense_feet`` needs of a robot.

    Args:
        assembly: that stands on ``feet``.
        friction: Coulomb coefficient that the feet count on.
    """
    net, nm, body = network_of(assembly), len(assembly.modules), assembly.body
    moving = np.tile([j.locked is None for j in body.joints], nm)
    ends = [0, len(body.parts) - 1]
    feet = set(feet_of(assembly))
    has_foot = [f"{m.name}_ball_b" in feet for m in assembly.modules]
    return FeetRoom(
        net=net,
        free=np.flatnonzero(moving),
        skins=np.array([m * len(body.parts) + e for m in range(nm) for e in ends]),
        has_foot=np.array(has_foot, np.int64),
        radius=body.contact_radius,
        friction=friction,
        pose=np.zeros((nm, 18)),
        world=np.zeros((len(net.link), 18)),
        at=empty_motion(net),
        felt=np.full(nm, -OFF, np.int64),
    )


def sense_feet(room: FeetRoom, sensed: Sensed, base: Array, senses: Senses) -> None:
    """Lay a simulated robot's readings out by module.

    Args:
        room: from ``feet_room``.
        sensed: of the whole robot.
        base: room, (1, 18).
        senses: written.
    """
    base[0, :9], base[0, 9:12] = sensed.R_WB.ravel(), sensed.p_WB
    base[0, 12:] = sensed.V_WB
    spread(
        sensed.q, sensed.v, sensed.skin, room.free, room.skins,
        senses.q, senses.rate, senses.skin,
    )  # fmt: skip
    locate(room.net, base, senses.q, senses.rate, room.at, room.world, room.pose)
    feel(
        room.net.joint, room.at.part, room.pose, senses, room.has_foot, room.felt,
        room.radius, room.friction,
    )  # fmt: skip


@compiled(allocates=False)
def locate(
    net: Network,
    base: Array,
    q: Array,
    rate: Array,
    at: Motion,
    world: Array,
    pose: Array,
) -> None:
    """Write every module's pose and twist in W, from that of the grounded part."""
    ports = net.face_part.shape[0]
    for k in range(net.order.shape[0]):
        i = net.order[k]
        place_parts(net.joint, i, q, rate, at.part)
        for p in range(ports):
            e = i * ports + p
            if net.link[e] >= 0:
                part = net.face_part[p]
                place_face(net.face, part, net.mate, e, at.part, at.face, p)
        if k == 0:
            part = int(net.face_part[net.ground[1]])
            find_world(i, at.part, part, R, base, 0, 0, pose)
        for p in range(ports):
            far = int(net.link[i * ports + p])
            if k > 0 and far >= 0 and is_before(net.order, k, far // ports):
                find_world(i, at.face, p, MATE, world, far, 0, pose)
        for p in range(ports):
            e = i * ports + p
            if net.link[e] >= 0:
                face_in_world(pose, i, at.face, p, world, e)


@compiled(allocates=False, melts=True)
def is_before(order: Ints, k: int, module: int) -> bool:
    """Return whether a module comes before the k-th in an order."""
    for n in range(k):
        if order[n] == module:
            return True
    return False


@compiled(allocates=False)
def feel(
    joint: Array,
    part: Array,
    pose: Array,
    senses: Senses,
    has_foot: Ints,
    felt: Ints,
    radius: float,
    friction: float,
) -> None:
    """Write which modules touch, where, and where the part is by which they stand."""
    parts = part.shape[0]
    last = parts - 1
    for i in range(has_foot.shape[0]):
        push = get3(senses.skin, i * parts + last, 0)
        size = np.sqrt(dot(push, push))
        if has_foot[i] != 0 and size > FAINTEST:
            felt[i] = max(felt[i], 0) + 1
        else:
            felt[i] = min(felt[i], 0) - 1
        if felt[i] >= ON or felt[i] <= -OFF:
            senses.touching[i] = felt[i] >= ON
        if not senses.touching[i]:
            continue
        place_parts(joint, i, senses.q, senses.rate, part)
        R_WM, w_WM = get9(pose, i, R), get3(pose, i, W)
        arm = turn(R_WM, get3(part, last, P))
        R_WP = matmul(R_WM, get9(part, last, R))
        centre = add(get3(pose, i, P), arm)
        slip = turn(R_WM, get3(part, last, V))
        senses.anchor_part[i] = last
        put9(senses.anchor, i, R, R_WP)
        put3(senses.anchor, i, P, centre)
        put3(senses.anchor, i, V, add(add(get3(pose, i, V), cross(w_WM, arm)), slip))
        put3(senses.anchor, i, W, add(w_WM, turn(R_WM, get3(part, last, W))))
        if size > FAINTEST:
            force = turn(R_WP, push)
            normal = add_scaled((0.0, 0.0, 0.0), 1.0 / size, force)
            put3(senses.contact, i, 0, add_scaled(centre, -radius, normal))
            put3(senses.contact, i, 3, normal)
            senses.contact[i, 6], senses.contact[i, 7] = friction, 0.0
            put3(senses.contact, i, 8, force)
