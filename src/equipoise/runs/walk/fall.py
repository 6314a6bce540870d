"""When a walking machine has fallen.

It has when its trunk touches the ground, when it is tilted by more than 35 degrees from
the ground's normal (of the slope, not of a tile), or when the trunk is less than half
as high over the ground below it as it was at the start.
"""

import math
from dataclasses import dataclass
from typing import Literal, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.jit import compiled
from equipoise.sim.machine.world import MachineWorld
from equipoise.sim.terrain import surface_height

__all__ = ["FALLS", "FallWatch", "fall_watch"]

FARTHEST = math.radians(35.0)
LOWEST = 0.5
FALLS: tuple[Literal["no", "trunk on the ground", "tilt", "height"], ...] = (
    "no",
    "trunk on the ground",
    "tilt",
    "height",
)
"""How it can have fallen, as ``fall_kind`` counts."""


@final
@dataclass(frozen=True, eq=False)
class FallWatch:
    """Looks at a machine at every tick and says whether it has fallen."""

    trunk: int
    """Its body."""
    is_trunk: NDArray[np.bool_]
    """Which geoms are the trunk's, (ngeom,)."""
    normal: VecN
    """Of the ground, (3,)."""
    frame: VecN
    tiles: Array
    limits: VecN
    """Cosine of the largest tilt, and least height over the ground [m], (2,)."""

    def kind(self, data: mujoco.MjData) -> int:
        """Return how it has fallen, as an index into ``FALLS``; 0 if it has not.

        Args:
            data: of the engine, kinematics and contacts fresh.
        """
        return fall_kind(
            data.xpos[self.trunk], data.xmat[self.trunk],
            np.ascontiguousarray(data.contact.geom), self.is_trunk, self.normal,
            self.frame, self.tiles, self.limits,
        )  # fmt: skip

    def __call__(self, data: mujoco.MjData) -> bool:
        """Say whether it has fallen."""
        return self.kind(data) > 0


def fall_watch(world: MachineWorld) -> FallWatch:
    """Return what watches a machine.

    Args:
        world: in which it walks; its start sets the height.
    """
    surface, model = world.surface, world.model
    place, normal = world.start_pose[:3], np.ascontiguousarray(surface.normal)
    height = float(place[2] - surface.height(place[0], place[1])) * normal[2]
    return FallWatch(
        trunk=world.base,
        is_trunk=np.asarray(model.geom_bodyid == world.base),
        normal=normal,
        frame=np.ascontiguousarray(surface.frame),
        tiles=np.ascontiguousarray(surface.tiles),
        limits=np.array([math.cos(FARTHEST), LOWEST * height]),
    )


@compiled(allocates=False)
def fall_kind(
    place: VecN,
    turn: VecN,
    geoms: Ints,
    is_trunk: NDArray[np.bool_],
    normal: VecN,
    frame: VecN,
    tiles: Array,
    limits: VecN,
) -> int:
    """Return how a trunk has fallen, as an index into ``FALLS``; 0 if it has not.

    Args:
        place: of the trunk, (3,) [m].
        turn: its orientation, row by row, (9,).
        geoms: the pair of each contact, (nc, 2).
        is_trunk: which geoms are the trunk's.
        normal: of the ground.
        frame: of the surface.
        tiles: of the surface.
        limits: of tilt's cosine and height, (2,).
    """
    for k in range(geoms.shape[0]):
        first, second = geoms[k, 0], geoms[k, 1]
        if first >= 0 and second >= 0 and (is_trunk[first] or is_trunk[second]):
            return 1
    upright = turn[2] * normal[0] + turn[5] * normal[1] + turn[8] * normal[2]
    if upright < limits[0]:
        return 2
    height = place[2] - surface_height(frame, tiles, place[0], place[1])
    return 3 if height * normal[2] < limits[1] else 0
