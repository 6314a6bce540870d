"""One frame of a moving picture: solids and floor, twice as fine as it is shown."""

from dataclasses import dataclass
from typing import final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array
from equipoise.viz.camera import Camera
from equipoise.viz.movie.light import shade
from equipoise.viz.movie.solids import Solids, solids_of
from equipoise.viz.pictures import Image
from equipoise.viz.raster import fill, projected
from equipoise.viz.scene import light_place, square_side
from equipoise.viz.shapes import data_in_pose, is_plane, is_visible

__all__ = ["FINE", "Drawing", "MovieStage", "movie_stage"]

FINE = 2
"""Rows and columns that become one pixel."""
LAMP_SIDE = 1200
"""Of the lamp's own picture [pixels]."""
LAMP_REACH = 2.4
"""Half its width at the camera's target, of the picture's reach."""


@final
@dataclass(frozen=True, eq=False)
class Drawing:
    """Drawing of a frame at ``FINE`` times its final resolution."""

    rgb: Image
    is_solid: NDArray[np.bool_]
    """Where the robot, or what is thrown at it, is seen, (h, w)."""


@final
@dataclass(frozen=True, eq=False)
class MovieStage:
    """What all frames share; made by ``movie_stage``."""

    model: mujoco.MjModel
    solids: Solids
    size: tuple[int, int]
    """Width and height of a frame [pixels]."""

    def draw(self, qpos: Array, camera: Camera) -> Drawing:
        """Return the frame of a pose.

        Args:
            qpos: (nq,).
            camera: where from.
        """
        data = data_in_pose(self.model, qpos)
        size = (FINE * self.size[0], FINE * self.size[1])
        surface = self.solids.placed(data)
        corners = np.ascontiguousarray(surface[:, :3])
        near, index = _filled(corners, camera, size)
        lamp = _lamp_of(camera)
        lit_near, _ = _filled(corners, lamp, (LAMP_SIDE, LAMP_SIDE))
        rgb = np.empty((size[1], size[0], 3), np.uint8)
        look = (camera.reach, square_side(camera.reach), *camera.target[:2])
        lamp_size = (LAMP_SIDE, LAMP_SIDE)
        shade(
            (_packed_view(camera, size), _packed_view(lamp, lamp_size)),
            surface,
            (near, index, lit_near),
            (_floors_of(self.model, data, camera), np.array(look)),
            rgb,
        )
        ground = np.append(self.solids.is_ground, True)  # the last for what is none
        return Drawing(rgb, ~ground[index])


def movie_stage(model: mujoco.MjModel, size: tuple[int, int]) -> MovieStage:
    """Return what all frames of a movie share.

    Args:
        model: compiled model; geoms in groups 0 to 2 with alpha > 0 are drawn.
        size: width and height of a frame [pixels].
    """
    return MovieStage(model, solids_of(model), size)


def _filled(
    corners: Array, camera: Camera, size: tuple[int, int]
) -> tuple[Array, NDArray[np.int64]]:
    """Return one over the depth and the nearest triangle of every pixel, or -1."""
    xyw, which = projected(corners, camera, size)
    near, index = np.zeros((size[1], size[0])), np.full((size[1], size[0]), -1)
    fill(xyw, near, index)
    if len(which) < len(corners):
        index = np.append(which, -1)[index]
    return near, index


def _lamp_of(camera: Camera) -> Camera:
    """Return the lamp's view of what the picture shows, and little besides."""
    place = light_place(camera)
    away = float(np.linalg.norm(place - np.asarray(camera.target)))
    angle = 2.0 * np.degrees(np.arctan(LAMP_REACH * camera.reach / away))
    eye = tuple(place.tolist())
    return Camera(eye=eye, target=camera.target, fov_deg=float(angle))


def _packed_view(camera: Camera, size: tuple[int, int]) -> Array:
    """Return a camera as kernels take it, (5, 3)."""
    middle = (camera.focal(size[1]), 0.5 * size[0], 0.5 * size[1])
    return np.vstack((camera.eye, camera.R_WE.T, middle))


def _floors_of(model: mujoco.MjModel, data: mujoco.MjData, camera: Camera) -> Array:
    """Return the model's visible planes, else a floor at the camera's ground."""
    planes = np.flatnonzero(is_plane(model) & is_visible(model))
    if not len(planes):
        level = np.zeros((5, 3))
        level[0, 2], level[1:4] = camera.ground, np.eye(3)
        return level[None]
    floors = np.zeros((len(planes), 5, 3))
    for k, g in enumerate(planes):
        floors[k, 0] = data.geom_xpos[g]
        floors[k, 1:4] = data.geom_xmat[g].reshape(3, 3).T
        floors[k, 4, :2] = model.geom_size[g, :2]
    return floors
