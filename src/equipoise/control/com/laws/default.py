"""The paper's first scheme: every joint its own target, the same gains everywhere."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from equipoise.control.com.goal import Goal
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.laws.pid import CONSTANT, MEMORY, PidConfig, pid_torques
from equipoise.core.arrays import Array

__all__ = ["DefaultLaw"]


@final
@register("default")
@dataclass(frozen=True)
class DefaultLaw(AbstractLaw):
    """τ = K_P Δ + K_I ∫Δ dt + K_D dΔ/dt with the same gains in every joint."""

    config: PidConfig = field(default_factory=PidConfig)
    memory_width: ClassVar[int] = MEMORY

    def torques(
        self, rows: Array, goal: Goal, memory: Array, dt: float, tau: Array
    ) -> None:
        """Write every joint's torque."""
        c = self.config
        gains = (c.proportional, c.integral, c.derivative, c.hold)
        pid_torques(rows, goal, gains, CONSTANT, 1.0, 0.0, 1.0, memory, dt, tau)
