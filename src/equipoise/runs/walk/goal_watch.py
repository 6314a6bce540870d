"""When a walk to a place is over: it is there, has fallen, or stands for long."""

import math
from dataclasses import dataclass, field
from typing import final

import mujoco

from equipoise.runs.walk.fall import FallWatch
from equipoise.sim.world import World

__all__ = ["GoalWatch", "goal_tolerance", "goal_watch"]

NEAR = 1.0  # of the trunk's height at the start, within which a place is reached
STILL = 30.0  # for which one that does not move is waited for [s]
MOVED = 0.1  # of that height: less is no way


def goal_tolerance(world: World) -> float:
    """Return within which distance a place counts as reached [m].

    Args:
        world: where the machine stands at its start.
    """
    place = world.start().qpos
    return NEAR * float(place[2] - world.surface.height(place[0], place[1]))


@final
@dataclass(eq=False)
class GoalWatch:
    """Looks at every tick; remembers where the machine was last seen to move."""

    falls: FallWatch
    goal: tuple[float, float]
    near: float
    """[m]."""
    seen: tuple[float, float, float] = field(default=(0.0, 0.0, 0.0))
    """Where it last moved, and when [m, m, s]."""

    def __call__(self, data: mujoco.MjData) -> bool:
        """Return whether the walk is over."""
        if self.falls(data):
            return True
        x, y = float(data.qpos[0]), float(data.qpos[1])
        if math.hypot(x - self.goal[0], y - self.goal[1]) < self.near:
            return True
        moved = math.hypot(x - self.seen[0], y - self.seen[1])
        if moved > MOVED / NEAR * self.near:
            self.seen = x, y, float(data.time)
        return float(data.time) - self.seen[2] > STILL


def goal_watch(world: World, falls: FallWatch, goal: tuple[float, float]) -> GoalWatch:
    """Return what watches a walk to a place.

    Args:
        world: in which it walks.
        falls: that says whether it fell.
        goal: the place [m].
    """
    return GoalWatch(falls, goal, goal_tolerance(world))
