"""Stances linearised by differences: what the printed matrices and roots are held to.

Nothing here knows a formula of [Ridderstrom2003] beyond the model's geometry. Central
differences with steps of 1e-5 err by 1e-10 of the result, from the step and from
rounding alike.
"""

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise_lab.papers.ridderstrom2003.part4.two_springs import (
    STATE,
    Springs,
    rest_height,
    slope,
)

__all__ = [
    "Legs",
    "apart",
    "is_decaying",
    "legs_eigenvalues",
    "rates_matrix",
    "thesis_matrix",
    "torsion_stiffness",
]

Complexes = NDArray[np.complex128]
STEP = 1e-5


@dataclass(frozen=True)
class Legs:
    """L feet on a circle, each on a vertical spring and damper."""

    count: int
    mass: float
    inertia: float
    """About either horizontal axis [kg m^2]."""
    stiffness: float
    damping: float
    radius: float
    height: float

    def feet(self) -> Array:
        """Return where the feet are under the centre of mass, (L, 3) [m]."""
        turn = 2.0 * math.pi * np.arange(self.count) / self.count + 0.3
        out = np.full((self.count, 3), -self.height)
        out[:, 0] = self.radius * np.cos(turn)
        out[:, 1] = self.radius * np.sin(turn)
        return out


def rates_matrix(body: Springs, angle: float = 0.0) -> Array:
    """Return d(z', alpha', z'', alpha'') / d(z, alpha, z', alpha') at a rest, (4, 4).

    Args:
        body: feet are taken to pull where they must.
        angle: tilt of the rest [rad].
    """
    both = body._replace(pulls=True)
    y = np.zeros(STATE)
    y[0], y[1] = rest_height(angle, both), angle
    out, up, down = np.zeros((4, 4)), np.zeros(STATE), np.zeros(STATE)
    for j in range(4):
        for way, rate in ((STEP, up), (-STEP, down)):
            aside = y.copy()
            aside[j] += way
            slope(aside, both, rate)
        out[:, j] = (up[:4] - down[:4]) / (2.0 * STEP)
    return out


def thesis_matrix(body: Springs) -> Array:
    """Return the matrix of section 9.1.1, for (depth_1, depth_2, alpha', z'), (4, 4).

    Args:
        body: upright and symmetric.
    """
    r = body.half_width
    T = np.zeros((4, 4))  # from (z, alpha, z', alpha')
    T[0, :2], T[1, :2] = (-1.0, -r), (-1.0, r)
    T[2, 3] = T[3, 2] = 1.0
    return T @ rates_matrix(body) @ np.linalg.inv(T)


def is_decaying(matrix: Array) -> bool:
    """Return whether every eigenvalue has a negative real part.

    Args:
        matrix: of a linear system, (n, n).
    """
    return bool(np.linalg.eigvals(matrix).real.max() < 0.0)


def _energy_at(legs: Legs, z: float, pitch: float, roll: float) -> float:
    """Return weight and springs of a body on legs that rests at z = 0 [J]."""
    cp, sp, cr, sr = math.cos(pitch), math.sin(pitch), math.cos(roll), math.sin(roll)
    up = np.array([-sp, cp * sr, cp * cr])  # world's z in the body, pitch then roll
    sunk = legs.mass * GRAVITY / (legs.count * legs.stiffness)
    heights = z - sunk + legs.height + legs.feet() @ up
    springs = 0.5 * legs.stiffness * float(heights @ heights)
    return springs + legs.mass * GRAVITY * z


def legs_eigenvalues(legs: Legs) -> Complexes:
    """Return the six eigenvalues of bouncing, pitching and rolling, (6,) [1/s].

    Stiffness from second differences of the energy, damping from how feet move.

    Args:
        legs: the stance.
    """
    step = 1e-4  # second differences: their best step is the fourth root of rounding
    K = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            total = 0.0
            for si, sj in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                q = np.zeros(3)
                q[i] += si * step
                q[j] += sj * step
                total += si * sj * _energy_at(legs, *q)
            K[i, j] = total / (4.0 * step * step)
    feet = legs.feet()
    J = np.column_stack([np.ones(len(feet)), -feet[:, 0], feet[:, 1]])
    D = legs.damping * J.T @ J
    M = np.diag([legs.mass, legs.inertia, legs.inertia])
    return np.linalg.eigvals(
        np.block(
            [
                [np.zeros((3, 3)), np.eye(3)],
                [-np.linalg.solve(M, K), -np.linalg.solve(M, D)],
            ]
        )
    ).astype(complex)


def torsion_stiffness(legs: Legs, axis: float) -> float:
    """Return the springs' moment per radian of tilt about a horizontal axis [N m].

    The sum of section 10.2, each foot displaced by a small turn about the middle of the
    feet.

    Args:
        legs: the stance.
        axis: direction of the axis seen from above [rad].
    """
    along = np.array([math.cos(axis), math.sin(axis), 0.0])
    feet = legs.feet() + np.array([0.0, 0.0, legs.height])
    rise = np.cross(along, feet)[:, 2]
    forces = np.zeros_like(feet)
    forces[:, 2] = -legs.stiffness * rise
    return float(-np.cross(feet, forces).sum(axis=0) @ along)


def apart(found: Complexes, wanted: Complexes) -> float:
    """Return how far two short lists of eigenvalues are apart, over the largest.

    Args:
        found: (n,), in any order, n at most 6.
        wanted: (n,), in any order.
    """
    scale = float(np.abs(found).max())
    best = min(
        float(np.abs(found - np.array(order)).max()) for order in permutations(wanted)
    )
    return best / scale
