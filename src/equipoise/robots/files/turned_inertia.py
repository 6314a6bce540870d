"""A URDF's inertia in an inertial frame that is turned, for an older MuJoCo.

Before 3.14 MuJoCo forgets how a URDF turns the frame of an inertia (``rpy`` of its
``origin``). It notes the turn and the principal axes as one rotation, so that the turn
can be had back, and the inertia be written along the link's own axes.
"""

from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.robots.files.mend_inertia import matrix_of
from equipoise.spatial.rotations import matrix_from_quat

__all__ = ["turn_inertias"]

ROUNDING = 1e-14  # of a product of two rotations
FORGETS = mujoco.mj_version() < 3014000  # fails on 3.11 to 3.13; tried


def turn_inertias(spec: mujoco.MjSpec) -> None:
    """Write every inertia of a URDF along its link's axes, where MuJoCo needs it.

    Args:
        spec: just read from a URDF; changed in place.
    """
    for body in spec.bodies if FORGETS else ():
        inertia = matrix_of(body.fullinertia)
        if body.explicitinertial and np.isfinite(inertia).all():
            turn = _turn_of(body, inertia)
            if np.allclose(turn, np.eye(3), rtol=0.0, atol=ROUNDING):
                continue  # its digits stay
            xx, xy, xz, _, yy, yz, _, _, zz = (turn @ inertia @ turn.T).ravel()
            body.fullinertia, body.iquat = [xx, yy, zz, xy, xz, yz], [1, 0, 0, 0]


def _turn_of(body: Any, inertia: Mat3) -> Mat3:
    """Return how the inertial frame is turned against its link."""
    moments, axes, quat = np.zeros(3), np.zeros(9), np.zeros(4)
    mujoco.mju_eig3(moments, axes, quat, inertia.ravel())
    return matrix_from_quat(body.iquat) @ matrix_from_quat(quat).T
