"""When a walking machine has fallen.

It has when its trunk touches the ground (the side of a wall is none), when it is tilted
by more than 35 degrees from the ground's normal (of the slope, not of a tile), or when
the trunk is less than half as high over the ground below it as it was at the start.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import machine_code
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.robot import Robot
from equipoise.sim.contacts import APART
from equipoise.sim.machine.scene import TILE_NAMES
from equipoise.sim.terrain import Surface, surface_height
from equipoise.sim.world import World

__all__ = ["FALLS", "FallWatch", "fall_watch"]

TRUNK, WALL = 1, 2  # whose a geom is, 0 for others
FARTHEST = math.radians(35.0)
LOWEST = 0.5
FALLS: tuple[Literal["no", "trunk on the ground", "tilt", "height"], ...] = (
    "no",
    "trunk on the ground",
    "tilt",
    "height",
)
"""How it can have fallen, as ``_fall_kind`` counts."""


class FallLimits(Record):
    """Beyond which a machine has fallen."""

    normal: Array = entry("of the ground", "", 3)
    cosine: float = entry("of the largest tilt from it")
    height: float = entry("least over the ground", "m")


@final
@dataclass(frozen=True, eq=False)
class FallWatch:
    """Looks at a machine at every tick and says whether it has fallen."""

    trunk: int
    """Its body."""
    whose: NDArray[np.int8]
    """Which geoms are the trunk's, which ones a wall's, (ngeom,)."""
    surface: Surface
    """Of the ground."""
    limits: Records[FallLimits]
    judge: Callable[..., int] = field(repr=False)
    """The kernel, for contacts as the engine keeps them."""
    begins: float = 0.0
    """Before which nothing is a fall: it gets up [s]."""

    def kind(self, data: mujoco.MjData) -> int:
        """Return how it has fallen, as an index into ``FALLS``; 0 if it has not.

        Args:
            data: of the engine, kinematics and contacts fresh.
        """
        place, R_WB = data.xpos[self.trunk], data.xmat[self.trunk].reshape(3, 3)
        geoms, watched = data.contact.geom, (self.whose, self.surface, self.limits)
        return self.judge(place, R_WB, geoms, *watched)

    def __call__(self, data: mujoco.MjData) -> bool:
        """Return whether it has fallen."""
        return data.time >= self.begins and self.kind(data) > 0


def fall_watch(world: World, *, rises_until: float = 0.0) -> FallWatch:
    """Return what watches a machine.

    Args:
        world: in which it walks; its start sets the height.
        rises_until: time until when it may lie, as which its stand sets the height [s].
    """
    surface, model = world.surface, world.model
    place, normal = world.start().qpos[:3], surface.normal
    height = float(place[2] - surface.height(place[0], place[1])) * normal[2]
    if rises_until > 0.0:
        height = _stand_height(world.robot)
    limits = FallLimits.zeros()
    limits[0].normal[:] = normal
    limits[0].cosine, limits[0].height = math.cos(FARTHEST), LOWEST * height
    whose = (model.body_weldid[model.geom_bodyid] == world.base) * np.int8(TRUNK)
    if world.terrain.kind == "wall":
        names = [model.geom(k).name for k in range(model.ngeom)]
        whose[[name.startswith(TILE_NAMES) for name in names]] = WALL
    pose = np.zeros(3), np.eye(3)
    return FallWatch(
        trunk=world.base,
        whose=whose,
        surface=surface,
        limits=limits,
        judge=machine_code(_fall_kind, *pose, APART.geom, whose, surface, limits),
        begins=rises_until,
    )


def _stand_height(robot: Robot) -> float:
    """Return how high a robot's trunk is over the ground as it stands [m]."""
    return float(next(key.qpos[2] for key in robot.spec.keys if key.name == "start"))


@compiled(allocates=False)
def _fall_kind(
    place: Array,
    R_WB: Array,
    geoms: Ints,
    whose: NDArray[np.int8],
    surface: Surface,
    limits: Records[FallLimits],
) -> int:
    """Return how a trunk has fallen, as an index into ``FALLS``; 0 if it has not.

    Args:
        place: of the trunk, (3,) [m].
        R_WB: its orientation, (3, 3).
        geoms: the pair of each contact, (nc, 2).
        whose: which geoms are the trunk's, which ones a wall's, (ngeom,).
        surface: of the ground.
        limits: of tilt and height.
    """
    for k in range(geoms.shape[0]):
        first, second = geoms[k, 0], geoms[k, 1]
        if first >= 0 and second >= 0:
            pair = (whose[first], whose[second])
            if pair[0] + pair[1] == TRUNK:  # with neither a wall nor itself
                return 1
    limit = limits[0]
    up = limit.normal
    upright = R_WB[0, 2] * up[0] + R_WB[1, 2] * up[1] + R_WB[2, 2] * up[2]
    if upright < limit.cosine:
        return 2
    height = place[2] - surface_height(surface, place[0], place[1])
    return 3 if height * up[2] < limit.height else 0
