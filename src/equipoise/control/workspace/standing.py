"""How to stand: what is asked of the trunk and the feet, and what yields first."""

import math
from typing import NamedTuple

from equipoise.control.workspace.feet import hold_foot
from equipoise.control.workspace.program import ROWS, Program
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.wrench import desired_acceleration
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["Manner", "ask_trunk", "hold_feet"]

ARM_STIFFNESS, ARM_DAMPING = 100.0, 20.0  # critically damped [1/s², 1/s]


class Manner(NamedTuple):
    """How a robot stands; fixed."""

    gains: Array
    """(2, 6), of the trunk."""
    weight: Array
    """Of the wishes: the trunk's x, y, z and rotations, the centre's x, y, (8,)."""
    bow: float
    """Lean off the set point from which standing upright counts more and more [rad]."""
    foot_stiffness: float
    """[1/s²]."""
    foot_damping: float
    """[1/s]."""
    sole_up: Array
    """(nf, 3)."""
    posture: Array
    """Where joints outside the legs are held, (nd,)."""


@compiled(allocates=False)
def ask_trunk(s: Scratch, m: Program, manner: Manner, slack: float) -> None:
    """Write what the trunk shall do, no higher than the legs allow, and its weights.

    Rotations weigh (1 + (lean / bow)⁴) of their share: within the bow the body may
    swing to save its place, beyond it the body must come upright again.

    Args:
        s: the readings; ``X`` is written.
        m: ``wish`` and ``weight`` are written.
        manner: gains and weights.
        slack: how much higher the body may be than it is [m].
    """
    high = s.aim[2]
    s.aim[2] = min(high, s.p_WO[2] + slack)
    desired_acceleration(s.p_WO, s.quat, s.V, s.aim, manner.gains, s.X)
    s.aim[2] = high
    cosine = 0.0
    for d in range(4):
        cosine += s.quat[d] * s.aim[3 + d]
    lean = 2.0 * math.acos(min(1.0, abs(cosine)))
    for r in range(6):
        m.wish[r] = s.X[0, r]
    for r in range(ROWS):
        is_turning = 3 <= r < 6
        more = (lean / manner.bow) ** 4 if is_turning else 0.0
        m.weight[r] = manner.weight[r] * (1.0 + more)


@compiled(allocates=False)
def hold_feet(
    t: TreeArrays, s: Scratch, m: Program, manner: Manner, swung: int
) -> None:
    """Ask every foot but the one that swings to lie flat and still, arms to hold."""
    for j in range(s.q.shape[0]):
        if m.u.foot_of_joint[j] < 0:
            pull = ARM_STIFFNESS * (manner.posture[j] - s.q[j])
            m.u.joint_rate[j] = pull - ARM_DAMPING * s.v[j]
    for f in range(t.foot.shape[0]):
        m.u.stands[f] = 0 if f == swung else 1
        if f != swung:
            hold_foot(
                f, t.foot[f], manner.sole_up, s.R_WL, s.V, s.p_WO[2],
                manner.foot_stiffness, manner.foot_damping, m.u,
            )  # fmt: skip
