"""What the modules of one process know: one record a module, port, contact or joint.

Nothing here is shared between modules: record i belongs to module i alone, records
i * ports + p to its connectors, i * joints + j to its joints and i * TABLE + k to its
contacts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.brain.contact import TABLE, Contact, ContactEntry
from equipoise.control.com.brain.pages import Payload, empty_payload
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.loads import CarriedLoad, ContactPush, MovingFrame
from equipoise.control.com.network import ModuleEstimate
from equipoise.control.com.share import Share
from equipoise.core.arrays import Array, Ints
from equipoise.core.records import Record, Records, entry
from equipoise.modules.frame import COLUMNS, FRAME_SIZE

__all__ = [
    "OLD",
    "TABLE",
    "BrainMemory",
    "Contact",
    "ContactEntry",
    "FrameOutbox",
    "ModuleMemory",
    "ModuleReport",
    "PortMemory",
    "Senses",
    "empty_memory",
    "empty_outbox",
    "empty_senses",
]

OLD = 1 << 20
"""Age of what was never heard [rounds]."""
OWN_FOOT, NOWHERE = -1, -2
"""Where the world frame comes from, where that is not a port."""


class Senses(NamedTuple):
    """One tick's readings of n modules; fill the arrays in place."""

    q: Array
    """(n, joints) joint values; locked joints at their fixed value [rad or m]."""
    rate: Array
    """(n, joints) [rad/s or m/s]."""
    skin: Records[ContactPush]
    """(n * parts,) of contacts on each part, in its frame."""
    touching: NDArray[np.bool_]
    """(n,) whether the module stands on the ground."""
    anchor: Records[MovingFrame]
    """(n,) in W, the part by which a touching module stands; read only where
    ``touching``."""
    anchor_part: Ints
    """(n,) which part that is."""
    contact: Records[Contact]
    """(n,) read only where ``touching``."""
    attached: Ints
    """(n,) connectors that are mechanically closed, one bit each."""


class PortMemory(Record):
    """Memory of a module about a neighbour."""

    load: CarriedLoad = entry(
        "what it last said lies behind it, in its frame", kind=CarriedLoad
    )
    span: Array = entry("sum of J Jᵀ of the joints behind it", "m²/rad²", 3)
    world: MovingFrame = entry("its connector in W", kind=MovingFrame)
    motion_age: int = entry("of its last motion page", "rounds", kind=np.int64)
    world_age: int = entry("of its last world page", "rounds", kind=np.int64)
    sum_age: int = entry("of its last sum", "rounds", kind=np.int64)
    sum_behind: int = entry("of that sum when it was sent", "rounds", kind=np.int64)
    last_page: int = entry("kind of the page last sent to it", kind=np.int64)
    cursor: int = entry("which contact it was told last", kind=np.int64)
    turns: int = entry("motion pages sent to it since then", kind=np.int64)


class ModuleMemory(Record):
    """Memory of a module beside the protocol and its neighbours."""

    estimate: ModuleEstimate = entry(
        "what it makes of it all; known: its joints may steer", kind=ModuleEstimate
    )
    foot: int = entry("counter of its contact places", kind=np.int64)
    touched: int = entry("1 if it touched at the last tick", kind=np.int64)
    pose_age: int = entry("of its pose in W", "rounds", kind=np.int64)
    source: int = entry("port by which W comes, OWN_FOOT or NOWHERE", kind=np.int64)
    complete: int = entry("1 when its table names all who touch", kind=np.int64)
    oldest: int = entry("age of the oldest number used", "rounds", kind=np.int64)
    tree_name: int = entry("which tree its table belongs to", kind=np.int64)
    spot: Array = entry("where its foot was when the counter went up", "m", 3)


class BrainMemory(NamedTuple):
    """All that n modules remember, beside the protocol's own state."""

    ports: Records[PortMemory]
    """(n * ports,)."""
    modules: Records[ModuleMemory]
    """(n,)."""
    contacts: Records[ContactEntry]
    """(n * TABLE + 1,) the contact tables; the last one is room to read news."""
    rows: Records[JointView]
    """(n * joints,) what each joint's law reads."""


class ModuleReport(Record):
    """Report of a module about itself."""

    known: float = entry("1 when the protocol's sums are known")
    steady: float = entry("1 when they have been for a while")
    open: float = entry("1 when a docked connector is deaf")
    leader: float = entry("id of the leader, -1 for none")
    count: float = entry("modules of the robot")
    mass: float = entry("of the robot, 0 if not known", "kg")
    com: Array = entry("its centre in W, NaN if not known", "m", 3)
    verdict: float = entry("1 balanced, 0 not, -1 not known")
    holds: float = entry("1 while its joints hold instead of steering")
    age: float = entry("of the oldest number used", "s")
    complete: float = entry("1 when its contact table is complete")


class FrameOutbox(NamedTuple):
    """Frames that n modules send at this tick."""

    head: Ints
    """(n * ports, COLUMNS)."""
    payload: Payload
    frames: NDArray[np.uint8]
    """(n * ports, 64)."""
    sends: NDArray[np.bool_]
    """(n * ports,) whether there is a frame."""
    report: Records[ModuleReport]
    """(n,)."""
    draft: Records[Share]
    """(n * ports,) what lies behind the module, in each connector's frame."""


def empty_senses(n: int, parts: int, joints: int) -> Senses:
    """Return readings of modules that hold nobody and touch nothing."""
    anchor, contact = MovingFrame.zeros(n), Contact.zeros(n)
    for i in range(n):
        anchor[i].R[:] = np.eye(3)
        contact[i].normal[2] = 1.0
    return Senses(
        q=np.zeros((n, joints)),
        rate=np.zeros((n, joints)),
        skin=ContactPush.zeros(n * parts),
        touching=np.zeros(n, np.bool_),
        anchor=anchor,
        anchor_part=np.zeros(n, np.int64),
        contact=contact,
        attached=np.zeros(n, np.int64),
    )


def empty_memory(n: int, ports: int, joints: int) -> BrainMemory:
    """Return the memory of modules that have heard nothing."""
    memory = BrainMemory(
        ports=PortMemory.zeros(n * ports),
        modules=ModuleMemory.zeros(n),
        contacts=ContactEntry.zeros(n * TABLE + 1),
        rows=JointView.zeros(n * joints),
    )
    for port in memory.ports:
        port.motion_age = port.world_age = port.sum_age = OLD
    for module in memory.modules:
        module.pose_age = module.oldest = OLD
        module.source = NOWHERE
    return memory


def empty_outbox(n: int, ports: int) -> FrameOutbox:
    """Return room for what n modules send."""
    ends = n * ports
    return FrameOutbox(
        head=np.zeros((ends, COLUMNS), np.int64),
        payload=empty_payload(ends),
        frames=np.zeros((ends, FRAME_SIZE), np.uint8),
        sends=np.zeros(ends, np.bool_),
        report=ModuleReport.zeros(n),
        draft=Share.zeros(ends),
    )
