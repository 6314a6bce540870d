"""The same law within the limits of the ground: friction cones and soles.

The acceleration that [Wendlandt1997] asks of the trunk is met as well as forces allow
that stay in their friction cones and press inside the soles: least squares, in which
the trunk's place counts more than its lean, so that a hard push is met by a bow.
"""

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple, final

from equipoise.control.workspace.balancer import (
    AbstractBalanceLaw,
    BalanceSetting,
    register,
)
from equipoise.control.workspace.force_problem import (
    ForceProblem,
    Wishes,
    force_problem,
    move_links,
    solve_pushes,
)
from equipoise.control.workspace.legs import support_room
from equipoise.control.workspace.reach import LegReach, reach_of, slack_above
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.standing import Manner, ask_trunk, hold_feet
from equipoise.control.workspace.tree import TreeArrays
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["ConeLaw", "ConeMemory", "cone_step"]


class ConeMemory(NamedTuple):
    """The problem, which keeps the last tick's free pushes, and what is fixed."""

    problem: ForceProblem
    reach: Records[LegReach]
    manner: Manner
    stretch: float
    friction: float


@final
@register("workspace-cone")
@dataclass(frozen=True, kw_only=True)
class ConeLaw(Settings, AbstractBalanceLaw):
    """Least squares over pushes inside the cones; defaults tuned on the biped."""

    place: Annotated[
        float, Setting("Weight of the trunk's place against its orientation", above=0.0)
    ] = 60.0
    bow_deg: Annotated[
        float,
        Setting(
            "Lean off the set point from which standing upright counts more and more",
            "deg",
            above=0.0,
        ),
    ] = 10.0
    stretch: Annotated[
        float, Setting("Share of its length that a leg may use", above=0.0)
    ] = 0.95
    foot_stiffness: Annotated[
        float,
        Setting(
            "Stiffness with which a foot that tips or floats is asked back to the "
            "ground",
            "1/s²",
            least=0.0,
        ),
    ] = 1000.0
    foot_damping: Annotated[
        float, Setting("Damping of a foot against the ground", "1/s", least=0.0)
    ] = 63.0
    _torques = cached_dispatch(lambda: cone_step)

    def init(self, setting: BalanceSetting) -> ConeMemory:
        """Return room for the problem.

        Raises:
            ConfigError: legs that do not have six joints of their own.
        """
        u = support_room(
            setting.links, setting.corner_foot, setting.corner, setting.sole_up
        )
        reach = reach_of(setting.tree, u, setting.posture)
        u.feet["length"][:] = reach["length"]
        weight = Wishes.zeros()
        weight[0].trunk[:] = [self.place] * 3 + [1.0] * 3
        return ConeMemory(
            problem=force_problem(u),
            reach=reach,
            manner=Manner(
                gains=setting.gains,
                weight=weight,
                bow=math.radians(self.bow_deg),
                foot_stiffness=self.foot_stiffness,
                foot_damping=self.foot_damping,
                posture=setting.posture,
            ),
            stretch=self.stretch,
            friction=setting.friction,
        )

    def torques(
        self,
        setting: BalanceSetting,
        s: Scratch,
        memory: ConeMemory,
        time: float,
        dt: float,
    ) -> ConeMemory:
        """Write the torques of one control step."""
        self._torques(setting.tree, s, memory)
        return memory


@compiled(allocates=False)
def cone_step(t: TreeArrays, s: Scratch, e: ConeMemory) -> None:
    """Write the joint torques for the readings in ``s``."""
    move_links(t, s, e.problem)
    slack = math.inf
    for f in range(t.foot.shape[0]):
        room = slack_above(f, e.reach, e.stretch, s.links, (0.0, 0.0, 0.0))
        slack = min(slack, room)
    ask_trunk(s, e.problem, e.manner, slack)
    hold_feet(s, e.problem, e.manner, -1)
    solve_pushes(t, s, e.problem, e.friction)
