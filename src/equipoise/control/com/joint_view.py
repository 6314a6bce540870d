"""What a module knows about one of its joints: all that a steering law sees.

A steering law reads one view and returns one torque: it cannot see another module's
joint. World quantities are the module's own estimates from its neighbours' messages.
"""

import numpy as np

from equipoise.control.com.geometry.vectors import V3, add_scaled, cross, scaled, vec
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry

__all__ = ["JointView", "com_column", "moved_arm"]


class JointView(Record):
    """One joint as its own module knows it."""

    known: int = entry(
        "1 when masses and world frame are known, else the rest means nothing",
        kind=np.int64,
    )
    mass: float = entry("mass of the whole robot", "kg")
    com: Array = entry("its centre p_WC", "m", 3)
    velocity: Array = entry("its velocity v_WC", "m/s", 3)
    moved_mass: float = entry("mass of the side away from the ground", "kg")
    moved_com: Array = entry("centre of that side in W", "m", 3)
    pivot: Array = entry("the joint's place in W", "m", 3)
    axis: Array = entry("unit axis in W about or along which that side goes", "", 3)
    touch: float = entry("push of the contacts on that side", "N m or N")
    span: Array = entry("sum of J Jᵀ over all joints: xx, xy, yy", "m²/rad²", 3)
    age: float = entry("age of the oldest number used", "s")
    angle: float = entry("the joint's value", "rad or m")
    rate: float = entry("its rate", "rad/s or m/s")
    lower: float = entry("its lower limit; equal to the upper if locked", "rad or m")
    upper: float = entry("its upper limit", "rad or m")
    hinge: int = entry("1 for a hinge, 0 for a slide", kind=np.int64)


@compiled(allocates=False, force_inline=True)
def moved_arm(view: JointView) -> V3:
    """Return p₂ - q, from the joint to the centre of the side that it moves [m]."""
    return add_scaled(vec(view.moved_com), -1.0, vec(view.pivot))


@compiled(allocates=False, force_inline=True)
def com_column(view: JointView) -> V3:
    """Return J = (m₂/M) u x (p₂ - q), or (m₂/M) u for a slide: centre per joint unit.

    The joint's column of the centre-of-mass Jacobian [m/rad or 1].
    """
    share = view.moved_mass / view.mass
    axis = vec(view.axis)
    if view.hinge != 0:
        axis = cross(axis, moved_arm(view))
    return scaled(share, axis)
