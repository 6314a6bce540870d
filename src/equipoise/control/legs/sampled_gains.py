"""How stiff a foot's spring may be when a computer plays it, late and in steps.

Along an axis on which a foot weighs m, a damper that acts a time T late rings from
D T/m = π/2 on, and so does a spring that is much stiffer than its damper holds. Axes
are coupled: what a force along one does to the others is in the foot's mobility
G = J M⁻¹ Jᵀ, with the trunk held and rotors in M. So, for every leg,

    T λ(G D) <= c,    K <= D² G / (4 ζ²),    c = 0.3, ζ = 0.5

with λ the largest eigenvalue, K, D and the diagonal of G axis by axis, and T all that
lies between reading a speed and the force: half a period for the speed's own
difference, half for the hold, and the delay of bus and computer. c leaves a factor of
five to where the damper alone would ring.
"""

import numpy as np

from equipoise.core.arrays import Array, Vec3

__all__ = ["FIRM_SHARE", "SHARE", "largest_sampled_gains"]

SHARE = 0.3
FIRM_SHARE = 0.9
"""Of a joint's inertia over T, in a leg that stands: the trunk moves with it; still
below π/2, should the foot lose the ground."""
RATIO = 0.5
IMMOVABLE = 1e-6  # of an axis along which a leg of two joints cannot go [1/kg]


def largest_sampled_gains(
    mobility: Array, stiffness: Vec3, damping: Vec3, late: float
) -> tuple[Vec3, Vec3]:
    """Return the stiffness and damping that a sampled loop can hold, as limits.

    Args:
        mobility: G of each foot along the axes of B, (nl, 3, 3) [1/kg].
        stiffness: wanted along the axes of B, (3,) [N/m].
        damping: wanted, (3,) [N s/m].
        late: time from reading to force, hold included [s].
    """
    lightest = np.diagonal(mobility, axis1=1, axis2=2).max(axis=0)
    lightest = np.maximum(lightest, IMMOVABLE)
    d = np.minimum(damping, SHARE / (late * lightest))
    fastest = max(float(np.linalg.eigvals(one * d).real.max()) for one in mobility)
    d = d * min(1.0, SHARE / (late * fastest))
    k = np.minimum(stiffness, d * d * lightest / (4.0 * RATIO**2))
    return k, d
