"""What a leg's own weight asks of its drives, told as a force of its foot."""

from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled

__all__ = ["force_of_torques", "own_weight", "weight_force"]

SINGULAR = 1e-9  # determinant of J below which no force is told


@compiled(allocates=False)
def own_weight(trunk: TrunkEstimate, leg: LegEstimate) -> tuple[float, float, float]:
    """Return J⁻ᵀ G, in B [N]; nothing of legs that have not three joints.

    Args:
        trunk: how it is inclined.
        leg: how its joints move its mass.
    """
    return weight_force(trunk, leg, leg.weigh)


@compiled(allocates=False)
def weight_force(
    trunk: TrunkEstimate, leg: LegEstimate, W: Array
) -> tuple[float, float, float]:
    """Return the same of a leg whose joints are known to move its mass so.

    Args:
        trunk: how it is inclined.
        leg: how its joints move its foot.
        W: how they move its first moment of mass, (3, nj) [kg m/rad].
    """
    up = trunk.R_WB[2]
    if W.shape[1] != 3:
        return 0.0, 0.0, 0.0
    x = GRAVITY * (up[0] * W[0, 0] + up[1] * W[1, 0] + up[2] * W[2, 0])
    y = GRAVITY * (up[0] * W[0, 1] + up[1] * W[1, 1] + up[2] * W[2, 1])
    z = GRAVITY * (up[0] * W[0, 2] + up[1] * W[1, 2] + up[2] * W[2, 2])
    return force_of_torques(leg, x, y, z)


@compiled(allocates=False)
def force_of_torques(
    leg: LegEstimate, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Return J⁻ᵀ τ, in B [N]; nothing of a leg that is stretched or has not three.

    Args:
        leg: how its joints move its foot.
        x: torque of its first joint [N m].
        y: of its second [N m].
        z: of its third [N m].
    """
    J = leg.jacobian
    if J.shape[1] != 3:
        return 0.0, 0.0, 0.0
    a, b, c = J[0, 0], J[1, 0], J[2, 0]  # rows of Jᵀ
    d, e, f = J[0, 1], J[1, 1], J[2, 1]
    g, h, i = J[0, 2], J[1, 2], J[2, 2]
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if abs(det) < SINGULAR:
        return 0.0, 0.0, 0.0
    return (
        ((e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e) * z) / det,
        ((f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f) * z) / det,
        ((d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d) * z) / det,
    )
