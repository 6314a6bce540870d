"""Virtual forces on the whole robot's centre of mass, as each joint computes them."""

import math
from typing import NamedTuple

from equipoise.control.com.geometry.vectors import V3, ZERO, add_scaled, dot, vec
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.core.jit import compiled

__all__ = ["ApproachGains", "away_from", "paced_force", "spring_force"]


class ApproachGains(NamedTuple):
    """Gains by which the centre of mass approaches its goal."""

    rate: float
    """α, how fast the distance shrinks [1/s]."""
    top_speed: float
    """Largest wanted speed [m/s]."""
    brake: float
    """γ, damping of the centre's motion in units of the joints' own."""
    damping: float
    """b, of a joint [N m s/rad]."""
    floor: float
    """Added to J Jᵀ [m²/rad²]."""


@compiled(allocates=False, force_inline=True)
def away_from(goal: ComGoal, view: JointView) -> V3:
    """Return how far the centre of mass is from the goal's point [m]."""
    return add_scaled(vec(view.com), -1.0, vec(goal.point[0]))


@compiled(allocates=False, force_inline=True)
def spring_force(view: JointView, goal: ComGoal, k: float, c: float) -> V3:
    """Return F = -(k e + c v) across the goal's line, or towards its point [N].

    Args:
        view: what the joint that computes it knows.
        goal: where the centre of mass shall be.
        k: stiffness [N/m].
        c: damping [N s/m].
    """
    away, velocity = away_from(goal, view), vec(view.velocity)
    force = ZERO
    for a in range(3 if goal.is_point else 2):
        axis = vec(goal.frame[a])
        force = add_scaled(force, -k * dot(away, axis) - c * dot(velocity, axis), axis)
    return force


@compiled(allocates=False, force_inline=True)
def paced_force(view: JointView, goal: ComGoal, pace: ApproachGains) -> V3:
    """Return F = b (J Jᵀ + floor)⁻¹ (u - γ v) in the goal's plane [N].

    u = -α e is the wanted velocity of the centre, cut to the top speed. A point's third
    direction uses the mean of the two others' J Jᵀ.

    Args:
        view: what the joint that computes it knows.
        goal: where the centre of mass shall be.
        pace: see above.
    """
    away, velocity = away_from(goal, view), vec(view.velocity)
    first, second, third = vec(goal.frame[0]), vec(goal.frame[1]), vec(goal.frame[2])
    x, y, z = dot(away, first), dot(away, second), dot(away, third)
    if not goal.is_point:
        z = 0.0
    distance = math.sqrt(x * x + y * y + z * z)
    rate = min(pace.rate, pace.top_speed / max(distance, 1e-12))
    x = -rate * x - pace.brake * dot(velocity, first)
    y = -rate * y - pace.brake * dot(velocity, second)
    xx, xy, yy = vec(view.span)
    xx, yy = xx + pace.floor, yy + pace.floor
    scale = pace.damping / (xx * yy - xy * xy)
    force = add_scaled(ZERO, scale * (yy * x - xy * y), first)
    force = add_scaled(force, scale * (xx * y - xy * x), second)
    if goal.is_point:
        z = -rate * z - pace.brake * dot(velocity, third)
        force = add_scaled(force, 2.0 * pace.damping * z / (xx + yy), third)
    return force
