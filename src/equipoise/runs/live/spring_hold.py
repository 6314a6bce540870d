"""Any robot on its feet, its joints held by springs: what no controller here can hold.

The springs are the engine's own, as stiff as ``HERTZ`` asks for, and their rest is
where they carry the robot's weight: it does not sag.
"""

from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.contracts import Command
from equipoise.robots.robot import Robot
from equipoise.runs.live.driven import DrivenJob, DrivenSetup
from equipoise.runs.portrait import standing_pose
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.stepper import Stepper
from equipoise.sim.world import World, WorldConfig, build_world

__all__ = ["live_on_springs"]

HERTZ = 4.0
"""Of a joint alone on its spring."""
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
PERIOD = 0.002  # [s]
LARGEST_TILT = 0.7  # cosine of the base's tilt at which it has fallen, 45 degrees


@final
class NoCommand:
    """A controller that leaves all to the springs.

    Args:
        joints: that are driven, each told nothing.
    """

    def __init__(self, joints: int) -> None:
        self.command = Command(np.zeros(joints), {})

    def init(self) -> None:
        """Return no state."""

    def step(self, sensed: Any, state: None) -> tuple[Command, None]:
        """Return no torque.

        Args:
            sensed: not looked at.
            state: none.
        """
        return self.command, None


def live_on_springs(robot: Robot, why: str) -> DrivenJob:
    """Return a robot whose joints are held, to take part in.

    Args:
        robot: any.
        why: it is held so, for the page.
    """
    world = build_world(robot, WorldConfig(cone="elliptic", impratio=10.0, skins=False))
    start = world.start().qpos.copy()
    start[: robot.model.nq] = standing_pose(robot)
    world = _with_start(world, start)
    _add_springs(world.model, start)
    controller = NoCommand(world.model.nu)

    def stepper(horizon: float) -> Stepper:
        return Stepper(world, IdealConfig(period=PERIOD), horizon=horizon)

    return DrivenJob(
        DrivenSetup(
            title=f"{robot.name}, held by springs",
            world=world,
            controller=controller,
            stepper=stepper,
            falls=_tilted(world, start),
            notes=(why,),
        )
    )


def _with_start(world: World, pose: VecN) -> World:
    """Return a world that starts in another pose."""
    from dataclasses import replace

    return replace(world, start_pose=pose)


def _add_springs(model: mujoco.MjModel, pose: VecN) -> None:
    """Give every hinge and slide a spring and a damper that hold a pose.

    Args:
        model: changed.
        pose: held, (nq,).
    """
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_forward(model, data)
    for j in range(model.njnt):
        if int(model.jnt_type[j]) not in SINGLE:
            continue
        v, q = int(model.jnt_dofadr[j]), int(model.jnt_qposadr[j])
        body = int(model.jnt_bodyid[j])
        inertia = float(model.dof_M0[v]) + float(model.body_subtreemass[body]) * 1e-4
        stiffness = inertia * (2.0 * np.pi * HERTZ) ** 2
        weight = float(model.body_subtreemass[int(model.body_rootid[body])])
        stiffness = max(stiffness, 4.0 * weight)  # N m/rad: a leg carries the rest
        model.jnt_stiffness[j] = stiffness
        model.dof_damping[v] = 2.0 * np.sqrt(stiffness * inertia)
        model.qpos_spring[q] = pose[q] + float(data.qfrc_bias[v]) / stiffness
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST


def _tilted(world: World, start: VecN) -> Any:
    """Return what says that a base has tipped over; one that is fixed never does."""
    data = world.start()
    up = data.xmat[world.base].reshape(3, 3).T[:, 2].copy()  # W's up, in the base

    def falls(now: mujoco.MjData) -> str | None:
        upright = float((now.xmat[world.base].reshape(3, 3) @ up)[2])
        return "tilt" if upright < LARGEST_TILT else None

    return falls
