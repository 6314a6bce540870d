"""From what is sensed to the recursions' layout, and from their torques to commands."""

import math

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["gather", "hand_over"]


@compiled(allocates=False)
def gather(
    actuator: Ints,
    com: Array,
    q: Array,
    v: Array,
    p_WB: Array,
    R_WB: Array,
    V_WB: Array,
    q_out: Array,
    v_out: Array,
    p_WO: Array,
    quat: Array,
    R_WL: Array,
    p_OL: Array,
    V: Array,
) -> bool:
    """Lay the readings out: joints by number, the central body about O.

    Args:
        actuator: (nd,) of each joint.
        com: links' centres of mass in their frames, (nl, 3).
        q: joint values in actuator order, (nu,).
        v: joint rates likewise.
        p_WB: base's origin, (3,).
        R_WB: base's orientation, (3, 3).
        V_WB: base's twist at its origin, (6,).
        q_out: joint values, written, (nd,).
        v_out: joint rates, written, (nd,).
        p_WO: the base's centre of mass, written, (3,).
        quat: its orientation, written, (4,).
        R_WL: row 0 is written, (nl, 3, 3).
        p_OL: row 0 is written, (nl, 3).
        V: row 0 is written: the twist about O, (nl, 6).

    Returns:
        Whether all readings are finite.
    """
    total = 0.0  # finite only if all are: infinities and NaN do not cancel out
    for j in range(actuator.shape[0]):
        q_out[j] = q[actuator[j]]
        v_out[j] = v[actuator[j]]
        total += 0.0 * q_out[j] + 0.0 * v_out[j]
    for a in range(3):
        offset = (
            R_WB[a, 0] * com[0, 0] + R_WB[a, 1] * com[0, 1] + R_WB[a, 2] * com[0, 2]
        )
        p_WO[a] = p_WB[a] + offset
        p_OL[0, a] = -offset
        V[0, a] = V_WB[a]
        V[0, 3 + a] = V_WB[3 + a]
        total += 0.0 * p_WB[a] + 0.0 * V_WB[a] + 0.0 * V_WB[3 + a]
        for b in range(3):
            R_WL[0, a, b] = R_WB[a, b]
            total += 0.0 * R_WB[a, b]
    x, y, z = -p_OL[0, 0], -p_OL[0, 1], -p_OL[0, 2]
    V[0, 0] += V_WB[4] * z - V_WB[5] * y
    V[0, 1] += V_WB[5] * x - V_WB[3] * z
    V[0, 2] += V_WB[3] * y - V_WB[4] * x
    write_quat(R_WB, quat)
    return total == 0.0


@compiled(allocates=False, melts=True)
def write_quat(R: Array, out: Array) -> None:
    """Write the quaternion of a rotation matrix, w first; its largest part leads."""
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    best = 0
    largest = trace
    for a in range(3):
        if R[a, a] > largest:
            best, largest = a + 1, R[a, a]
    if best == 0:
        out[0] = 1.0 + trace
        out[1], out[2], out[3] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    else:
        i = best - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        out[0] = R[k, j] - R[j, k]
        out[1 + i] = 1.0 + R[i, i] - R[j, j] - R[k, k]
        out[1 + j] = R[j, i] + R[i, j]
        out[1 + k] = R[k, i] + R[i, k]
    norm = math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2 + out[3] ** 2)
    for a in range(4):
        out[a] /= norm


@compiled(allocates=False)
def hand_over(actuator: Ints, gear: Array, tau: Array, command: Array) -> bool:
    """Write torques in actuator order; all zero, and False, if one is not finite."""
    is_good = True
    for j in range(tau.shape[0]):
        is_good = is_good and math.isfinite(tau[j])
    for j in range(tau.shape[0]):
        command[actuator[j]] = tau[j] / gear[j] if is_good else 0.0
    return is_good
