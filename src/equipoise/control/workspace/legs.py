"""What carries the robot: its legs, its feet and the corners of their soles."""

from typing import NamedTuple

import numpy as np

from equipoise.control.workspace.scratch import LinkMotion
from equipoise.control.workspace.tree import LeggedTree
from equipoise.control.workspace.twists import turned_by
from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "EDGES",
    "LEG_JOINTS",
    "BodyEquations",
    "LegFoot",
    "LegJoint",
    "LinkSum",
    "SoleCorner",
    "Support",
    "place_corners",
    "support_room",
]

LEG_JOINTS = 6
EDGES = 4  # of a friction pyramid inside the cone: along +x, -x, +y, -y


class LegFoot(Record):
    """A foot, the leg to it, and what the ground does to it."""

    link: int = entry("its link", kind=np.int64)
    leg: Ints = entry("joints from the central body", "", LEG_JOINTS, kind=np.int64)
    up: Array = entry("the sole's upward normal in the foot's frame", "", 3)
    stands: int = entry("1 if it may press on the ground", kind=np.int64)
    A: Array = entry("acceleration that is asked of it", "m/s², rad/s²", 6)
    length: float = entry("of its leg; 0 where it is not known", "m")
    inverse: Array = entry("of its leg's Jacobian", "", 6, 6)
    wrench: Array = entry("what the ground does to it", "N, N m", 6)


class SoleCorner(Record):
    """A point on which a foot can press."""

    foot: int = entry("number of its foot", kind=np.int64)
    p_F: Array = entry("its place in the foot's frame", "m", 3)
    p_O: Array = entry("from O in the world's axes", "m", 3)


class LegJoint(Record):
    """Role of a joint in the legs."""

    foot: int = entry("the foot that it leads to; -1 for none", kind=np.int64)
    rate: float = entry("its acceleration; given for those outside the legs", "rad/s²")


class LinkSum(Record):
    """A link with all that is outboard of it."""

    beta: Array = entry("acceleration but for V'_1 and the legs' joints", "m/s²", 6)
    P: Array = entry("sum of inertias", "kg, kg m²", 6, 6)
    z: Array = entry("sum of P β + z", "N, N m", 6)


class BodyEquations(Record):
    """Hm V'_1 + hm = wrenches of the ground, and room to solve it."""

    Hm: Array = entry("inertia of the whole robot on its legs", "kg, kg m²", 6, 6)
    hm: Array = entry("its bias", "N, N m", 6)
    inverse: Array = entry("of Hm", "", 6, 6)
    acceleration: Array = entry("V'_1", "m/s², rad/s²", 6)
    spent: Array = entry("a matrix that is being inverted", "", 6, 6)
    momentum: Array = entry("of a leg's joints, one a column", "", 6, LEG_JOINTS)


class Support(NamedTuple):
    """Legs, corners and their equations; nl links, nd joints, nf feet, nc corners."""

    feet: Records[LegFoot]
    """(nf,)."""
    corners: Records[SoleCorner]
    """(nc,)."""
    joints: Records[LegJoint]
    """(nd,)."""
    links: Records[LinkSum]
    """(nl,)."""
    body: Records[BodyEquations]
    """(1,)."""


def support_room(
    tree: LeggedTree, corner_foot: Ints, corner: Array, sole_up: Array
) -> Support:
    """Return the legs and room for their equations.

    Args:
        tree: the robot.
        corner_foot: (nc,) the foot of each corner of a sole.
        corner: (nc, 3) corners in their foot's frame [m].
        sole_up: (nf, 3) the soles' upward normals in the feet's frames.

    Raises:
        ConfigError: a leg with more or fewer than six joints, or joints in two legs.
    """
    t, nf = tree.arrays, len(tree.arrays.foot)
    legs = [tree.leg(f) for f in range(nf)]
    problems = [
        f"the leg to '{tree.feet[f]}' has {len(leg)} joints; this law needs legs of "
        f"exactly {LEG_JOINTS}"
        for f, leg in enumerate(legs)
        if len(leg) != LEG_JOINTS
    ]
    if len({j for leg in legs for j in leg}) < sum(len(leg) for leg in legs):
        problems.append(
            "two of its legs share a joint; this law needs legs of their own"
        )
    if problems:
        raise ConfigError("the robot", problems)
    room = Support(
        feet=LegFoot.zeros(nf),
        corners=SoleCorner.zeros(len(corner)),
        joints=LegJoint.zeros(len(t.joints)),
        links=LinkSum.zeros(len(t.links)),
        body=BodyEquations.zeros(),
    )
    room.feet["link"][:], room.feet["leg"][:] = t.foot, legs
    room.feet["up"][:], room.feet["stands"][:] = sole_up, 1
    room.corners["foot"][:], room.corners["p_F"][:] = corner_foot, corner
    room.joints["foot"][:] = -1
    for f, leg in enumerate(legs):
        room.joints["foot"][leg] = f
    return room


@compiled(allocates=False)
def place_corners(u: Support, links: Records[LinkMotion]) -> None:
    """Write where the corners of the soles are."""
    for k in range(u.corners.shape[0]):
        corner = u.corners[k]
        foot = links[u.feet[corner.foot].link]
        x, y, z = turned_by(foot.R_WL, corner.p_F)
        corner.p_O[0] = foot.p_OL[0] + x
        corner.p_O[1] = foot.p_OL[1] + y
        corner.p_O[2] = foot.p_OL[2] + z
