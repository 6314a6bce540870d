"""What joint torques let the contacts push with, as limits on the contact forces.

At rest the torques τ of the joints hold gravity against the contacts::

    τ = g(q) - Σ_i J_i(q)ᵀ f_i,    lowest <= τ <= highest

with g the torques of gravity (less those of springs in the joints) and J_i the Jacobian
of contact i, both at the given pose: two rows on the forces for each joint that has a
limit. The region of static equilibrium then is that of the forces alone; that g changes
as the centre of mass moves is left out, so that it is exact for the pose itself.
"""

import copy
import math
from typing import Any

import mujoco as _mujoco
import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, VecN, expect_array
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.robots.scene.joint_holds import (
    AT_JOINT,
    actuator_count,
    is_motor,
    motor_range,
)

__all__ = ["joint_torque_ranges", "torque_limits"]

mujoco: Any = _mujoco  # compiled, and without types
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


def joint_torque_ranges(model: Any) -> Array:
    """Return the lowest and highest torque of each velocity, (nv, 2) [N m] or [N].

    Taken from the joint's own range (a URDF's ``effort``) and from the actuators on it;
    infinite where nothing limits it, also of a joint without any actuator: joints are
    taken as held.

    Args:
        model: a compiled ``mujoco.MjModel``.
    """
    ranges = np.tile([-math.inf, math.inf], (int(model.nv), 1))
    driven: dict[int, Array] = {}
    for a in range(actuator_count(model)):
        if int(model.actuator_trntype[a]) in AT_JOINT:
            joint = int(model.actuator_trnid[a, 0])
            driven[joint] = driven.get(joint, np.zeros(2)) + _actuator_range(model, a)
    for joint in range(int(model.njnt)):
        if int(model.jnt_type[joint]) not in SINGLE:
            continue
        low, high = driven.get(joint, np.array([-math.inf, math.inf]))
        if model.jnt_actfrclimited[joint]:
            own = np.asarray(model.jnt_actfrcrange[joint], np.float64)
            low, high = max(low, own[0]), min(high, own[1])
        ranges[int(model.jnt_dofadr[joint])] = low, high
    return ranges


def _actuator_range(model: Any, a: int) -> Array:
    """Return what an actuator can do to its joint, (2,); infinite if unlimited."""
    gear = float(model.actuator_gear[a, 0])
    found = np.array([-math.inf, math.inf])
    if is_motor(model, a):
        found = np.array(motor_range(model, a))
    elif model.actuator_forcelimited[a]:
        found = np.asarray(model.actuator_forcerange[a], np.float64)
    return np.sort(gear * found) if gear else np.zeros(2)


def torque_limits(
    model: Any,
    qpos: VecN,
    points: ArrayLike,
    bodies: ArrayLike,
    ranges: ArrayLike | None = None,
    gravity: float = GRAVITY,
    pushes: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Return limits on contact forces that keep every joint within its torque.

    The formula is at the head of this file; the result goes into
    ``equilibrium_region`` with the robot's true ``weight``.

    Args:
        model: a compiled ``mujoco.MjModel``.
        qpos: the pose, (nq,).
        points: contacts in the world, (nc, 3) [m].
        bodies: number of the body that each contact is on, (nc,).
        ranges: lowest and highest torque of each velocity, (nv, 2), infinite for none;
            None for the model's own.
        gravity: along -z, whatever the model says [m/s²].
        pushes: generalised forces on the joints besides gravity and springs, (nv,);
            None for none.

    Returns:
        ``force_rows`` (nl, nc, 3) and ``force_bounds`` (nl,).

    Raises:
        ShapeError: wrong shape, an entry that is not finite, or no such body.
        NotPhysicalError: a lowest torque above the highest.
    """
    pose = expect_array("qpos", qpos, (int(model.nq),))
    p = expect_array("points", points, (-1, 3))
    on = expect_array("bodies", bodies, (len(p),)).astype(int)
    if len(on) and not (0 <= on.min() and on.max() < int(model.nbody)):
        raise ShapeError(
            f"bodies must be numbers of bodies, 0 to {model.nbody - 1}, got "
            f"{on.min()} to {on.max()}."
        )
    limits = np.asarray(joint_torque_ranges(model) if ranges is None else ranges, float)
    if limits.shape != (int(model.nv), 2):
        raise ShapeError(f"ranges must have shape ({model.nv}, 2), got {limits.shape}.")
    if not (limits[:, 0] <= limits[:, 1]).all():
        worst = int(np.argmax(~(limits[:, 0] <= limits[:, 1])))
        low, high = limits[worst]
        raise NotPhysicalError(
            f"ranges[{worst}] must rise from lowest to highest, got {low:g}, {high:g}."
        )
    weights, jacobians = _torques(model, pose, p, on, gravity)
    if pushes is not None:
        weights = weights - expect_array("pushes", pushes, (int(model.nv),))
    rows, bounds = [], []
    for j in range(int(model.nv)):
        for sign, limit in ((1.0, limits[j, 1]), (-1.0, limits[j, 0])):
            if math.isfinite(limit):
                rows.append(-sign * jacobians[:, :, j])
                bounds.append(sign * (limit - weights[j]))
    return np.array(rows).reshape(-1, len(p), 3), np.array(bounds)


def _torques(
    model: Any, pose: VecN, points: Array, bodies: Array, gravity: float
) -> tuple[VecN, Array]:
    """Return what joints must hold without contacts (nv,), and J_i, (nc, 3, nv)."""
    model = copy.copy(model)
    model.opt.gravity[:] = 0.0, 0.0, -gravity
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_fwdVelocity(model, data)
    jacobians = np.zeros((len(points), 3, int(model.nv)))
    for k, (point, body) in enumerate(zip(points, bodies, strict=True)):
        mujoco.mj_jac(model, data, jacobians[k], None, point, int(body))
    return np.asarray(data.qfrc_bias - data.qfrc_passive, np.float64), jacobians
