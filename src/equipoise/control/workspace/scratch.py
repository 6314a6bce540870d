"""What one control step reads and fills: made once, so that it allocates nothing.

Twists and wrenches are linear first, about O, the central body's centre of mass, in the
world's axes. Letters as in [Wendlandt1997].
"""

from typing import NamedTuple

import numpy as np

from equipoise.control.workspace.tree import TreeArrays
from equipoise.core.arrays import Array
from equipoise.core.records import Record, Records, entry

__all__ = [
    "FootShare",
    "HeldRoom",
    "JointMotion",
    "LinkMotion",
    "Scratch",
    "StepsTaken",
    "TrunkAim",
    "TrunkMotion",
    "aim_from",
    "aim_numbers",
    "scratch_for",
]


class LinkMotion(Record):
    """Where a link is, how it moves, and what it is to the links inboard of it."""

    R_WL: Array = entry("its orientation", "", 3, 3)
    p_OL: Array = entry("its frame's origin from O", "m", 3)
    r_O: Array = entry("its centre of mass from O", "m", 3)
    V: Array = entry("its twist", "m/s, rad/s", 6)
    a: Array = entry("the part of its acceleration that velocities make", "m/s²", 6)
    P: Array = entry("its own inertia, or with all that is outboard", "kg, kg m²", 6, 6)
    z: Array = entry("its bias, likewise", "N, N m", 6)
    S: Array = entry("root of its mobility, or a sum of inertias", "", 6, 6)
    drift: Array = entry("its acceleration when nothing pushes, or a bias", "m/s²", 6)
    through: Array = entry("what it hands on to its inboard link", "N, N m", 6)


class JointMotion(Record):
    """What a joint does."""

    q: float = entry("its value", "rad or m")
    v: float = entry("its rate", "rad/s or m/s")
    H: Array = entry("its twist per unit of rate", "", 6)
    tau: float = entry("its torque", "N m or N")


class TrunkMotion(Record):
    """The central body: where it is, and what shall be done to it."""

    p_WO: Array = entry("its centre of mass in the world", "m", 3)
    quat: Array = entry("its orientation, w first", "", 4)
    X: Array = entry("acceleration that is asked of it", "m/s², rad/s²", 6)
    F: Array = entry("wrench that is asked for it", "N, N m", 6)
    gram: Array = entry("G Gᵀ of the feet", "", 6, 6)
    x: Array = entry("(G Gᵀ)⁻¹ F", "", 6)


class TrunkAim(Record):
    """Set point of the central body's centre of mass, in the order of a path."""

    p: Array = entry("place", "m", 3)
    quat: Array = entry("orientation, w first", "", 4)
    v: Array = entry("velocity", "m/s", 3)
    a: Array = entry("acceleration", "m/s²", 3)
    w: Array = entry("angular velocity", "rad/s", 3)
    w_rate: Array = entry("angular acceleration", "rad/s²", 3)


class StepsTaken(Record):
    """How a robot's stance has moved."""

    count: float = entry("how many steps it took")
    shift: Array = entry("how far the set point moved with the stance", "m", 3)


class FootShare(Record):
    """A foot's part of what is done to the central body."""

    F: Array = entry("what it does to the central body", "N, N m", 6)


class HeldRoom(Record):
    """Room for one link that is held through another: see ``inboard_exact``."""

    S: Array = entry("S, root of the mobility Ω", "", 6, 6)
    alpha: Array = entry("α, then the acceleration that is left", "", 6)
    MS: Array = entry("M S", "", 6, 6)
    root: Array = entry("root of 1 + Sᵀ M S", "", 6, 6)
    Mh: Array = entry("M h", "", 6)
    w: Array = entry("a column to add to S, or a wrench", "", 6)


class Scratch(NamedTuple):
    """Readings in, torques out; nl links, nd joints, nf feet."""

    links: Records[LinkMotion]
    """(nl,)."""
    joints: Records[JointMotion]
    """(nd,)."""
    trunk: Records[TrunkMotion]
    """(1,)."""
    aim: Records[TrunkAim]
    """(1,)."""
    taken: Records[StepsTaken]
    """(1,)."""
    held: Records[HeldRoom]
    """(1,)."""
    feet: Records[FootShare]
    """(nf,)."""
    command: Array
    """Torques in actuator order, (nd,)."""


def scratch_for(tree: TreeArrays) -> Scratch:
    """Return room for one robot."""
    scratch = Scratch(
        links=LinkMotion.zeros(len(tree.links)),
        joints=JointMotion.zeros(len(tree.joints)),
        trunk=TrunkMotion.zeros(),
        aim=TrunkAim.zeros(),
        taken=StepsTaken.zeros(),
        held=HeldRoom.zeros(),
        feet=FootShare.zeros(len(tree.foot)),
        command=np.zeros(len(tree.joints)),
    )
    scratch.links[0].R_WL[:] = np.eye(3)
    scratch.trunk[0].quat[0] = 1.0
    return scratch


def aim_from(aim: Records[TrunkAim], wish: Array) -> None:
    """Write a set point from the numbers of a path, (19,)."""
    begin = 0
    for name in TrunkAim.entries:
        part = aim[name][0]
        part[:] = wish[begin : begin + part.size]
        begin += part.size


def aim_numbers(aim: Records[TrunkAim]) -> Array:
    """Return a set point as the numbers of a path, (19,)."""
    return np.concatenate([aim[name][0] for name in TrunkAim.entries])
