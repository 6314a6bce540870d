"""What the feet of a simulated robot would sense: touch, place, and their own pose.

A module that stands knows where it stands in W, as the one contact of [Moll2006] does:
an inertial unit says how it is turned, and a foot that sticks says where it is. Here
both come from the pose of one part and the joints between: the same numbers, exactly. A
ball touches once its skin has felt a push for some ticks on end.
"""

from typing import NamedTuple

import numpy as np

from equipoise.control.com.brain.state import Senses
from equipoise.control.com.geometry.vectors import (
    ZERO,
    add_scaled,
    dot,
    mat,
    put_vec,
    rotate_vector,
    vec,
)
from equipoise.control.com.loads import MovingFrame
from equipoise.control.com.module_motion import (
    ModuleScratch,
    empty_scratch,
    face_in_world,
    find_world,
    place_face,
    place_parts,
)
from equipoise.control.com.network import Network, network_of
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.assembled import foot_geoms
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["FeetRoom", "FootSense", "feet_room", "sense_feet"]

ON, OFF = 5, 2  # ticks on end with and without a push until touch is believed
FAINTEST = 0.02  # [N]; less is no push


class FootSense(Record):
    """Knowledge of a module about its own foot."""

    has_foot: int = entry("1 where its last ball is a foot", kind=np.int64)
    felt: int = entry("ticks on end with a push, or minus without", kind=np.int64)


class FeetRoom(NamedTuple):
    """Constants and room for ``sense_feet``."""

    net: Network
    radius: float
    """Of a ball [m]."""
    friction: float
    """That the feet count on."""
    foot: Records[FootSense]
    """(nm,)."""
    pose: Records[MovingFrame]
    """(nm,) room: every module in W."""
    world: Records[MovingFrame]
    """(ends,) room: every connector in W."""
    scratch: ModuleScratch
    """Room for one module."""


def feet_room(assembly: Assembly, friction: float) -> FeetRoom:
    """Return what ``sense_feet`` needs of a robot.

    Args:
        assembly: that stands on ``feet``.
        friction: Coulomb coefficient that the feet count on.
    """
    net, nm, feet = (
        network_of(assembly),
        len(assembly.modules),
        set(foot_geoms(assembly)),
    )
    foot = FootSense.zeros(nm)
    for one, module in zip(foot, assembly.modules, strict=True):
        one.has_foot, one.felt = f"{module.name}_ball_b" in feet, -OFF
    return FeetRoom(
        net=net,
        radius=assembly.body.contact_radius,
        friction=friction,
        foot=foot,
        pose=MovingFrame.zeros(nm),
        world=MovingFrame.zeros(len(net.link)),
        scratch=empty_scratch(net.shape),
    )


@compiled(allocates=False)
def sense_feet(room: FeetRoom, base: Records[MovingFrame], senses: Senses) -> None:
    """Write where a simulated robot's feet touch, from joints, skins and one pose.

    Args:
        room: from ``feet_room``.
        base: the grounded part in W, (1,).
        senses: joints and skins are read, contacts and anchors written.
    """
    _locate(room, base[0], senses)
    for i in range(room.foot.shape[0]):
        _feel(room, senses, i)


@compiled(allocates=False)
def _locate(room: FeetRoom, base: MovingFrame, senses: Senses) -> None:
    """Write every module's pose and twist in W, from that of the grounded part."""
    net, scratch = room.net, room.scratch
    shape, parts, faces = net.shape, scratch.parts, scratch.faces
    ports = shape.face.shape[0]
    for k in range(net.order.shape[0]):
        i = net.order[k]
        pose = room.pose[i]
        place_parts(shape.joint, senses.q[i], senses.rate[i], parts)
        for p in range(ports):
            e = i * ports + p
            if net.link[e] >= 0:
                place_face(shape.face[p], net.mate[e], parts, faces[p])
        if k == 0:
            part = shape.face[net.ground[1]].part
            find_world(parts[part].frame, base, pose)
        for p in range(ports):
            far = int(net.link[i * ports + p])
            if k > 0 and far >= 0 and _is_before(net.order, k, far // ports):
                find_world(faces[p].mate, room.world[far], pose)
        for p in range(ports):
            e = i * ports + p
            if net.link[e] >= 0:
                face_in_world(pose, faces[p].frame, room.world[e])


@compiled(allocates=False, force_inline=True)
def _is_before(order: Ints, k: int, module: int) -> bool:
    """Return whether a module comes before the k-th in an order."""
    for n in range(k):
        if order[n] == module:
            return True
    return False


@compiled(allocates=False)
def _feel(room: FeetRoom, senses: Senses, i: int) -> None:
    """Write whether and where module i touches, and the part by which it stands."""
    shape, parts, foot = room.net.shape, room.scratch.parts, room.foot[i]
    last = parts.shape[0] - 1
    push = vec(senses.skin[i * parts.shape[0] + last].force)
    size = np.sqrt(dot(push, push))
    if foot.has_foot != 0 and size > FAINTEST:
        foot.felt = max(foot.felt, 0) + 1
    else:
        foot.felt = min(foot.felt, 0) - 1
    if foot.felt >= ON or foot.felt <= -OFF:
        senses.touching[i] = foot.felt >= ON
    if not senses.touching[i]:
        return
    anchor = senses.anchor[i]
    place_parts(shape.joint, senses.q[i], senses.rate[i], parts)
    face_in_world(room.pose[i], parts[last].frame, anchor)
    senses.anchor_part[i] = last
    if size > FAINTEST:
        contact, force = senses.contact[i], rotate_vector(mat(anchor.R), push)
        normal = add_scaled(ZERO, 1.0 / size, force)
        put_vec(contact.point, add_scaled(vec(anchor.p), -room.radius, normal))
        put_vec(contact.normal, normal)
        put_vec(contact.force, force)
        contact.friction, contact.radius = room.friction, 0.0
