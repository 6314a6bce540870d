"""A modular robot as arrays: who holds whom, and what every module is made of."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com import joint_view, share
from equipoise.core.arrays import Array
from equipoise.robots.assembly import Assembly
from equipoise.robots.module_body import mating

__all__ = ["NetState", "Network", "empty_state", "network_of"]

Ints = NDArray[np.int64]


class Network(NamedTuple):
    """Constants of the exchange; nm modules, each with the same parts and faces."""

    part_mass: Array
    """(parts, 10) mass, first and second moments in the part's frame."""
    joint_axis: Array
    """(joints, 3)."""
    joint_origin: Array
    """(joints, 3) [m]."""
    joint_hinge: NDArray[np.bool_]
    """(joints,) hinge or slide."""
    joint_lower: Array
    joint_upper: Array
    """(joints,)."""
    face_part: Ints
    """(faces,) which part carries the connector."""
    face_R: Array
    """(faces, 9) connector in its part, row by row."""
    face_p: Array
    """(faces, 3)."""
    peer: Ints
    """(nm, faces) neighbour, -1 for none."""
    peer_end: Ints
    """(nm, faces) the neighbour's connector, counted over the whole robot."""
    mate_R: Array
    """(nm * faces, 9) the neighbour's connector frame seen from ours."""
    face_count: int
    """Connectors a module."""
    order: Ints
    """(nm,) modules, ground first."""
    ground: Ints
    """(2,) module and connector that stand on the ground."""


class NetState(NamedTuple):
    """What is under way and what was last heard."""

    inbox: Array
    """(nm * faces, WIDTH) last message heard on each connector."""
    heard: NDArray[np.bool_]
    """(nm * faces,) whether anything has been heard there."""
    wire: Array
    """(slots, nm * faces, WIDTH) messages under way, by receiver."""
    on_wire: NDArray[np.bool_]
    """(slots, nm * faces)."""
    draft: Array
    """(nm * faces, WIDTH) messages being written."""
    ready: NDArray[np.bool_]
    """(nm * faces,) whether all the other connectors have reported (the echo rule)."""
    sent: Array
    """(nm * faces, WIDTH) last message sent, to stay silent when nothing changed."""
    silent: Ints
    """(nm * faces,) ticks since the last message was sent; -1 before the first."""
    own_span: Array
    """(nm, 3) own joints' share of the span, from the last tick."""
    rows: Array
    """(nm * joints, joint_view.WIDTH) what each module knows of each joint."""
    whole: Array
    """(nm, 10) each module's estimate of the whole robot in its own frame."""
    pose: Array
    """(nm, 18) each module's pose in W, R row by row, then p, and its twist [v; w]."""


def network_of(assembly: Assembly) -> Network:
    """Return an assembly as arrays."""
    body, nm = assembly.body, len(assembly.modules)
    faces = len(body.connectors)
    peer = np.full((nm, faces), -1, np.int64)
    peer_end = np.full((nm, faces), -1, np.int64)
    mate_R = np.tile(np.eye(3).ravel(), (nm, faces, 1))
    for module, row in enumerate(assembly.neighbours):
        for own, other, connector, turn in row:
            peer[module, own], peer_end[module, own] = other, other * faces + connector
            mate_R[module, own] = mating(turn).R.ravel()
    return Network(
        part_mass=np.array([m.to_vector() for m in body.part_mass]),
        joint_axis=np.array([j.axis for j in body.joints]),
        joint_origin=np.array([j.origin for j in body.joints]),
        joint_hinge=np.array([j.kind == "hinge" for j in body.joints]),
        joint_lower=np.array([j.lower for j in body.joints]),
        joint_upper=np.array([j.upper for j in body.joints]),
        face_part=np.array([c.part for c in body.connectors], np.int64),
        face_R=np.array([c.X_PC.R.ravel() for c in body.connectors]),
        face_p=np.array([c.X_PC.p for c in body.connectors]),
        peer=peer,
        peer_end=peer_end,
        mate_R=mate_R.reshape(-1, 9),
        face_count=faces,
        order=np.array([link.module for link in assembly.walk], np.int64),
        ground=np.array([assembly.ground.module, assembly.ground.connector], np.int64),
    )


def empty_state(net: Network, hop_ticks: int) -> NetState:
    """Return the state before anything was said.

    Args:
        net: the robot.
        hop_ticks: ticks from sending to hearing.
    """
    nm, faces = net.peer.shape
    slots, joints, ends = max(hop_ticks, 1), len(net.joint_axis), nm * faces
    return NetState(
        inbox=np.zeros((ends, share.WIDTH)),
        heard=np.zeros(ends, np.bool_),
        wire=np.zeros((slots, ends, share.WIDTH)),
        on_wire=np.zeros((slots, ends), np.bool_),
        draft=np.zeros((ends, share.WIDTH)),
        ready=np.zeros(ends, np.bool_),
        sent=np.zeros((ends, share.WIDTH)),
        silent=np.full(ends, -1, np.int64),
        own_span=np.zeros((nm, 3)),
        rows=np.zeros((nm * joints, joint_view.WIDTH)),
        whole=np.zeros((nm, 10)),
        pose=np.zeros((nm, 18)),
    )
