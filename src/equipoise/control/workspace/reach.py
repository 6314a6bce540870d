"""How high the body may be so that no leg is stretched: straight legs cannot steer."""

import math
from itertools import pairwise

import numpy as np

from equipoise.control.workspace.legs import LEG_JOINTS, Support
from equipoise.control.workspace.scratch import LinkMotion, Scratch
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.twists import Triple, turned_by
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["LegReach", "height_over", "leg_stretch", "reach_of", "slack_above"]

IN_LINE = 0.995  # share of the ways' sum below which they cannot be brought in line
TURNS = np.linspace(-1.5, 1.5, 61)  # of a knee [rad]


class LegReach(Record):
    """A leg's first and last joint, hip and ankle, and how far apart they can get."""

    hip_link: int = entry("link of the first joint", kind=np.int64)
    hip: Array = entry("the first joint in its link's frame", "m", 3)
    p_OH: Array = entry("the first joint from O in the central body's frame", "m", 3)
    ankle_link: int = entry("link of the last joint", kind=np.int64)
    ankle: Array = entry("the last joint in its link's frame", "m", 3)
    length: float = entry("of the leg, joint to joint", "m")


def reach_of(t: TreeArrays, u: Support, posture: Array) -> Records[LegReach]:
    """Return the legs' reach: the sum of the ways from joint to joint.

    Where these ways cannot be brought in line, as with hips that are set off sideways,
    it is what the knee alone can reach.

    Args:
        t: the tree.
        u: its legs.
        posture: joint values as the robot stands, (nd,).
    """
    counts = t.links["end"] - t.links["first"]
    link_of = np.repeat(np.arange(len(t.links)), counts)
    reach, anchor = LegReach.zeros(len(u.feet)), t.joints["anchor"]
    for f, leg in enumerate(u.feet["leg"]):
        one, first, last = reach[f], int(leg[0]), int(leg[LEG_JOINTS - 1])
        one.hip_link, one.hip[:] = int(link_of[first]), anchor[first]
        one.p_OH[:] = _seen_inboard(t, link_of, first) - t.links[0].com
        one.ankle_link, one.ankle[:] = int(link_of[last]), anchor[last]
        for j, k in pairwise(leg):
            is_same = link_of[j] == link_of[k]
            place = anchor[k] if is_same else _seen_inboard(t, link_of, k)
            one.length += float(np.linalg.norm(place - anchor[j]))
        farthest = _knee_reach(t, link_of, leg, posture)
        if farthest < IN_LINE * one.length:
            one.length = farthest
    return reach


def _knee_reach(t: TreeArrays, link_of: Ints, leg: Ints, posture: Array) -> float:
    """Return how far ankle and hip get apart by the joint that moves them the most."""
    best = (0.0, 0.0)
    for k in range(1, LEG_JOINTS - 1):
        ways = list[float]()
        for turn in TURNS:
            values = np.array(posture, np.float64)
            values[leg[k]] = turn
            ways.append(_ankle_way(t, link_of, leg, values))
        best = max(best, (max(ways) - min(ways), max(ways)))
    return best[1]


def _ankle_way(t: TreeArrays, link_of: Ints, leg: Ints, values: Array) -> float:
    """Return the way from a leg's first joint to its last, joints moved [m]."""
    R, p, inner = np.eye(3), np.zeros(3), -1
    hip = ankle = np.zeros(3)
    for k, j in enumerate(leg):
        joint, number = t.joints[int(j)], int(link_of[j])
        if number != inner:
            link = t.links[number]
            R, p, inner = R @ link.R_IL, p + R @ link.p_IL, number
        ankle = p + R @ joint.anchor
        hip = ankle if k == 0 else hip
        value = float(values[j]) - joint.reference
        if joint.is_slide:
            p = p + value * (R @ joint.axis)
        else:
            R = R @ _turn_about(joint.axis, value)
            p = ankle - R @ joint.anchor
    return float(np.linalg.norm(ankle - hip))


def _turn_about(axis: Array, angle: float) -> Array:
    """Return the rotation about an axis, (3, 3)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)


def _seen_inboard(t: TreeArrays, link_of: Ints, joint: int) -> Array:
    """Return where a joint is in the frame of the link inboard of its own."""
    link = t.links[int(link_of[joint])]
    return link.p_IL + link.R_IL @ t.joints[joint].anchor


@compiled(allocates=False)
def slack_above(
    leg: int,
    reach: Records[LegReach],
    share: float,
    links: Records[LinkMotion],
    shift: Triple,
) -> float:
    """Return how much higher the body may be until a leg is stretched [m].

    Args:
        leg: its number.
        reach: the legs' lengths.
        share: of its length that a leg may use.
        links: where they are.
        shift: how far the foot will have moved when it stands [m].
    """
    one = reach[leg]
    hip, ankle = links[one.hip_link], links[one.ankle_link]
    hx, hy, hz = turned_by(hip.R_WL, one.hip)
    ax, ay, az = turned_by(ankle.R_WL, one.ankle)
    x = shift[0] - (hip.p_OL[0] + hx) + (ankle.p_OL[0] + ax)
    y = shift[1] - (hip.p_OL[1] + hy) + (ankle.p_OL[1] + ay)
    z = shift[2] - (hip.p_OL[2] + hz) + (ankle.p_OL[2] + az)
    square = (share * one.length) ** 2 - x * x - y * y
    return math.sqrt(max(square, 0.0)) + z


@compiled(allocates=False)
def leg_stretch(
    leg: int, reach: Records[LegReach], links: Records[LinkMotion]
) -> float:
    """Return the share of its length that a leg has.

    Args:
        leg: its number.
        reach: the legs' lengths.
        links: where they are.
    """
    one = reach[leg]
    hip, ankle = links[one.hip_link], links[one.ankle_link]
    hx, hy, hz = turned_by(hip.R_WL, one.hip)
    ax, ay, az = turned_by(ankle.R_WL, one.ankle)
    x = (ankle.p_OL[0] + ax) - (hip.p_OL[0] + hx)
    y = (ankle.p_OL[1] + ay) - (hip.p_OL[1] + hy)
    z = (ankle.p_OL[2] + az) - (hip.p_OL[2] + hz)
    return math.sqrt(x * x + y * y + z * z) / one.length


@compiled(allocates=False)
def height_over(
    leg: int, reach: Records[LegReach], share: float, s: Scratch, p_aim: Array
) -> float:
    """Return the greatest height of the body at its set point over a foot [m].

    The same bound as ``slack_above``, for the set point's place and the present
    orientation, the foot staying where it is.

    Args:
        leg: its number.
        reach: the legs' lengths.
        share: of its length that a leg may use.
        s: where the links and O are.
        p_aim: the set point's place, (3,) [m].
    """
    one, p_WO = reach[leg], s.trunk[0].p_WO
    ankle = s.links[one.ankle_link]
    ax, ay, az = turned_by(ankle.R_WL, one.ankle)
    hx, hy, hz = turned_by(s.links[0].R_WL, one.p_OH)
    x = p_WO[0] + ankle.p_OL[0] + ax - (p_aim[0] + hx)
    y = p_WO[1] + ankle.p_OL[1] + ay - (p_aim[1] + hy)
    z = p_WO[2] + ankle.p_OL[2] + az
    square = (share * one.length) ** 2 - x * x - y * y
    return z + math.sqrt(max(square, 0.0)) - hz
