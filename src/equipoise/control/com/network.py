"""A modular robot as arrays: who holds whom, and what every module is made of."""

from typing import NamedTuple

import numpy as np

from equipoise.control.com.joint_view import JointView
from equipoise.control.com.loads import MovingFrame
from equipoise.control.com.share import Share
from equipoise.core.arrays import Array, Ints
from equipoise.core.records import Record, Records, entry, pooled_empty_like
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.assembly.module_body import ModuleJoint, mating

__all__ = [
    "FaceShape",
    "JointShape",
    "ModuleDesign",
    "ModuleEstimate",
    "NetState",
    "Network",
    "PortMail",
    "empty_ports",
    "empty_state",
    "network_of",
    "next_state",
]


class JointShape(Record):
    """One joint of a module, in the frame of the part before it."""

    axis: Array = entry("unit axis", "", 3)
    origin: Array = entry("place", "m", 3)
    lower: float = entry("lower limit; where it is, if it is locked", "rad or m")
    upper: float = entry("upper limit; where it is, if it is locked", "rad or m")
    hinge: int = entry("1 for a hinge, 0 for a slide", kind=np.int64)


class FaceShape(Record):
    """One connector of a module."""

    R: Array = entry("orientation in its part", "", 3, 3)
    p: Array = entry("place in its part", "m", 3)
    part: int = entry("which part carries it", kind=np.int64)


class ModuleDesign(NamedTuple):
    """Design that all modules share."""

    mass: Array
    """(parts, 10) mass, first and second moments of each part in its frame."""
    joint: Records[JointShape]
    """(joints,)."""
    face: Records[FaceShape]
    """(faces,)."""


class Network(NamedTuple):
    """Constants of the exchange: nm equal modules, ``ends`` = nm * faces connectors."""

    shape: ModuleDesign
    mate: Array
    """(ends, 3, 3) R of the neighbour's connector seen from ours."""
    link: Ints
    """(ends,) the neighbour's end, -1 where nothing is held."""
    order: Ints
    """(nm,) modules, ground first."""
    ground: Ints
    """(2,) module and connector that stand on the ground."""


class PortMail(Record):
    """Last message received by a connector, and the message of this tick."""

    heard: Share = entry("the last message that came", kind=Share)
    has_heard: int = entry("1 once there was one", kind=np.int64)
    said: Share = entry("the message of this tick", kind=Share)
    ready: int = entry("1 when all the others have reported: the echo rule", kind=int)
    silent: int = entry("ticks since one was sent, -1 before the first", kind=int)
    arrives: int = entry("1 when it is sent now, and not lost", kind=int)


class ModuleEstimate(Record):
    """Estimates of a module from the messages that it has received."""

    pose: MovingFrame = entry("the module's frame in W", kind=MovingFrame)
    whole: Array = entry("mass and moments of the whole robot", "kg, kg m, kg m²", 10)
    span: Array = entry("own joints' share of J Jᵀ: xx, xy, yy", "m²/rad²", 3)
    known: int = entry("1 when all have reported and W is known", kind=np.int64)
    held: int = entry("the part on the ground's side of every joint", kind=np.int64)
    age: float = entry("age of the oldest number used", "s")


class NetState(NamedTuple):
    """Messages received and sent, and the estimates of each module."""

    ports: Records[PortMail]
    """(ends,)."""
    modules: Records[ModuleEstimate]
    """(nm,)."""
    rows: Records[JointView]
    """(nm * joints,) what each module knows of each joint."""


def network_of(assembly: Assembly) -> Network:
    """Return an assembly as arrays."""
    body, nm = assembly.body, len(assembly.modules)
    faces = len(body.connectors)
    link = np.full(nm * faces, -1, np.int64)
    mate = np.tile(np.eye(3), (nm * faces, 1, 1))
    for module, row in enumerate(assembly.neighbours):
        for own, other, connector, turn in row:
            link[module * faces + own] = other * faces + connector
            mate[module * faces + own] = mating(turn).R
    return Network(
        shape=_shape_of(assembly),
        mate=mate,
        link=link,
        order=np.array([link.module for link in assembly.walk], np.int64),
        ground=np.array([assembly.ground.module, assembly.ground.connector], np.int64),
    )


def _shape_of(assembly: Assembly) -> ModuleDesign:
    """Return what the modules of an assembly are made of."""
    body = assembly.body
    joint = JointShape.zeros(len(body.joints))
    for k, one in enumerate(body.joints):
        joint[k].axis[:], joint[k].origin[:] = one.axis, one.origin
        joint[k].lower, joint[k].upper = _limits_of(one)
        joint[k].hinge = one.kind == "hinge"
    face = FaceShape.zeros(len(body.connectors))
    for k, connector in enumerate(body.connectors):
        face[k].R[:], face[k].p[:] = connector.X_PC.R, connector.X_PC.p
        face[k].part = connector.part
    return ModuleDesign(np.array([m.to_vector() for m in body.part_mass]), joint, face)


def _limits_of(joint: ModuleJoint) -> tuple[float, float]:
    """Return the values between which a joint can be."""
    if joint.locked is not None:
        return joint.locked, joint.locked
    return joint.lower, joint.upper


def next_state(state: NetState) -> NetState:
    """Return room for the state after a tick; what is in it means nothing."""
    return NetState(
        ports=pooled_empty_like(state.ports),
        modules=pooled_empty_like(state.modules),
        rows=pooled_empty_like(state.rows),
    )


def empty_ports(net: Network) -> Records[PortMail]:
    """Return connectors that have neither heard nor said anything."""
    ports = PortMail.zeros(len(net.link))
    for port in ports:
        port.silent = -1
    return ports


def empty_state(net: Network) -> NetState:
    """Return the state before any message was sent."""
    nm = len(net.order)
    return NetState(
        ports=empty_ports(net),
        modules=ModuleEstimate.zeros(nm),
        rows=JointView.zeros(nm * len(net.shape.joint)),
    )
