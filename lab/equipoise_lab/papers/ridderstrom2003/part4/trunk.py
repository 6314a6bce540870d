"""A trunk held by two legs that are springs of a controller, on hard ground.

The planar models of [Ridderstrom2003] sections 11.1.2 and 11.2.4 from Newton and Euler:
feet stay at (-r, 0) and (r, 0), legs have no mass, the trunk's place B is (x, z) and
its tilt alpha, positive to the right. Linearised by differences in the thesis's
coordinates, in which B is q_1 b_1 + q_3 b_3: q_1 = x cos(alpha) - z sin(alpha).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY

__all__ = [
    "CARTESIAN_EXAMPLE",
    "POSTURE_EXAMPLE",
    "Cartesian",
    "Posture",
    "Trunk",
    "cartesian_forces",
    "posture_forces",
    "thesis_rows",
    "trunk_rates",
]

STEP = 1e-5


@dataclass(frozen=True)
class Trunk:
    """What is held."""

    mass: float = 60.0
    inertia: float = 3.0
    half_width: float = 0.2
    height: float = 0.5
    """The controller's reference, h [m]."""


@dataclass(frozen=True)
class Cartesian:
    """Stiffness and damping of a foot held under the trunk, section 11.1."""

    k1: float
    k3: float
    d1: float
    d3: float


@dataclass(frozen=True)
class Posture:
    """Table 11.1: trunk's height, trunk's tilt, and feet along the ground."""

    k_B: float
    k_alpha: float
    k_L: float
    d_B: float
    d_alpha: float
    d_L: float


CARTESIAN_EXAMPLE = Cartesian(4e3, 3e3, 300.0, 500.0)
"""So soft that every term counts: the trunk sinks by a fifth of its height."""
POSTURE_EXAMPLE = Posture(8e3, 900.0, 7e3, 400.0, 60.0, 250.0)
Forces = Callable[[Trunk, Array, Array, float, float], Array]
"""Body-frame pushes of the legs on the trunk, (2, 2), of where the feet are in the body
(2, 2), how they move there, the tilt and its rate."""


def cartesian_forces(law: Cartesian) -> Forces:
    """Return eq. (11.1): each foot a spring along the trunk's axes.

    Args:
        law: the gains.
    """
    K, D = np.array([law.k1, law.k3]), np.array([law.d1, law.d3])

    def forces(trunk: Trunk, feet: Array, moving: Array, tilt: float, turn: float):
        return -(K * (_references(trunk) - feet) - D * moving)

    return forces


def posture_forces(law: Posture) -> Forces:
    """Return the posture controller of section 11.2.2: forces up, places along.

    Args:
        law: the gains; nothing is integrated.
    """

    def forces(trunk: Trunk, feet: Array, moving: Array, tilt: float, turn: float):
        height, rising = -feet[:, 1].mean(), -moving[:, 1].mean()
        up = trunk.mass * GRAVITY - law.k_B * (height - trunk.height) - law.d_B * rising
        moment = -law.k_alpha * tilt - law.d_alpha * turn
        hips = _references(trunk)[:, 0]
        out = np.zeros((2, 2))
        out[:, 0] = -law.k_L * (hips - feet[:, 0]) + law.d_L * moving[:, 0]
        out[:, 1] = 0.5 * (up - moment / hips)
        return out

    return forces


def _references(trunk: Trunk) -> Array:
    """Return where the feet should be in the body, (2, 2): along, up [m]."""
    r, h = trunk.half_width, trunk.height
    return np.array([[-r, -h], [r, -h]])


def trunk_rates(state: Array, trunk: Trunk, forces: Forces) -> Array:
    """Return the rate of (x, z, alpha, x', z', alpha'), (6,).

    Args:
        state: of the trunk, (6,).
        trunk: its numbers.
        forces: the controller.
    """
    x, z, tilt, vx, vz, turn = state
    c, s = math.cos(tilt), math.sin(tilt)
    into = np.array([[c, -s], [s, c]])  # rows b_1 and b_3 in the world
    places = np.array([[-trunk.half_width, 0.0], [trunk.half_width, 0.0]])
    reach = places - np.array([x, z])
    feet = reach @ into.T
    # d(b_1)/dt = -alpha' b_3 and d(b_3)/dt = alpha' b_1
    moving = -np.array([vx, vz]) @ into.T + turn * np.column_stack(
        [-feet[:, 1], feet[:, 0]]
    )
    pushes = forces(trunk, feet, moving, tilt, turn) @ into  # world
    total = pushes.sum(axis=0)
    moment = float((reach[:, 1] * pushes[:, 0] - reach[:, 0] * pushes[:, 1]).sum())
    ax, az = total[0] / trunk.mass, total[1] / trunk.mass - GRAVITY
    return np.array([vx, vz, turn, ax, az, moment / trunk.inertia])


def thesis_rows(trunk: Trunk, forces: Forces, height: float) -> Array:
    """Return the linear system for (q_1, alpha, q_3, w_1, w_2, w_3), (6, 6).

    Args:
        trunk: its numbers.
        forces: the controller.
        height: of the trunk at rest [m].
    """
    rest = np.array([0.0, height, 0.0, 0.0, 0.0, 0.0])
    A = np.zeros((6, 6))
    for j in range(6):
        way = STEP * np.eye(6)[j]
        ahead = trunk_rates(rest + way, trunk, forces)
        A[:, j] = (ahead - trunk_rates(rest - way, trunk, forces)) / (2.0 * STEP)
    T = np.zeros((3, 3))  # (q_1, alpha, q_3) from (x, z, alpha), to first order
    T[0, 0], T[0, 2], T[1, 2], T[2, 1] = 1.0, -height, 1.0, 1.0
    both = np.kron(np.eye(2), T)
    return both @ A @ np.linalg.inv(both)
