"""The same law within what the ground can give: friction cones and soles.

The acceleration that [Wendlandt1997] asks of the trunk is met as well as forces allow
that stay in their friction cones and press inside the soles.
"""

from dataclasses import dataclass
from typing import final

from equipoise.control.workspace.balancer import (
    AbstractBalanceLaw,
    Setting,
    register,
)
from equipoise.control.workspace.feet import hold_foot
from equipoise.control.workspace.program import (
    Program,
    move_links,
    press,
    program_room,
)
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.support import support_room
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.wrench import desired_acceleration
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["ConeLaw", "cone_step"]


@final
@register("workspace-cone")
@dataclass(frozen=True, kw_only=True)
class ConeLaw(AbstractBalanceLaw):
    """Least squares over pushes inside the cones; weights say what yields first."""

    weight: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    """Of the trunk's x, y, z and of its three rotations."""
    foot_stiffness: float = 100.0
    """With which a foot that tips or floats is asked back to the ground [1/s²]."""
    foot_damping: float = 20.0
    """[1/s]."""

    def init(self, setting: Setting) -> Program:
        """Return the room that the problem needs; it keeps the last free pushes."""
        u = support_room(setting.links, setting.corner_foot, setting.corner)
        return program_room(u, (*self.weight, 0.0, 0.0))

    def torques(
        self, setting: Setting, s: Scratch, memory: Program, time: float, dt: float
    ) -> Program:
        """Write the torques of one control step."""
        cone_step(
            setting.tree, s, memory, setting.gains, setting.sole_up, setting.friction,
            self.foot_stiffness, self.foot_damping,
        )  # fmt: skip
        return memory


@compiled(allocates=False)
def cone_step(
    t: TreeArrays,
    s: Scratch,
    m: Program,
    gains: Array,
    sole_up: Array,
    friction: float,
    stiffness: float,
    damping: float,
) -> None:
    """Write the joint torques for the readings in ``s``."""
    move_links(t, s, m)
    desired_acceleration(s.p_WO, s.quat, s.V, s.aim, gains, s.X)
    for r in range(6):
        m.wish[r] = s.X[0, r]
    for f in range(t.foot.shape[0]):
        hold_foot(
            f, t.foot[f], sole_up, s.R_WL, s.r_O, s.V, s.p_WO[2], stiffness, damping,
            m.u,
        )  # fmt: skip
    press(t, s, m, friction)
