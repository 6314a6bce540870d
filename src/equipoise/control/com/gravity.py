"""Local gravity compensation: what a joint must hold is known from its connectors."""

from equipoise.control.com.geometry.vectors import cross, vec
from equipoise.control.com.joint_view import JointView, moved_arm
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["add_gravity_torques", "weight_on"]


@compiled(allocates=False, force_inline=True)
def weight_on(view: JointView, gravity: float) -> float:
    """Return τ = m₂ g (u x (p₂ - q))_z, or m₂ g u_z for a slide [N m or N].

    The virtual work of the moved side's weight; for a robot standing on one module it
    equals the engine's gravity torque exactly.

    Args:
        view: what the module knows about its joint.
        gravity: downwards [m/s²].
    """
    lift = vec(view.axis)
    if view.hinge != 0:
        lift = cross(lift, moved_arm(view))
    return view.moved_mass * gravity * lift[2]


@compiled(allocates=False)
def add_gravity_torques(rows: Records[JointView], gravity: float, tau: Array) -> None:
    """Add to every joint that is known the torque that holds the weight on it.

    Args:
        rows: what each module knows about each joint, (joints,).
        gravity: downwards [m/s²].
        tau: (joints,), changed.
    """
    for j in range(rows.shape[0]):
        if rows[j].known != 0:
            tau[j] += weight_on(rows[j], gravity)
