"""Target and PID for one joint: the frame of the paper's three schemes.

Each joint finds the displacement that would bring the whole robot's centre nearest to
the goal if it alone moved, and hands it to its own PID controller [Moll2006] section
IV. ``default``, ``distance`` and ``momentum`` differ in how the gains are scaled.
"""

from dataclasses import dataclass
from typing import Annotated

from equipoise.control.com.geometry.circle_line import (
    Choice,
    Lever,
    com_angle,
    com_angle_point,
    slide_displacement,
)
from equipoise.control.com.geometry.vectors import (
    V3,
    ZERO,
    add_scaled,
    dot,
    vec,
)
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.setting import Setting, Settings

__all__ = ["MEMORY", "PidConfig", "pid_torque"]

MEMORY = 3
"""A joint's memory: target [rad or m], integral, last error."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PidConfig(Settings):
    """Gains of [Moll2006] section V."""

    proportional: Annotated[
        float, Setting("Torque per radian of displacement", "N m/rad", least=0.0)
    ] = 10.0
    integral: Annotated[
        float,
        Setting("Torque per radian second of displacement", "N m/(rad s)", least=0.0),
    ] = 0.1
    derivative: Annotated[
        float, Setting("Torque per rate of the displacement", "N m s/rad", least=0.0)
    ] = 1e-4
    hold: Annotated[
        float,
        Setting(
            "Distance by which another target must be nearer to replace the present "
            "one",
            "m",
            least=0.0,
        ),
    ] = 0.001


@compiled
def _in_goal_frame(goal: ComGoal, x: V3) -> V3:
    """Return a direction in the goal's frame, where a line is vertical."""
    first, second, third = vec(goal.frame[0]), vec(goal.frame[1]), vec(goal.frame[2])
    return dot(first, x), dot(second, x), dot(third, x)


@compiled
def _best_displacement(
    view: JointView, goal: ComGoal, last: float, hold: float
) -> float:
    """Return the displacement of a joint that brings the centre nearest to the goal.

    Everything is turned into the goal's frame first, where a line is vertical.

    Args:
        view: what the module knows about the joint.
        goal: where the centre of mass shall be.
        last: the displacement to the target chosen last [rad or m]; NaN for none.
        hold: see ``PidConfig`` [m].
    """
    at = vec(goal.point[0])
    pivot = _in_goal_frame(goal, add_scaled(vec(view.pivot), -1.0, at))
    axis = _in_goal_frame(goal, vec(view.axis))
    moved = _in_goal_frame(goal, add_scaled(vec(view.moved_com), -1.0, at))
    com = _in_goal_frame(goal, add_scaled(vec(view.com), -1.0, at))
    m2, mass = view.moved_mass, view.mass
    lower, upper = view.lower - view.angle, view.upper - view.angle
    upper = max(upper, lower)
    if view.hinge == 0:
        if goal.is_point:
            share = m2 / mass
            best = -dot(axis, com) / share
            return min(max(best, lower), upper)
        return slide_displacement(axis, m2, mass, com, (0.0, 0.0), lower, upper)
    arm = (moved[0] - pivot[0], moved[1] - pivot[1], moved[2] - pivot[2])
    lever = Lever(axis, arm, m2 / mass, com)
    choice = Choice(lower, upper, last, hold)
    if goal.is_point:
        return com_angle_point(lever, ZERO, choice)
    return com_angle(lever, (0.0, 0.0), choice)


@compiled(force_inline=True)
def pid_torque(
    view: JointView, goal: ComGoal, gains: PidConfig, kept: Array, dt: float
) -> float:
    """Return K_P Δ + K_I ∫Δ dt + K_D dΔ/dt of one joint that is known.

    Args:
        view: what the module knows about the joint.
        goal: where the centre of mass shall be.
        gains: a record of a ``PidConfig``.
        kept: the joint's memory, (MEMORY,); written.
        dt: control period [s].
    """
    error = _best_displacement(view, goal, kept[0] - view.angle, gains.hold)
    if kept[1] != kept[1]:  # NaN: the first tick
        kept[1], kept[2] = 0.0, error
    kept[0] = view.angle + error
    kept[1] += error * dt
    rate = (error - kept[2]) / dt
    kept[2] = error
    kp, ki, kd = gains.proportional, gains.integral, gains.derivative
    return kp * error + ki * kept[1] + kd * rate
