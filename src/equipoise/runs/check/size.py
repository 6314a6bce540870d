"""When a robot's file is too large to be judged: said before anything is put down.

Everything in a check grows with shapes and joints, much of it with their square. The
limits are several times what the largest published robots have; parts of the check
whose work depends on more than that have limits of their own.
"""

import numpy as np

from equipoise.robots.scene.scene import Scene
from equipoise.runs.check.verdict import Answer

__all__ = ["too_large"]

MOST_SHAPES = 2500  # of a robot that can touch the ground
MOST_JOINTS = 1000  # velocities of a robot


def too_large(scene: Scene) -> tuple[Answer, str] | None:
    """Return the answer for a robot that is too large to be judged; else None.

    Args:
        scene: its world.
    """
    joints = int(scene.bodies[np.asarray(scene.model.dof_bodyid)].sum())
    for what, count, most in (
        ("shapes that can touch the ground", len(scene.shapes), MOST_SHAPES),
        ("degrees of freedom", joints, MOST_JOINTS),
    ):
        if count > most:
            return "unknown", f"it has {count:,} {what}; at most {most:,} are judged"
    return None
