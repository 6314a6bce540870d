"""The controller of [Wendlandt1997], corrected: minimum-norm wrench distribution.

It knows neither friction nor the size of its feet, and asks them for what they cannot
give when pushed hard. It is kept as it is, as the baseline.
"""

from dataclasses import dataclass
from typing import final

from equipoise.control.workspace.balancer import (
    AbstractBalanceLaw,
    BalancerConfig,
    BalanceSetting,
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
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["WorkspaceLaw", "paper_step"]


@final
@register("workspace")
@dataclass(frozen=True)
class WorkspaceLaw(AbstractBalanceLaw):
    """F_1 = P_1 X + z_1, divided among the feet with the least norm; no memory."""

    _torques = cached_dispatch(lambda: paper_step)

    def init(self, setting: BalanceSetting) -> None:
        """Return no memory."""

    def torques(
        self, setting: BalanceSetting, s: Scratch, memory: None, time: float, dt: float
    ) -> None:
        """Write the torques of one control step."""
        self._torques(setting.tree, s, setting.gains)


@compiled(allocates=False)
def paper_step(t: TreeArrays, s: Scratch, gains: Records[BalancerConfig]) -> None:
    """Write the joint torques for the readings in ``s``: Algorithms 1 to 6."""
    outboard_links(t, s)
    outboard_velocities(t, s)
    link_inertias(t, s)
    inboard_big(t, s)
    desired_acceleration(s, gains)
    body, trunk = s.links[0], s.trunk[0]
    for r in range(6):
        F = body.z[r]
        for c in range(6):
            F += body.P[r, c] * trunk.X[c]
        trunk.F[r] = F
    minimum_norm(t, s)
    joint_torques(t, s)
