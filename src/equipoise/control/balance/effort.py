"""Loads on the feet that carry the machine and turn its trunk upright.

Weight and a moment that pulls the trunk to its reference attitude are shared between
the feet that stand (``posture.distribution``). A foot that has just begun to stand
takes its share on within a short time, so that nothing jumps.
"""

import math

from equipoise.control.posture.distribution import share_consistent, share_printed
from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled

__all__ = ["carry", "tilt_of"]


@compiled(allocates=False)
def tilt_of(trunk: VecN) -> tuple[float, float, float]:
    """Return roll, pitch and yaw of the trunk [rad].

    Args:
        trunk: of the ``Estimate``, (21,).
    """
    pitch = -math.asin(min(max(trunk[15], -1.0), 1.0))
    return math.atan2(trunk[16], trunk[17]), pitch, math.atan2(trunk[12], trunk[9])


@compiled(allocates=False)
def carry(
    dt: float,
    weight: float,
    gains: VecN,
    is_printed: bool,
    trunk: VecN,
    pose: VecN,
    feet: Array,
    hips: Array,
    legs: Array,
    shares: VecN,
    room: VecN,
    force: Array,
) -> None:
    """Write each foot's force on the ground in B, along gravity.

    Args:
        dt: control period [s].
        weight: to carry [N].
        gains: roll stiffness and damping, pitch stiffness and damping, and the time in
            which a foot takes its share on, (5,).
        is_printed: whether loads are shared by the printed rule.
        trunk: of the ``Estimate``.
        pose: of the ``TrunkReference``.
        feet: of the ``Estimate``, (nl, 5, 3).
        hips: (nl, 3) [m].
        legs: of the ``Stance``.
        shares: how far each foot has taken its share on, (nl,); advanced.
        room: to work in, (3 + 6 nl,).
        force: (nl, 3) [N]; overwritten.
    """
    nl = hips.shape[0]
    roll, pitch, _ = tilt_of(trunk)
    wrench, stands = room[:3], room[3 : 3 + nl]
    arms = room[3 + nl : 3 + 3 * nl].reshape(nl, 2)
    loads = room[3 + 3 * nl : 3 + 6 * nl].reshape(3, nl)
    wrench[0] = weight
    wrench[1] = gains[0] * (pose[3] - roll) - gains[1] * trunk[6]
    wrench[2] = gains[2] * (pose[4] - pitch) - gains[3] * trunk[7]
    for leg in range(nl):
        stands[leg] = legs[leg, 1]
        for i in range(2):  # seen from the centre of mass, along gravity
            down = trunk[20] - hips[leg, 2] - feet[leg, 0, 2]
            arm = hips[leg, i] + feet[leg, 0, i] - trunk[18 + i]
            arms[leg, i] = arm + down * trunk[15 + i] / max(trunk[17], 0.5)
    if is_printed:
        share_printed(wrench, arms, stands, loads)
    else:
        share_consistent(wrench, arms, stands, 0.0, loads)
    for leg in range(nl):
        share = shares[leg] + dt / (gains[4] + dt) * (1.0 - shares[leg])
        shares[leg] = share if stands[leg] > 0.0 else 0.0
        for i in range(3):
            force[leg, i] = -shares[leg] * loads[0, leg] * trunk[15 + i]
