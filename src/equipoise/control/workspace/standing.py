"""How to stand: what is asked of the trunk and the feet, and what yields first."""

import math
from typing import TYPE_CHECKING, NamedTuple

from equipoise.control.workspace.feet import hold_foot
from equipoise.control.workspace.force_problem import ForceProblem, Wishes
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.wrench import desired_acceleration
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Records

if TYPE_CHECKING:
    from equipoise.control.workspace.balancer import BalancerConfig

__all__ = ["Manner", "ask_trunk", "hold_feet"]

ARM_STIFFNESS, ARM_DAMPING = 100.0, 20.0  # critically damped [1/s², 1/s]


class Manner(NamedTuple):
    """How a robot stands; fixed."""

    gains: "Records[BalancerConfig]"
    """(1,)."""
    weight: Records[Wishes]
    """How much each wish counts, (1,)."""
    bow: float
    """Lean off the set point from which standing upright counts more and more [rad]."""
    foot_stiffness: float
    """[1/s²]."""
    foot_damping: float
    """[1/s]."""
    posture: Array
    """Where joints outside the legs are held, (nd,)."""


@compiled(allocates=False)
def ask_trunk(s: Scratch, m: ForceProblem, manner: Manner, slack: float) -> None:
    """Write what the trunk shall do, no higher than the legs allow, and its weights.

    Rotations weigh (1 + (lean / bow)⁴) of their share: within the bow the body may
    swing to save its place, beyond it the body must come upright again.

    Args:
        s: the readings; ``X`` is written.
        m: ``wish`` and ``weight`` are written.
        manner: gains and weights.
        slack: how much higher the body may be than it is [m].
    """
    trunk, aim = s.trunk[0], s.aim[0]
    high = aim.p[2]
    aim.p[2] = min(high, trunk.p_WO[2] + slack)
    desired_acceleration(s, manner.gains)
    aim.p[2] = high
    cosine = 0.0
    for d in range(4):
        cosine += trunk.quat[d] * aim.quat[d]
    lean = 2.0 * math.acos(min(1.0, abs(cosine)))
    weight, usual = m.weight[0], manner.weight[0]
    for r in range(6):
        m.wish[0].trunk[r] = trunk.X[r]
        is_turning = r >= 3
        more = (lean / manner.bow) ** 4 if is_turning else 0.0
        weight.trunk[r] = usual.trunk[r] * (1.0 + more)
    for d in range(2):
        weight.centre[d] = usual.centre[d]


@compiled(allocates=False)
def hold_feet(s: Scratch, m: ForceProblem, manner: Manner, swung: int) -> None:
    """Ask every foot but the one that swings to lie flat and still, arms to hold."""
    u = m.u
    for j in range(s.joints.shape[0]):
        if u.joints[j].foot < 0:
            pull = ARM_STIFFNESS * (manner.posture[j] - s.joints[j].q)
            u.joints[j].rate = pull - ARM_DAMPING * s.joints[j].v
    for f in range(u.feet.shape[0]):
        u.feet[f].stands = 0 if f == swung else 1
        if f != swung:
            hold_foot(f, s, u, manner.foot_stiffness, manner.foot_damping)
