"""The central body's dynamics seen through the legs that hold it, for any robot.

The door to the recursions for users: ``qpos`` and ``qvel`` in MuJoCo's layout in,
arrays out. Twists and wrenches are linear first, at the central body's centre of mass,
in its own axes.
"""

from typing import Literal, get_args

import mujoco
import numpy as np
from numpy.linalg import cond

from equipoise.control.workspace.inboard import inboard_big, link_inertias
from equipoise.control.workspace.inboard_held import inboard_exact
from equipoise.control.workspace.layout import legged_tree
from equipoise.control.workspace.outboard import outboard_links, outboard_velocities
from equipoise.control.workspace.scratch import Scratch, scratch_for
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.wrench import joint_torques, minimum_norm
from equipoise.core.arrays import Array, VecN, expect_array
from equipoise.core.errors import ConfigError, NotPhysicalError, UnknownNameError
from equipoise.robots.robot import Robot

__all__ = ["Base", "workspace_dynamics", "workspace_torques"]

Base = Literal["exact", "big"]
STIFF = 1e12  # condition of P_1 past which no digit of z_1 is sure; knees of 1e-4 deg


def workspace_dynamics(
    robot: Robot, qpos: VecN, qvel: VecN, base: Base = "exact"
) -> tuple[Array, Array]:
    """Return P_1 and z_1 of F_1 = P_1 V'_1 + z_1 for held feet and free joints.

    V'_1 is the rate of change of the central body's own-frame twist [v; w] at its
    centre of mass. [Wendlandt1997] Algorithms 1 to 3, corrected.

    Args:
        robot: with two feet or more, each at the end of six joints or more.
        qpos: (nq,) in MuJoCo's layout.
        qvel: (nv,); feet may move, they are not accelerated.
        base: ``"exact"``, or ``"big"`` for the paper's feet of 1e6 trunks.

    Raises:
        ConfigError: the robot cannot be held this way.
        ShapeError: ``qpos`` or ``qvel`` has another length or is not finite.
        UnknownNameError: no such base.
        NotPhysicalError: a leg so straight that its body cannot be moved along it.
    """
    if base not in get_args(Base):
        raise UnknownNameError("base", str(base), get_args(Base), "workspace_dynamics")
    t, s = moved(robot, qpos, qvel)
    link_inertias(t, s)
    if base == "big":
        inboard_big(t, s)
    else:
        inboard_exact(t, s)
    body = s.links[0]
    turn = np.kron(np.eye(2), body.R_WL)  # from the body's axes to the world's
    P, z = turn.T @ body.P @ turn, turn.T @ body.z
    if not (np.isfinite(P).all() and np.isfinite(z).all()) or cond(P) > STIFF:
        raise NotPhysicalError(
            f"robot '{robot.name}' has a leg so straight that its body cannot be moved "
            "along it; bend it a little."
        )
    return P, z


def workspace_torques(robot: Robot, qpos: VecN, qvel: VecN, wrench: VecN) -> VecN:
    """Return the joint torques with which the legs exert a wrench on the base.

    The wrench is divided among the feet with the least norm and carried link to link:
    [Wendlandt1997] Algorithms 5 and 6, corrected. Statics: velocities do not matter.

    Args:
        robot: with two feet or more.
        qpos: (nq,) in MuJoCo's layout.
        qvel: (nv,).
        wrench: force and torque on the central body at its centre of mass in its own
            axes, (6,) [N, N m].

    Returns:
        Torques in actuator order, (nu,) [N m or N].

    Raises:
        ConfigError, ShapeError, NotPhysicalError: as ``workspace_dynamics``.
    """
    F_B = expect_array("wrench", wrench, (6,))
    t, s = moved(robot, qpos, qvel)
    expect_driven(robot, t)
    R, F = s.links[0].R_WL, s.trunk[0].F
    F[:3], F[3:] = R @ F_B[:3], R @ F_B[3:]
    minimum_norm(t, s)
    joint_torques(t, s)
    tau = np.zeros(robot.model.nu)
    tau[t.joints["actuator"]] = s.joints["tau"] / t.joints["gear"]
    return tau


def moved(robot: Robot, qpos: VecN, qvel: VecN) -> tuple[TreeArrays, Scratch]:
    """Return the tree with every link placed and its velocity known."""
    t, model = legged_tree(robot).arrays, robot.model
    qpos = expect_array("qpos", qpos, (model.nq,))
    qvel = expect_array("qvel", qvel, (model.nv,))
    s = scratch_for(t)
    joint = int(model.body_jntadr[model.body(robot.base).id])
    at, rate = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    quat = qpos[at + 3 : at + 7].copy()
    if mujoco.mju_normalize4(quat) < 1e-6:
        raise NotPhysicalError("qpos has a base quaternion of length zero.")
    flat = np.zeros(9)
    mujoco.mju_quat2Mat(flat, quat)
    body = s.links[0]
    body.R_WL[:] = flat.reshape(3, 3)
    p_BO = body.R_WL @ t.links[0].com
    w = body.R_WL @ qvel[rate + 3 : rate + 6]
    body.p_OL[:] = -p_BO
    body.V[:3] = qvel[rate : rate + 3] + np.cross(w, p_BO)
    body.V[3:] = w
    s.joints["q"][:] = qpos[t.joints["q_address"]]
    s.joints["v"][:] = qvel[t.joints["v_address"]]
    outboard_links(t, s)
    outboard_velocities(t, s)
    return t, s


def expect_driven(robot: Robot, t: TreeArrays) -> None:
    """Refuse a robot whose joints are not driven by one motor each."""
    model, where = robot.model, f"robot '{robot.name}'"
    idle = np.flatnonzero(t.joints["actuator"] < 0)
    if idle.size:
        joint = int(
            np.flatnonzero(model.jnt_qposadr == t.joints[int(idle[0])].q_address)[0]
        )
        name = model.joint(joint).name
        raise ConfigError(where, [f"no actuator drives joint '{name}'"])
    if model.nu != len(t.joints):
        extra = np.setdiff1d(np.arange(model.nu), t.joints["actuator"])[0]
        name = model.actuator(int(extra)).name
        problem = f"actuator '{name}' is one too many; each joint needs one of its own"
        raise ConfigError(where, [problem])
