"""From what is sensed to the recursions' layout, and from their torques to commands."""

import math

from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.twists import halves, put, turned_by
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["lay_out_readings", "write_torques"]


@compiled(allocates=False)
def lay_out_readings(
    t: TreeArrays,
    s: Scratch,
    q: Array,
    v: Array,
    p_WB: Array,
    R_WB: Array,
    V_WB: Array,
) -> bool:
    """Lay the readings out: joints by number, the central body about O.

    Args:
        t: the tree.
        s: joints, trunk and the central body's frame and twist are written.
        q: joint values in actuator order, (nu,).
        v: joint rates likewise.
        p_WB: base's origin, (3,).
        R_WB: base's orientation, (3, 3).
        V_WB: base's twist at its origin, (6,).

    Returns:
        Whether all readings are finite.
    """
    total = 0.0  # finite only if all are: infinities and NaN do not cancel out
    for j in range(t.joints.shape[0]):
        joint, at = s.joints[j], t.joints[j].actuator
        joint.q, joint.v = q[at], v[at]
        total += 0.0 * joint.q + 0.0 * joint.v
    base, trunk = s.links[0], s.trunk[0]
    for d in range(6):
        total += 0.0 * V_WB[d]
    x, y, z = turned_by(R_WB, t.links[0].com)
    trunk.p_WO[0], trunk.p_WO[1], trunk.p_WO[2] = p_WB[0] + x, p_WB[1] + y, p_WB[2] + z
    base.p_OL[0], base.p_OL[1], base.p_OL[2] = -x, -y, -z
    for a in range(3):
        total += 0.0 * p_WB[a]
        for b in range(3):
            base.R_WL[a, b] = R_WB[a, b]
            total += 0.0 * R_WB[a, b]
    (vx, vy, vz), (wx, wy, wz) = halves(V_WB)
    turning = (wy * z - wz * y, wz * x - wx * z, wx * y - wy * x)
    put(base.V, (vx + turning[0], vy + turning[1], vz + turning[2]), (wx, wy, wz))
    _write_quat(R_WB, trunk.quat)
    return total == 0.0


@compiled(allocates=False, force_inline=True)
def _write_quat(R: Array, out: Array) -> None:
    """Write the quaternion of a rotation matrix, w first; its largest part leads."""
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    best = 0
    largest = trace
    for a in range(3):
        if R[a, a] > largest:
            best, largest = a + 1, R[a, a]
    if best == 0:
        out[0] = 1.0 + trace
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            out[1 + i] = R[k, j] - R[j, k]
    else:
        i = best - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        out[0] = R[k, j] - R[j, k]
        out[1 + i] = 1.0 + R[i, i] - R[j, j] - R[k, k]
        out[1 + j] = R[j, i] + R[i, j]
        out[1 + k] = R[k, i] + R[i, k]
    square = out[0] ** 2
    for a in range(1, 4):
        square += out[a] ** 2
    norm = math.sqrt(square)
    for a in range(4):
        out[a] /= norm


@compiled(allocates=False)
def write_torques(t: TreeArrays, s: Scratch) -> bool:
    """Write torques in actuator order; all zero, and False, if one is not finite."""
    is_good = True
    for j in range(s.joints.shape[0]):
        is_good = is_good and math.isfinite(s.joints[j].tau)
    for j in range(s.joints.shape[0]):
        motor = t.joints[j]
        s.command[motor.actuator] = s.joints[j].tau / motor.gear if is_good else 0.0
    return is_good
