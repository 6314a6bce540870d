"""A pose that a picture is taken of: what is there, its colours, where the light is."""

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.viz.camera import Camera
from equipoise.viz.raster import Triangles, mesh_triangles, seen
from equipoise.viz.shapes import (
    MESHES,
    VISIBLE_GROUPS,
    box_corners,
    data_in_pose,
    geom_colours,
    is_plane,
    is_visible,
    with_wide_boxes,
)

__all__ = ["LAMP_SIDE", "RayScene", "camera_scene", "light_place", "square_side"]

LAMP_SIDE = 2000  # of the lamp's own picture, in which meshes shade [pixels]


@dataclass(frozen=True)
class RayScene:
    """Everything the casting of one pose needs; made by ``camera_scene``."""

    model: mujoco.MjModel
    data: mujoco.MjData
    camera: Camera
    colours: Array
    """Red, green and blue of every geom and of a spare one, (ngeom + 1, 3)."""
    planes: np.ndarray
    """Which geoms are visible floors; the spare one is not, (ngeom + 1,)."""
    triangles: Triangles | None
    """Of visible meshes, which rays do not meet."""

    @cached_property
    def lit_depth(self) -> Array:
        """Distance of the light to a mesh, in the lamp's view [m]."""
        if self.triangles is None:
            return np.full((LAMP_SIDE, LAMP_SIDE), np.inf)
        return seen(self.triangles, self.lamp, (LAMP_SIDE, LAMP_SIDE)).depth

    @property
    def reach(self) -> float:
        """Half the height of the picture at the camera's target [m]."""
        return self.camera.reach

    @property
    def p_WLight(self) -> Vec3:
        """Position of the light [m]."""
        return light_place(self.camera)

    @property
    def lamp(self) -> Camera:
        """The view from the light, wide enough for everything the picture shows."""
        eye = tuple(self.p_WLight.tolist())
        return Camera(eye=eye, target=self.camera.target, fov_deg=40.0)

    def cover(self, camera: Camera, size: tuple[int, int]) -> np.ndarray:
        """Return which pixels a camera can see the robot in, (h, w); never too few."""
        cover = np.zeros((size[1], size[0]), dtype=bool)
        corners = box_corners(self.model, self.data)
        seen = camera.project(corners.reshape(-1, 3), size).reshape(-1, 8, 3)
        if not np.isfinite(seen).all():
            return ~cover  # something lies beside or behind the camera
        low = np.floor(seen[:, :, :2].min(axis=1)).astype(int) - 1
        high = np.ceil(seen[:, :, :2].max(axis=1)).astype(int) + 1
        for (left, top), (right, bottom) in zip(
            np.maximum(low, 0), np.maximum(high, 0), strict=True
        ):
            cover[top:bottom, left:right] = True
        return cover


def light_place(camera: Camera) -> Vec3:
    """Return where the light is: left above the viewer's head, far away [m].

    Args:
        camera: the viewer.
    """
    right, _, along = camera.R_WE.T
    level = np.array((along[0], along[1], 0.0)) / np.hypot(along[0], along[1])
    way = -0.55 * right - 0.45 * level + np.array((0.0, 0.0, 1.25))
    return np.asarray(camera.target) + 12.0 * camera.reach * way


def square_side(reach: float) -> float:
    """Return the side of the floor's squares, a round length [m].

    Args:
        reach: half the height of the picture at the camera's target [m].
    """
    wanted = 0.4 * reach
    unit = 10.0 ** np.floor(np.log10(wanted))
    return float(unit * max(k for k in (1.0, 2.0, 5.0) if k * unit <= wanted))


def camera_scene(model: mujoco.MjModel, qpos: Array, camera: Camera) -> RayScene:
    """Return a pose, (nq,), as seen by a camera."""
    planes = np.append(is_plane(model) & is_visible(model), False)
    colours = np.vstack((geom_colours(model)[:, :3], np.ones(3)))
    data = data_in_pose(model, qpos)
    triangles = mesh_triangles(model, data)
    wide = with_wide_boxes(model)
    wide.geom_group[np.isin(model.geom_type, MESHES)] = len(VISIBLE_GROUPS) - 1
    return RayScene(wide, data_in_pose(wide, qpos), camera, colours, planes, triangles)
