"""Where a robot on its own drives comes to rest, and whether it stays there.

From the pose as given the energy of weight, servos, springs and contacts is followed
downhill by Newton's method to where all forces balance. That is an equilibrium; it is
stable where the stiffness there, servos in series with the ground, is positive
definite [Ridderstrom2003] chapter 10. Contacts slip where they need more than friction
gives, and so does dry friction in joints.
"""

import math
from dataclasses import dataclass, field
from typing import Literal, final

import mujoco
import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.stability.drives.elements import DriveForces, Forces, TooManyPoses

__all__ = ["Sag", "sagged"]

MOST_STEPS = 80
FASTER = 0.3  # a step that leaves more of the slope asks for the stiffness anew
LONGEST = 0.08  # step of Newton's method in any joint or over the size [rad or 1]
BALANCED = 1e-6  # of weight times size: forces this small are none
SOFTEST = 1e-3  # of weight times size: stiffness that steps are made with at least
STABLE = 1e-3
"""Least stiffness over inertia that counts as stable, over gravity by size."""
BASE, STILL = 6, 1e-6
"""Velocities of the free base, and how little they move in what joints do alone."""
NUDGE, LEAST_NUDGE = 1e-6, 1e-10  # by which stiffness is found, scaled
FAR_AWAY = (-1.0, -0.3, 0.3, 1.0)  # how far idle joints are moved [rad]
LIGHTEST = 1e-12  # share of the robot's inertia that every motion has at least
MOST_RELEASES = 12  # times that contacts which would pull are let go
MOST_SLIPS = 25
NEARLY = 1.0  # of what friction gives: more than this slips
SLID = 3e-3  # of the weight: a drag that changes by less has settled
GONE = 0.35  # share of its height that a robot sinks before it is said to fall
OVER = math.radians(35.0)

How = Literal["rests", "falls", "tilts", "slides", "unknown", "too large"]


@final
@dataclass(frozen=True, eq=False)
class Sag:
    """A robot at rest on its own drives, or that it finds no rest."""

    how: How
    """"rests", or why not: it "falls", "tilts" (the equilibrium is not stable),
    "slides" (friction does not hold it), it is "too large" to be followed, or nobody
    knows."""
    qpos: VecN = field(repr=False)
    """Where it was last, (nq,)."""
    sunk: float
    """How far its centre of mass sank [m]."""
    turned: float
    """By how much its base turned [rad]."""
    stiffness: float
    """The least over the inertia, of every motion [1/s²]."""
    actuator: VecN = field(repr=False)
    """Force of every actuator in the end, (nu,)."""
    motors: VecN = field(repr=False)
    """Force that each held motor must give, (k,)."""
    com: Vec3 = field(repr=False)
    """Centre of mass in the end, (3,) [m]."""


def sagged(
    forces: DriveForces,
    qpos: VecN,
    up: Vec3,
    height: float,
    since: VecN | None = None,
) -> Sag:
    """Return where a robot comes to rest on its own drives.

    Args:
        forces: what acts on it.
        qpos: the pose in which it touches the ground unloaded, (nq,).
        up: against gravity, unit, (3,).
        height: of its centre of mass above what it stands on [m].
        since: from where it goes downhill; None for ``qpos``.
    """
    walk = _Walk(forces, qpos, up, height)
    try:
        return _to_rest(walk, since)
    except TooManyPoses:
        return walk.last("too large", math.nan)


def _to_rest(walk: "_Walk", since: VecN | None) -> Sag:
    """Return where a robot comes to rest, if that takes poses enough."""
    if since is not None:
        walk.start_from(since)
    walk.on_the_ground()
    for _ in range(MOST_SLIPS):
        how = walk.downhill()
        if how != "rests" or not walk.slip():
            return walk.ended(how)
        if walk.forces.sliding.all():
            break
    return walk.ended("slides")


@final
class PosedStiffness:
    """The stiffness in a pose, ready for steps downhill.

    Args:
        stiffness: symmetric, (m, m).
    """

    def __init__(self, stiffness: Array) -> None:
        self._factor: Array | None = None
        self._values, self._ways = np.zeros(0), np.zeros((0, 0))
        least = stiffness - SOFTEST * np.eye(len(stiffness))
        try:  # a quarter of the work of all eigenvalues, and mostly enough
            np.linalg.cholesky(least)
        except np.linalg.LinAlgError:
            self._values, self._ways = np.linalg.eigh(stiffness)
        else:
            self._factor = cho_factor(stiffness)[0]

    def solved(self, slope: VecN) -> VecN:
        """Return the slope over the stiffness, whose values count by their size.

        Args:
            slope: (m,).
        """
        if self._factor is not None:
            return cho_solve((self._factor, False), slope)
        part = self._ways.T @ slope
        return self._ways @ (part / np.maximum(np.abs(self._values), SOFTEST))


class _Walk:
    """A robot on its way down to rest."""

    def __init__(
        self, forces: DriveForces, qpos: VecN, up: Vec3, height: float
    ) -> None:
        self.forces, self.up, self.height = forces, up, height
        self.qpos = np.array(qpos)
        self.shape: PosedStiffness | None = None
        self.nudge = NUDGE
        self.now: Forces = forces.forces(self.qpos)
        self.first = np.array(forces.data.subtree_com[forces.root])
        self.attitude = np.array(forces.data.xmat[forces.root]).reshape(3, 3)

    def start_from(self, qpos: VecN) -> None:
        """Begin in another pose than the one in which it touches."""
        self.qpos = np.array(qpos)
        self.now = self.forces.forces(self.qpos)

    @property
    def gradient(self) -> VecN:
        """The gradient, scaled to weight times size."""
        return self.now.gradient * self.forces.scale / self.forces.energy

    def moved(self, step: VecN) -> VecN:
        """Return the pose after a scaled step."""
        forces, way = self.forces, np.zeros(int(self.forces.model.nv))
        way[forces.dofs] = forces.scale * step
        qpos = np.array(self.qpos)
        mujoco.mj_integratePos(forces.model, qpos, way, 1.0)
        return qpos

    def hessian(self, *, is_exact: bool = False) -> Array:
        """Return the stiffness, scaled, by differences of the gradient."""
        forces, h = self.forces, NUDGE if is_exact else self.nudge
        m = len(forces.dofs)
        here = self.gradient
        rows = np.empty((m, m))
        for k in range(m):
            step = np.zeros(m)
            step[k] = h
            ahead = forces.forces(self.moved(step)).gradient
            ahead = ahead * forces.scale / forces.energy
            if is_exact:
                behind = forces.forces(self.moved(-step)).gradient
                behind = behind * forces.scale / forces.energy
                rows[k] = (ahead - behind) / (2 * h)
            else:
                rows[k] = (ahead - here) / h
        return 0.5 * (rows + rows.T)

    def downhill(self) -> How:
        """Follow the energy down to a balance of forces; return how that ended."""
        last, fresh, was_fresh = math.inf, False, False
        for _ in range(MOST_STEPS):
            slope = self.gradient
            size = float(np.abs(slope).max())
            if size < BALANCED:
                return "rests"
            if size > FASTER * last or self.shape is None:
                if was_fresh and size > last:  # a contact comes and goes within it
                    self.nudge = max(0.1 * self.nudge, LEAST_NUDGE)
                self.shape = PosedStiffness(self.hessian())
                fresh = True
            step = -self.shape.solved(slope)
            step *= min(1.0, LONGEST / float(np.abs(step).max()))
            if not self.step(slope, step):
                if fresh:
                    return "unknown"
                self.shape = None
            if self.is_gone():
                return "falls"
            last, fresh, was_fresh = size, False, fresh
        return "unknown"

    def on_the_ground(self) -> None:
        """Come to rest on springs that also pull, letting go those that would.

        From there the real contacts, which only push, are a small way off.
        """
        forces = self.forces
        pulling = np.ones(len(forces.spots.points), bool)
        for _ in range(MOST_RELEASES):
            forces.pulling = pulling
            self.now, self.shape = forces.forces(self.qpos), None
            if self.downhill() != "rests":
                break
            lifted = pulling & (self.now.normal < 0.0)
            back = ~pulling & (forces.depth > 0.0)
            if not (lifted.any() or back.any()):
                break
            pulling = (pulling & ~lifted) | back
            if not pulling.any():
                break
        forces.pulling = None
        self.now, self.shape = forces.forces(self.qpos), None

    def step(self, slope: VecN, step: VecN) -> bool:
        """Go along a step as far as it leads downhill; return whether at all."""
        before = float(slope @ step)
        share = 1.0
        for _ in range(30):
            qpos = self.moved(share * step)
            now = self.forces.forces(qpos)
            scale = self.forces.scale / self.forces.energy
            after = float((now.gradient * scale) @ step)
            if math.isfinite(after) and after <= 0.9 * abs(before) + 1e-14:
                self.qpos, self.now = qpos, now
                return True
            share *= 0.4
        return False

    def slip(self) -> bool:
        """Let slide what needs more than friction gives; return whether that is news.

        What slides is dragged by all the friction its load gives, against its way.
        """
        forces, now = self.forces, self.now
        most = forces.spots.friction * now.normal
        pull = np.linalg.norm(now.across, axis=1)
        new = ~forces.sliding & (pull > NEARLY * most + 1e-9 * forces.weight)
        way = np.where(new[:, None], -now.across, forces.off)
        far = np.maximum(np.linalg.norm(way, axis=1), 1e-300)
        drag = -most[:, None] * way / far[:, None]
        forces.sliding |= new
        change = np.where(forces.sliding[:, None], drag - forces.drag, 0.0)
        forces.drag += change
        loose = ~forces.slipping & (np.abs(now.sticking) > NEARLY * forces.limits)
        forces.slipping |= loose
        forces.resisting[loose] = (np.sign(now.sticking) * forces.limits)[loose]
        is_news = bool(new.any() or loose.any())
        is_news |= float(np.abs(change).max(initial=0.0)) > SLID * forces.weight
        if is_news:
            self.now = forces.forces(self.qpos)
        return is_news

    @property
    def sunk(self) -> float:
        """Distance by which the centre of mass sank [m]."""
        here = self.forces.data.subtree_com[self.forces.root]
        return -float(self.up @ (here - self.first))

    @property
    def base_rotation(self) -> float:
        """Angle by which the base turned [rad]."""
        R = np.array(self.forces.data.xmat[self.forces.root]).reshape(3, 3)
        cosine = 0.5 * (float(np.trace(R @ self.attitude.T)) - 1.0)
        return math.acos(min(1.0, max(-1.0, cosine)))

    def is_gone(self) -> bool:
        """Return whether it has sunk or turned too far to stand."""
        return self.sunk > GONE * self.height or self.base_rotation > OVER

    def is_idle(self, way: VecN) -> bool:
        """Return whether a motion of joints alone changes no force, up to its end."""
        way = way / float(np.abs(way).max())
        if float(np.abs(way[:BASE]).max()) > STILL:
            return False
        before = self.gradient
        scale = self.forces.scale / self.forces.energy
        for far in FAR_AWAY:
            there = self.forces.forces(self.moved(far * way)).gradient * scale
            if float(np.abs(there - before).max()) > BALANCED:
                return False
        return True

    def inertia(self) -> Array:
        """Return the mass matrix of the scaled motions."""
        forces = self.forces
        m, nv = len(forces.dofs), int(forces.model.nv)
        rows, one = np.empty((m, m)), np.empty(nv)
        for k, dof in enumerate(forces.dofs):
            unit = np.zeros(nv)
            unit[dof] = forces.scale[k]
            mujoco.mj_mulM(forces.model, forces.data, one, unit)
            rows[k] = one[forces.dofs] * forces.scale
        floor = LIGHTEST * forces.energy / forces.pace**2
        return 0.5 * (rows + rows.T) + floor * np.eye(m)

    def ended(self, how: How) -> Sag:
        """Return where it is and whether it stays there."""
        stiffness = math.nan
        if how == "rests":
            K = self.hessian(is_exact=True) * self.forces.energy
            values, ways = eigh(K, self.inertia())
            least = STABLE * self.forces.pace**2
            stiff = values[values > least]
            loose = ways.T[values <= least]
            how = "rests" if all(self.is_idle(way) for way in loose) else "tilts"
            stiffness = float(values[0]) if how == "tilts" else float(stiff.min())
        self.now = self.forces.forces(self.qpos)
        return self.last(how, stiffness)

    def last(self, how: How, stiffness: float) -> Sag:
        """Return where it was last."""
        return Sag(
            how=how,
            qpos=self.qpos,
            sunk=self.sunk,
            turned=self.base_rotation,
            stiffness=stiffness,
            actuator=np.array(self.forces.data.actuator_force),
            motors=self.now.sticking[self.forces.motor_sticks],
            com=np.array(self.forces.data.subtree_com[self.forces.root]),
        )
