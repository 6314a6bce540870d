"""The same scene with other hands on its joints: motors held, or no joints at all."""

from typing import TYPE_CHECKING

import mujoco
import numpy as np

if TYPE_CHECKING:
    from oracles.driven_scenes import Scene

__all__ = ["held_motors", "limited_motors", "without_joints"]

STIFFNESS = 150.0  # weights per size: sags by less than a hundredth
ARMATURE = 0.02  # masses times size squared
PLAIN = tuple(
    int(kind)
    for kind in (
        mujoco.mjtDyn.mjDYN_NONE,
        mujoco.mjtDyn.mjDYN_FILTER,
        mujoco.mjtDyn.mjDYN_FILTEREXACT,
    )
)
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
SETTLING = 0.03  # damping over stiffness [s]


def motors_of(model: mujoco.MjModel, base: str = "trunk") -> np.ndarray:
    """Return which actuators are torque motors in joints of the robot."""
    root = model.body(base).id
    found = np.zeros(model.nu, bool)
    for a in range(model.nu):
        joints = moved_joints(model, a)
        if not joints or any(int(model.jnt_type[j]) not in SINGLE for j in joints):
            continue
        found[a] = (
            model.body_rootid[model.jnt_bodyid[joints[0]]] == root
            and model.actuator_gaintype[a] == mujoco.mjtGain.mjGAIN_FIXED
            and not model.actuator_biasprm[a, 1:3].any()
            and int(model.actuator_dyntype[a]) in PLAIN
        )
    return found


def moved_joints(model: mujoco.MjModel, a: int) -> list[int]:
    """Return the joints that an actuator acts on, itself or by a fixed tendon."""
    kind, target = int(model.actuator_trntype[a]), int(model.actuator_trnid[a, 0])
    if kind in (mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT):
        return [target]
    if kind != mujoco.mjtTrn.mjTRN_TENDON:
        return []
    first = int(model.tendon_adr[target])
    wraps = range(first, first + int(model.tendon_num[target]))
    is_fixed = all(model.wrap_type[w] == mujoco.mjtWrap.mjWRAP_JOINT for w in wraps)
    return [int(model.wrap_objid[w]) for w in wraps] if is_fixed else []


def limited_motors(model: mujoco.MjModel, base: str = "trunk") -> bool:
    """Say whether any motor of the robot has a limit."""
    is_motor = motors_of(model, base)
    joints = [j for a in np.flatnonzero(is_motor) for j in moved_joints(model, int(a))]
    return bool(
        (is_motor.any() and model.tendon_actfrclimited.any())
        or model.actuator_forcelimited[is_motor].any()
        or model.actuator_ctrllimited[is_motor].any()
        or model.jnt_actfrclimited[joints].any()
    )


def held_motors(model: mujoco.MjModel, scene: "Scene") -> mujoco.MjModel:
    """Return a model whose motors track the pose, within their limits."""
    model = model.__copy__()
    data = mujoco.MjData(model)
    if scene.judged:
        mujoco.mj_resetDataKeyframe(model, data, model.keyframe(scene.judged).id)
    mujoco.mj_forward(model, data)
    weight = float(model.body_subtreemass[model.body(scene.base).id]) * -float(
        model.opt.gravity[2]
    )
    is_motor = motors_of(model, scene.base)
    for a in np.flatnonzero(is_motor):
        joints = moved_joints(model, int(a))
        is_hinge = model.jnt_type[joints[0]] == mujoco.mjtJoint.mjJNT_HINGE
        stiffness = STIFFNESS * weight * scene.size ** (1 if is_hinge else -1)
        kp = stiffness / model.actuator_gear[a, 0] ** 2
        _limit(model, int(a))
        length = float(data.actuator_length[a])
        model.actuator_gainprm[a, :3] = 0.0, 0.0, 0.0
        model.actuator_dyntype[a] = mujoco.mjtDyn.mjDYN_NONE
        model.actuator_biastype[a] = mujoco.mjtBias.mjBIAS_AFFINE
        model.actuator_biasprm[a, :3] = kp * length, -kp, -SETTLING * kp
        model.actuator_ctrllimited[a] = 0
        # at rest this changes nothing, and light links do not chatter
        inertia = ARMATURE * weight / 9.81 * scene.size ** (2 if is_hinge else 0)
        model.dof_armature[model.jnt_dofadr[joints]] += inertia
    if is_motor.any():
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    return model


def _limit(model: mujoco.MjModel, a: int) -> None:
    """Turn the limit of an actuator's ctrl into one of its force."""
    low, high = -np.inf, np.inf
    if model.actuator_forcelimited[a]:
        low, high = model.actuator_forcerange[a]
    if model.actuator_ctrllimited[a]:
        ends = model.actuator_gainprm[a, 0] * model.actuator_ctrlrange[a]
        ends = ends + model.actuator_biasprm[a, 0]
        low, high = max(low, ends.min()), min(high, ends.max())
    if np.isfinite([low, high]).any():
        model.actuator_forcelimited[a] = 1
        model.actuator_forcerange[a] = low, high


def without_joints(xml: str) -> mujoco.MjModel:
    """Return a scene compiled, the robot's joints taken away but the free one."""
    spec = mujoco.MjSpec.from_string(xml)
    for joint in list(spec.joints):
        if joint.type != mujoco.mjtJoint.mjJNT_FREE:
            spec.delete(joint)
    return spec.compile()
