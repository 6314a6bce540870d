"""The paper's first scheme: each joint has its own target, all have equal gains."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, final

from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.laws.pid import MEMORY, PidConfig, pid_torque
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, record_of

__all__ = ["DefaultLaw"]


@compiled
def _default_torques(
    rows: Records[JointView],
    goal: ComGoal,
    gains: Records[PidConfig],
    memory: Array,
    dt: float,
    tau: Array,
) -> None:
    """Write K_P Δ + K_I ∫Δ dt + K_D dΔ/dt for every joint."""
    own = gains[0]
    for j in range(rows.shape[0]):
        tau[j] = 0.0
        if rows[j].known != 0:
            tau[j] = pid_torque(rows[j], goal, own, memory[j], dt)


@final
@register("default")
@dataclass(frozen=True)
class DefaultLaw(AbstractLaw):
    """τ = K_P Δ + K_I ∫Δ dt + K_D dΔ/dt with the same gains in every joint."""

    config: PidConfig = field(default_factory=PidConfig)
    memory_width: ClassVar[int] = MEMORY
    _torques = cached_dispatch(lambda: _default_torques)

    @cached_property
    def gains(self) -> Records[PidConfig]:
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
