"""How stiff a foot's spring may be when a computer plays it, late and in steps.

A foot of mass m whose damper acts a time T late rings from D T/m = π/2 on, and so does
one whose spring is much stiffer than its damper holds. So

    D <= c m / T,    K <= D² / (4 ζ² m),    c = 0.4, ζ = 0.5

with m what moves when the foot is moved and the trunk is not (rotors included), and T
all that lies between reading a speed and the force: half a period for the speed's own
difference, half for the hold, and the delay of bus and computer. c leaves a factor of
four to where the damper alone would ring.
"""

import numpy as np

from equipoise.core.arrays import Array, Vec3

__all__ = ["held_gains"]

SHARE = 0.4
RATIO = 0.5


def held_gains(
    moved: Array, stiffness: Vec3, damping: Vec3, late: float
) -> tuple[Vec3, Vec3]:
    """Return stiffness and damping that a sampled loop holds, at most those given.

    Args:
        moved: mass of each foot along the axes of B, (nl, 3) [kg].
        stiffness: wanted along the axes of B, (3,) [N/m].
        damping: wanted, (3,) [N s/m].
        late: time from reading to force, hold included [s].
    """
    mass = moved.min(axis=0)
    d = np.minimum(damping, SHARE * mass / late)
    k = np.minimum(stiffness, d * d / (4.0 * RATIO**2 * mass))
    return k, d
