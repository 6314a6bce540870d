"""The energy of a body on soft feet that is held at a tilt and free otherwise.

Held at an orientation up to a turn about the vertical, the body slides, sinks and spins
to where springs and weight have their least energy. What is left is a function of the
tilt alone, whose slope is the moment that holds the body there.
"""

from typing import NamedTuple, final

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.stability.soft.foot import Bools, FeetArrays
from equipoise.stability.soft.springs import SpringForces, rotation_after, spring_forces
from equipoise.stability.soft.stiff_limit import UP, elastic_stiffness

__all__ = ["Relaxed", "RelaxedEnergy"]

_LEFT = 1e-10
"""Force left over, of the weight; 1e-14 of the springs where that is more."""
_ITERATIONS = 60
_FREE = [0, 1, 2, 5]  # slides, sinking and the turn about the vertical


class Relaxed(NamedTuple):
    """A body at rest but for the tilt at which it is held; feet's own units."""

    p: Vec3
    R: Mat3
    energy: float
    """Of springs and weight, zero for the unloaded upright body."""
    slope: Array
    """Energy per move and per turn, (6,): the moment that holds the tilt."""
    springs: SpringForces


@final
class RelaxedEnergy:
    """The least energy by tilt.

    Args:
        feet: in units of their own.
        weight: in units of the feet.
    """

    def __init__(self, feet: FeetArrays, weight: float) -> None:
        self._feet, self._weight = feet, weight
        self._neutral: dict[bytes, Array] = {}

    def at(self, p: Vec3, R: Mat3) -> Relaxed | None:
        """Return the body relaxed from a pose, its tilt kept; None if it gets nowhere.

        Newton's method, with directions that bend down turned upwards and steps halved
        until the energy falls.
        """
        now = self.state(p, R)
        small = max(_LEFT * self._weight, 1e-14 * len(self._feet.arms))
        for _ in range(_ITERATIONS):
            if not now.springs.presses.any():
                now = self.state(self._on_first_foot(now), now.R)
            rest = now.slope[_FREE]
            if np.abs(rest).max() < small:
                return now
            H = now.springs.hessian + self.neutral(now.springs.presses)
            values, vectors = np.linalg.eigh(H[np.ix_(_FREE, _FREE)])
            size = np.maximum(np.abs(values), 1e-9 * float(np.abs(values).max()))
            change = -vectors @ ((vectors.T @ rest) / size)
            length = 1.0
            while True:
                spin = np.array([0.0, 0.0, length * change[3]])
                ahead = self.state(
                    now.p + length * change[:3], rotation_after(now.R, spin)
                )
                if ahead.energy <= now.energy:
                    break
                length /= 2
                if length < 1e-3:  # an edge of the energy, where a foot lets go
                    return now
            now = ahead
        return None

    def state(self, p: Vec3, R: Mat3, presses: Bools | None = None) -> Relaxed:
        """Return energy and slope at a pose as it is; some feet may be made to hold."""
        springs = spring_forces(self._feet, p, R, presses)
        stretch = p + self._feet.arms @ R.T - self._feet.arms
        energy = 0.5 * float(np.vdot(springs.forces, stretch)) + self._weight * p[2]
        slope = springs.gradient + self._weight * UP
        return Relaxed(p, R, float(energy), slope, springs)

    def neutral(self, presses: Bools) -> Array:
        """Return the stand-in for motions that nothing resists, (6, 6)."""
        key = presses.tobytes()
        if key not in self._neutral:
            self._neutral[key] = elastic_stiffness(self._feet, presses)[1]
        return self._neutral[key]

    def _on_first_foot(self, now: Relaxed) -> Vec3:
        """Return the place to which a body in the air sinks until a foot presses."""
        gaps = (now.p + self._feet.arms @ now.R.T - self._feet.arms) @ UP[:3]
        down = float(gaps.min()) + self._weight
        return now.p - UP[:3] * max(down, 1e-12)
