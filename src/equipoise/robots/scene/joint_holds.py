"""What holds each joint of a robot: its own servos and springs, a controller, nothing.

A position or velocity servo, a spring, dry friction and a tie between joints act by
themselves, as the file has them. A torque motor does not: whoever controls the robot
decides its torque, so its joint is taken as held. What is left is passive: no drive
acts on it, not even one that the file switches off. A drive may act on several joints
at once (a tendon) and still leave them motions that nothing opposes: such joints are
the file's own, and do not stand unless they stand so.
"""

import math
from dataclasses import dataclass, field
from typing import Any, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints, VecN

__all__ = [
    "AT_JOINT",
    "JointHolds",
    "active_actuators",
    "actuator_count",
    "constraint_rows",
    "control_of",
    "is_motor",
    "joint_holds",
    "moments",
    "motor_range",
]

FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
FIXED, AFFINE = int(mujoco.mjtGain.mjGAIN_FIXED), int(mujoco.mjtGain.mjGAIN_AFFINE)
NO_BIAS = int(mujoco.mjtBias.mjBIAS_NONE)
AFFINE_BIAS = int(mujoco.mjtBias.mjBIAS_AFFINE)
NO_DYNAMICS = int(mujoco.mjtDyn.mjDYN_NONE)
FILTERS = int(mujoco.mjtDyn.mjDYN_FILTER), int(mujoco.mjtDyn.mjDYN_FILTEREXACT)
PLAIN_DYNAMICS = (
    NO_DYNAMICS,
    int(mujoco.mjtDyn.mjDYN_INTEGRATOR),
    *FILTERS,
)
AT_JOINT = (
    int(mujoco.mjtTrn.mjTRN_JOINT),
    int(mujoco.mjtTrn.mjTRN_JOINTINPARENT),
)
INSIDE = (
    *AT_JOINT,
    int(mujoco.mjtTrn.mjTRN_TENDON),
    int(mujoco.mjtTrn.mjTRN_SLIDERCRANK),
)
TIE = int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
STOPS = (
    int(mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT),
    int(mujoco.mjtConstraint.mjCNSTR_LIMIT_TENDON),
)
BEYOND = 1e-6  # how far joints may be beyond a stop that does not push [rad or m]
DISABLE = mujoco.mjtDisableBit
NONE_LEFT = 1e-9  # singular value below which a motion is opposed by nothing


@final
@dataclass(frozen=True, eq=False)
class JointHolds:
    """What holds each joint of a robot in a pose, by numbers of the scene's model."""

    joints: Ints
    """The robot's joints but its free one, (n,)."""
    dofs: Ints = field(repr=False)
    """Their velocities, (m,)."""
    motors: Ints
    """Actuators that somebody else controls, (k,)."""
    servos: Ints
    """Actuators that act by themselves, (l,)."""
    held: tuple[str, ...]
    """Joints that a controller holds by motors."""
    held_dofs: Ints = field(repr=False)
    """Their velocities, (h,)."""
    own: tuple[str, ...]
    """Joints that servos, springs, dry friction or ties of the file hold."""
    passive: tuple[str, ...]
    """Joints that nothing holds."""
    servo_driven: tuple[str, ...]
    """Of ``own`` those that a servo moves."""
    unknown: tuple[str, ...]
    """Drives that are not understood, one phrase each."""
    is_plain: bool = True
    """Whether every motor is on a hinge or slide, and neither ties nor stops act."""

    @property
    def is_all_motors(self) -> bool:
        """Whether a controller holds every joint, and nothing else acts on them."""
        is_held = bool(self.held) and not self.own and not self.passive
        return is_held and self.is_plain

    @property
    def count(self) -> int:
        """Number of joints."""
        return len(self.joints)


def actuator_count(model: Any) -> int:
    """Return how many actuators there are; some have several controls.

    Args:
        model: compiled.
    """
    return len(model.actuator_trntype)


def control_of(model: Any, a: int) -> int:
    """Return where the first control of an actuator is among all controls.

    Args:
        model: compiled.
        a: an actuator.
    """
    places = getattr(model, "actuator_ctrladr", None)  # one for each before MuJoCo 3.17
    return a if places is None else int(places[a])


def motor_range(model: Any, a: int) -> tuple[float, float]:
    """Return the least and largest force of a torque motor, infinite without a limit.

    Args:
        model: compiled.
        a: an actuator whose force follows its control alone.
    """
    low, high = -math.inf, math.inf
    if model.actuator_forcelimited[a]:
        low, high = (float(x) for x in model.actuator_forcerange[a])
    dynamics, told = int(model.actuator_dyntype[a]), list[Array]()
    k = control_of(model, a)
    if dynamics in (NO_DYNAMICS, *FILTERS) and model.actuator_ctrllimited[k]:
        told.append(np.asarray(model.actuator_ctrlrange[k]))
    if dynamics != NO_DYNAMICS and model.actuator_actlimited[a]:
        told.append(np.asarray(model.actuator_actrange[a]))
    has_bias = int(model.actuator_biastype[a]) == AFFINE_BIAS
    bias = float(model.actuator_biasprm[a, 0]) if has_bias else 0.0
    for given in told:
        ends = np.sort(float(model.actuator_gainprm[a, 0]) * given) + bias
        low, high = max(low, float(ends[0])), min(high, float(ends[1]))
    return low, high


def active_actuators(model: Any) -> Ints:
    """Return the actuators that the file does not switch off, (n,).

    Args:
        model: compiled.
    """
    if int(model.opt.disableflags) & int(DISABLE.mjDSBL_ACTUATION):
        return np.zeros(0, np.int64)
    groups = np.asarray(model.actuator_group, np.int64)
    off = (int(model.opt.disableactuator) >> np.clip(groups, 0, 30)) & 1
    return np.flatnonzero((off == 0) | (groups < 0) | (groups > 30))


def moments(model: Any, data: Any) -> Array:
    """Return how each actuator acts on the velocities, (nu, nv).

    Args:
        model: compiled.
        data: after ``mj_transmission`` or more.
    """
    dense = np.zeros((actuator_count(model), int(model.nv)))
    values = np.asarray(data.actuator_moment)
    if values.shape == dense.shape:
        return np.array(values)
    columns = np.asarray(data.moment_colind)
    for a in range(len(dense)):
        at, count = int(data.moment_rowadr[a]), int(data.moment_rownnz[a])
        dense[a, columns[at : at + count]] = values[at : at + count]
    return dense


def joint_holds(
    model: Any, bodies: NDArray[np.bool_], qpos: VecN, *, has_ties: bool = True
) -> JointHolds:
    """Return what holds the joints of a robot.

    Args:
        model: the whole file, compiled.
        bodies: which bodies are the robot, (nbody,).
        qpos: the pose, of the model, (nq,).
        has_ties: whether equality constraints count.
    """
    kinds = np.asarray(model.jnt_type)
    own = bodies[np.asarray(model.jnt_bodyid)]
    joints = np.flatnonzero(own & (kinds != FREE))
    dofs = _dofs_of(model, joints)
    if not len(joints):
        none = np.zeros(0, np.int64)
        return JointHolds(none, dofs, none, none, (), none, (), (), (), ())
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_fwdPosition(model, data)
    moment = moments(model, data)
    acting = [
        int(a)
        for a in active_actuators(model)
        if int(model.actuator_trntype[a]) in INSIDE and moment[a, dofs].any()
    ]
    odd = [a for a in acting if not _is_plain(model, a)]
    motors = [a for a in acting if is_motor(model, a)]
    servos = [a for a in acting if a not in odd and a not in motors]
    springs = _spring_rows(model, data, dofs, has_ties=has_ties)
    servo_rows = moment[np.array(servos + odd, np.int64)][:, dofs]
    motor_rows = moment[np.array(motors, np.int64)][:, dofs]
    by_file = np.vstack([springs, servo_rows])
    loose = _unopposed(np.vstack([by_file, motor_rows]))
    names = [str(model.joint(int(j)).name) or f"joint {int(j)}" for j in joints]
    where = [_dofs_of(model, np.array([j])) for j in joints]
    places = {int(d): k for k, d in enumerate(dofs)}

    def moves(rows: Array, k: int) -> bool:
        return bool(rows[:, [places[int(d)] for d in where[k]]].any())

    off = moment[np.setdiff1d(np.arange(len(moment)), acting)][:, dofs]
    drives = np.vstack([by_file, motor_rows, off])
    passive = [k for k in range(len(names)) if moves(loose, k) and not moves(drives, k)]
    # a joint with a motor of its own is held, whatever spring or friction it has
    servo_held = [k for k in range(len(names)) if moves(servo_rows, k)]
    held = [
        k
        for k in range(len(names))
        if moves(motor_rows, k) and not moves(loose, k) and k not in servo_held
    ]
    rest = [k for k in range(len(names)) if k not in passive and k not in held]
    return JointHolds(
        joints=joints,
        dofs=dofs,
        motors=np.array(motors, np.int64),
        servos=np.array(servos, np.int64),
        held=tuple(names[k] for k in held),
        held_dofs=np.array([d for k in held for d in where[k]], np.int64),
        own=tuple(names[k] for k in rest),
        passive=tuple(names[k] for k in passive),
        servo_driven=tuple(names[k] for k in rest if k in servo_held),
        unknown=tuple(_called(model, a) for a in odd),
        is_plain=_are_plain(model, motors)
        and not _has_ties_or_stops(model, data, dofs),
    )


def _are_plain(model: Any, motors: list[int]) -> bool:
    """Return whether each of some motors is on a hinge or a slide."""
    return all(
        int(model.actuator_trntype[a]) in AT_JOINT
        and int(model.jnt_type[int(model.actuator_trnid[a, 0])]) not in (FREE, BALL)
        for a in motors
    )


def _has_ties_or_stops(model: Any, data: Any, dofs: Ints) -> bool:
    """Return whether ties act on some velocities, or stops that joints are beyond."""
    kinds = np.asarray(data.efc_type)[: int(data.nefc)]
    gaps = np.asarray(data.efc_pos)[: int(data.nefc)]
    acts = (kinds == TIE) | (np.isin(kinds, STOPS) & (gaps < -BEYOND))
    return bool(acts.any() and constraint_rows(model, data)[acts][:, dofs].any())


def _dofs_of(model: Any, joints: Ints) -> Ints:
    """Return the velocities of some joints, none of them free."""
    found = [
        int(model.jnt_dofadr[j]) + k
        for j in joints
        for k in range(3 if int(model.jnt_type[j]) == BALL else 1)
    ]
    return np.array(found, np.int64)


def _is_plain(model: Any, a: int) -> bool:
    """Return whether the force of an actuator is understood."""
    gain, bias = int(model.actuator_gaintype[a]), int(model.actuator_biastype[a])
    return (
        gain in (FIXED, AFFINE)
        and bias in (NO_BIAS, AFFINE_BIAS)
        and int(model.actuator_dyntype[a]) in PLAIN_DYNAMICS
        and not _is_cylinder(model, a)
        and int(np.asarray(getattr(model, "actuator_plugin", [-1] * (a + 1)))[a]) < 0
    )


def is_motor(model: Any, a: int) -> bool:
    """Return whether the force of an actuator is what its control says, and no more.

    One whose gain is zero gives a force that nobody controls.

    Args:
        model: compiled.
        a: an actuator.
    """
    is_told = float(model.actuator_gainprm[a, 0]) != 0.0
    return is_told and _is_plain(model, a) and _follows_control(model, a)


def _follows_control(model: Any, a: int) -> bool:
    """Return whether the force of an actuator is the same in every pose."""
    gain, bias = model.actuator_gainprm[a], model.actuator_biasprm[a]
    has_gain = int(model.actuator_gaintype[a]) == AFFINE and np.any(gain[1:3])
    has_bias = int(model.actuator_biastype[a]) == AFFINE_BIAS and np.any(bias[1:3])
    return not has_gain and not has_bias


def _spring_rows(model: Any, data: Any, dofs: Ints, *, has_ties: bool) -> Array:
    """Return the motions that springs, dry friction and ties oppose, (n, m)."""
    nv, rows = int(model.nv), list[Array]()
    has_springs = not int(model.opt.disableflags) & int(DISABLE.mjDSBL_SPRING)
    has_friction = not int(model.opt.disableflags) & int(DISABLE.mjDSBL_FRICTIONLOSS)
    for d in dofs:
        joint = int(model.dof_jntid[d])
        stiff = model.jnt_stiffness[joint] or np.any(
            getattr(model, "jnt_stiffnesspoly", np.zeros((joint + 1, 1)))[joint]
        )
        if (has_springs and stiff) or (has_friction and model.dof_frictionloss[d]):
            row = np.zeros(nv)
            row[d] = 1.0
            rows.append(row)
    for t in range(int(model.ntendon)):
        stiff = model.tendon_stiffness[t] or np.any(
            getattr(model, "tendon_stiffnesspoly", np.zeros((t + 1, 1)))[t]
        )
        if (has_springs and stiff) or (has_friction and model.tendon_frictionloss[t]):
            rows.append(_tendon_row(model, data, t))
    if has_ties:
        is_tie = np.asarray(data.efc_type)[: int(data.nefc)] == TIE
        rows += list(constraint_rows(model, data)[is_tie])
    return np.array(rows).reshape(-1, nv)[:, dofs]


def _tendon_row(model: Any, data: Any, t: int) -> Array:
    """Return how the length of a tendon changes with the velocities, (nv,)."""
    values = np.asarray(data.ten_J)
    if values.shape == (int(model.ntendon), int(model.nv)):
        return np.array(values[t])
    row = np.zeros(int(model.nv))
    source = data if hasattr(data, "ten_J_rownnz") else model
    at, count = int(source.ten_J_rowadr[t]), int(source.ten_J_rownnz[t])
    columns = np.ravel(source.ten_J_colind)[at : at + count]
    row[columns] = np.ravel(values)[at : at + count]
    return row


def constraint_rows(model: Any, data: Any) -> Array:
    """Return the Jacobian of the constraints that act, (n, nv).

    Args:
        model: compiled.
        data: after ``mj_fwdPosition``.
    """
    nefc, nv = int(data.nefc), int(model.nv)
    if not nefc:
        return np.zeros((0, nv))
    if not mujoco.mj_isSparse(model):
        return np.array(data.efc_J)[: nefc * nv].reshape(nefc, nv)
    full = np.zeros((nefc, nv))
    columns, values = np.ravel(data.efc_J_colind), np.ravel(data.efc_J)
    for r in range(nefc):
        at, count = int(data.efc_J_rowadr[r]), int(data.efc_J_rownnz[r])
        full[r, columns[at : at + count]] = values[at : at + count]
    return full


def _unopposed(rows: Array) -> Array:
    """Return motions that change no row, as orthonormal rows, (k, m)."""
    m = rows.shape[1]
    if not len(rows):
        return np.eye(m)
    scale = np.linalg.norm(rows, axis=1, keepdims=True)
    kept = rows[scale[:, 0] > 0.0] / scale[scale[:, 0] > 0.0]
    alone = np.count_nonzero(kept, axis=1) == 1
    free = np.flatnonzero(~kept[alone].any(axis=0))  # what no row opposes by itself
    kept = kept[~alone][:, free]
    right, rank = np.eye(len(free)), 0
    if kept.size:
        _, values, right = np.linalg.svd(kept, full_matrices=True)
        rank = int((values > NONE_LEFT).sum())
    loose = np.zeros((len(free) - rank, m))
    loose[:, free] = right[rank:]
    return np.where(np.abs(loose) > 1e-7, loose, 0.0)


def _called(model: Any, a: int) -> str:
    """Return what a drive that is not understood is called."""
    name = str(model.actuator(a).name)
    kind = "drive of a kind of its own"
    if _is_muscle(model, a):
        kind = "muscle"
    elif _is_cylinder(model, a):
        kind = "cylinder"
    return f"{kind} '{name}'" if name else f"a {kind}"


def _is_cylinder(model: Any, a: int) -> bool:
    """Return whether an actuator is a cylinder, whose pressure follows its control.

    A controller may hold a joint by one, and a valve left shut lets it go: the file
    does not say which.
    """
    return (
        int(model.actuator_dyntype[a]) in FILTERS
        and int(model.actuator_biastype[a]) == AFFINE_BIAS
        and _follows_control(model, a)
    )


def _is_muscle(model: Any, a: int) -> bool:
    """Return whether an actuator is a muscle."""
    return int(model.actuator_gaintype[a]) == int(mujoco.mjtGain.mjGAIN_MUSCLE)
