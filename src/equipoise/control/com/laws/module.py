"""A module's three joints together, the paper's first item of future work.

Each module finds the displacement of all its joints that would bring the centre of
mass to the goal if it alone moved: a few damped Gauss-Newton steps on its own exact
kinematics, inside its joint limits. With three joints the centre can be moved straight
to the goal [Moll2006] section VI. Every module does the same at the same time, so each
takes only a part of the way.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.com import joint_view as jv
from equipoise.control.com.goal import Goal
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.vectors import (
    M3,
    V3,
    add,
    add_scaled,
    cross,
    dot,
    get3,
    put3,
    turn,
    turn_about,
)
from equipoise.core.arrays import Array
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled

__all__ = ["ModuleConfig", "ModuleLaw"]

STEPS = 4  # Gauss-Newton steps a tick; the next tick goes on from there


@dataclass(frozen=True, kw_only=True, slots=True)
class ModuleConfig:
    """Gains; defaults suit 20 modules of 72 g."""

    joints: int = 3
    """Joints a module."""
    proportional: float = 1.0
    """Torque per radian of displacement [N m/rad]."""
    derivative: float = 0.02
    """Torque against the joint's own rate [N m s/rad]."""
    damping: float = 0.02
    """Keeps displacements small where they gain little [m/rad]."""

    def __post_init__(self) -> None:
        """Refuse gains that push the wrong way."""
        expect_positive(self, "proportional", "damping")
        expect_positive(self, "derivative", zero=True)
        if self.joints < 1:
            problem = f"joints must be >= 1, got {self.joints!r}"
            raise ConfigError(type(self).__name__, [problem])


@compiled
def moved_centre(rows: Array, order: Array, turns: Array, columns: Array) -> V3:
    """Return the robot's centre after a module's joints turned; write its Jacobian.

    The outermost joint turns first, then the next one carries it along, and so on:
    p' = q + R (p - q) and p_inner += (m_outer/m_inner) (p'_outer - p_outer).

    Args:
        rows: what the modules know about their joints.
        order: rows of the module's joints, from the ground outwards.
        turns: their displacements [rad or m].
        columns: written: change of the centre per displacement, (joints, 3).
    """
    shift, outer_mass = (0.0, 0.0, 0.0), 0.0
    for n in range(order.shape[0] - 1, -1, -1):
        j = order[n]
        mass, pivot = rows[j, jv.MOVED_MASS], get3(rows, j, jv.PIVOT)
        centre, axis = get3(rows, j, jv.MOVED_COM), get3(rows, j, jv.AXIS)
        carried = add_scaled(centre, outer_mass / mass, shift)
        share = mass / rows[j, jv.MASS]
        if rows[j, jv.HINGE] > 0.5:
            R = turn_about(axis, turns[n])
            arm = turn(R, add_scaled(carried, -1.0, pivot))
            turn_outer(columns, n + 1, R)
            shift = add_scaled(add(pivot, arm), -1.0, centre)
            change = cross(axis, arm)
        else:
            shift = add_scaled(add_scaled(carried, turns[n], axis), -1.0, centre)
            change = axis
        put3(columns, n, 0, (share * change[0], share * change[1], share * change[2]))
        outer_mass = mass
    j = order[0]
    return add_scaled(get3(rows, j, jv.COM), outer_mass / rows[j, jv.MASS], shift)


@compiled
def turn_outer(columns: Array, first: int, R: M3) -> None:
    """Turn the columns of the joints that are carried along."""
    for n in range(first, columns.shape[0]):
        put3(columns, n, 0, turn(R, get3(columns, n, 0)))


@compiled
def module_turns(
    rows: Array, order: Array, goal: Goal, damping: float, turns: Array, columns: Array
) -> None:
    """Write the module's best displacements: damped Gauss-Newton inside the limits.

    Each step solves (Jᵀ J + λ² 1) δ = -Jᵀ e - λ² Δ by Gauss-Seidel, limits included.
    """
    count, axes = order.shape[0], 3 if goal.is_point else 2
    at = get3(goal.point, 0, 0)
    turns[:] = 0.0
    for _ in range(STEPS):
        centre = moved_centre(rows, order, turns, columns)
        away = add_scaled(centre, -1.0, at)
        for _sweep in range(3):
            for n in range(count):
                gain, size = damping * damping * turns[n], damping * damping
                for a in range(axes):
                    axis = get3(goal.frame, a, 0)
                    slope = dot(axis, get3(columns, n, 0))
                    gain += slope * dot(axis, away)
                    size += slope * slope
                j = order[n]
                lower = min(rows[j, jv.LOWER] - rows[j, jv.ANGLE], 0.0)
                upper = max(rows[j, jv.UPPER] - rows[j, jv.ANGLE], 0.0)
                new = min(max(turns[n] - gain / size, lower), upper)
                away = add_scaled(away, new - turns[n], get3(columns, n, 0))
                turns[n] = new


@compiled
def module_torques(
    rows: Array, goal: Goal, joints: int, gains: tuple[float, float, float], tau: Array
) -> None:
    """Write τ = K_P Δ - K_D q̇ for every joint."""
    kp, kd, damping = gains
    order = np.empty(joints, np.int64)
    turns, columns = np.empty(joints), np.empty((joints, 3))
    for first in range(0, rows.shape[0], joints):
        if rows[first, jv.KNOWN] < 0.5:
            tau[first : first + joints] = 0.0
            continue
        for n in range(joints):
            order[n] = first + n
        last = first + joints - 1
        if rows[last, jv.MOVED_MASS] > rows[first, jv.MOVED_MASS]:  # held at its far end
            for n in range(joints):
                order[n] = last - n
        module_turns(rows, order, goal, damping, turns, columns)
        for n in range(joints):
            j = order[n]
            tau[j] = kp * turns[n] - kd * rows[j, jv.RATE]


@final
@register("module")
@dataclass(frozen=True)
class ModuleLaw(AbstractLaw):
    """τ = K_P Δ - K_D q̇ with Δ the module's best joint displacements together."""

    config: ModuleConfig = field(default_factory=ModuleConfig)

    def torques(
        self, rows: Array, goal: Goal, memory: Array, dt: float, tau: Array
    ) -> None:
        """Write every joint's torque; the law keeps no memory."""
        c = self.config
        if len(rows) % c.joints:
            problem = f"joints must divide {len(rows)}, got {c.joints}"
            raise ConfigError("ModuleConfig", [problem])
        gains = (c.proportional, c.derivative, c.damping)
        module_torques(rows, goal, c.joints, gains, tau)
