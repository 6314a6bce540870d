"""The paper's third scheme: gains increase with the first moment that a joint moves.

K = (c0 + c1 |m₂ u x (p₂ - q)|) K0 [Moll2006] section IV, in kilograms and metres.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, ClassVar, final

from equipoise.control.com.geometry.vectors import cross, dot, vec
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView, moved_arm
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.laws.pid import MEMORY, PidConfig, pid_torque
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, record_of
from equipoise.core.setting import Setting

__all__ = ["MomentumConfig", "MomentumLaw"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MomentumConfig(PidConfig):
    """Gains and constants of [Moll2006] section V."""

    constant: Annotated[
        float, Setting("Constant part c0 of the scale of all gains", least=0.0)
    ] = 0.0
    slope: Annotated[
        float,
        Setting(
            "Growth c1 of the scale with the first moment of the mass that is moved",
            "1/(kg m)",
            least=0.0,
        ),
    ] = 1.0


@compiled
def _gain_scale(view: JointView, gains: MomentumConfig) -> float:
    """Return c0 + c1 |m₂ u x (p₂ - q)|, the moved side's momentum a unit of rate."""
    lever = vec(view.axis)
    if view.hinge != 0:
        lever = cross(lever, moved_arm(view))
    c0, c1 = gains.constant, gains.slope
    return c0 + c1 * view.moved_mass * math.sqrt(dot(lever, lever))


@compiled
def _momentum_torques(
    rows: Records[JointView],
    goal: ComGoal,
    gains: Records[MomentumConfig],
    memory: Array,
    dt: float,
    tau: Array,
) -> None:
    """Write s (K_P Δ + K_I ∫Δ dt + K_D dΔ/dt) for every joint."""
    own = gains[0]
    for j in range(rows.shape[0]):
        tau[j] = 0.0
        if rows[j].known != 0:
            torque = pid_torque(rows[j], goal, own, memory[j], dt)
            tau[j] = _gain_scale(rows[j], own) * torque


@final
@register("momentum")
@dataclass(frozen=True)
class MomentumLaw(AbstractLaw):
    """τ = (c0 + c1 |v|) (K_P Δ + K_I ∫Δ dt + K_D dΔ/dt), v = m₂ u x (p₂ - q)."""

    config: MomentumConfig = field(default_factory=MomentumConfig)
    memory_width: ClassVar[int] = MEMORY
    _torques = cached_dispatch(lambda: _momentum_torques)

    @cached_property
    def gains(self) -> Records[MomentumConfig]:
        """Settings as the kernel takes them, (1,)."""
        return record_of(self.config)

    def torques(
        self,
        rows: Records[JointView],
        goal: ComGoal,
        memory: Array,
        dt: float,
        tau: Array,
    ) -> None:
        """Write every joint's torque."""
        self._torques(rows, goal, self.gains, memory, dt, tau)
