"""What else acts on a robot in a file than its weight and the ground, by name.

Joints are held, so whatever pulls between two bodies of the robot changes nothing:
springs in joints, tendons inside it, closed loops. What is left reaches the robot from
outside or acts on its base. Some of it is a force that the pose alone decides
(``pulls``): that is followed where the robot is let go and its rest is looked for.
"""

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.robots.scene.joint_holds import actuator_count

__all__ = ["equality_bodies", "foreign_forces", "pulls", "tendon_bodies"]

BODY, SITE = mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_SITE
WRAP = mujoco.mjtWrap
FREE = int(mujoco.mjtJoint.mjJNT_FREE)
DISABLE, ENABLE = mujoco.mjtDisableBit, mujoco.mjtEnableBit
IPC = int(getattr(ENABLE, "mjENBL_IPC", 0))  # no flag before MuJoCo 3.14


def foreign_forces(model: Any, bodies: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return what acts on a robot and is not understood, one phrase each.

    Args:
        model: the whole file, compiled.
        bodies: which bodies are the robot, (nbody,).
    """
    return (
        *_of_the_world(model, bodies),
        *_of_the_base(model, bodies),
        *_tendons_outside(model, bodies, to_ground=False),
        *_equalities_outside(model, bodies, to_ground=False),
        *_actuators_outside(model, bodies),
    )


def pulls(model: Any, bodies: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return what pulls at a robot at rest by its pose alone, one phrase each.

    Args:
        model: the whole file, compiled.
        bodies: which bodies are the robot, (nbody,).
    """
    found = []
    if model.opt.density or model.opt.viscosity:
        found.append("a fluid around it (option density or viscosity)")
    if model.body_gravcomp[bodies].any():
        body = int(np.flatnonzero(bodies & (model.body_gravcomp != 0))[0])
        found.append(f"gravity taken off body '{model.body(body).name}' (gravcomp)")
    for j in range(int(model.njnt)):
        is_base = bodies[int(model.jnt_bodyid[j])] and int(model.jnt_type[j]) == FREE
        if is_base and (model.jnt_stiffness[j] or np.any(model.jnt_stiffnesspoly[j])):
            found.append("a spring on its free joint (stiffness)")
    ties = _equalities_outside(model, bodies, to_ground=True)
    return (*found, *_tendons_outside(model, bodies, to_ground=True), *ties)


def _of_the_world(model: Any, bodies: NDArray[np.bool_]) -> list[str]:
    """Return what the file does everywhere."""
    found = []
    if int(model.nflex):
        found.append("soft bodies (flex)")
    if int(model.opt.enableflags) & int(ENABLE.mjENBL_OVERRIDE):
        found.append("contact parameters overridden for all (flag override)")
    if int(model.opt.enableflags) & IPC:
        found.append("contacts that keep a distance (flag ipc)")
    if (model.body_plugin[bodies] >= 0).any():
        found.append("a plugin on its bodies")
    return found


def _of_the_base(model: Any, bodies: NDArray[np.bool_]) -> list[str]:
    """Return what holds the free base itself."""
    found = []
    for j in range(int(model.njnt)):
        if not (bodies[int(model.jnt_bodyid[j])] and int(model.jnt_type[j]) == FREE):
            continue
        dofs = slice(int(model.jnt_dofadr[j]), int(model.jnt_dofadr[j]) + 6)
        if model.dof_frictionloss[dofs].any():
            found.append("dry friction in its free joint (frictionloss)")
    return found


def _tendons_outside(
    model: Any, bodies: NDArray[np.bool_], *, to_ground: bool
) -> list[str]:
    """Return the tendons between the robot and the world, or something that moves."""
    found = []
    for t in range(int(model.ntendon)):
        if _is_tied(model, bodies, tendon_bodies(model, t), to_ground=to_ground):
            found.append(f"{_called('tendon', model.tendon(t).name)} to something else")
    return found


def tendon_bodies(model: Any, tendon: int) -> list[int]:
    """Return the bodies that a tendon acts on.

    Args:
        model: compiled.
        tendon: its number.
    """
    first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    found = [_wrapped_body(model, w) for w in range(first, first + count)]
    return [body for body in found if body is not None]


def _is_tied(
    model: Any, bodies: NDArray[np.bool_], ends: list[int], *, to_ground: bool
) -> bool:
    """Return whether some bodies are partly the robot's, and what the others are.

    Args:
        model: compiled.
        bodies: which bodies are the robot, (nbody,).
        ends: the bodies.
        to_ground: whether the others shall be still; else one of them moves.
    """
    inside = [bool(bodies[body]) for body in ends]
    is_still = all(
        int(model.body_weldid[body]) == 0 and int(model.body_mocapid[body]) < 0
        for body in ends
        if not bodies[body]
    )
    return any(inside) and not all(inside) and is_still is to_ground


def _wrapped_body(model: Any, wrap: int) -> int | None:
    """Return the body that a tendon passes at one of its points; None for a pulley."""
    kind, obj = int(model.wrap_type[wrap]), int(model.wrap_objid[wrap])
    if kind == int(WRAP.mjWRAP_JOINT):
        return int(model.jnt_bodyid[obj])
    if kind == int(WRAP.mjWRAP_SITE):
        return int(model.site_bodyid[obj])
    if kind in (int(WRAP.mjWRAP_SPHERE), int(WRAP.mjWRAP_CYLINDER)):
        return int(model.geom_bodyid[obj])
    return None


def _equalities_outside(
    model: Any, bodies: NDArray[np.bool_], *, to_ground: bool
) -> list[str]:
    """Return the constraints that tie the robot to the world, or to what moves."""
    found = []
    if int(model.opt.disableflags) & int(DISABLE.mjDSBL_EQUALITY):
        return found
    for e in range(int(model.neq)):
        ends = equality_bodies(model, e)
        if model.eq_active0[e] and _is_tied(model, bodies, ends, to_ground=to_ground):
            name = _called("equality constraint", model.equality(e).name)
            found.append(f"{name} that holds it to something else")
    return found


def equality_bodies(model: Any, e: int) -> list[int]:
    """Return the bodies that an equality constraint acts on.

    Args:
        model: compiled.
        e: its number.
    """
    ends = [int(model.eq_obj1id[e]), int(model.eq_obj2id[e])]
    kind, of_joints = int(model.eq_objtype[e]), int(model.eq_type[e])
    if kind == int(BODY):
        return [max(body, 0) for body in ends]
    ends = [one for one in ends if one >= 0]
    if kind == int(SITE):
        return [int(model.site_bodyid[site]) for site in ends]
    if of_joints == int(mujoco.mjtEq.mjEQ_JOINT):
        return [int(model.jnt_bodyid[joint]) for joint in ends]
    if of_joints == int(mujoco.mjtEq.mjEQ_TENDON):
        return [body for tendon in ends for body in tendon_bodies(model, tendon)]
    return []


def _actuators_outside(model: Any, bodies: NDArray[np.bool_]) -> list[str]:
    """Return actuators that push on the robot from outside without being told to."""
    found = []
    if int(model.opt.disableflags) & int(DISABLE.mjDSBL_ACTUATION):
        return found
    for a in range(actuator_count(model)):
        trn, obj = int(model.actuator_trntype[a]), int(model.actuator_trnid[a, 0])
        if trn == int(mujoco.mjtTrn.mjTRN_SITE):
            body, reference = int(model.site_bodyid[obj]), model.actuator_trnid[a, 1]
            is_outside = reference < 0 or not bodies[int(model.site_bodyid[reference])]
        elif trn in (
            int(mujoco.mjtTrn.mjTRN_JOINT),
            int(mujoco.mjtTrn.mjTRN_JOINTINPARENT),
        ):
            body = int(model.jnt_bodyid[obj])
            is_outside = int(model.jnt_type[obj]) == FREE
        else:
            continue
        if bodies[body] and is_outside and model.actuator_biasprm[a].any():
            found.append(f"{_called('actuator', model.actuator(a).name)} on its base")
    return found


def _called(kind: str, name: str) -> str:
    """Return what something is called."""
    article = "an" if kind[0] in "aeiou" else "a"
    return f"{kind} '{name}'" if name else f"{article} {kind}"
