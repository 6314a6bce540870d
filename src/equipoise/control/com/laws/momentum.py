"""The paper's third scheme: gains increase with the first moment that a joint moves.

K = (c0 + c1 |m₂ u x (p₂ - q)|) K0 [Moll2006] section IV, in kilograms and metres.
"""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.laws.pid import (
    MEMORY,
    MOMENTUM,
    PidConfig,
    PidGains,
    pid_torques,
)
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Records
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


@final
@register("momentum")
@dataclass(frozen=True)
class MomentumLaw(AbstractLaw):
    """τ = (c0 + c1 |v|) (K_P Δ + K_I ∫Δ dt + K_D dΔ/dt), v = m₂ u x (p₂ - q)."""

    config: MomentumConfig = field(default_factory=MomentumConfig)
    memory_width: ClassVar[int] = MEMORY
    _torques = cached_dispatch(lambda: pid_torques)

    def torques(
        self,
        rows: Records[JointView],
        goal: ComGoal,
        memory: Array,
        dt: float,
        tau: Array,
    ) -> None:
        """Write every joint's torque."""
        c = self.config
        pid = (c.proportional, c.integral, c.derivative, c.hold)
        gains = PidGains(*pid, MOMENTUM, c.constant, c.slope)
        self._torques(rows, goal, gains, memory, dt, tau)
