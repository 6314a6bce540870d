"""Where the engine keeps a walking machine: views that compiled code reads by name."""

from typing import NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.robots.robot import Robot
from equipoise.sim.machine.motor_kernel import Joints

__all__ = ["MachineViews", "machine_views"]


class MachineViews(NamedTuple):
    """A machine's state in the engine's own memory; nl feet."""

    joints: Joints
    v_WB: Array
    """Velocity of the trunk in W, (3,) [m/s]."""
    w_WB_B: Array
    """Its angular velocity, in its own frame, (3,) [rad/s]."""
    R_WB: Array
    """Its orientation, (3, 3)."""
    p_WC: Array
    """Centre of mass of the whole machine, (3,) [m]."""
    foot_geom: Ints
    """The ball of each foot, (nl,)."""
    foot_body: Ints
    """The body that carries it, (nl,)."""
    geom_xpos: Array
    """Places of all geoms, (ngeom, 3) [m]."""
    xmat: Array
    """Orientations of all bodies, (nbody, 3, 3)."""


def machine_views(robot: Robot, data: mujoco.MjData) -> MachineViews:
    """Return views of a machine whose trunk is the first to move, good with the data.

    Args:
        robot: the machine.
        data: of the engine, of a world with the machine in it.
    """
    model = data.model
    driven = model.actuator_trnid[:, 0]
    geoms = np.array([model.geom(name).id for name in robot.feet], np.int64)
    trunk = model.body(robot.base).id
    turns = data.xmat.reshape(-1, 3, 3)
    return MachineViews(
        joints=Joints(
            qpos=data.qpos,
            qvel=data.qvel,
            q_address=model.jnt_qposadr[driven].astype(np.int64),
            v_address=model.jnt_dofadr[driven].astype(np.int64),
        ),
        v_WB=data.qvel[:3],
        w_WB_B=data.qvel[3:6],
        R_WB=turns[trunk],
        p_WC=data.subtree_com[int(model.body_rootid[trunk])],
        foot_geom=geoms,
        foot_body=model.geom_bodyid[geoms].astype(np.int64),
        geom_xpos=data.geom_xpos,
        xmat=turns,
    )
