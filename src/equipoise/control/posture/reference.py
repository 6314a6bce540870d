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

from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled

__all__ = ["lead_reference", "plumb_feet"]


@compiled(allocates=False)
def lead_reference(target: VecN, rate: float, dt: float, led: VecN) -> None:
    """Advance the led reference by one tick.

    Args:
        target: roll, pitch, height, (3,).
        rate: p, 0 to jump [1/s].
        dt: control period [s].
        led: the reference and its rates, (6,); advanced.
    """
    for i in range(3):
        if rate > 0.0:
            pull = rate * rate * (target[i] - led[i]) - 2.0 * rate * led[3 + i]
            led[3 + i] += pull * dt
            led[i] += led[3 + i] * dt
        else:
            led[i], led[3 + i] = target[i], 0.0


@compiled(allocates=False)
def plumb_feet(feet: Array, hips: Array, trunk: Array, aim: Array) -> None:
    """Write places and velocities at which the feet are as those of a level trunk.

    With u the vertical in B, e1 and e2 the level axes ahead and to the left, the foot
    of the hip (h1, h2, h3) belongs at r_BP = h1 e1 + h2 e2 + (u · r_BP) u and, but for
    the trunk's turning about the vertical, moves there with -w × r_BP.

    Args:
        feet: from ``observe_legs``, (nl, 5, 3).
        hips: in B, (nl, 3) [m].
        trunk: R_WB and w_B, (4, 3).
        aim: its planes 0 and 1, (6, nl, 3); overwritten.
    """
    ux, uy, uz = trunk[2, 0], trunk[2, 1], trunk[2, 2]
    cosine = math.sqrt(max(1.0 - ux * ux, 1e-12))
    sr, cr = uy / cosine, uz / cosine
    about = ux * trunk[3, 0] + uy * trunk[3, 1] + uz * trunk[3, 2]
    a, b, c = (
        trunk[3, 0] - about * ux,
        trunk[3, 1] - about * uy,
        trunk[3, 2] - about * uz,
    )
    for leg in range(feet.shape[0]):
        hx, hy, hz = hips[leg, 0], hips[leg, 1], hips[leg, 2]
        x, y, z = hx + feet[leg, 0, 0], hy + feet[leg, 0, 1], hz + feet[leg, 0, 2]
        up = ux * x + uy * y + uz * z
        px = cosine * hx + up * ux
        py = -ux * sr * hx + cr * hy + up * uy
        pz = -ux * cr * hx - sr * hy + up * uz
        aim[0, leg, 0], aim[0, leg, 1], aim[0, leg, 2] = px - hx, py - hy, pz - hz
        aim[1, leg, 0] = c * py - b * pz
        aim[1, leg, 1] = a * pz - c * px
        aim[1, leg, 2] = b * px - a * py
