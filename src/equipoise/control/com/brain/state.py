"""What the modules of one process know, as arrays: one row a module, port or joint.

Nothing here is shared between modules: row i belongs to module i alone, rows
i * ports + p to its connectors, rows i * joints + j to its joints.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com import joint_view
from equipoise.control.com.brain.pages import Payload, empty_payload
from equipoise.control.com.module_motion import LOAD
from equipoise.control.com.network import Network
from equipoise.core.arrays import Array, Ints
from equipoise.modules.frame import COLUMNS, FRAME_SIZE

__all__ = [
    "PLACE",
    "REPORT",
    "TABLE",
    "Body",
    "Mail",
    "Mind",
    "Senses",
    "body_of",
    "empty_mail",
    "empty_mind",
    "empty_senses",
]

TABLE = 16
"""Contacts that a module can remember; row 0 of its table is its own."""
PLACE = 11
"""Numbers of a contact: point 3, normal 3, friction, radius, force 3."""
OLD = 1 << 20
"""Age of what was never heard [rounds]."""

MOTION_AGE, WORLD_AGE, SUM_AGE, SUM_BEHIND = 0, 1, 2, 3
LAST_PAGE, CURSOR, TURNS, CLOCKS = 4, 5, 6, 7
"""Columns of ``Mind.clock``: ages of what was heard, age of the sum when it was sent
[rounds]; the last page's kind; which contact it told last; motions sent since then."""
WHO, FOOT, TOUCHES, AGE, PORT, NEWS = range(6)
ENTRY = 6
"""Columns of ``Mind.who``: module, its foot counter, whether it touches, age of the
news [rounds], port it came by (-1: own), ports that have yet to be told (bits)."""
MY_FOOT, WAS_TOUCHING, POSE_AGE, SOURCE, COMPLETE, STEERS, OLDEST, TREE_NAME = range(8)
SELF = 8
"""Columns of ``Mind.own``: foot counter; whether it touched; age of the pose [rounds];
port from which the world frame comes (-1: own foot, -2: unknown); whether the contact
table is complete; whether its joints may steer; age of the oldest number used [rounds];
which tree the table belongs to."""

(
    R_KNOWN,
    R_STEADY,
    R_OPEN,
    R_LEADER,
    R_COUNT,
    R_MASS,
    R_COM,
    R_COM_Y,
    R_COM_Z,
    R_VERDICT,
    R_HOLDS,
    R_AGE,
    R_COMPLETE,
    REPORT,
) = range(14)
"""Columns of ``Brain.report``; ``REPORT`` is how many there are."""


class Body(NamedTuple):
    """What the modules are made of; constants."""

    mass: Array
    """(parts, 10) mass, first and second moments of each part in its frame."""
    joint: Array
    """(joints, 9), see ``Network.joint``."""
    face: Array
    """(ports, 12) each connector's R and p in its part."""
    face_part: Ints
    """(ports,) which part carries it."""
    mate: Array
    """(n * ports, 9) R of the neighbour's connector seen from ours."""


class Senses(NamedTuple):
    """One tick's readings of n modules; fill the arrays in place."""

    q: Array
    """(n, joints) joint values; locked joints at their fixed value [rad or m]."""
    rate: Array
    """(n, joints) [rad/s or m/s]."""
    skin: Array
    """(n * parts, 6) contact force and moment on each part about its origin and in its
    frame, [f; n] [N, N m]."""
    touching: NDArray[np.bool_]
    """(n,) whether the module stands on the ground."""
    anchor: Array
    """(n, 18) pose and twist in W of the part by which a touching module stands: R row
    by row, p, v, w; read only where ``touching``."""
    anchor_part: Ints
    """(n,) which part that is."""
    contact: Array
    """(n, PLACE) point of contact in W [m], unit normal out of the ground, friction,
    radius of the patch [m], force of the ground on the module in W [N]; read only where
    ``touching``."""
    attached: Ints
    """(n,) connectors that are mechanically closed, one bit each."""


class Mind(NamedTuple):
    """All that n modules remember, beside the protocol's own state."""

    load: Array
    """(n * ports, LOAD) what the neighbour last said lies behind it, in its frame."""
    load_span: Array
    """(n * ports, 3) the span of the joints behind it."""
    world: Array
    """(n * ports, 18) pose and twist of the neighbour's connector in W."""
    clock: Ints
    """(n * ports, CLOCKS)."""
    who: Ints
    """(n * TABLE + 1, ENTRY) the contact table: who touches; WHO is 0 where a row is
    empty, and the last row is room to read news."""
    place: Array
    """(n * TABLE + 1, PLACE) and where."""
    own: Ints
    """(n, SELF)."""
    spot: Array
    """(n, 3) where the foot stood when its counter last went up [m]."""
    pose: Array
    """(n, 18) the module's pose and twist in W."""
    span: Array
    """(n, 3) own joints' share of the span."""
    rows: Array
    """(n * joints, joint_view.WIDTH) what each joint's law reads."""
    whole: Array
    """(n, 10) mass and moments of the whole robot in the module's frame."""
    bare: Array
    """(n, LOAD) the module itself, in its frame."""
    heard: Array
    """(n * ports, LOAD) what hangs on each connector, in the module's frame; zero where
    it is not known."""
    held: Ints
    """(n * ports,) 0 where a connector is a branch of the tree and its load is known,
    else -1."""


class Mail(NamedTuple):
    """What n modules send at this tick."""

    head: Ints
    """(n * ports, COLUMNS)."""
    payload: Payload
    draft: Array
    """(n * ports, LOAD) what lies behind the module, in the connector's frame."""
    draft_span: Array
    """(n * ports, 3)."""
    draft_world: Array
    """(n * ports, 18) the connector in W."""
    frames: NDArray[np.uint8]
    """(n * ports, 64)."""
    sends: NDArray[np.bool_]
    """(n * ports,) whether there is a frame."""


def body_of(net: Network, mine: Ints) -> Body:
    """Return the constants of some modules of a robot.

    Args:
        net: the robot as arrays.
        mine: indices of the modules, (n,).
    """
    ports = len(net.face_part)
    ends = (mine[:, None] * ports + np.arange(ports)).ravel()
    return Body(net.mass, net.joint, net.face, net.face_part, net.mate[ends].copy())


def empty_senses(n: int, parts: int, joints: int) -> Senses:
    """Return readings of modules that hold nobody and touch nothing."""
    anchor = np.zeros((n, 18))
    anchor[:, [0, 4, 8]] = 1.0
    contact = np.zeros((n, PLACE))
    contact[:, 5] = 1.0
    return Senses(
        q=np.zeros((n, joints)),
        rate=np.zeros((n, joints)),
        skin=np.zeros((n * parts, 6)),
        touching=np.zeros(n, np.bool_),
        anchor=anchor,
        anchor_part=np.zeros(n, np.int64),
        contact=contact,
        attached=np.zeros(n, np.int64),
    )


def empty_mind(n: int, ports: int, joints: int) -> Mind:
    """Return the memory of modules that have heard nothing."""
    clock = np.zeros((n * ports, CLOCKS), np.int64)
    clock[:, : SUM_AGE + 1] = OLD
    own = np.zeros((n, SELF), np.int64)
    own[:, POSE_AGE], own[:, SOURCE], own[:, OLDEST] = OLD, -2, OLD
    return Mind(
        load=np.zeros((n * ports, LOAD)),
        load_span=np.zeros((n * ports, 3)),
        world=np.zeros((n * ports, 18)),
        clock=clock,
        who=np.zeros((n * TABLE + 1, ENTRY), np.int64),
        place=np.zeros((n * TABLE + 1, PLACE)),
        own=own,
        spot=np.zeros((n, 3)),
        pose=np.zeros((n, 18)),
        span=np.zeros((n, 3)),
        rows=np.zeros((n * joints, joint_view.WIDTH)),
        whole=np.zeros((n, 10)),
        bare=np.zeros((n, LOAD)),
        heard=np.zeros((n * ports, LOAD)),
        held=np.full(n * ports, -1, np.int64),
    )


def empty_mail(n: int, ports: int) -> Mail:
    """Return room for what n modules send."""
    ends = n * ports
    return Mail(
        head=np.zeros((ends, COLUMNS), np.int64),
        payload=empty_payload(ends),
        draft=np.zeros((ends, LOAD)),
        draft_span=np.zeros((ends, 3)),
        draft_world=np.zeros((ends, 18)),
        frames=np.zeros((ends, FRAME_SIZE), np.uint8),
        sends=np.zeros(ends, np.bool_),
    )
