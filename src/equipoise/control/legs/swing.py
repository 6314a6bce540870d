"""The way of a swinging foot, axis by axis; see ``legs.programs.steps``."""

import math

from equipoise.control.records import LegStance
from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry

__all__ = ["StepSettings", "Swing", "along"]


class Swing(Record):
    """What is kept of one leg's swing."""

    left: Vec3 = entry("where it left the ground, seen from the reference", "m", 3)
    low: float = entry("how far the trunk hangs below its reference", "m")
    stood: float = entry("1 where it stood at the last tick")
    progress: float = entry("share of its swing that was over at the last tick")


class StepSettings(Record):
    """The settings as the kernel takes them."""

    lift: float = entry("over the line between footholds", "m")
    soft_landing: float = entry("0 lands fastest, 1 without speed")
    match: float = entry("share of the ground's speed at both ends of a swing")
    sink: float = entry("how far the trunk may hang low for feet to go higher", "m")
    steady: Vec3 = entry("damping of the trunk by each standing foot", "N s/m", 3)
    lands_where_seen: float = entry("1 where a new foothold is where the foot is seen")
    singular: float = entry("determinant below which a leg is singular", "m^3")
    stiffness: Vec3 = entry("of a foot's spring along the axes of B", "N/m", 3)
    damping: Vec3 = entry("and of its damper", "N s/m", 3)


@compiled(allocates=False)
def along(
    i: int,
    drift: float,
    goal: float,
    leg: LegStance,
    setting: StepSettings,
    swing: Swing,
) -> tuple[float, float, float]:
    """Return place, velocity and acceleration of a swing's axis, per share of it.

    Args:
        i: which axis.
        drift: velocity with which the ground is left behind [m/s].
        goal: where the foot is bound for [m].
        leg: how far the swing is.
        setting: of the swing.
        swing: where it began.
    """
    u, left = leg.progress, swing.left[i]
    slope = -setting.match * drift * leg.swing
    a, b, d = goal - left, u * u * (3.0 - 2.0 * u), u * (1.0 - u)
    at = left + a * b + slope * d * (1.0 - 2.0 * u)
    rate = 6.0 * a * d + slope * (1.0 - 6.0 * d)
    bend = 6.0 * a * (1.0 - 2.0 * u) - 6.0 * slope * (1.0 - 2.0 * u)
    if i == 2:
        bump, rise, pull = _bump_of(u, setting.soft_landing)
        lift = leg.clearance if leg.clearance > 0.0 else setting.lift
        at, rate, bend = at + lift * bump, rate + lift * rise, bend + lift * pull
    if leg.late > 0.0:  # the ground carries its foothold
        return goal - drift * leg.late, -drift * leg.swing, 0.0
    return at, rate, bend


@compiled(allocates=False)
def _bump_of(u: float, soft: float) -> tuple[float, float, float]:
    """Return the bump (1 - a) sin πu + a sin² πu and its two derivatives."""
    s, c = math.sin(math.pi * u), math.cos(math.pi * u)
    bump = (1.0 - soft) * s + soft * s * s
    rise = math.pi * ((1.0 - soft) * c + 2.0 * soft * s * c)
    pull = math.pi**2 * (2.0 * soft * (c * c - s * s) - (1.0 - soft) * s)
    return bump, rise, pull
