"""What share of their limits motors give that hold joints among other drives."""

import math

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.robots.scene.joint_holds import moments, motor_range
from equipoise.robots.scene.self_contact import self_push
from equipoise.runs.check.joints import ENOUGH
from equipoise.runs.check.own_joints import Drives
from equipoise.stability.drives.sag import Sag

__all__ = ["motor_share"]

NOTHING = 1e-6  # of weight times size: a force this small is none


def motor_share(drives: Drives, qpos: VecN | None = None) -> float | None:
    """Return what share of their limits held motors give in the robot's rest.

    The largest of several: on feet that stick, on feet that brace each other no more,
    and with and without what links that touch each other push.

    Args:
        drives: the robot; None is returned where no motor has a limit.
        qpos: where the engine left it, of the scene, (nq,), whose touching links count;
            None to leave them out.
    """
    rests, crept = [drives.rest], drives.relaxed.rest
    if crept.how == "rests":
        rests.append(crept)
    shares = [share for rest in rests for share in _share_at(drives, rest)]
    extra = np.zeros(0) if qpos is None else _link_forces(drives, qpos)
    if extra.any():
        shares += [share for rest in rests for share in _share_at(drives, rest, extra)]
    return max(shares, default=None)


def _link_forces(drives: Drives, qpos: VecN) -> VecN:
    """Return the forces of held motors against links that push each other, (k,)."""
    model, motors = drives.scene.model, drives.holds.motors
    if not len(motors):
        return np.zeros(0)
    push = self_push(model, qpos, drives.scene.bodies).forces
    if not push.any():
        return np.zeros(len(motors))
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_fwdPosition(model, data)
    held = drives.holds.held_dofs
    arms = moments(model, data)[motors][:, held]
    found = np.linalg.lstsq(arms.T, -push[held], rcond=None)[0]
    return np.asarray(found, np.float64)


def _share_at(drives: Drives, rest: Sag, extra: VecN | None = None) -> list[float]:
    """Return the share of every limit of motors, their joints and their tendons.

    Args:
        drives: the robot.
        rest: where it rests.
        extra: force of each held motor besides, (k,); None for none.
    """
    model, motors = drives.scene.model, drives.holds.motors
    if not len(motors):
        return []
    given = rest.motors if extra is None else rest.motors + extra
    none = NOTHING * drives.scene.mass * drives.scene.strength * drives.size
    ranges = np.array([motor_range(model, int(a)) for a in motors])
    found = _shares_of(given, ranges, none)
    data = mujoco.MjData(model)
    data.qpos[:] = rest.qpos
    mujoco.mj_fwdPosition(model, data)
    forces = np.array(rest.actuator)
    forces[motors] = given
    torques = forces @ moments(model, data)
    joints = np.unique(np.asarray(model.dof_jntid)[drives.holds.held_dofs])
    joints = joints[np.asarray(model.jnt_actfrclimited)[joints] != 0]
    at_joints = torques[np.asarray(model.jnt_dofadr)[joints]]
    found += _shares_of(at_joints, np.asarray(model.jnt_actfrcrange)[joints], none)
    is_tendon = np.asarray(model.actuator_trntype) == int(mujoco.mjtTrn.mjTRN_TENDON)
    for tendon in np.flatnonzero(np.asarray(model.tendon_actfrclimited)):
        mine = is_tendon & (np.asarray(model.actuator_trnid)[:, 0] == tendon)
        if mine[motors].any():
            gears = np.asarray(model.actuator_gear)[mine, 0]
            pull = np.array([forces[mine] @ gears])
            ranges = np.asarray(model.tendon_actfrcrange)[[tendon]]
            found += _shares_of(pull, ranges, none)
    return found


def _shares_of(forces: VecN, ranges: Array, none: float) -> list[float]:
    """Return the share of their limits that forces are, infinite where that is zero.

    Args:
        forces: (n,).
        ranges: least and largest of each, (n, 2).
        none: a force that counts as none.
    """
    found = []
    for force, (low, high) in zip(forces, ranges, strict=True):
        limit = float(high if force > 0.0 else low)
        if not (low <= 0.0 <= high):  # it pushes whatever it is told
            found.append(math.inf if not low <= force <= high else 1.0)
        elif math.isfinite(high - low) and _is_at_weak_end(force, low, high):
            found.append(math.inf)
        elif math.isfinite(limit) and abs(force) > none:
            found.append(float(force) / limit if limit else math.inf)
        elif math.isfinite(limit):
            found.append(0.0)
    return found


def _is_at_weak_end(force: float, low: float, high: float) -> bool:
    """Return whether a force is at the end of a range that is not even about zero."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    return middle != 0.0 and abs(force - middle) > ENOUGH * half
