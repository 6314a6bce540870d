"""Follow a stance from stiff to soft until it stops being stable.

Making every spring softer by one factor is the same as making the body heavier, so the
path is that of the equilibrium under a growing weight. It is followed by arc length,
which passes a fold as easily as a branching, and watched through the smallest
eigenvalue of the Hessian relative to the unloaded one: 1 at no weight, 0 where the
stance ends. Which feet press is kept from point to point, so that the path is smooth
between the points at which a foot lifts or touches; there it is switched.
"""

import math
from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.stability.soft.foot import Bools, FeetArrays
from equipoise.stability.soft.springs import (
    SpringForces,
    rotation_after,
    solution_of,
    spring_forces,
)
from equipoise.stability.soft.stiff_limit import UP, StiffLimit
from equipoise.stability.soft.unloaded import Unloaded, relative_margin

__all__ = ["PathPoint", "SoftPath"]

_ITERATIONS = 10
_RESIDUE = 1e-11
"""Largest force left over, of the weight; 1e-15 of the springs where that is more."""
_TOUCHING = 1e-6
"""Load over the weight of a foot that has just changed sides: what was left when that
was found, after the body has become softer."""
_BY_WEIGHT = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])


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
    loads: Array
    """Normal pull of each foot over the weight, as if it held on, (n,)."""

    @property
    def wrong(self) -> Bools:
        """Mask of feet that pull although they stand, or push although lifted, (n,)."""
        return np.less(self.loads, 0.0) != self.springs.presses


class SoftPath:
    """The equilibria of a body on given feet, by weight.

    Args:
        feet: in units of their own.
        start: the stance on stiff ground.
    """

    def __init__(self, feet: FeetArrays, start: StiffLimit) -> None:
        self._feet = feet
        self._unloaded = Unloaded(feet)
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
            start.loads,
        )

    def step(self, base: PathPoint, length: float) -> PathPoint | None:
        """Return the equilibrium one arc length on, or None where none was reached."""
        return self._corrected(base, base.tangent, length, base.tangent * length)

    def between(
        self, base: PathPoint, near: PathPoint, reach: float, length: float
    ) -> PathPoint | None:
        """Return the equilibrium at an arc length from base, guessed from a near one.

        Args:
            base: where the step starts.
            near: equilibrium at ``reach`` from base, or base itself.
            reach: arc length from base to near.
            length: arc length wanted.
        """
        slope = near.tangent / max(float(base.tangent @ near.tangent), 0.1)
        guess = slope * (length - reach)
        return self._corrected(base, base.tangent, length, guess, origin=near)

    def at_weight(self, base: PathPoint, weight: float) -> PathPoint | None:
        """Return the equilibrium at a weight beyond base's, not far from it."""
        length = (weight - base.weight) / self._reference
        guess = base.tangent * (length / max(base.tangent[6], 1e-9))
        return self._corrected(base, _BY_WEIGHT, length, guess)

    def switched(self, base: PathPoint, feet: Bools) -> PathPoint | None:
        """Return the equilibrium at base's weight after some feet lift or touch.

        None where there is none, also because a foot that let go of a sideways force
        would touch again at once.
        """
        presses = base.springs.presses ^ feet
        after = self._corrected(base, _BY_WEIGHT, 0.0, np.zeros(7), presses)
        if after is None or (after.wrong & (np.abs(after.loads) > _TOUCHING)).any():
            return None
        small = feet & (np.abs(after.loads) < _TOUCHING)
        after.loads[small] = 0.0  # they change right here, whatever is left over
        return after

    def _corrected(
        self,
        base: PathPoint,
        along: Array,
        length: float,
        guess: Array,
        presses: Bools | None = None,
        origin: PathPoint | None = None,
    ) -> PathPoint | None:
        """Newton on equilibrium and along . moved = length, the same feet pressing.

        The guess is a motion from origin, else from base.
        """
        down = base.springs.presses if presses is None else presses
        floor, extra = self._unloaded.at(down)
        if extra is None:
            return None
        begin = base if origin is None else origin
        moved = guess if begin is base else begin.moved + guess
        p, R = begin.p + guess[:3], rotation_after(begin.R, guess[3:6])
        weight = begin.weight + float(guess[6]) * self._reference
        matrix, rest = np.empty((7, 7)), np.empty(7)
        matrix[:6, 6], matrix[6] = UP * self._reference, along
        for _ in range(_ITERATIONS):
            springs = spring_forces(self._feet, p, R, down)
            rest[:6] = springs.gradient
            rest[2] += weight
            rest[6] = along @ moved - length
            matrix[:6, :6] = springs.hessian + extra
            small = max(_RESIDUE * abs(weight), 1e-15 * len(down))
            is_there = abs(rest[6]) < 1e-12 * (1 + abs(length))
            if is_there and abs(rest[:6]).max() < small:
                return self._point(base, springs, (p, R, weight), moved, matrix, floor)
            try:
                change = solution_of(matrix, rest)
            except np.linalg.LinAlgError:
                return None
            if not abs(change).max() < 1.0:
                return None
            moved = moved - change
            p, R = p - change[:3], rotation_after(R, -change[3:6])
            weight -= float(change[6]) * self._reference
        return None

    def _point(
        self,
        base: PathPoint,
        springs: SpringForces,
        pose: tuple[Vec3, Mat3, float],
        moved: Array,
        matrix: Array,
        floor: Array,
    ) -> PathPoint:
        """Return an equilibrium with its margin and the way on."""
        p, R, weight = pose
        matrix[6] = base.tangent
        try:
            tangent = solution_of(matrix, _BY_WEIGHT)
        except np.linalg.LinAlgError:  # the very point at which the path branches
            tangent = base.tangent
        return PathPoint(
            p,
            R,
            weight,
            relative_margin(matrix[:6, :6], floor),
            tangent / math.sqrt(tangent @ tangent),
            moved,
            springs,
            springs.pulls / weight if weight else base.loads,
        )

    def _linear_estimate(self, start: StiffLimit) -> float:
        """Return the weight at which the first-order theory has the stance end."""
        tiny = 1e-6 / float(np.abs(start.rate).max())
        move = start.rate * tiny
        springs = spring_forces(
            self._feet, move[:3], rotation_after(np.eye(3), move[3:]), start.presses
        )
        factor, extra = self._unloaded.at(start.presses)
        margin = relative_margin(
            springs.hessian + (0 if extra is None else extra), factor
        )
        return tiny / (1 - margin) if margin < 1 - 1e-9 else 1.0
