"""When a robot's file leaves nothing to judge: said before anything is put down."""

import mujoco
import numpy as np

from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene
from equipoise.robots.stance.stance import is_free
from equipoise.runs.check.verdict import Answer

__all__ = ["nothing_to_judge"]

SHOWN = 3  # reasons in a sentence
NO_CONTACT = (
    mujoco.mjtDisableBit.mjDSBL_CONTACT,
    mujoco.mjtDisableBit.mjDSBL_CONSTRAINT,
)


def nothing_to_judge(robot: Robot, scene: Scene) -> tuple[Answer, str] | None:
    """Return the answer where the file itself gives it, and why; else None.

    Args:
        robot: any robot.
        scene: its world.
    """
    if not is_free(robot):
        return "unknown", not_free(robot)
    if robot.lost_shapes and not robot.feet:
        lost = ", ".join(robot.lost_shapes[:4])
        return "unknown", f"shapes of {lost} are lost, which might be feet"
    if scene.unknown:
        return "unknown", f"not understood: {'; '.join(scene.unknown[:SHOWN])}"
    if not scene.strength > 0.0:
        return "unknown", "its file has no gravity"
    off = int(scene.model.opt.disableflags)
    if robot.has_world and any(off & int(bit) for bit in NO_CONTACT):
        return "no", "its file switches contacts off, so nothing holds it"
    if scene.floor == "out of reach":
        return (
            "no",
            "none of its shapes can touch the ground of its file (contact bits)",
        )
    if scene.floor == "assumed" and scene.up[2] < 1.0 - 1e-9:
        return "unknown", "its file has no ground, and gravity is not along -z"
    mocap = mocap_in_reach(scene)
    if mocap:
        return "unknown", f"not understood: '{mocap}', a mocap body that can touch it"
    return None


def not_free(robot: Robot) -> str:
    """Return why a robot without a free joint is not judged."""
    model = robot.model
    base = int(model.body_rootid[model.body(robot.base).id])
    first, count = int(model.body_jntadr[base]), int(model.body_jntnum[base])
    if not count:
        return "its base is fixed to the world, so it cannot fall over"
    names = [model.joint(j).name or "a joint" for j in range(first, first + count)]
    return (
        f"its base moves on {', '.join(names[:SHOWN])} and not freely, which may "
        "hold it up; give it a free joint to ask whether it stands"
    )


def mocap_in_reach(scene: Scene) -> str | None:
    """Return the name of a mocap body whose shapes can touch the robot, or None."""
    model = scene.model
    for geom in scene.loose:
        body = int(model.geom_bodyid[geom])
        if np.asarray(model.body_mocapid)[body] >= 0:
            return str(model.body(body).name) or f"body {body}"
    return None
