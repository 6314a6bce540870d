"""Does a time step hold a linear mechanism: masses, springs, dampers and servos?

M v' = -K q - D v, one step of length h, no contact. MuJoCo's Euler and implicit steps
take the new velocity for the position; they let go where an eigenvalue of the step
passes -1, which is where

    4 M + 2 h (D_i - D_e) - h² K

stops being positive definite; D_i is the damping that the step takes implicitly, D_e
the rest. For one joint and implicit damping this is h ω < 2 ζ + 2 √(ζ² + 1) (issue 3443
of MuJoCo). The Runge-Kutta step holds where its polynomial is at most 1 in size.
"""

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np

from equipoise.core.arrays import Array

__all__ = ["ActuatorFeedback", "LinearStep", "linear_step", "most"]

STEP = mujoco.mjtIntegrator
HELD = (STEP.mjINT_EULER, STEP.mjINT_RK4, STEP.mjINT_IMPLICIT, STEP.mjINT_IMPLICITFAST)
NUDGE = 1e-6
"""Change of a position [rad or m] to differentiate a tendon's length."""
RANK = 1e-9
"""Singular value over the largest of a constraint that another one implies."""
ROUNDED = 1e-9
"""Share by which the step's polynomial passes 1 through rounding."""
HALVINGS = 50


@dataclass(frozen=True)
class ActuatorFeedback:
    """Feedback of an actuator: -kp times its length, -kv times its speed."""

    actuator: int
    moment: Array
    """Its length's derivative by the joints, (nv,)."""
    kp: float
    kv: float


@dataclass(frozen=True)
class LinearStep:
    """A mechanism at a pose, and how MuJoCo steps it.

    Equality constraints count as rigid: nv is the number of motions that are left.
    """

    integrator: int
    timestep: float
    """[s]."""
    mass: Array
    """(nv, nv)."""
    stiffness: Array
    """Of springs at joints and tendons, (nv, nv)."""
    damping: Array
    """Of joints and actuators, (nv, nv)."""
    coupled_damping: Array
    """Of tendons, (nv, nv)."""
    is_joint_damping_implicit: bool
    """Whether the Euler step takes the joints' damping implicitly."""
    servos: tuple[ActuatorFeedback, ...]
    motions: Array
    """Joint velocities of each motion, (joint coordinates, nv)."""

    def is_held(
        self, kp: Array, kv: Array, timestep: float | None = None, damp: float = 1.0
    ) -> bool:
        """Return whether the step holds the mechanism.

        Args:
            kp: of each servo.
            kv: of each servo.
            timestep: instead of the model's [s].
            damp: factor on the damping of joints and tendons.
        """
        h = self.timestep if timestep is None else timestep
        K, servo_damping = self.stiffness, np.zeros_like(self.mass)
        if self.servos:
            rows = np.array([servo.moment for servo in self.servos])
            K = K + rows.T * kp @ rows
            servo_damping = rows.T * kv @ rows
        joints, others = damp * self.damping, damp * self.coupled_damping
        others = others + servo_damping
        if self.integrator == STEP.mjINT_RK4:
            return _runge_kutta_holds(self.mass, K, joints + others, h)
        if self.integrator == STEP.mjINT_EULER:
            sign = 1.0 if self.is_joint_damping_implicit else -1.0
            kept = sign * joints - others
        else:
            kept = joints + others
        try:
            np.linalg.cholesky(4.0 * self.mass + 2.0 * h * kept - h * h * K)
        except np.linalg.LinAlgError:
            return False
        return True


def _runge_kutta_holds(M: Array, K: Array, D: Array, h: float) -> bool:
    size = len(M)
    inverse = np.linalg.inv(M)
    A = np.zeros((2 * size, 2 * size))
    A[:size, size:] = np.eye(size)
    A[size:, :size], A[size:, size:] = -inverse @ K, -inverse @ D
    z = h * np.linalg.eigvals(A)
    polynomial = 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))
    is_moving = np.abs(z) > 1e-4  # a free joint has two zeros, exact to their root
    return bool((np.abs(polynomial[is_moving]) <= 1.0 + ROUNDED).all())


def most(holds: Callable[[float], bool], upper: float = 1.0) -> float:
    """Return the largest positive number for which something holds.

    Args:
        holds: for small numbers true, for ``upper`` not.
        upper: where to begin.
    """
    lower = 0.0
    for _ in range(HALVINGS):
        middle = 0.5 * (lower + upper)
        lower, upper = (middle, upper) if holds(middle) else (lower, middle)
        if upper - lower <= 1e-6 * upper:
            break
    return lower


def linear_step(model: mujoco.MjModel, data: mujoco.MjData) -> LinearStep | None:
    """Return a model at the pose of its data, linearised, or None.

    None is returned for an integrator that holds every servo.

    Args:
        model: the robot.
        data: at a pose; positions are computed anew.
    """
    if model.opt.integrator not in HELD or model.nv == 0:
        return None
    mujoco.mj_fwdPosition(model, data)
    nv = model.nv
    free = _free_motions(model, data)
    mass = np.zeros((nv, nv))
    mujoco.mj_fullM(model, data, mass)
    moments = np.zeros((model.nu, nv))
    mujoco.mju_sparse2dense(
        moments,
        data.actuator_moment,
        data.moment_rownnz,
        data.moment_rowadr,
        data.moment_colind,
    )
    at_motors = np.asarray(getattr(model, "actuator_damping", np.zeros(model.nu)))
    damping = np.diag(np.ravel(model.dof_damping)[:nv])
    damping = damping + moments.T * np.ravel(at_motors)[: model.nu] @ moments
    stiffness, coupled = _springs(model, data)
    flags = int(model.opt.disableflags)
    bits = mujoco.mjtDisableBit
    is_off = bool(flags & int(bits.mjDSBL_ACTUATION))
    return LinearStep(
        int(model.opt.integrator),
        float(model.opt.timestep),
        free.T @ mass @ free,
        free.T @ stiffness @ free,
        free.T @ damping @ free,
        free.T @ coupled @ free,
        not flags & int(bits.mjDSBL_EULERDAMP),
        () if is_off else _servos(model, moments @ free),
        free,
    )


def _free_motions(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """Return the motions that equality constraints leave, (nv, what is left)."""
    flags, bits = int(model.opt.disableflags), mujoco.mjtDisableBit
    off = int(bits.mjDSBL_EQUALITY) | int(bits.mjDSBL_CONSTRAINT)
    if model.neq == 0 or flags & off or not data.ne:
        return np.eye(model.nv)
    rows = np.zeros((data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(
            rows, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind
        )
    else:
        rows[:] = np.reshape(data.efc_J, rows.shape)
    held = rows[: data.ne]
    _, sizes, axes = np.linalg.svd(held)
    rank = int((sizes > RANK * max(sizes.max(), 1e-300)).sum())
    return axes[rank:].T


def _servos(model: mujoco.MjModel, moments: Array) -> tuple[ActuatorFeedback, ...]:
    found: list[ActuatorFeedback] = []
    for k in range(model.nu):
        if model.actuator_biastype[k] != mujoco.mjtBias.mjBIAS_AFFINE:
            continue
        kp, kv = (-float(v) for v in model.actuator_biasprm[k, 1:3])
        if max(kp, kv) > 0.0 and min(kp, kv) >= 0.0 and moments[k].any():
            found.append(ActuatorFeedback(k, moments[k].copy(), kp, kv))
    return tuple(found)


def _springs(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[Array, Array]:
    """Return stiffness of joints and tendons, and the damping of tendons."""
    nv = model.nv
    stiffness, coupled = np.zeros((nv, nv)), np.zeros((nv, nv))
    hinges = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
    for joint in range(model.njnt):
        if model.jnt_type[joint] in hinges:
            dof = model.jnt_dofadr[joint]
            stiffness[dof, dof] += float(np.ravel(model.jnt_stiffness)[joint])
    springs, dampers = (
        np.ravel(values)[: model.ntendon]
        for values in (model.tendon_stiffness, model.tendon_damping)
    )
    if not (springs.any() or dampers.any()):
        return stiffness, coupled
    rows = _tendon_rows(model, data)
    slack = model.tendon_lengthspring
    is_taut = (data.ten_length > slack[:, 1]) | (data.ten_length < slack[:, 0])
    is_taut |= slack[:, 0] == slack[:, 1]
    stiffness += rows.T * (springs * is_taut) @ rows
    coupled += rows.T * dampers @ rows
    return stiffness, coupled


def _tendon_rows(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """Return the derivative of the tendons' lengths by the joints, (ntendon, nv)."""
    start, rows = data.qpos.copy(), np.zeros((model.ntendon, model.nv))
    for dof in range(model.nv):
        lengths = []
        for sign in (1.0, -1.0):
            data.qpos[:] = start
            mujoco.mj_integratePos(
                model, data.qpos, sign * np.eye(model.nv)[dof], NUDGE
            )
            mujoco.mj_fwdPosition(model, data)
            lengths.append(data.ten_length.copy())
        rows[:, dof] = (lengths[0] - lengths[1]) / (2.0 * NUDGE)
    data.qpos[:] = start
    mujoco.mj_fwdPosition(model, data)
    return rows
