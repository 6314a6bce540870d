"""How high the body may be so that no leg is stretched: straight legs cannot steer."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from equipoise.control.workspace.support import LEG_JOINTS, Support
from equipoise.control.workspace.tree import TreeArrays
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["Reach", "height_over", "reach_of", "slack_above"]


class Reach(NamedTuple):
    """A leg's first and last joint, and how far apart they can get; nf legs."""

    link: Ints
    """Links of those two joints, (nf, 2)."""
    anchor: Array
    """The joints in their links' frames, (nf, 2, 3) [m]."""
    hip: Array
    """The first joint from the central body's centre of mass, in the central body's
    frame, (nf, 3) [m]."""
    length: Array
    """Of the leg, joint to joint, (nf,) [m]."""


def reach_of(t: TreeArrays, u: Support) -> Reach:
    """Return the legs' reach: the sum of the ways from joint to joint."""
    link_of = np.repeat(np.arange(len(t.inboard)), np.diff(t.first))
    length, hip = np.zeros(len(t.foot)), np.zeros((len(t.foot), 3))
    for f, leg in enumerate(u.leg):
        hip[f] = seen_inboard(t, link_of, leg[0]) - t.com[0]
        for j, k in pairwise(leg):
            is_same = link_of[j] == link_of[k]
            place = t.anchor[k] if is_same else seen_inboard(t, link_of, k)
            length[f] += np.linalg.norm(place - t.anchor[j])
    ends = u.leg[:, [0, LEG_JOINTS - 1]]
    return Reach(link_of[ends].astype(np.int64), t.anchor[ends].copy(), hip, length)


def seen_inboard(t: TreeArrays, link_of: Ints, joint: int) -> Array:
    """Return where a joint is in the frame of the link inboard of its own."""
    link = link_of[joint]
    return t.p_IL[link] + t.R_IL[link] @ t.anchor[joint]


@compiled(allocates=False)
def slack_above(
    f: int,
    reach: Reach,
    share: float,
    R_WL: Array,
    p_OL: Array,
    dx: float,
    dy: float,
    dz: float,
) -> float:
    """Return how much higher the body may be until a leg is stretched [m].

    Args:
        f: number of the leg.
        reach: the legs' lengths.
        share: of its length that a leg may use.
        R_WL: links' orientations.
        p_OL: links' origins from O.
        dx: how far the foot will have moved along x when it stands [m].
        dy: along y [m].
        dz: along z [m].
    """
    link, anchor = reach.link, reach.anchor
    x, y, z = dx, dy, dz
    for end in range(2):
        sign = -1.0 if end == 0 else 1.0
        k = link[f, end]
        a, b, c = anchor[f, end, 0], anchor[f, end, 1], anchor[f, end, 2]
        x += sign * (p_OL[k, 0] + along(R_WL, k, 0, a, b, c))
        y += sign * (p_OL[k, 1] + along(R_WL, k, 1, a, b, c))
        z += sign * (p_OL[k, 2] + along(R_WL, k, 2, a, b, c))
    square = (share * reach.length[f]) ** 2 - x * x - y * y
    return math.sqrt(max(square, 0.0)) + z


@compiled(allocates=False)
def height_over(
    f: int,
    reach: Reach,
    share: float,
    R_WL: Array,
    p_OL: Array,
    p_WO: Array,
    aim: Array,
) -> float:
    """Return the greatest height of the body at its set point over a foot [m].

    The same bound as ``slack_above``, for the set point's place and the present
    orientation, the foot staying where it is.
    """
    k, hip = reach.link[f, 1], reach.hip
    a, b, c = reach.anchor[f, 1, 0], reach.anchor[f, 1, 1], reach.anchor[f, 1, 2]
    h, i, j = hip[f, 0], hip[f, 1], hip[f, 2]
    x = p_WO[0] + p_OL[k, 0] + along(R_WL, k, 0, a, b, c)
    y = p_WO[1] + p_OL[k, 1] + along(R_WL, k, 1, a, b, c)
    z = p_WO[2] + p_OL[k, 2] + along(R_WL, k, 2, a, b, c)
    x -= aim[0] + along(R_WL, 0, 0, h, i, j)
    y -= aim[1] + along(R_WL, 0, 1, h, i, j)
    square = (share * reach.length[f]) ** 2 - x * x - y * y
    return z + math.sqrt(max(square, 0.0)) - along(R_WL, 0, 2, h, i, j)


@compiled(allocates=False, melts=True)
def along(R: Array, k: int, row: int, a: float, b: float, c: float) -> float:
    """Return one coordinate of a vector turned by a link's orientation."""
    return R[k, row, 0] * a + R[k, row, 1] * b + R[k, row, 2] * c
