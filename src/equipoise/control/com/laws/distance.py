"""The paper's second scheme: gains decrease with the distance from the goal.

K = (c0 + c1 d) K0 [Moll2006] section IV. With c0 = 0, the paper's choice, the gains
vanish at the goal and the distance falls only as one over time.
"""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.laws.pid import (
    DISTANCE,
    MEMORY,
    PidConfig,
    PidGains,
    pid_torques,
)
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Records
from equipoise.core.setting import Setting

__all__ = ["DistanceConfig", "DistanceLaw"]


@dataclass(frozen=True, kw_only=True, slots=True)
class DistanceConfig(PidConfig):
    """Gains and constants of [Moll2006] section V."""

    constant: Annotated[
        float, Setting("Constant part c0 of the scale of all gains", least=0.0)
    ] = 0.0
    slope: Annotated[
        float, Setting("Growth c1 of the scale per `unit` of distance", least=0.0)
    ] = 0.1
    unit: Annotated[
        float,
        Setting(
            "Length in which distances are counted: the width of a module",
            "m",
            above=0.0,
        ),
    ] = 0.084


@final
@register("distance")
@dataclass(frozen=True)
class DistanceLaw(AbstractLaw):
    """τ = (c0 + c1 d) (K_P Δ + K_I ∫Δ dt + K_D dΔ/dt)."""

    config: DistanceConfig = field(default_factory=DistanceConfig)
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
        gains = PidGains(*pid, DISTANCE, c.constant, c.slope, c.unit)
        self._torques(rows, goal, gains, memory, dt, tau)
