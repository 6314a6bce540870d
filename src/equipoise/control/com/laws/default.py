"""The paper's first scheme: each joint has its own target, all have equal gains."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.laws.pid import MEMORY, PidConfig, PidGains, pid_torques
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Records

__all__ = ["DefaultLaw"]


@final
@register("default")
@dataclass(frozen=True)
class DefaultLaw(AbstractLaw):
    """τ = K_P Δ + K_I ∫Δ dt + K_D dΔ/dt with the same gains in every joint."""

    config: PidConfig = field(default_factory=PidConfig)
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
        gains = PidGains(c.proportional, c.integral, c.derivative, c.hold)
        self._torques(rows, goal, gains, memory, dt, tau)
