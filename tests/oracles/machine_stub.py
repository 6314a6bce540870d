"""A walking machine for tests: WARP1 on a plane or adrift, and two controllers."""

import mujoco
import numpy as np

from equipoise.core.contracts import Command
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.world import World

MASS, GRAVITY = 60.4, 9.81


def bare(
    has_ground: bool = True,
    timestep: float = 0.001,
    is_rigid: bool = True,
    friction: float = 1.0,
) -> World:
    """Return WARP1, its rotors' inertia in the joints where drives are rigid."""
    robot = warp1()
    spec = robot.spec.copy()
    hinges = [joint for joint in spec.joints if joint.name != "base"]
    for joint, drive in zip(hinges, robot.drives, strict=True):
        joint.armature = drive.inertia if is_rigid else 0.0
    if has_ground:
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    for geom in spec.geoms:
        geom.friction[0] = friction
    spec.option.timestep = timestep
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    spec.option.gravity = [0.0, 0.0, -GRAVITY if has_ground else 0.0]
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    return World(robot, None, spec.compile(), spec)


class Hold:
    """Holds the joints where they are at the start."""

    def __init__(self, stiffness: float = 3000.0, damping: float = 300.0) -> None:
        self.gains = stiffness, damping

    def init(self):
        return None

    def step(self, readings, start):
        start = readings.q.copy() if start is None else start
        tau = self.gains[0] * (start - readings.q) - self.gains[1] * readings.v
        return Command(tau, {"knee": float(readings.q[2])}), start


class Scripted:
    """Answers each tick with a number of its own, torques all alike."""

    def __init__(self, answer) -> None:
        self.answer, self.asked = answer, []

    def init(self):
        return 0

    def step(self, readings, tick):
        self.asked.append((tick, readings.time))
        return Command(np.full(12, self.answer(tick)), {}), tick + 1
