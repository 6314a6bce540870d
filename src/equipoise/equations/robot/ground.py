"""Springs and dampers under a robot's feet, so that its equations close.

Linear, in the world's axes: f = K (anchor - p) - D dp/dt at each point that stands on
the ground, the "simple linear ground model" of [Ridderstrom2003] section 6.4.3. It
holds feet down as well as up: it is for small motions about a stance.
"""

from dataclasses import dataclass
from typing import Annotated, final

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.core.setting import Setting, Settings
from equipoise.equations.robot.named_tree import FootPoint
from equipoise.robots.robot import Robot
from equipoise.robots.stance.stance import NAMELESS, stance_of

__all__ = ["SpringGround", "standing_points"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SpringGround(Settings):
    """Spring ground under each foot; [Ridderstrom2003] table 6.1, weakly damped.

    A foot that stands on several points shares it among them.
    """

    stiffness: Annotated[
        float, Setting("Stiffness along each axis", "N/m", above=0.0)
    ] = 70e3
    damping: Annotated[
        float, Setting("Damping along each axis", "N s/m", least=0.0)
    ] = 2e3


def standing_points(robot: Robot, qpos: VecN) -> dict[str, tuple[FootPoint, ...]]:
    """Return the points on which a robot stands in a pose, by foot.

    A foot that stands on one point alone, as a ball does, is held at its middle, where
    the thesis has its points P; one that stands on several at each of these. A robot
    that does not float stands on nothing.

    Args:
        robot: any robot.
        qpos: its pose, (nq,).

    Raises:
        ConfigError: what stands on the ground has no name, nor has its body.
    """
    model = robot.model
    if not np.any(model.jnt_type == int(mujoco.mjtJoint.mjJNT_FREE)):
        return {}
    stance = stance_of(robot, qpos)
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    found: dict[str, tuple[FootPoint, ...]] = {}
    for foot in stance.feet:
        here = [k for k, geom in enumerate(stance.geoms) if geom == foot]
        if foot.startswith(NAMELESS):
            problem = "a shape that touches the ground has no name, nor has its body"
            raise ConfigError(f"the stance of '{robot.name}'", [f"{problem}; name one"])
        middle = stance.points + stance.radii[:, None] * stance.normals
        touching = [middle[k] if len(here) == 1 else stance.points[k] for k in here]
        body = int(stance.bodies[here[0]])
        R = data.xmat[body].reshape(3, 3)
        points: list[FootPoint] = []
        for k, p in enumerate(touching):
            x, y, z = (float(c) for c in R.T @ (p - data.xpos[body]))
            name = f"{foot}.{k + 1}" if len(here) > 1 else foot
            points.append(FootPoint(name, body, (x, y, z)))
        found[foot] = tuple(points)
    return found
