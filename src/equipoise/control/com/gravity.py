"""Local gravity compensation: what a joint must hold is known from its connectors."""

from equipoise.control.com import joint_view as jv
from equipoise.control.com.geometry.vectors import add_scaled, cross, get3
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["add_gravity_torques"]


@compiled(allocates=False)
def add_gravity_torques(rows: Array, gravity: float, tau: Array) -> None:
    """Add τ = m₂ g (u x (p₂ - q))_z, or m₂ g u_z for a slide, to every joint.

    The virtual work of the moved side's weight; for a robot standing on one module it
    equals the engine's gravity torque exactly.

    Args:
        rows: what each module knows about each joint, (joints, joint_view.WIDTH).
        gravity: downwards [m/s²].
        tau: (joints,), changed.
    """
    for j in range(rows.shape[0]):
        if rows[j, jv.KNOWN] < 0.5:
            continue
        lift = get3(rows, j, jv.AXIS)
        if rows[j, jv.HINGE] > 0.5:
            arm = add_scaled(get3(rows, j, jv.MOVED_COM), -1.0, get3(rows, j, jv.PIVOT))
            lift = cross(lift, arm)
        tau[j] += rows[j, jv.MOVED_MASS] * gravity * lift[2]
