"""The algorithms in single states: each against the engine, and as printed.

No time passes here. A closed loop forgives some wrong terms; a single state does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from equipoise.control.workspace.dynamics import workspace_dynamics as library_dynamics
from equipoise.core.arrays import Array
from equipoise.core.seeds import stream
from equipoise.robots.biped.biped import biped
from equipoise.robots.robot import Robot
from equipoise.spatial.rotations import matrix_from_quat
from equipoise_lab.papers.wendlandt1997 import printed
from equipoise_lab.papers.wendlandt1997.groups import adjoint, inverse_adjoint, turn
from equipoise_lab.papers.wendlandt1997.held import (
    Held,
    held_at,
    random_state,
    resting_feet,
)
from equipoise_lab.papers.wendlandt1997.printed import FORMS, Form, Moved
from equipoise_lab.papers.wendlandt1997.throw import paper_aim

__all__ = [
    "FACTORS",
    "KNEES_DEG",
    "Case",
    "adjoint_error",
    "big_errors",
    "case_of",
    "cases",
    "coriolis_error",
    "dynamics_errors",
    "foot_norms",
    "knee_errors",
    "misses",
    "relative",
    "statics_error",
]

STATES = 40
FACTORS = tuple(10.0**n for n in range(3, 15))
"""Of a foot's mass, for the search of the best."""
KNEES_DEG = (30.0, 10.0, 3.0, 1.0, 0.1)


@dataclass(frozen=True, eq=False)
class Case:
    """One random state around the paper's postures, feet at rest."""

    robot: Robot
    qpos: Array
    qvel: Array
    held: Held
    chain: printed.Chain
    moved: Moved

    @property
    def V_1(self) -> Array:
        """Body velocity of the central body, (6,)."""
        return self.moved.V[1]

    def asked(self, form: Form | None = None) -> Array:
        """Return X^b, Algorithm 4; the aim's sign is turned where that matters."""
        aim = paper_aim("negated" if self.is_behind(form) else "about -y")
        return printed.desired_acceleration(
            aim, self.qpos[:3], self.qpos[3:7], self.moved.R_0[1], self.V_1, form
        )

    def is_behind(self, form: Form | None) -> bool:
        """Return whether the aim must be negated for its sign to matter."""
        real = float(self.qpos[3:7] @ paper_aim().quat)
        return form == "no sign flip" and real >= 0.0

    def torques(self, form: Form | None = None) -> Array:
        """Return the torques of one control step, (12,)."""
        P_1, z_1 = printed.workspace_dynamics(self.chain, self.moved, form=form)
        F_1 = P_1 @ self.asked(form) + z_1
        shares = printed.shared_wrench(self.moved, F_1, form)
        return printed.joint_torques(self.chain, self.moved, shares.F_2, shares.F_8)

    def miss(self, form: Form | None = None) -> float:
        """Return how far the achieved acceleration is from the right one, relative."""
        wanted, achieved = self.asked(), self.held.acceleration(self.torques(form))
        return float(np.abs(achieved - wanted).max() / np.abs(wanted).max())


def case_of(robot: Robot, qpos: Array, qvel: Array) -> Case:
    """Return a state with everything known about it."""
    R_01 = matrix_from_quat(qpos[3:7])
    V_1 = np.hstack([R_01.T @ qvel[:3], qvel[3:6]])
    chain = printed.chain_of(robot)
    moved = printed.forward_kinematics(chain, R_01, V_1, qpos[7:], qvel[6:])
    return Case(robot, qpos, qvel, held_at(robot, qpos, qvel), chain, moved)


@cache
def cases(seed: int, count: int = STATES) -> tuple[Case, ...]:
    """Return random states.

    Args:
        seed: which.
        count: how many.
    """
    robot, rng, found = biped(), stream(seed, "states"), list[Case]()
    for _ in range(count):
        qpos, qvel = random_state(robot, rng)
        found.append(case_of(robot, qpos, resting_feet(robot, qpos, qvel)))
    return tuple(found)


def foot_norms(states: Sequence[Case], form: Form) -> tuple[float, float]:
    """Return how much more than the least a form loads the feet: least and median.

    What a leg's torques bring to its foot is the wrench on the central body seen there.

    Args:
        states: where to look.
        form: how the wrench is divided.
    """
    found = []
    for case in states:
        P_1, z_1 = printed.workspace_dynamics(case.chain, case.moved)
        F_1 = P_1 @ case.asked() + z_1
        norms = []
        for one in (form, None):
            shares = printed.shared_wrench(case.moved, F_1, one)
            pairs = ((7, shares.F_2), (13, shares.F_8))
            m = case.moved
            feet = [adjoint(m.R_1[k], m.p_1[k]).T @ F for k, F in pairs]
            norms.append(np.linalg.norm(np.hstack(feet)))
        found.append(norms[0] / norms[1])
    return float(min(found)), float(np.median(found))


def relative(found: Array, right: Array) -> float:
    """Return the largest difference over the largest entry."""
    return float(np.abs(found - right).max() / np.abs(right).max())


@cache
def misses(states: tuple[Case, ...]) -> Mapping[str, float]:
    """Return the least miss of every printed form over all states; the worst of none.

    Args:
        states: where to look.
    """
    found = {str(form): min(case.miss(form) for case in states) for form in FORMS}
    return found | {"corrected": max(case.miss() for case in states)}


def dynamics_errors(states: Sequence[Case], form: Form | None = None) -> list[float]:
    """Return the larger error of P_1 and z_1 against the engine's, state by state."""
    found = []
    for case in states:
        P, z = printed.workspace_dynamics(case.chain, case.moved, form=form)
        P_right, z_right = case.held.dynamics()
        found.append(max(relative(P, P_right), relative(z, z_right)))
    return found


def big_errors(states: Sequence[Case]) -> dict[float, float]:
    """Return the largest error of P_1 over all states, by the feet's factor."""
    right = [case.held.dynamics()[0] for case in states]
    return {
        big: max(
            relative(printed.workspace_dynamics(case.chain, case.moved, big)[0], P)
            for case, P in zip(states, right, strict=True)
        )
        for big in FACTORS
    }


def knee_errors(knee_deg: float) -> tuple[float, float, float]:
    """Return P_1's error by the big base and by the exact form, and its condition.

    The posture is upright, hip and ankle each take half of the knee's bend.

    Args:
        knee_deg: bend of both knees.
    """
    robot, bend = biped(), np.deg2rad(knee_deg)
    qpos = np.zeros(19)
    qpos[2], qpos[3] = 1.1, 1.0
    qpos[7:] = np.tile([0.0, 0.5 * bend, 0.0, -bend, 0.0, 0.5 * bend], 2)
    case = case_of(robot, qpos, np.zeros(18))
    right = case.held.dynamics()[0]
    big = printed.workspace_dynamics(case.chain, case.moved)[0]
    exact = library_dynamics(robot, qpos, np.zeros(18), "exact")[0]
    return relative(big, right), relative(exact, right), float(np.linalg.cond(right))


def adjoint_error(rng: np.random.Generator) -> float:
    """Return how far eqs. (3.2) to (3.8) are from keeping power, at random poses."""
    worst = 0.0
    for _ in range(STATES):
        axis = rng.normal(size=3)
        R = turn(axis / np.linalg.norm(axis), rng.uniform(-3.0, 3.0))
        p, V, F = rng.normal(size=3), rng.normal(size=6), rng.normal(size=6)
        there = adjoint(R, p) @ V  # the velocity in the other frame
        force = inverse_adjoint(R, p).T @ F  # the wrench there
        back = inverse_adjoint(R, p) @ there
        worst = max(worst, abs(float(force @ there - F @ V)), np.abs(back - V).max())
    return float(worst)


def coriolis_error(case: Case, step: float = 1e-5) -> float:
    """Return the error of a_k = A' V_i against differences of A, all joints.

    Args:
        case: the state.
        step: half the time between the two adjoints [s].
    """
    theta, rate = case.qpos[7:], case.qvel[6:]
    later, sooner = (
        printed.forward_kinematics(
            case.chain, case.moved.R_0[1], case.V_1, theta + d * rate, rate
        ).A
        for d in (step, -step)
    )
    slope = (later - sooner) / (2.0 * step)
    inboard = list(case.chain.inboard)
    right = np.array([slope[k] @ case.moved.V[inboard[k]] for k in range(2, 14)])
    return relative(case.moved.a[2:], right)


def statics_error(case: Case, rng: np.random.Generator) -> float:
    """Return how far Algorithm 6 is from J^T F, both legs, a random wrench."""
    F_2, F_8 = rng.normal(size=(2, 6))
    found = printed.joint_torques(case.chain, case.moved, F_2, F_8)
    right = [case.held.leg_jacobian(leg).T @ F for leg, F in enumerate((F_2, F_8))]
    return relative(found, np.hstack(right))
