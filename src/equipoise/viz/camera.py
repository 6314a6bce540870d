"""Where a picture is taken from, and which pixel a point of the world lands on.

A pinhole: a point at depth z along the view and offset (x, y) right and up of it lands
``f x / z`` right and ``f y / z`` above the picture's middle, f = (height / 2) /
tan(fov / 2) in pixels. Pixel coordinates count from the upper left corner, x to the
right and y down; the middle of the first pixel is (0.5, 0.5).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.errors import ConfigError
from equipoise.viz.shapes import box_corners, data_in_pose, lowest_point

__all__ = ["Camera", "camera_for"]


@dataclass(frozen=True, kw_only=True)
class Camera:
    """Pinhole camera held upright: world z points up in the picture."""

    eye: tuple[float, float, float]
    """Position of the pinhole in W [m]."""
    target: tuple[float, float, float]
    """Point in the middle of the picture, in W [m]."""
    fov_deg: float = 28.0
    """Angle of view from the lower to the upper edge [degrees], in (0, 180)."""
    ground: float = 0.0
    """Height [m] at which a floor is drawn for models that have none."""

    def __post_init__(self) -> None:
        """Refuse a camera that looks nowhere, or straight up or down."""
        problems: list[str] = []
        if not 0.0 < self.fov_deg < 180.0:
            problems.append(f"fov_deg must lie in (0, 180), got {self.fov_deg!r}")
        away = np.subtract(self.target, self.eye)
        if not np.hypot(away[0], away[1]) > 1e-6 * np.abs(away[2]):
            problems.append(
                f"eye {self.eye} and target {self.target} must not lie above each other"
            )
        if problems:
            raise ConfigError("Camera", problems)

    @cached_property
    def R_WE(self) -> Mat3:
        """Orientation of the eye: columns right, up and along the view, (3, 3)."""
        along = np.subtract(self.target, self.eye)
        along = along / np.linalg.norm(along)
        right = np.cross(along, (0.0, 0.0, 1.0))
        right /= np.linalg.norm(right)
        return np.column_stack((right, np.cross(right, along), along))

    @property
    def reach(self) -> float:
        """Half the height of the picture at the target [m]."""
        away = float(np.linalg.norm(np.subtract(self.target, self.eye)))
        return away * float(np.tan(np.radians(self.fov_deg) / 2.0))

    def focal(self, height: int) -> float:
        """Return the focal length [pixels] of a picture ``height`` pixels high."""
        return 0.5 * height / float(np.tan(np.radians(self.fov_deg) / 2.0))

    def rays(self, xy: Array, size: tuple[int, int]) -> Array:
        """Return unit directions in W through pixel positions.

        Args:
            xy: pixel positions, (n, 2).
            size: width and height of the picture [pixels].
        """
        f = self.focal(size[1])
        d_E = np.empty((len(xy), 3))
        d_E[:, 0] = (xy[:, 0] - 0.5 * size[0]) / f
        d_E[:, 1] = (0.5 * size[1] - xy[:, 1]) / f
        d_E[:, 2] = 1.0
        d_E /= np.sqrt(np.einsum("ij,ij->i", d_E, d_E))[:, None]
        return d_E @ self.R_WE.T

    def project(self, p_W: Array, size: tuple[int, int]) -> Array:
        """Return the pixel positions of points.

        Args:
            p_W: points in W, (n, 3) [m].
            size: width and height of the picture [pixels].

        Returns:
            Pixel x, pixel y and depth along the view [m], (n, 3). Points with depth
            <= 0 lie behind the camera; their pixels are NaN.
        """
        p_E = (np.atleast_2d(p_W) - np.asarray(self.eye)) @ self.R_WE
        depth = np.where(p_E[:, 2] > 0.0, p_E[:, 2], np.nan)
        f = self.focal(size[1])
        x = 0.5 * size[0] + f * p_E[:, 0] / depth
        y = 0.5 * size[1] - f * p_E[:, 1] / depth
        return np.column_stack((x, y, p_E[:, 2]))


def _corners(model: mujoco.MjModel, qpos_list: Sequence[Array]) -> Array:
    """Return the corners of boxes around all visible geoms in all poses, (n, 3) [m]."""
    boxes = [box_corners(model, data_in_pose(model, qpos)) for qpos in qpos_list]
    if not boxes or not len(boxes[0]):
        raise ConfigError(
            "picture", ["the model has no visible geom, or no pose given"]
        )
    return np.concatenate(boxes).reshape(-1, 3)


def _eye(p_E: Array, half_wide: float, half_high: float) -> Array:
    """Return the nearest eye, in view axes, that sees all points ``p_E`` (n, 3).

    A side of the picture with inward normal n gives ``n·eye <= min n·p``; two opposite
    sides fix how far back the eye must be and, there, the middle between them.

    Args:
        p_E: points along right, up and view, (n, 3) [m].
        half_wide: tangent of half the horizontal angle of view.
        half_high: tangent of half the vertical angle of view.
    """
    eye_E = np.empty(3)
    back: list[float] = []
    for axis, half in ((0, half_wide), (1, half_high)):
        low = float((p_E[:, axis] + half * p_E[:, 2]).min())
        high = float((-p_E[:, axis] + half * p_E[:, 2]).min())
        eye_E[axis] = 0.5 * (low - high)
        back.append((low + high) / (2.0 * half))
    eye_E[2] = min(back)
    return eye_E


def camera_for(
    model: mujoco.MjModel,
    qpos_list: Sequence[Array],
    *,
    size: tuple[int, int] = (640, 480),
    azimuth_deg: float = 35.0,
    elevation_deg: float = 16.0,
    margin: float = 0.06,
    points: Sequence[Vec3] = (),
) -> Camera:
    """Return a camera that sees the whole robot in all given poses.

    The direction of view is fixed; the eye goes back along it as far as the boxes
    around all geoms need.

    Args:
        model: compiled model.
        qpos_list: poses to frame (start and end, say), each (nq,).
        size: width and height of the picture [pixels]; only their ratio matters.
        azimuth_deg: where the camera stands, 0 = in front (+x), 90 = at +y [degrees].
        elevation_deg: how far above the horizon it stands [degrees].
        margin: free share of the picture on each side, in [0, 0.5).
        points: further points in W to keep in view (a support line's ends) [m].

    Raises:
        ConfigError: nothing to see.
    """
    seen = _corners(model, qpos_list)
    lowest = [lowest_point(model, data_in_pose(model, qpos)) for qpos in qpos_list]
    ground = min(0.0, *lowest)
    if len(points):
        seen = np.vstack((seen, np.reshape(points, (-1, 3))))
    azimuth, elevation = np.radians(azimuth_deg), np.radians(elevation_deg)
    away = np.array((np.cos(azimuth), np.sin(azimuth), np.tan(elevation)))
    middle = 0.5 * (seen.min(axis=0) + seen.max(axis=0))
    look = Camera(eye=tuple(middle + away), target=tuple(middle))
    half_high = np.tan(np.radians(look.fov_deg) / 2.0) * (1.0 - 2.0 * margin)
    p_E = (seen - middle) @ look.R_WE
    eye_E = _eye(p_E, half_high * size[0] / size[1], half_high)
    eye = middle + look.R_WE @ eye_E
    target = middle + look.R_WE @ np.array((eye_E[0], eye_E[1], 0.0))
    return Camera(eye=tuple(eye.tolist()), target=tuple(target.tolist()), ground=ground)
