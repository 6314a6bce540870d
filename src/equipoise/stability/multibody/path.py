"""Equilibria of a robot held by springs, followed under a growing weight.

Softening every spring by one factor is the same as making the robot heavier. A point
of the path is an equilibrium at a share of the weight, stable where the energy's
Hessian is positive over the motions that the feet allow.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.linalg import eigh, null_space

from equipoise.core.arrays import Array, VecN
from equipoise.robots.pose_kinematics import PosedModel, PoseKinematics
from equipoise.stability.multibody.law import (
    FootLaw,
    JointLaw,
    Springs,
    ground_springs,
    law_springs,
)
from equipoise.stability.soft.foot import Bools

__all__ = ["HeldRobot", "RestPoint"]

_ITERATIONS = 25
_RESIDUE = 1e-10  # of the weight: what Newton leaves after its last, quadratic step
_SINGULAR = 1e-12  # of the largest stiffness: rounding of a dozen products
_ASIDE = 0.3  # of the tangent step: what Newton may add to it on the same branch
_LONGEST = 0.1  # of one Newton step [rad or m]; beyond, another branch may be nearer


@final
@dataclass(frozen=True, eq=False)
class RestPoint:
    """An equilibrium."""

    qpos: VecN
    share: float
    """Of the weight."""
    forces: Array
    """Force of the ground on each foot, (n, 3) [N]."""
    margin: float
    """Smallest eigenvalue of the Hessian relative to the springs' own stiffness: 1
    without load, stable above zero; nan where springs alone do not hold the robot."""
    eigenvalues: VecN
    """Of the Hessian, relative to the mass matrix, rising, (d,) [1/s²]."""
    mode: VecN
    """The motion that belongs to the first of them, (nv,)."""
    presses: Bools
    """Which feet the ground pushes, (n,)."""


@final
@dataclass(frozen=True, eq=False)
class HeldRobot:
    """A robot, the law that holds it, the ground, and where all of it is at rest."""

    posed: PosedModel
    law: FootLaw | JointLaw
    K_law: Array
    K_ground: Array | None
    """(3n, 3n), or None where the feet are pinned to rigid ground."""
    rest: VecN
    """Of the law's springs, (k,)."""
    anchors: VecN
    """Where the ground holds the feet, unloaded, (3n,) [m]."""

    def springs(self, at: PoseKinematics) -> Springs:
        """Return the law's springs in a pose."""
        return law_springs(self.law, self.K_law, self.posed, at)

    def ground(self, at: PoseKinematics) -> tuple[Springs, Bools]:
        """Return the ground's springs in a pose, and which feet press on it.

        Pinned feet have no stiffness and press always. On soft ground a foot presses
        while its spring pushes up; one that has lifted has none.
        """
        n = len(at.p_WP)
        if self.K_ground is None:
            return ground_springs(np.zeros((3 * n, 3 * n)), at), np.ones(n, np.bool_)
        all_press = ground_springs(self.K_ground, at)
        push = -all_press.pull(self.anchors).reshape(n, 3)
        presses = push[:, 2] >= 0.0
        on = np.repeat(presses, 3)
        return ground_springs(self.K_ground * np.outer(on, on), at), presses

    def equilibrium_at(self, start: RestPoint, share: float) -> RestPoint | None:
        """Return the equilibrium at a share of the weight, near another one.

        Newton on the pose and the pinned feet's forces. None where it does not
        converge, or where it goes farther than its first step, the path's tangent,
        says by more than a share: then it may have found another branch.
        """
        qpos, pins = start.qpos, -start.forces.reshape(-1)
        first, after = 0.0, np.zeros(self.posed.nv)
        before = start.presses
        for count in range(_ITERATIONS):
            at = self.posed.at(qpos)
            ground, presses = self.ground(at)
            slope, gap, H = self._lagrangian(at, ground, pins, share)
            tiny = _RESIDUE * self.posed.load * max(abs(share), 1e-6)
            done = np.abs(slope).max() < tiny and np.abs(gap).max(initial=0.0) < 1e-11
            if count and done and (presses == before).all():
                return self._judged(qpos, share, at, ground, presses, pins)
            before = presses
            if self.K_ground is None:
                move, change = _pinned_step(H, slope, gap, ground.J)
            else:
                move, change = _free_step(H, slope, self.free_motions(at)), 0.0
            if not np.abs(move).max() < _LONGEST:
                return None
            if count == 0:
                first = float(np.linalg.norm(move))
            else:
                after = after + move
            if np.linalg.norm(after) > _ASIDE * first + 1e-9:
                return None
            qpos = self.posed.moved(qpos, move)
            pins = pins + change
        return None

    def judged(self, qpos: VecN, share: float, forces: Array) -> RestPoint:
        """Return the stability of a pose that is known to be an equilibrium."""
        at = self.posed.at(qpos)
        ground, presses = self.ground(at)
        return self._judged(qpos, share, at, ground, presses, -forces.reshape(-1))

    def _lagrangian(
        self, at: PoseKinematics, ground: Springs, pins: VecN, share: float
    ) -> tuple[VecN, VecN, Array]:
        """Return slope (nv,), gap of the pinned feet and Hessian of the Lagrangian."""
        law, rigid = self.springs(at), self.K_ground is None
        hold = pins if rigid else ground.pull(self.anchors)
        slope = share * at.weight + law.gradient(self.rest) + ground.J.T @ hold
        H = share * at.weight_hessian + law.stiffness() + ground.stiffness()
        H = H + law.geometric(law.pull(self.rest)) + ground.geometric(hold)
        gap = ground.x - self.anchors if rigid else np.zeros(0)
        return slope, gap, H

    def _judged(
        self,
        qpos: VecN,
        share: float,
        at: PoseKinematics,
        ground: Springs,
        presses: Bools,
        pins: VecN,
    ) -> RestPoint:
        H = self._lagrangian(at, ground, pins, share)[2]
        basis = self.free_motions(at)
        springs = self.springs(at).stiffness() + ground.stiffness()
        hold = pins if self.K_ground is None else ground.pull(self.anchors)
        values, modes = _relative(H, at.inertia, basis)
        return RestPoint(
            qpos,
            share,
            -hold.reshape(-1, 3),
            _margin(H, springs, basis),
            values,
            modes[:, 0] if len(values) else np.zeros(self.posed.nv),
            presses,
        )

    def free_motions(self, at: PoseKinematics) -> Array:
        """Return a basis of the motions that are judged, (nv, d).

        Those that leave pinned feet where they are; on ground that holds nothing
        sideways, those that are not a slide or a turn of the whole robot.
        """
        if self.K_ground is None:
            return null_space(at.J_v_WP.reshape(-1, self.posed.nv))
        sideways = self.K_ground.reshape(-1, 3, len(self.K_ground))[:, :2]
        if sideways.any() or not self.posed.is_free:
            return np.eye(self.posed.nv)
        neutral = np.zeros((self.posed.nv, 3))
        neutral[0, 0] = neutral[1, 1] = 1.0
        neutral[3:6, 2] = at.up_in_root
        return null_space(neutral.T @ at.inertia)


def _margin(H: Array, springs: Array, basis: Array) -> float:
    """Return the smallest eigenvalue of H relative to the springs' stiffness."""
    if basis.shape[1] == 0:
        return 1.0
    values = np.linalg.eigvalsh(basis.T @ springs @ basis)
    if not values[0] > _SINGULAR * values[-1]:
        return math.nan
    return float(_relative(H, springs, basis)[0][0])


def _relative(H: Array, metric: Array, basis: Array) -> tuple[VecN, Array]:
    """Return eigenvalues, rising, and modes of H relative to a metric."""
    if basis.shape[1] == 0:
        return np.zeros(0), np.zeros((len(H), 0))
    inner = basis.T @ H @ basis
    values, vectors = eigh(0.5 * (inner + inner.T), basis.T @ metric @ basis)
    return np.asarray(values), basis @ vectors


def _free_step(H: Array, slope: VecN, basis: Array) -> VecN:
    """Return Newton's step over some motions."""
    inner = basis.T @ H @ basis
    return basis @ np.linalg.lstsq(inner, -basis.T @ slope, rcond=None)[0]


def _pinned_step(H: Array, slope: VecN, gap: VecN, J: Array) -> tuple[VecN, VecN]:
    """Return Newton's step of the pose and of the pinned feet's forces.

    Least squares: feet that share a body leave forces between them undecided, and the
    smallest ones are taken.
    """
    nv, n = len(H), len(gap)
    unit = float(np.abs(H).max())
    matrix = np.zeros((nv + n, nv + n))
    matrix[:nv, :nv] = H
    matrix[:nv, nv:] = unit * J.T
    matrix[nv:, :nv] = unit * J
    rest = np.append(slope, unit * gap)
    step = np.asarray(np.linalg.lstsq(matrix, -rest, rcond=None)[0], np.float64)
    return step[:nv], step[nv:] * unit
