"""Where the trunk shall be: references that a heavy machine can follow.

A step in the reference is led through two equal poles, x'' = p² (target - x) - 2 p x',
so that a PID controller neither jerks nor winds up its integral on the way; the rate
that comes with it is followed too. An extension of ours, off at p = 0.

The feet's references follow the trunk's: as printed they are straight below the hips
along the trunk's own axis, [Ridderstrom2003] section 11.2.3, so that the trunk moves
sideways whenever it tilts. Plumb, they are where the feet of a level machine are, so
that it tilts about its own middle.
"""

import math

from equipoise.control.records import LegAim, LegEstimate, TrunkEstimate
from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["LedReference", "lead_reference", "plumb_feet"]


class LedReference(Record):
    """Filtered reference of the trunk's posture."""

    at: Vec3 = entry("roll, pitch [rad] and rise above the first height", "m", 3)
    rate: Vec3 = entry("of roll, pitch [rad/s] and of the rise", "m/s", 3)


@compiled(allocates=False)
def lead_reference(
    target: tuple[float, float, float], rate: float, dt: float, led: LedReference
) -> None:
    """Advance the led reference by one tick.

    Args:
        target: roll, pitch [rad] and rise [m].
        rate: p, 0 to jump [1/s].
        dt: control period [s].
        led: the reference and its rates; advanced.
    """
    for i in range(3):
        if rate > 0.0:
            pull = rate * rate * (target[i] - led.at[i]) - 2.0 * rate * led.rate[i]
            led.rate[i] += pull * dt
            led.at[i] += led.rate[i] * dt
        else:
            led.at[i], led.rate[i] = target[i], 0.0


@compiled(allocates=False)
def plumb_feet(
    trunk: TrunkEstimate, legs: Records[LegEstimate], aims: Records[LegAim]
) -> None:
    """Write places and velocities at which the feet are as those of a level trunk.

    With u the vertical in B, e1 and e2 the level axes ahead and to the left, the foot
    of the hip (h1, h2, h3) belongs at r_BP = h1 e1 + h2 e2 + (u · r_BP) u and, but for
    the trunk's turning about the vertical, moves there with -w × r_BP.

    Args:
        trunk: its attitude and rate of turn.
        legs: with their feet, (nl,).
        aims: places and velocities are overwritten, (nl,).
    """
    w, ux, uy, uz = trunk.w_WB_B, trunk.R_WB[2, 0], trunk.R_WB[2, 1], trunk.R_WB[2, 2]
    cosine = math.sqrt(max(1.0 - ux * ux, 1e-12))
    sr, cr = uy / cosine, uz / cosine
    about = ux * w[0] + uy * w[1] + uz * w[2]
    a, b, c = w[0] - about * ux, w[1] - about * uy, w[2] - about * uz
    for one in range(legs.shape[0]):
        hip, foot = legs[one].hip, legs[one].foot
        place, velocity = aims[one].place, aims[one].velocity
        hx, hy, hz = hip[0], hip[1], hip[2]
        x, y, z = hx + foot[0], hy + foot[1], hz + foot[2]
        up = ux * x + uy * y + uz * z
        px = cosine * hx + up * ux
        py = -ux * sr * hx + cr * hy + up * uy
        pz = -ux * cr * hx - sr * hy + up * uz
        place[0], place[1], place[2] = px - hx, py - hy, pz - hz
        velocity[0] = c * py - b * pz
        velocity[1] = a * pz - c * px
        velocity[2] = b * px - a * py
