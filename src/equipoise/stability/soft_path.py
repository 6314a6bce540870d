"""Follow a stance from stiff to soft until it stops being stable.

Making every spring softer by one factor is the same as making the body heavier, so the
path is that of the equilibrium under a growing weight. It is followed by arc length,
which passes a fold as easily as a branching, and watched through the smallest
eigenvalue of the Hessian relative to the unloaded one: 1 at no weight, 0 where the
stance ends.
"""

from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.stability.foot import Bools, FeetArrays
from equipoise.stability.foot_springs import (
    SpringForces,
    solved,
    spring_forces,
    spring_hessian,
    turned,
)
from equipoise.stability.stiff_limit import UP, StiffLimit, elastic_stiffness

__all__ = ["PathPoint", "SoftPath"]

_ITERATIONS = 10
_RESIDUE = 1e-11
"""Largest force left over, of the weight; 1e-15 of the springs where that is more."""


@dataclass(frozen=True, eq=False)
class PathPoint:
    """An equilibrium on the path; lengths and forces in the feet's own units."""

    p: Vec3
    R: Mat3
    weight: float
    margin: float
    """Smallest eigenvalue relative to the unloaded stance; stable above zero."""
    tangent: Array
    """Unit direction (move, turn, weight over the reference) to softer ground, (7,)."""
    moved: Array
    """Sum of the corrections since the point that the step started from, (7,)."""
    springs: SpringForces


class SoftPath:
    """The equilibria of a body on given feet, by weight.

    Args:
        feet: in units of their own.
        start: the stance on stiff ground.
    """

    def __init__(self, feet: FeetArrays, start: StiffLimit) -> None:
        self._feet = feet
        self._elastic: dict[bytes, tuple[Array, Array | None]] = {}
        self._reference = self._linear_estimate(start)
        tangent = np.append(start.rate * self._reference, 1.0)
        springs = spring_forces(feet, np.zeros(3), np.eye(3), start.presses)
        self.start = PathPoint(
            np.zeros(3),
            np.eye(3),
            0.0,
            1.0,
            tangent / np.linalg.norm(tangent),
            np.zeros(7),
            springs,
        )

    def step(self, base: PathPoint, length: float) -> PathPoint | None:
        """Return the equilibrium one arc length on, or None where none was reached."""
        return self._corrected(base, base.tangent, length, base.tangent * length)

    def nudge(
        self, base: PathPoint, known: PathPoint, length: float
    ) -> PathPoint | None:
        """Return the equilibrium at an arc length from base, guessed from another."""
        return self._corrected(base, base.tangent, length, known.moved)

    def at_weight(self, base: PathPoint, weight: float) -> PathPoint | None:
        """Return the equilibrium at a weight beyond base's, not far from it."""
        along = np.append(np.zeros(6), 1.0)
        length = (weight - base.weight) / self._reference
        guess = base.tangent * (length / max(base.tangent[6], 1e-9))
        return self._corrected(base, along, length, guess)

    def _corrected(
        self, base: PathPoint, along: Array, length: float, guess: Array
    ) -> PathPoint | None:
        """Newton on equilibrium and along . moved = length, feet lifting as they do."""
        moved = guess
        p, R = base.p + guess[:3], turned(base.R, guess[3:6])
        weight = base.weight + guess[6] * self._reference
        before = base.springs.presses
        for _ in range(_ITERATIONS):
            springs = spring_forces(self._feet, p, R)
            floor, extra = self._unloaded(springs.presses)
            if extra is None:
                return None
            residue = springs.gradient + weight * UP
            hessian = spring_hessian(springs)
            matrix = np.zeros((7, 7))
            matrix[:6, :6], matrix[:6, 6] = hessian + extra, UP * self._reference
            matrix[6] = along
            small = max(_RESIDUE * abs(weight), 1e-15 * len(self._feet.arms))
            ahead = float(along @ moved) - length
            settled = bool((springs.presses == before).all())
            settled = settled and abs(ahead) < 1e-12 * (1 + abs(length))
            if settled and np.abs(residue).max() < small:
                tangent = _direction(matrix, base.tangent)
                margin = _smallest(hessian + extra, floor)
                if tangent is None:
                    return None
                return PathPoint(p, R, weight, margin, tangent, moved, springs)
            before = springs.presses
            rest = np.array((*residue, ahead))
            try:
                change = -solved(matrix, rest)
            except np.linalg.LinAlgError:
                return None
            if not np.abs(change).max() < 1.0:
                return None
            moved = moved + change
            p, R = p + change[:3], turned(R, change[3:6])
            weight += change[6] * self._reference
        return None

    def _unloaded(self, presses: Bools) -> tuple[Array, Array | None]:
        """Return the inverse Cholesky factor of the unloaded Hessian, and stand-ins.

        The second is None where the feet that press do not hold the body by
        themselves.
        """
        key = presses.tobytes()
        if key not in self._elastic:
            stiffness, extra = elastic_stiffness(self._feet, presses)
            values = np.linalg.eigvalsh(stiffness)
            if values[0] > 1e-12 * values[-1]:
                lower = np.asarray(np.linalg.cholesky(stiffness), np.float64)
                factor = solved(lower, np.eye(6))
                self._elastic[key] = factor, extra
            else:
                self._elastic[key] = stiffness, None
        return self._elastic[key]

    def _linear_estimate(self, start: StiffLimit) -> float:
        """Return the weight at which the first-order theory has the stance end."""
        tiny = 1e-6 / float(np.abs(start.rate).max())
        move = start.rate * tiny
        springs = spring_forces(
            self._feet, move[:3], turned(np.eye(3), move[3:]), start.presses
        )
        factor, extra = self._unloaded(start.presses)
        margin = _smallest(
            spring_hessian(springs) + (0 if extra is None else extra), factor
        )
        return tiny / (1 - margin) if margin < 1 - 1e-9 else 1.0


def _smallest(hessian: Array, factor: Array) -> float:
    """Return the smallest eigenvalue of the Hessian relative to the unloaded one."""
    relative = factor @ (0.5 * (hessian + hessian.T)) @ factor.T
    return float(np.linalg.eigvalsh(relative)[0])


def _direction(matrix: Array, before: Array) -> Array | None:
    """Return the unit tangent of the path, pointing on."""
    bordered = matrix.copy()
    bordered[6] = before
    try:
        tangent = solved(bordered, np.eye(7)[6])
    except np.linalg.LinAlgError:
        return None
    return tangent / np.linalg.norm(tangent)
