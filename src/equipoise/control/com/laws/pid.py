"""Target and PID for one joint: the frame of the paper's three schemes.

Each joint finds the displacement that would bring the whole robot's centre nearest to
the goal if it alone moved, and hands it to its own PID controller [Moll2006] section
IV. ``default``, ``distance`` and ``momentum`` differ in how the gains are scaled.
"""

import math
from dataclasses import dataclass

import numpy as np

from equipoise.control.com import joint_view as jv
from equipoise.control.com.geometry.circle_line import (
    com_angle,
    com_angle_point,
    slide_displacement,
)
from equipoise.control.com.geometry.vectors import add_scaled, cross, dot, get3
from equipoise.control.com.goal import Goal
from equipoise.core.arrays import Array
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = ["MEMORY", "PidConfig", "pid_torques"]

MEMORY = 3
"""A joint's memory: target [rad or m], integral, last error."""
CONSTANT, DISTANCE, MOMENTUM = 0, 1, 2
"""How the gains are scaled."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PidConfig:
    """Gains of [Moll2006] section V."""

    proportional: float = 10.0
    """Torque per radian of displacement [N m/rad]."""
    integral: float = 0.1
    """Torque per radian second [N m/(rad s)]."""
    derivative: float = 1e-4
    """Torque per radian per second [N m s/rad]."""
    hold: float = 0.001
    """A target is left for another only if that is nearer by this much [m]."""

    def __post_init__(self) -> None:
        """Refuse gains that push the wrong way."""
        names = ("proportional", "integral", "derivative", "hold")
        expect_positive(self, *names, zero=True)


@compiled
def best_displacement(
    rows: Array, j: int, goal: Goal, last: float, hold: float
) -> float:
    """Return the displacement of joint j that brings the centre nearest to the goal.

    Everything is turned into the goal's frame first, where a line is vertical.

    Args:
        rows: what the modules know about their joints.
        j: the joint.
        goal: where the centre of mass shall be.
        last: the displacement to the target chosen last [rad or m]; NaN for none.
        hold: see ``PidConfig`` [m].
    """
    at = get3(goal.point, 0, 0)
    place = np.empty((5, 3))
    for n, column in enumerate((jv.PIVOT, jv.AXIS, jv.MOVED_COM, jv.COM)):
        x = get3(rows, j, column)
        if n != 1:  # all but the axis are places
            x = add_scaled(x, -1.0, at)
        for a in range(3):
            place[n, a] = dot(get3(goal.frame, a, 0), x)
    place[4, :] = 0.0
    m2, mass = rows[j, jv.MOVED_MASS], rows[j, jv.MASS]
    lower = rows[j, jv.LOWER] - rows[j, jv.ANGLE]
    upper = rows[j, jv.UPPER] - rows[j, jv.ANGLE]
    upper = max(upper, lower)
    if rows[j, jv.HINGE] < 0.5:
        if goal.is_point:
            share = m2 / mass
            best = -dot(get3(place, 1, 0), get3(place, 3, 0)) / share
            return min(max(best, lower), upper)
        return slide_displacement(place[1], m2, mass, place[3], place[4], lower, upper)
    if goal.is_point:
        return com_angle_point(
            place[0], place[1], place[2], m2, place[3], mass, place[4], lower, upper,
            last, hold,
        )  # fmt: skip
    return com_angle(
        place[0], place[1], place[2], m2, place[3], mass, place[4][:2], lower, upper,
        last, hold,
    )  # fmt: skip


@compiled
def gain_scale(
    rows: Array, j: int, goal: Goal, kind: int, c0: float, c1: float, unit: float
) -> float:
    """Return the factor on all three gains.

    ``distance``: c0 + c1 d, d the centre's distance from the goal in ``unit``;
    ``momentum``: c0 + c1 |m₂ u x (p₂ - q)|, the moved side's momentum a unit of rate.
    """
    if kind == CONSTANT:
        return 1.0
    if kind == DISTANCE:
        away = add_scaled(get3(rows, j, jv.COM), -1.0, get3(goal.point, 0, 0))
        square = 0.0
        for a in range(3 if goal.is_point else 2):
            square += dot(away, get3(goal.frame, a, 0)) ** 2
        return c0 + c1 * math.sqrt(square) / unit
    lever = get3(rows, j, jv.AXIS)
    if rows[j, jv.HINGE] > 0.5:
        arm = add_scaled(get3(rows, j, jv.MOVED_COM), -1.0, get3(rows, j, jv.PIVOT))
        lever = cross(lever, arm)
    return c0 + c1 * rows[j, jv.MOVED_MASS] * math.sqrt(dot(lever, lever))


@compiled
def pid_torques(
    rows: Array,
    goal: Goal,
    gains: tuple[float, float, float, float],
    kind: int,
    c0: float,
    c1: float,
    unit: float,
    memory: Array,
    dt: float,
    tau: Array,
) -> None:
    """Write τ = s (K_P Δ + K_I ∫Δ dt + K_D dΔ/dt) for every joint, s the scale."""
    kp, ki, kd, hold = gains
    for j in range(rows.shape[0]):
        tau[j] = 0.0
        if rows[j, jv.KNOWN] < 0.5:
            continue
        angle = rows[j, jv.ANGLE]
        error = best_displacement(rows, j, goal, memory[j, 0] - angle, hold)
        if memory[j, 1] != memory[j, 1]:  # NaN: the first tick
            memory[j, 1], memory[j, 2] = 0.0, error
        memory[j, 0] = angle + error
        memory[j, 1] += error * dt
        rate = (error - memory[j, 2]) / dt
        memory[j, 2] = error
        scale = gain_scale(rows, j, goal, kind, c0, c1, unit)
        tau[j] = scale * (kp * error + ki * memory[j, 1] + kd * rate)
