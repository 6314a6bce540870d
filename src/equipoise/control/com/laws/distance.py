"""The paper's second scheme: gains decrease with the distance from the goal.

K = (c0 + c1 d) K0 [Moll2006] section IV. With c0 = 0, the paper's choice, the gains
vanish at the goal and the distance falls only as one over time.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, ClassVar, final

from equipoise.control.com.forces import away_from
from equipoise.control.com.geometry.vectors import dot, vec
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.laws.pid import MEMORY, PidConfig, pid_torque
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, record_of
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


@compiled
def _gain_scale(view: JointView, goal: ComGoal, gains: DistanceConfig) -> float:
    """Return c0 + c1 d, d the centre's distance from the goal in ``unit``."""
    away = away_from(goal, view)
    square = 0.0
    for a in range(3 if goal.is_point else 2):
        square += dot(away, vec(goal.frame[a])) ** 2
    return gains.constant + gains.slope * math.sqrt(square) / gains.unit


@compiled
def _distance_torques(
    rows: Records[JointView],
    goal: ComGoal,
    gains: Records[DistanceConfig],
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
            tau[j] = _gain_scale(rows[j], goal, own) * torque


@final
@register("distance")
@dataclass(frozen=True)
class DistanceLaw(AbstractLaw):
    """τ = (c0 + c1 d) (K_P Δ + K_I ∫Δ dt + K_D dΔ/dt)."""

    config: DistanceConfig = field(default_factory=DistanceConfig)
    memory_width: ClassVar[int] = MEMORY
    _torques = cached_dispatch(lambda: _distance_torques)

    @cached_property
    def gains(self) -> Records[DistanceConfig]:
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
