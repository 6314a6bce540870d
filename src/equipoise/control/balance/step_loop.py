"""Whether a machine that steps on few feet keeps its balance: the loop of its steps.

A rigid machine stands on some feet through springs and dampers, pulls its trunk upright
by their loads, and puts the next feet down where ``capture`` says. Between footfalls
its small motions x obey x' = A x; a footfall replaces the places of the feet that land,
f = p + R r + k v. So a cycle multiplies x by a matrix, whose largest eigenvalue says
what is left of a disturbance.

The feet hang on massless legs, the machine walks as fast as it is told, and the trunk's
reference is at the end of its leash, where its pull is constant. A shift that is learnt
slowly (``capture.integral``) counts as constant too.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from equipoise.control.forces.distribution import FORCE_WEIGHT
from equipoise.core.arrays import Array, Vec2, VecN
from equipoise.core.constants import GRAVITY

__all__ = ["StandingPhase", "StepLoop"]

PLACE, TILT, SPEED, SPIN, KNOWN = (slice(k, k + 3) for k in range(0, 15, 3))
LEVEL = slice(15, 17)
FEET = 17  # from which on states are the feet's places, x and y of each
PIECES = 4  # of a phase, over which feet and loads count as constant
LEVELLED = (0, 1)  # roll and pitch, of the three rotations


class StandingPhase(NamedTuple):
    """Interval in which the same feet stand."""

    legs: tuple[int, ...]
    """Those that stand."""
    landed: tuple[int, ...]
    """Those that begin to."""
    lasts: float
    """Share of the cycle."""


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class StepLoop:
    """Stepping machine linearised about its gait: how it is held and steps.

    Axes are the trunk's, x ahead and y to the left.
    """

    mass: float
    """Of the whole machine [kg]."""
    inertia: Array
    """Of the whole machine about its centre of mass, (3, 3) [kg m²]."""
    height: float
    """Of the centre of mass over the ground [m]."""
    feet: Array
    """Middles of the strokes as seen from the centre of mass, (nl, 2) [m]."""
    phases: tuple[StandingPhase, ...]
    """Of a cycle, in their order."""
    cycle: float
    """Duration of a cycle [s]."""
    usual_cycle: float
    """Duration of a cycle of usual length, by which margins are compared [s]."""
    velocity: Vec2
    """Of the machine, (2,) [m/s]."""
    stiffness: VecN
    """Of a foot's spring, (3,) [N/m]."""
    damping: VecN
    """Of a foot's damper, (3,) [N s/m]."""
    steady: VecN
    """Damping by the trunk's estimated velocity, at each foot, (3,) [N s/m]."""
    upright: VecN
    """Stiffness of roll and pitch, (2,) [N m/rad]."""
    upright_damping: VecN
    """Damping of roll and pitch, (2,) [N m s/rad]."""
    levelling: float
    """Rate at which the reference's tilt is corrected [1/s]."""
    velocity_time: float
    """Lag from the velocity to its estimate and the foot that follows it [s]."""
    take_on: float
    """Time in which a foot that lands takes its share of the load on [s]."""
    gain: float
    """Shift of a foothold per estimated velocity [s]."""

    @property
    def states(self) -> int:
        """Number of states: trunk, its estimate, levelling, feet."""
        return FEET + 2 * len(self.feet)

    @cached_property
    def flows(self) -> tuple[Array, ...]:
        """Return the state transition of each phase after its footfall, (n, n) each."""
        return tuple(self._flow(phase) for phase in self.phases)

    def cycle_map(self, gain: float | None = None) -> Array:
        """Return what a cycle does to the states, (n, n).

        Args:
            gain: in place of the loop's own [s].
        """
        done = np.eye(self.states)
        for phase, flow in zip(self.phases, self.flows, strict=True):
            done = flow @ self._footfall(phase, gain) @ done
        return done

    def remaining(self, gain: float | None = None) -> float:
        """Return the share of a disturbance that is left after a cycle.

        That is the largest eigenvalue's size once it does not count where on the
        ground the machine is.

        Args:
            gain: in place of the loop's own [s].
        """
        seen = np.eye(self.states)
        for row in range(FEET, self.states):
            seen[row, (row - FEET) % 2] = -1.0  # feet as seen from the trunk
        done = seen @ self.cycle_map(gain) @ np.linalg.inv(seen)
        return float(np.abs(np.linalg.eigvals(done[2:, 2:])).max())

    def margin(self, gain: float | None = None) -> float:
        """Return the share of a disturbance that a usual cycle's time takes away.

        1 would be all of it; below 0 disturbances grow, and the machine falls.

        Args:
            gain: in place of the loop's own [s].
        """
        return float(1.0 - self.remaining(gain) ** (self.usual_cycle / self.cycle))

    def _footfall(self, phase: StandingPhase, gain: float | None) -> Array:
        """Return what the feet that land do to the states, (n, n)."""
        out, lasts = np.eye(self.states), phase.lasts * self.cycle
        for leg in phase.landed:
            r = np.array(
                [*(self.feet[leg] + 0.5 * lasts * self.velocity), -self.height]
            )
            rows = slice(FEET + 2 * leg, FEET + 2 * leg + 2)
            out[rows] = 0.0
            out[rows, PLACE] = np.eye(3)[:2]
            out[rows, TILT] = -_cross(r)[:2]
            out[rows, KNOWN] = (self.gain if gain is None else gain) * np.eye(3)[:2]
        return out

    def _flow(self, phase: StandingPhase) -> Array:
        """Return what standing for a phase does to the states, (n, n)."""
        from scipy.linalg import expm  # slow to import

        lasts, done = phase.lasts * self.cycle, np.eye(self.states)
        for piece in range(PIECES):
            time = (piece + 0.5) / PIECES * lasts
            done = expm(self.rates(phase, time) * lasts / PIECES) @ done
        return done

    def rates(self, phase: StandingPhase, time: float) -> Array:
        """Return A, with which the states change while some feet stand, (n, n).

        Args:
            phase: who stands.
            time: since its footfall [s].
        """
        A, legs = np.zeros((self.states, self.states)), phase.legs
        passed = (time - 0.5 * phase.lasts * self.cycle) * self.velocity
        feet = self.feet[list(legs)] - passed
        arms = np.column_stack([feet, np.full(len(feet), -self.height)])
        taken = 1.0 - float(np.exp(-time / self.take_on))
        load = self.mass * GRAVITY / len(legs)
        A[PLACE, SPEED] = A[TILT, SPIN] = np.eye(3)
        A[KNOWN, SPEED] = np.eye(3) / self.velocity_time
        A[KNOWN, KNOWN] = -np.eye(3) / self.velocity_time
        for i in LEVELLED:
            A[LEVEL.start + i, TILT.start + i] = -self.levelling
        loads = self._loads(legs, feet, load)
        inverse, up = np.linalg.inv(self.inertia), np.array([0.0, 0.0, load])
        for one, (leg, r) in enumerate(zip(legs, arms, strict=True)):
            force = self._force(r, taken)
            force[2] += taken * loads[one]
            force[:, TILT] -= (1.0 - taken) * _cross(up)  # what the springs still carry
            arm = np.zeros((3, self.states))
            arm[:, PLACE] = -np.eye(3)
            arm[:2, FEET + 2 * leg : FEET + 2 * leg + 2] = np.eye(2)
            A[SPEED] += force / self.mass
            A[SPIN] += inverse @ (_cross(r) @ force - _cross(up) @ arm)
        return A

    def _force(self, r: Array, taken: float) -> Array:
        """Return the force of a foot's spring and dampers by the states, (3, n) [N]."""
        out, tilted = np.zeros((3, self.states)), -_cross(r)
        out[2, PLACE.start + 2] = -self.stiffness[2]
        out[:, TILT] = -self.stiffness[:, None] * tilted
        out[:, LEVEL] = self.stiffness[:, None] * tilted[:, LEVELLED]
        out[:, SPEED] = -np.diag(self.damping)
        out[:, SPIN] = -self.damping[:, None] * tilted
        out[:, KNOWN] = -taken * np.diag(self.steady)
        return out

    def _loads(self, legs: tuple[int, ...], feet: Array, load: float) -> Array:
        """Return how standing feet share moments, by the states, (number, n) [N]."""
        wanted = np.zeros((2, self.states))
        for i in LEVELLED:
            wanted[i, TILT.start + i] = -self.upright[i]
            wanted[i, LEVEL.start + i] = self.upright[i]
            wanted[i, SPIN.start + i] = -self.upright_damping[i]
        for leg in legs:  # the moments that displaced feet give anyhow
            x, y = FEET + 2 * leg, FEET + 2 * leg + 1
            wanted[0, [y, 1]] += -load, load
            wanted[1, [x, 0]] += load, -load
        rows = np.vstack([np.full(len(legs), FORCE_WEIGHT), feet[:, 1], -feet[:, 0]])
        return np.linalg.pinv(rows)[:, 1:] @ wanted


def _cross(r: VecN) -> Array:
    """Return the matrix by which a vector is multiplied to give r × vector, (3, 3)."""
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])
