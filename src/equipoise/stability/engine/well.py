"""The energy of a rigid robot on a physics engine's own contacts, by height and tilt.

Contacts at rest are springs along their normals; what they do sideways is friction,
which creeps and has no energy. So of the six ways in which the robot can move three
count: along the ground's normal and about the two axes in the ground. It turns about
the point of the ground below its centre of mass, where friction does no work, and the
energy

    E = -m g . c + sum of U(d)

is that of weight and springs. Where the engine makes contacts depends on the pose;
whoever calls says how.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3, VecN
from equipoise.robots.scene.engine_contacts import ContactSprings
from equipoise.stability.engine.law import contact_energy, contact_response
from equipoise.stability.soft.springs import rotation_after

__all__ = ["EngineWell", "TooMuchWork", "WellState"]

_LEFT = 1e-11  # force left over where it rests in height, of the weight
_DEEPEST = 1e3  # heights of the robot through which it falls before there is no ground
_CONTACTS, _PIECES = 200, 500
"""Contacts, and shapes of the model, that make a look at the robot as long again."""
_NUDGE = 1e-6  # of the size and in rad, for differences; less where contacts are flat


class TooMuchWork(Exception):
    """More looks at a robot's contacts than it may take."""


@final
@dataclass(frozen=True, eq=False)
class WellState:
    """A robot at a height and tilt."""

    lift: float
    """Along the normal, from the pose as given [m]."""
    R: Mat3
    """Turn from the pose as given, world frame, (3, 3)."""
    springs: ContactSprings
    forces: VecN
    """Of each spring, (n,) [N]."""
    stiffness: VecN
    """Of each spring at its depth, its impedance's growth in it, (n,) [N/m]."""
    slope: Array
    """Energy per lift and per turn about both axes in the ground, (3,) [N, N m]."""
    fall: float
    """Energy of the weight, zero in the pose as given [J]."""
    factor: float
    """On every stiffness."""

    @cached_property
    def energy(self) -> float:
        """Energy of weight and springs [J]."""
        springs = self.springs
        stiffness = self.factor * springs.stiffness
        work = contact_energy(springs.depths, stiffness, springs.impedance)
        return self.fall + float(work.sum())


@final
class EngineWell:
    """The energy by height and tilt.

    Args:
        springs_at: the springs after a turn about a point and a motion.
        mass: of the robot [kg].
        com: its centre of mass in the pose as given, (3,) [m].
        gravity: free fall, (3,) [m/s^2].
        up: the ground's normal, unit, (3,).
        pivot: point of the ground below the centre of mass, (3,) [m].
        pieces: shapes that are moved for every look at the robot.
    """

    def __init__(
        self,
        springs_at: Callable[[Vec3, Vec3, Mat3], ContactSprings],
        mass: float,
        com: Vec3,
        gravity: Vec3,
        up: Vec3,
        pivot: Vec3,
        pieces: int = 0,
    ) -> None:
        self._springs_at, self._arm, self._pivot = springs_at, com - pivot, pivot
        self._pull = mass * gravity
        self._up = up
        self._axes = _axes_of(up)
        self.weight = float(-self._pull @ up)
        """Of the robot along the normal [N]."""
        self.size = float(np.linalg.norm(self._arm))
        """Height of the centre of mass [m]."""
        self._look = 1.0 + pieces / _PIECES
        self._left = math.inf

    def allow(self, looks: float) -> None:
        """Set how many more looks may be taken, of a robot with few contacts.

        Counted and not timed, so that the same robot always has the same answer.

        Args:
            looks: states that may be asked for; each contact counts for a part of one.
        """
        self._left = looks

    def state(self, lift: float, R: Mat3, factor: float = 1.0) -> WellState:
        """Return the robot at a height and tilt.

        Args:
            lift: along the normal, from the pose as given [m].
            R: turn from the pose as given, (3, 3).
            factor: on every stiffness.

        Raises:
            TooMuchWork: this look would be one more than was allowed.
        """
        up, arm = self._up, R @ self._arm
        springs = self._springs_at(self._pivot, lift * up, R)
        self._left -= self._look + len(springs.depths) / _CONTACTS
        if self._left < 0.0:
            raise TooMuchWork
        stiffness = factor * springs.stiffness
        forces, slopes = contact_response(springs.depths, stiffness, springs.impedance)
        pushes = forces[:, None] * springs.normals
        arms = springs.points - self._pivot - lift * up
        moment = -_crossed(arm[None], self._pull[None]) - _crossed(arms, pushes)
        slope = np.empty(3)
        slope[0] = self.weight - up @ pushes.sum(axis=0)
        slope[1:] = self._axes @ moment
        fall = -float(self._pull @ (arm - self._arm)) + self.weight * lift
        return WellState(lift, R, springs, forces, slopes, slope, fall, factor)

    def relaxed(
        self, lift: float, R: Mat3, factor: float = 1.0, left: float = _LEFT
    ) -> WellState:
        """Return the robot held at a tilt where its height is at rest.

        Args:
            lift: height to begin with [m].
            R: the tilt, as a turn from the pose as given, (3, 3).
            factor: on every stiffness.
            left: force that may be left over, of the weight.

        Raises:
            TooMuchWork: it takes more looks than were allowed.
        """
        now = self.state(lift, R, factor)
        low, high, stride = -math.inf, math.inf, 1e-3 * self.size
        for _ in range(70):
            if abs(now.slope[0]) <= left * self.weight:
                break
            low, high = (low, now.lift) if now.slope[0] > 0 else (now.lift, high)
            stiffness = float(now.stiffness @ (now.springs.normals @ self._up) ** 2)
            step = -float(now.slope[0]) / stiffness if stiffness > 0 else -stride
            step = max(-stride, min(stride, step))
            stride *= 2.0
            lift = now.lift + step
            if not low < lift < high:  # a step lost in rounding, before any bracket
                lift = 0.5 * (low + high) if math.isfinite(high - low) else now.lift
            if lift == now.lift or lift < -_DEEPEST * self.size:
                break
            now = self.state(lift, R, factor)
        return now

    def tilted(self, R: Mat3, tilt: Array) -> Mat3:
        """Return a turn tilted further by angles about both axes, (2,) [rad]."""
        return rotation_after(R, tilt @ self._axes)

    def lean(self, R: Mat3, other: Mat3) -> float:
        """Return the angle by which the normal is turned between two turns [rad]."""
        one, two = R.T @ self._up, other.T @ self._up
        return 2 * math.asin(min(1.0, float(np.linalg.norm(one - two)) / 2))

    def way(self, R: Mat3, other: Mat3) -> Vec3:
        """Return where the robot's top goes from one turn to another, unit, (3,)."""
        top = other @ R.T @ self._up
        flat = top - (top @ self._up) * self._up
        size = float(np.linalg.norm(flat))
        return flat / size if size > 0 else np.zeros(3)

    def hessian(self, at: WellState, factor: float = 1.0) -> Array:
        """Return the energy's second derivative by lift and tilts, (3, 3)."""
        deepest = float(at.springs.depths.max(initial=0.0)) / self.size
        nudge = max(1e-10, min(_NUDGE, 1e-3 * deepest))
        H = np.empty((3, 3))
        for k, lift in enumerate((nudge * self.size, 0.0, 0.0)):
            tilt = nudge * np.eye(3)[k, 1:]
            ahead = self.state(at.lift + lift, self.tilted(at.R, tilt), factor)
            behind = self.state(at.lift - lift, self.tilted(at.R, -tilt), factor)
            H[:, k] = (ahead.slope - behind.slope) / (2 * (lift or nudge))
        return 0.5 * (H + H.T)


def _crossed(one: Array, two: Array) -> Vec3:
    """Return the sum of cross products of rows, (3,)."""
    M = one.T @ two
    return np.array([M[1, 2] - M[2, 1], M[2, 0] - M[0, 2], M[0, 1] - M[1, 0]])


def _axes_of(up: Vec3) -> Array:
    """Return two unit vectors that with ``up`` make a right-handed frame, (2, 3)."""
    first = np.zeros(3)
    first[int(np.argmin(np.abs(up)))] = 1.0
    first = np.cross(np.cross(up, first), up)
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(up, first)])
