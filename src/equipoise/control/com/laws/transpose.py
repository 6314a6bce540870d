"""Virtual spring at the centre of mass: τ = Jᵀ F, with the local column only.

Every module computes the same force F = -(k e + c v) on the whole robot's centre from
its own estimate and applies its own joint's share of it; no joint sees another's.
"""

from dataclasses import dataclass, field
from typing import Annotated, final

from equipoise.control.com.forces import spring_force
from equipoise.control.com.geometry.vectors import dot
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView, com_column
from equipoise.control.com.law import AbstractLaw, register
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["TransposeConfig", "TransposeLaw"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TransposeConfig(Settings):
    """Spring and damper at the centre; defaults suit 20 modules of 72 g."""

    stiffness: Annotated[
        float,
        Setting("Stiffness k of the spring at the centre of mass", "N/m", above=0.0),
    ] = 3000.0
    damping: Annotated[
        float, Setting("Damping c of the centre of mass", "N s/m", above=0.0)
    ] = 80.0


@compiled(allocates=False)
def _transpose_torques(
    rows: Records[JointView], goal: ComGoal, k: float, c: float, tau: Array
) -> None:
    """Write τ = J · F for every joint."""
    for j in range(rows.shape[0]):
        tau[j] = 0.0
        view = rows[j]
        if view.known != 0:
            tau[j] = dot(com_column(view), spring_force(view, goal, k, c))


@final
@register("transpose")
@dataclass(frozen=True)
class TransposeLaw(AbstractLaw):
    """τ_j = (m₂/M) (u x (p₂ - q)) · F with F = -(k e + c v)."""

    config: TransposeConfig = field(default_factory=TransposeConfig)
    _torques = cached_dispatch(lambda: _transpose_torques)

    def torques(
        self,
        rows: Records[JointView],
        goal: ComGoal,
        memory: Array,
        dt: float,
        tau: Array,
    ) -> None:
        """Write every joint's torque; the law keeps no memory."""
        self._torques(rows, goal, self.config.stiffness, self.config.damping, tau)
