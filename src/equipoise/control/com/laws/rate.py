"""Damped resolved rate: each joint takes its share of the desired CoM velocity.

q̇ = Jᵀ (J Jᵀ + λ² 1)⁻¹ (-α e): the two-by-two matrix is a sum over all joints and
travels in the same messages as the masses. A velocity loop in each joint follows it.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, final

from equipoise.control.com.forces import ApproachGains, paced_force
from equipoise.control.com.geometry.vectors import dot
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView, com_column
from equipoise.control.com.law import AbstractLaw, register
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["RateConfig", "RateLaw"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RateConfig(Settings):
    """Pace of the centre and stiffness of the joints' velocity loops."""

    pace: Annotated[
        float,
        Setting("Rate α at which the distance to the goal shrinks", "1/s", above=0.0),
    ] = 10.0
    damping: Annotated[
        float,
        Setting(
            "Damping λ that keeps joint rates small where the centre cannot be moved",
            "m/rad",
            above=0.0,
        ),
    ] = 0.05
    velocity_gain: Annotated[
        float, Setting("Torque per error of a joint's rate", "N m s/rad", above=0.0)
    ] = 2.0
    rate_limit: Annotated[
        float, Setting("Largest rate asked of a joint", "rad/s", above=0.0)
    ] = 4.0


@compiled(allocates=False)
def _rate_torques(
    rows: Records[JointView],
    goal: ComGoal,
    pace: ApproachGains,
    gain: float,
    limit: float,
    tau: Array,
) -> None:
    """Write τ = K (q̇_wanted - q̇) for every joint."""
    for j in range(rows.shape[0]):
        tau[j] = 0.0
        view = rows[j]
        if view.known != 0:
            wanted = dot(com_column(view), paced_force(view, goal, pace))
            wanted = math.copysign(min(abs(wanted), limit), wanted)
            tau[j] = gain * (wanted - view.rate)


@final
@register("rate")
@dataclass(frozen=True)
class RateLaw(AbstractLaw):
    """τ = K (q̇_wanted - q̇) with q̇_wanted = Jᵀ (J Jᵀ + λ² 1)⁻¹ (-α e)."""

    config: RateConfig = field(default_factory=RateConfig)
    _torques = cached_dispatch(lambda: _rate_torques)

    def torques(
        self,
        rows: Records[JointView],
        goal: ComGoal,
        memory: Array,
        dt: float,
        tau: Array,
    ) -> None:
        """Write every joint's torque; the law keeps no memory."""
        c = self.config
        # with b = 1 the paced force is the wanted rate per unit of J
        pace = ApproachGains(c.pace, math.inf, 0.0, 1.0, c.damping**2)
        self._torques(rows, goal, pace, c.velocity_gain, c.rate_limit, tau)
