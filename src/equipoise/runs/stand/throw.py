"""Where a block is thrown from so that it hits the robot."""

import mujoco
import numpy as np

from equipoise.control.workspace.soles import keyframe_posture
from equipoise.core.errors import ConfigError
from equipoise.robots.engine import built
from equipoise.robots.robot import Robot
from equipoise.runs.stand.judge import set_place
from equipoise.sim.disturbances import ThrownBlock

__all__ = ["thrown_block"]

SET_HEIGHT = 1.14  # of the trunk at the size for which the throw is given [m]
THROW = (0.5, 0.10, 1.20)  # where the block starts, at that size [m]
RISE = 0.2  # of the block at the start [m/s]
FLIGHT = 0.4  # from the block's middle to the robot's surface, of a robot file [m]
AWAY = 100.0  # from where rays are cast [m]
HEIGHTS = np.linspace(0.0, 0.6, 25)  # above or below the usual, of the set height


def thrown_block(robot: Robot, mass: float, speed: float) -> ThrownBlock:
    """Return the block of [Wendlandt1997], its side and height fitting the robot.

    A robot file's shape is looked for: where the usual throw would miss it, the nearest
    height is taken that does not.

    Args:
        robot: with feet.
        mass: of the block, > 0 [kg].
        speed: towards -x [m/s].

    Raises:
        ConfigError: nothing of the robot can be hit.
    """
    height = float(set_place(robot)[0][2])
    scale = height / SET_HEIGHT
    x, y, z = THROW[0], scale * THROW[1], scale * THROW[2]
    if robot.source:
        x, y, z = _aimed(robot, y, z, height)
    return ThrownBlock(
        mass=float(mass), position=(x, y, z), velocity=(-float(speed), 0.0, RISE)
    )


def _aimed(
    robot: Robot, y: float, z: float, height: float
) -> tuple[float, float, float]:
    """Return from where a block hits the robot, as near as can be to the usual."""
    spec = robot.spec.copy()
    spec.compiler.discardvisual = True
    model = built(spec, f"robot '{robot.name}'")
    data = mujoco.MjData(model)
    data.qpos[:] = keyframe_posture(robot)
    mujoco.mj_kinematics(model, data)
    geom = np.zeros(1, np.int32)
    for off in HEIGHTS * height:
        for up, side in ((z + off, y), (z + off, 0.0), (z - off, y), (z - off, 0.0)):
            start = np.array([AWAY, side, up])
            way = np.array([-1.0, 0.0, 0.0])
            far = mujoco.mj_ray(model, data, start, way, None, 1, -1, geom)
            if far >= 0.0:
                return AWAY - far + FLIGHT, side, up
    raise ConfigError(
        f"robot '{robot.name}'",
        ["a block would fly past it at any height; leave it out (--block-mass 0)"],
    )
