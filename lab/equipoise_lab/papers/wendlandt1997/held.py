"""The biped with its feet held fast, from the engine's dense equations.

All joints at once, no recursion: M v' + h = τ + J_fᵀ λ with J_f v' + J_f' v = 0. It
shares nothing with the paper's algorithms nor with the library's.
"""

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.robot import Robot

__all__ = ["Held", "held_at", "random_state", "resting_feet"]

FEET = (7, 13)  # bodies by number, as links in the paper


@dataclass(frozen=True)
class Held:
    """Equations of one state; twists are body velocities of links 1, 7 and 13."""

    M: Array
    h: Array
    J_1: Array
    """Of the central body, (6, nv)."""
    bias_1: Array
    """J_1' v, (6,)."""
    J_f: Array
    """Of both feet, (12, nv)."""
    bias_f: Array
    v: Array

    def dynamics(self) -> tuple[Array, Array]:
        """Return P_1 and z_1: the wrench on the central body per acceleration.

        Of all v' that hold the feet and give V_1', the one that free joints take.
        """
        C = np.vstack([self.J_f, self.J_1])
        L = np.linalg.cholesky(self.M)
        half = np.linalg.solve(L, np.column_stack([C.T, self.h]))
        Q, R = np.linalg.qr(half[:, :-1])
        into = np.zeros((18, 7))
        into[12:, :6] = np.eye(6)
        into[:, 6] = -np.hstack([self.bias_f, self.bias_1])
        y = Q @ np.linalg.solve(R.T, into)
        y[:, 6] += Q @ (Q.T @ half[:, -1])
        return y[:, :6].T @ y[:, :6], y[:, :6].T @ y[:, 6]

    def acceleration(self, tau: Array) -> Array:
        """Return V_1' under joint torques, (6,)."""
        L = np.linalg.cholesky(self.M)
        force = np.hstack([np.zeros(6), tau]) - self.h
        half = np.linalg.solve(L, np.column_stack([self.J_f.T, force]))
        Q, R = np.linalg.qr(half[:, :-1])
        y = half[:, -1]
        y = y + Q @ (np.linalg.solve(R.T, -self.bias_f) - Q.T @ y)
        return self.J_1 @ np.linalg.solve(L.T, y) + self.bias_1

    def leg_jacobian(self, leg: int) -> Array:
        """Return J that maps a leg's rates to V_1 while its foot is fixed, (6, 6)."""
        rows, joints = slice(6 * leg, 6 * leg + 6), slice(6 + 6 * leg, 12 + 6 * leg)
        base = -np.linalg.solve(self.J_f[rows, :6], self.J_f[rows, joints])
        return self.J_1[:, :6] @ base


def held_at(robot: Robot, qpos: Array, qvel: Array) -> Held:
    """Return the equations of a state.

    Args:
        robot: the biped.
        qpos: (19,).
        qvel: (18,).
    """
    model = robot.model
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_fwdVelocity(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    J_1, bias_1 = _twist(model, data, 1)
    feet = [_twist(model, data, body) for body in FEET]
    return Held(
        M=M,
        h=data.qfrc_bias.copy(),
        J_1=J_1,
        bias_1=bias_1,
        J_f=np.vstack([J for J, _ in feet]),
        bias_f=np.hstack([bias for _, bias in feet]),
        v=data.qvel.copy(),
    )


def _twist(model: Any, data: Any, body: int) -> tuple[Array, Array]:
    """Return J and J' v of a body's own velocity [v; w] at its centre of mass."""
    J, rate = np.zeros((2, 3, model.nv)), np.zeros((2, 3, model.nv))
    place = np.array(data.xpos[body])
    mujoco.mj_jac(model, data, J[0], J[1], place, body)
    mujoco.mj_jacDot(model, data, rate[0], rate[1], place, body)
    v, w = J @ data.qvel
    a, alpha = rate @ data.qvel
    R_BW = data.xmat[body].reshape(3, 3).T
    bias = np.hstack([R_BW @ (a - np.cross(w, v)), R_BW @ alpha])
    return np.vstack([R_BW @ J[0], R_BW @ J[1]]), bias


def random_state(robot: Robot, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return a state around the paper's two postures, moving by some m/s and rad/s.

    Joints are within 0.3 rad of the start or the set pose, so that knees are bent by 30
    degrees or more; the trunk is within 0.1 m and 0.3 rad about each axis.

    Args:
        robot: the biped.
        rng: draws it.
    """
    model = robot.model
    q = np.array(model.key_qpos[int(rng.integers(model.nkey))])
    q[:3] += rng.uniform(-0.1, 0.1, 3)
    mujoco.mju_quatIntegrate(q[3:7], rng.uniform(-0.3, 0.3, 3), 1.0)
    q[7:] += rng.uniform(-0.3, 0.3, 12)
    return q, rng.normal(size=model.nv)


def resting_feet(robot: Robot, qpos: Array, qvel: Array) -> Array:
    """Return velocities near the given ones at which the feet do not move, (18,)."""
    J_f = held_at(robot, qpos, qvel).J_f
    return qvel - np.linalg.pinv(J_f) @ (J_f @ qvel)
