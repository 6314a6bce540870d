"""Virtual forces on the whole robot's centre of mass, as each joint computes them."""

import math

from equipoise.control.com import joint_view as jv
from equipoise.control.com.geometry.vectors import V3, add_scaled, dot, get3
from equipoise.control.com.goal import Goal
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["paced_force", "spring_force"]


@compiled(allocates=False, melts=True)
def spring_force(rows: Array, j: int, goal: Goal, k: float, c: float) -> V3:
    """Return F = -(k e + c v) across the goal's line, or towards its point [N].

    Args:
        rows: what the modules know about their joints.
        j: the joint that computes it.
        goal: where the centre of mass shall be.
        k: stiffness [N/m].
        c: damping [N s/m].
    """
    away = add_scaled(get3(rows, j, jv.COM), -1.0, get3(goal.point, 0, 0))
    velocity = get3(rows, j, jv.VELOCITY)
    force = (0.0, 0.0, 0.0)
    for a in range(3 if goal.is_point else 2):
        axis = get3(goal.frame, a, 0)
        force = add_scaled(force, -k * dot(away, axis) - c * dot(velocity, axis), axis)
    return force


@compiled(allocates=False, melts=True)
def paced_force(
    rows: Array,
    j: int,
    goal: Goal,
    pace: float,
    top_speed: float,
    brake: float,
    b: float,
    floor: float,
) -> V3:
    """Return F = b (J Jᵀ + floor)⁻¹ (u - γ v) in the goal's plane [N].

    u = -α e is the wanted velocity of the centre, cut to ``top_speed``. A point's third
    direction uses the mean of the two others' J Jᵀ.

    Args:
        rows: what the modules know about their joints.
        j: the joint that computes it.
        goal: where the centre of mass shall be.
        pace: α [1/s].
        top_speed: largest wanted speed [m/s].
        brake: γ.
        b: damping of a joint [N m s/rad].
        floor: added to J Jᵀ [m²/rad²].
    """
    away = add_scaled(get3(rows, j, jv.COM), -1.0, get3(goal.point, 0, 0))
    first, second = get3(goal.frame, 0, 0), get3(goal.frame, 1, 0)
    third = get3(goal.frame, 2, 0)
    velocity = get3(rows, j, jv.VELOCITY)
    x, y, z = dot(away, first), dot(away, second), dot(away, third)
    if not goal.is_point:
        z = 0.0
    distance = math.sqrt(x * x + y * y + z * z)
    pace = min(pace, top_speed / max(distance, 1e-12))
    x = -pace * x - brake * dot(velocity, first)
    y = -pace * y - brake * dot(velocity, second)
    xx, xy, yy = get3(rows, j, jv.SPAN)
    xx, yy = xx + floor, yy + floor
    scale = b / (xx * yy - xy * xy)
    force = add_scaled((0.0, 0.0, 0.0), scale * (yy * x - xy * y), first)
    force = add_scaled(force, scale * (xx * y - xy * x), second)
    if goal.is_point:
        z = -pace * z - brake * dot(velocity, third)
        force = add_scaled(force, 2.0 * b * z / (xx + yy), third)
    return force
