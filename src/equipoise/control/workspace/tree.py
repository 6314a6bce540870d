"""A legged robot laid out as arrays for the link-to-link recursions.

Links are numbered outboard: link 0 is the central body, a link's inboard link has a
smaller number. A foot is a link on which the robot stands.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.records import Record, Records, entry

__all__ = ["LeggedTree", "TreeArrays", "TreeJoint", "TreeLink"]


class TreeLink(Record):
    """One link and what it is made of."""

    inboard: int = entry("the link that carries it; -1 for none", kind=np.int64)
    first: int = entry("the first of its joints", kind=np.int64)
    end: int = entry("one past the last of its joints", kind=np.int64)
    R_IL: Array = entry("its frame in its inboard link's at zero", "", 3, 3)
    p_IL: Array = entry("where that frame is", "m", 3)
    mass: float = entry("its mass", "kg")
    com: Array = entry("centre of mass in its frame", "m", 3)
    inertia: Array = entry("about its centre of mass in its frame", "kg m²", 3, 3)
    foot: int = entry("its number as a foot; -1 for none", kind=np.int64)
    carriers: int = entry("outboard links that lead to a foot", kind=np.int64)


class TreeJoint(Record):
    """One joint and its motor."""

    is_slide: int = entry("1 for a sliding joint, 0 for a hinge", kind=np.int64)
    axis: Array = entry("in its link's frame", "", 3)
    anchor: Array = entry("in its link's frame", "m", 3)
    reference: float = entry("value at which frames are as in R_IL", "rad or m")
    q_address: int = entry("in qpos", kind=np.int64)
    v_address: int = entry("in qvel", kind=np.int64)
    actuator: int = entry("which one drives it; -1 for none", kind=np.int64)
    gear: float = entry("torque per unit of the actuator's command")
    armature: float = entry("inertia of its rotor, at the joint", "kg m² or kg")
    damping: float = entry("torque per rate that it loses", "N m s/rad or N s/m")
    friction: float = entry("dry, opposes every motion", "N m or N")


class TreeArrays(NamedTuple):
    """What compiled code needs of a tree; nl links, nd joints, nf feet."""

    links: Records[TreeLink]
    """(nl,), the central body first."""
    joints: Records[TreeJoint]
    """(nd,), link after link."""
    foot: Ints
    """(nf,) the links that stand."""
    gravity: float
    """Downwards [m/s²]."""


@dataclass(frozen=True)
class LeggedTree:
    """Tree of links and joints with feet."""

    names: tuple[str, ...]
    """Names of the links."""
    arrays: TreeArrays

    @property
    def feet(self) -> tuple[str, ...]:
        """Names of the links that stand on the ground."""
        return tuple(self.names[k] for k in self.arrays.foot)

    def leg(self, foot: int) -> list[int]:
        """Return the joints from the central body to a foot, in that order."""
        number, joints = int(self.arrays.foot[foot]), list[int]()
        while number > 0:
            link = self.arrays.links[number]
            joints = [*range(link.first, link.end), *joints]
            number = int(link.inboard)
        return joints
