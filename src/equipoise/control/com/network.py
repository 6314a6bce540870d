"""A modular robot as arrays: who holds whom, and what every module is made of."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com import joint_view, share
from equipoise.core.arrays import Array, Ints
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.assembly.module_body import ModuleJoint, mating

__all__ = ["NetState", "Network", "empty_state", "network_of"]


class Network(NamedTuple):
    """Constants of the exchange: nm equal modules, ``ends`` = nm * faces connectors."""

    mass: Array
    """(parts, 10) mass, first and second moments of each part in its frame."""
    joint: Array
    """(joints, 9) axis, origin, 1 for a hinge or 0 for a slide, limits; both limits of
    a locked joint are where it is locked."""
    face: Array
    """(faces, 12) each connector's R and p in its part."""
    face_part: Ints
    """(faces,) which part carries it."""
    mate: Array
    """(ends, 9) R of the neighbour's connector seen from ours."""
    link: Ints
    """(ends,) the neighbour's end, -1 where nothing is held."""
    order: Ints
    """(nm,) modules, ground first."""
    ground: Ints
    """(2,) module and connector that stand on the ground."""


class NetState(NamedTuple):
    """What is under way, what was last heard, and what each module makes of it."""

    box: Array
    """(ends, 3 * WIDTH) last message heard, being written, and last sent."""
    flag: Ints
    """(ends, 3) heard anything; may send (all the others have reported: the echo
    rule); ticks since the last message was sent, -1 before the first."""
    wire: Array
    """(slots, ends, WIDTH) messages under way, by receiver."""
    on_wire: NDArray[np.bool_]
    """(slots, ends)."""
    span: Array
    """(nm, 3) own joints' share of the span, from the last tick."""
    rows: Array
    """(nm * joints, joint_view.WIDTH) what each module knows of each joint."""
    whole: Array
    """(nm, 10) each module's estimate of the whole robot in its own frame."""
    pose: Array
    """(nm, 18) each module's pose in W, R row by row, then p, and its twist [v; w]."""


AXIS, ORIGIN, HINGE, LOWER, UPPER = 0, 3, 6, 7, 8
"""Columns of ``Network.joint``."""
HEARD, READY, SILENT = 0, 1, 2
"""Columns of ``NetState.flag``."""
INBOX, DRAFT, SENT = 0, share.WIDTH, 2 * share.WIDTH
"""Columns of ``NetState.box``."""


def network_of(assembly: Assembly) -> Network:
    """Return an assembly as arrays."""
    body, nm = assembly.body, len(assembly.modules)
    faces = len(body.connectors)
    link = np.full(nm * faces, -1, np.int64)
    mate = np.tile(np.eye(3).ravel(), (nm * faces, 1))
    for module, row in enumerate(assembly.neighbours):
        for own, other, connector, turn in row:
            link[module * faces + own] = other * faces + connector
            mate[module * faces + own] = mating(turn).R.ravel()
    return Network(
        mass=np.array([m.to_vector() for m in body.part_mass]),
        joint=np.array(
            [
                [*j.axis, *j.origin, j.kind == "hinge", *limits_of(j)]
                for j in body.joints
            ]
        ),
        face=np.array([[*c.X_PC.R.ravel(), *c.X_PC.p] for c in body.connectors]),
        face_part=np.array([c.part for c in body.connectors], np.int64),
        mate=mate,
        link=link,
        order=np.array([link.module for link in assembly.walk], np.int64),
        ground=np.array([assembly.ground.module, assembly.ground.connector], np.int64),
    )


def limits_of(joint: ModuleJoint) -> tuple[float, float]:
    """Return the values between which a joint can be."""
    if joint.locked is not None:
        return joint.locked, joint.locked
    return joint.lower, joint.upper


def empty_state(net: Network, hop_ticks: int) -> NetState:
    """Return the state before anything was said.

    Args:
        net: the robot.
        hop_ticks: ticks from sending to hearing.
    """
    nm, ends = len(net.order), len(net.link)
    slots, joints = max(hop_ticks, 1), len(net.joint)
    flag = np.zeros((ends, 3), np.int64)
    flag[:, SILENT] = -1
    return NetState(
        box=np.zeros((ends, 3 * share.WIDTH)),
        flag=flag,
        wire=np.zeros((slots, ends, share.WIDTH)),
        on_wire=np.zeros((slots, ends), np.bool_),
        span=np.zeros((nm, 3)),
        rows=np.zeros((nm * joints, joint_view.WIDTH)),
        whole=np.zeros((nm, 10)),
        pose=np.zeros((nm, 18)),
    )
