"""The controller of [Wendlandt1997], corrected: minimum-norm wrench distribution.

It knows neither friction nor the size of its feet, and asks them for what they cannot
give when pushed hard. It is kept as it is, as the baseline.
"""

from dataclasses import dataclass
from typing import final

from equipoise.control.workspace.balancer import (
    AbstractBalanceLaw,
    Setting,
    register,
)
from equipoise.control.workspace.inboard import inboard_big, link_inertias
from equipoise.control.workspace.outboard import outboard_links, outboard_velocities
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.wrench import (
    desired_acceleration,
    joint_torques,
    minimum_norm,
)
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["WorkspaceLaw", "paper_step"]


@final
@register("workspace")
@dataclass(frozen=True)
class WorkspaceLaw(AbstractBalanceLaw):
    """F_1 = P_1 X + z_1, divided among the feet with the least norm; no memory."""

    def init(self, setting: Setting) -> None:
        """Return no memory."""

    def torques(
        self, setting: Setting, s: Scratch, memory: None, time: float, dt: float
    ) -> None:
        """Write the torques of one control step."""
        paper_step(setting.tree, s, setting.gains)


@compiled(allocates=False)
def paper_step(t: TreeArrays, s: Scratch, gains: Array) -> None:
    """Write the joint torques for the readings in ``s``: Algorithms 1 to 6."""
    R_WL, p_OL, r_O, H, V, a, P, z = s.R_WL, s.p_OL, s.r_O, s.H, s.V, s.a, s.P, s.z
    X, F = s.X, s.F
    outboard_links(
        t.inboard, t.first, t.R_IL, t.p_IL, t.com, t.is_slide, t.axis, t.anchor,
        t.reference, s.q, R_WL, p_OL, r_O, H,
    )  # fmt: skip
    outboard_velocities(t.inboard, t.first, H, s.v, V, a)
    link_inertias(t.mass, t.inertia, t.gravity, R_WL, r_O, V, P, z)
    inboard_big(t.inboard, t.first, t.foot, t.mass, t.inertia, R_WL, r_O, H, a, P, z)
    desired_acceleration(s.p_WO, s.quat, V, s.aim, gains, X)
    for r in range(6):
        F[0, r] = z[0, r]
        for c in range(6):
            F[0, r] += P[0, r, c] * X[0, c]
    minimum_norm(t.foot, r_O, F, s.room, s.x, s.F_foot)
    joint_torques(t.inboard, t.first, t.foot, H, s.F_foot, s.drift, s.tau)
