"""What the ground can do: from contact forces to the body's acceleration and back.

Each leg has six joints, so the accelerations of the central body and of a foot fix the
leg's joints. With the feet's accelerations given, the whole robot obeys six equations::

    Hm V'_1 + hm = Σ wrenches of the contact forces

where every force is a non-negative sum of its friction pyramid's edges at a corner of a
sole: it stays in its cone and the centre of pressure inside the sole by construction.
These are the true ground reactions; the legs' own weight and inertia are in Hm, hm.
Coordinates as in ``outboard``.
"""

from typing import NamedTuple

import numpy as np

from equipoise.control.workspace.small import inverse6
from equipoise.control.workspace.tree import Tree, TreeArrays
from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled

__all__ = [
    "LEG_JOINTS",
    "Support",
    "ground_wrenches",
    "inverse_dynamics",
    "leg_equations",
    "place_corners",
    "support_room",
]

LEG_JOINTS = 6
EDGES = 4  # of a friction pyramid inside the cone


class Support(NamedTuple):
    """Legs, corners and room for their equations; nf feet, nc corners."""

    leg: Ints
    """Joints from the central body to each foot, (nf, 6)."""
    foot_of_joint: Ints
    """(nd,) the foot that a joint leads to; -1 for the others."""
    corner_foot: Ints
    """(nc,)."""
    corner: Array
    """In the foot's frame, (nc, 3) [m]."""
    p_O: Array
    """Corners from O in the world's axes, written, (nc, 3)."""
    stands: Ints
    """(nf,) 1 for a foot that may press on the ground."""
    A_foot: Array
    """Acceleration wanted of each foot, a spatial one about O, (nf, 6)."""
    beta: Array
    """Links' accelerations but for V'_1 and the legs' joints, (nl, 6)."""
    whole: Array
    """Inertias and Σ P β + z of all outboard of a link, (nl, 6, 7)."""
    inverse: Array
    """Of each leg's Jacobian, (nf, 6, 6)."""
    joint_rate: Array
    """Accelerations of the joints, (nd,); read for those outside the legs."""
    Hm: Array
    """(1, 6, 6)."""
    hm: Array
    """(1, 6)."""
    room: Array
    """(4, 6, 6)."""
    acceleration: Array
    """V'_1, (1, 6)."""
    wrench: Array
    """What the ground does to each foot, about O, (nf, 6)."""


def support_room(tree: Tree, corner_foot: Ints, corner: Array) -> Support:
    """Return the legs and room for their equations.

    Raises:
        ConfigError: a leg with more or fewer than six joints, or joints in two legs.
    """
    t, nf = tree.arrays, len(tree.arrays.foot)
    nl, nd = len(t.inboard), len(t.axis)
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
    foot_of_joint = np.full(nd, -1, np.int64)
    for f, leg in enumerate(legs):
        foot_of_joint[leg] = f
    return Support(
        leg=np.array(legs, np.int64),
        foot_of_joint=foot_of_joint,
        corner_foot=corner_foot,
        corner=corner,
        p_O=np.zeros((len(corner), 3)),
        stands=np.ones(nf, np.int64),
        A_foot=np.zeros((nf, 6)),
        beta=np.zeros((nl, 6)),
        whole=np.zeros((nl, 6, 7)),
        inverse=np.zeros((nf, 6, 6)),
        joint_rate=np.zeros(nd),
        Hm=np.zeros((1, 6, 6)),
        hm=np.zeros((1, 6)),
        room=np.zeros((4, 6, 6)),
        acceleration=np.zeros((1, 6)),
        wrench=np.zeros((nf, 6)),
    )


@compiled(allocates=False)
def place_corners(foot: Ints, R_WL: Array, p_OL: Array, u: Support) -> None:
    """Write where the corners of the soles are."""
    corner_foot, corner, p_O = u.corner_foot, u.corner, u.p_O
    for k in range(corner_foot.shape[0]):
        f = foot[corner_foot[k]]
        for a in range(3):
            p_O[k, a] = p_OL[f, a] + (
                R_WL[f, a, 0] * corner[k, 0]
                + R_WL[f, a, 1] * corner[k, 1]
                + R_WL[f, a, 2] * corner[k, 2]
            )


@compiled(allocates=False)
def leg_equations(
    t: TreeArrays, u: Support, H: Array, a: Array, P: Array, z: Array
) -> None:
    """Write Hm and hm for the feet's accelerations in ``u.A_foot``.

    With J a leg's joint twists, F what they do to the momentum (inertia outboard of a
    joint times its twist) and β what velocities and other joints do::

        θ'' = J⁻¹ (V'_foot - β_foot - V'_1)
        Hm  = Σ P - Σ F J⁻¹,   hm = Σ (P β + z) + Σ F J⁻¹ (V'_foot - β_foot)
    """
    inboard, first = t.inboard, t.first
    beta, whole, foot_of_joint = u.beta, u.whole, u.foot_of_joint
    joint_rate, Hm, hm = u.joint_rate, u.Hm, u.hm
    n = inboard.shape[0]
    for k in range(n):
        for r in range(6):
            beta[k, r] = a[k, r] + (beta[inboard[k], r] if k > 0 else 0.0)
        for j in range(first[k], first[k + 1]):
            if foot_of_joint[j] < 0:
                for r in range(6):
                    beta[k, r] += H[j, r] * joint_rate[j]
        for r in range(6):
            total = z[k, r]
            for c in range(6):
                whole[k, r, c] = P[k, r, c]
                total += P[k, r, c] * beta[k, c]
            whole[k, r, 6] = total
    for k in range(n - 1, 0, -1):
        for r in range(6):
            for c in range(7):
                whole[inboard[k], r, c] += whole[k, r, c]
    for r in range(6):
        hm[0, r] = whole[0, r, 6]
        for c in range(6):
            Hm[0, r, c] = whole[0, r, c]
    for f in range(u.leg.shape[0]):
        add_leg(f, t.foot[f], inboard, first, H, u)


@compiled(allocates=False)
def add_leg(
    f: int, link: int, inboard: Ints, first: Ints, H: Array, u: Support
) -> None:
    """Add one leg's part of Hm and hm, and keep its inverse Jacobian."""
    leg, inverse, whole, room = u.leg, u.inverse, u.whole, u.room
    Hm, hm = u.Hm, u.hm
    for c in range(6):
        for r in range(6):
            room[3, r, c] = H[leg[f, c], r]
    inverse6(room, 3, 1)
    for r in range(6):
        for c in range(6):
            inverse[f, r, c] = room[1, r, c]
    k, c = link, 5
    while c >= 0:  # momentum of each joint, outboard first
        for j in range(first[k + 1] - 1, first[k] - 1, -1):
            for r in range(6):
                total = 0.0
                for d in range(6):
                    total += whole[k, r, d] * H[j, d]
                room[0, r, c] = total
            c -= 1
        k = inboard[k]
    for r in range(6):
        for c in range(6):
            total = 0.0
            for d in range(6):
                total += room[0, r, d] * inverse[f, d, c]
            Hm[0, r, c] -= total
            hm[0, r] += total * (u.A_foot[f, c] - u.beta[link, c])


@compiled(allocates=False)
def ground_wrenches(u: Support, c: Array, friction: float) -> None:
    """Write each foot's wrench about O from the pushes along the pyramids' edges."""
    corner_foot, p_O, wrench = u.corner_foot, u.p_O, u.wrench
    for f in range(wrench.shape[0]):
        for r in range(6):
            wrench[f, r] = 0.0
    for k in range(corner_foot.shape[0]):
        e = 4 * k
        f = corner_foot[k]
        fx = friction * (c[e] - c[e + 1])
        fy = friction * (c[e + 2] - c[e + 3])
        fz = c[e] + c[e + 1] + c[e + 2] + c[e + 3]
        x, y, h = p_O[k, 0], p_O[k, 1], p_O[k, 2]
        wrench[f, 0] += fx
        wrench[f, 1] += fy
        wrench[f, 2] += fz
        wrench[f, 3] += y * fz - h * fy
        wrench[f, 4] += h * fx - x * fz
        wrench[f, 5] += x * fy - y * fx


@compiled(allocates=False)
def inverse_dynamics(
    t: TreeArrays,
    u: Support,
    H: Array,
    P: Array,
    z: Array,
    through: Array,
    tau: Array,
) -> None:
    """Write the torques that give V'_1 under the ground's wrenches.

    Args:
        t: the tree.
        u: ``acceleration`` and ``wrench`` hold V'_1 and what the ground does.
        H: joint twists, (nd, 6).
        P: links' own inertias, (nl, 6, 6).
        z: links' own biases, (nl, 6).
        through: (nl, 6), scratch.
        tau: written, (nd,).
    """
    inboard, first, foot_of_joint = t.inboard, t.first, u.foot_of_joint
    beta, joint_rate, V1 = u.beta, u.joint_rate, u.acceleration
    for f in range(u.leg.shape[0]):
        for r in range(6):
            total = 0.0
            for c in range(6):
                gap = u.A_foot[f, c] - beta[t.foot[f], c] - V1[0, c]
                total += u.inverse[f, r, c] * gap
            joint_rate[u.leg[f, r]] = total
    for k in range(inboard.shape[0]):
        for r in range(6):
            # beta is taken over: from here on it is the links' acceleration
            beta[k, r] += V1[0, r]
            if k > 0:
                through[k, r] = through[inboard[k], r]
            else:
                through[k, r] = 0.0
        for j in range(first[k], first[k + 1]):
            if foot_of_joint[j] >= 0:
                for r in range(6):
                    through[k, r] += H[j, r] * joint_rate[j]
        for r in range(6):
            beta[k, r] += through[k, r]
    for k in range(inboard.shape[0]):
        for r in range(6):
            total = z[k, r]
            for c in range(6):
                total += P[k, r, c] * beta[k, c]
            through[k, r] = total
    for f in range(t.foot.shape[0]):
        for r in range(6):
            through[t.foot[f], r] -= u.wrench[f, r]
    for k in range(inboard.shape[0] - 1, 0, -1):
        for j in range(first[k], first[k + 1]):
            total = 0.0
            for r in range(6):
                total += H[j, r] * through[k, r]
            tau[j] = total
        for r in range(6):
            through[inboard[k], r] += through[k, r]
