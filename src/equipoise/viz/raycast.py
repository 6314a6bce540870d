"""A picture of a robot without a screen or a GL library.

One ray per pixel through MuJoCo's ``mj_multiRay``, Lambert's law for the light, a
second ray towards the light for shadows, and four more rays in pixels where something
ends. Meshes, for which rays take long, are filled triangle by triangle instead
(``raster.py``). Colours are those of the model's geoms; the floor is a light
checkerboard that fades into a white background. Textures and transparency are not
drawn.
"""

from dataclasses import dataclass

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.core.errors import ConfigError
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.markers import Markers, overlay
from equipoise.viz.pictures import Image, write_png
from equipoise.viz.raster import meet, seen
from equipoise.viz.scene import LAMP_SIDE, RayScene, camera_scene, square_side
from equipoise.viz.shapes import MESHES, VISIBLE_GROUPS

__all__ = ["draw", "write_png"]

LARGEST_PICTURE = 4096 * 4096
"""Pixels; more would need more memory than a picture is worth."""
EDGE_STEP = 0.035
"""Difference of neighbouring colours, of 1, above which a pixel is cast again."""
FLOOR_LIGHT, FLOOR_DARK = 0.965, 0.9
"""Brightness of the two kinds of floor square."""
LAMP = 0.5
"""Brightness the lamp gives to a surface that faces it; the rest is sky."""
LAMP_STEP = 8e-3  # two of its pixels, of half the picture's height
SHADOW_FLOOR, SHADOW_ROBOT = 0.2, 0.75
"""Share that a shadow takes: of all light on the floor, of the lamp's on the robot."""


@dataclass(frozen=True)
class _Hits:
    """What a set of rays met."""

    geom: np.ndarray
    """Geom, -1 for nothing and -2 for the floor of a model without one, (n,)."""
    distance: Array
    """Length of the ray, infinite where nothing was met, (n,) [m]."""
    normal: Array
    """Outward unit normal where it ended, (n, 3)."""


def _cast(scene: RayScene, p_W: Vec3, d_W: Array, may: np.ndarray) -> _Hits:
    """Return what unit rays ``d_W`` (n, 3) from one point meet.

    Only rays marked in ``may`` (n,) are followed; the others meet nothing.
    """
    n = int(may.sum())
    geom, distance, normal = np.full(n, -1, np.int32), np.zeros(n), np.zeros(3 * n)
    cutoff = 200.0 * scene.reach
    some = np.ascontiguousarray(d_W[may]).reshape(-1)
    model, data, groups = scene.model, scene.data, VISIBLE_GROUPS
    if n:
        mujoco.mj_multiRay(
            model, data, p_W, some, groups, True, -1, geom, distance, normal, n, cutoff
        )
    hits = _Hits(
        np.full(len(d_W), -1), np.full(len(d_W), np.inf), np.zeros((len(d_W), 3))
    )
    met = np.flatnonzero(may)[geom >= 0]
    hits.geom[met], hits.distance[met] = geom[geom >= 0], distance[geom >= 0]
    hits.normal[met] = normal.reshape(-1, 3)[geom >= 0]
    return hits


def _add_floor(hits: _Hits, p_W: Vec3, d_W: Array, scene: RayScene, plane: int) -> None:
    """Let rays from one point end on a plane geom, or on the spare floor (-2).

    As in MuJoCo a plane is seen from its front only, and a size of zero is endless.
    """
    if plane == -2:
        origin = np.array((0.0, 0.0, scene.camera.ground))
        R_WG, size = np.eye(3), np.zeros(3)
    else:
        origin = scene.data.geom_xpos[plane]
        R_WG = scene.data.geom_xmat[plane].reshape(3, 3)
        size = scene.model.geom_size[plane]
    d_G, p_G = d_W @ R_WG, (p_W - origin) @ R_WG
    length = p_G[2] / -np.minimum(d_G[:, 2], -1e-12)
    first = (d_G[:, 2] < 0.0) & (length > 0.0) & (length < hits.distance)
    first &= length < 200.0 * scene.reach
    for axis in (0, 1):
        if size[axis] > 0.0:
            first &= np.abs(p_G[axis] + length * d_G[:, axis]) <= size[axis]
    hits.geom[first], hits.distance[first] = plane, length[first]
    hits.normal[first] = R_WG[:, 2]


@dataclass(frozen=True)
class _Pixels:
    """Points of a picture through which rays go."""

    xy: Array
    """Pixels, whole numbers, (n, 2)."""
    size: tuple[int, int]
    may: np.ndarray
    """Which can see the robot, (n,)."""
    shift: tuple[float, float] = (0.0, 0.0)
    """From a pixel's middle [pixels]."""

    def rays(self, camera: Camera) -> Array:
        """Return unit directions, (n, 3)."""
        return camera.rays(self.xy + 0.5 + self.shift, self.size)


def _look(scene: RayScene, pixels: _Pixels, d_W: Array) -> _Hits:
    """Cast rays from the eye; where the model has no floor of its own, add one."""
    eye = np.asarray(scene.camera.eye)
    hits = _cast(scene, eye, d_W, pixels.may)
    if scene.triangles is not None:
        found = seen(scene.triangles, scene.camera, pixels.size, pixels.shift)
        own = meet(scene.triangles, found, pixels.xy, d_W, scene.camera)
        first = (own[0] >= 0) & (own[1] < hits.distance)
        hits.geom[first], hits.distance[first] = own[0][first], own[1][first]
        hits.normal[first] = own[2][first]
    for plane in np.flatnonzero(scene.planes) if scene.planes.any() else (-2,):
        _add_floor(hits, eye, d_W, scene, int(plane))
    return hits


def _lit(scene: RayScene, p_W: Array) -> np.ndarray:
    """Return which points (n, 3) see the light, (n,)."""
    ray = p_W - scene.p_WLight
    length = np.sqrt(np.einsum("ij,ij->i", ray, ray))
    size = (400, 400)
    x, y, depth = scene.lamp.project(p_W, size).T
    inside = (depth > 0.0) & (x >= 0) & (x < size[0]) & (y >= 0) & (y < size[1])
    may = np.ones(len(p_W), dtype=bool)
    row, column = y[inside].astype(int), x[inside].astype(int)
    may[inside] = scene.cover(scene.lamp, size)[row, column]
    met = _cast(scene, scene.p_WLight, ray / length[:, None], may)
    # A point's own surface must not shade it: allow a thousandth of the picture.
    lit = met.distance > length - 1e-3 * scene.reach
    if scene.triangles is not None:
        fine = LAMP_SIDE / size[0]
        row, column = (fine * y[inside]).astype(int), (fine * x[inside]).astype(int)
        far = scene.lit_depth[row, column] + LAMP_STEP * scene.reach
        lit[inside] &= depth[inside] < far
    return lit


def _floor(scene: RayScene, p_W: Array) -> tuple[Array, Array]:
    """Return brightness of the floor's squares and how visible they still are, (n,)."""
    side = square_side(scene.reach)
    odd = np.floor(p_W[:, :2] / side).sum(axis=1) % 2.0
    away = p_W[:, :2] - np.asarray(scene.camera.target)[:2]
    far = np.clip((np.hypot(*away.T) / scene.reach - 0.9) / 1.9, 0.0, 1.0)
    fade = 1.0 - far * far * (3.0 - 2.0 * far)
    return np.where(odd == 1.0, FLOOR_DARK, FLOOR_LIGHT), fade


def _colour(scene: RayScene, d_W: Array, hits: _Hits) -> Array:
    """Return red, green and blue in [0, 1] for every ray, (n, 3)."""
    rgb = np.ones((len(d_W), 3))
    met = np.flatnonzero(hits.geom != -1)
    geom = np.maximum(hits.geom[met], 0)
    p_W = np.asarray(scene.camera.eye) + hits.distance[met, None] * d_W[met]
    is_floor = (hits.geom[met] == -2) | scene.planes[geom]
    bright, fade = _floor(scene, p_W)
    near = ~is_floor | (fade > 0.0)
    lit = np.ones(len(met), dtype=bool)
    normal = hits.normal[met]
    kinds = np.append(scene.model.geom_type, -1)  # the spare one is no mesh
    is_mesh = np.isin(kinds[geom], MESHES) & ~is_floor
    # The lamp sees meshes in pixels: a point stands off its own surface by one.
    off = np.where(is_mesh, LAMP_STEP * scene.reach, 0.0)[:, None] * normal
    lit[near] = _lit(scene, (p_W + off)[near])

    to_light = scene.p_WLight - p_W
    to_light /= np.sqrt(np.einsum("ij,ij->i", to_light, to_light))[:, None]
    facing = np.clip(np.einsum("ij,ij->i", normal, to_light), 0.0, 1.0)
    head_on = np.clip(-np.einsum("ij,ij->i", normal, d_W[met]), 0.0, 1.0)
    # Light: sky from above, a little from the viewer, the rest from the lamp.
    sky = 0.42 + 0.10 * normal[:, 2] + 0.18 * head_on
    lamp = LAMP * facing * np.where(lit, 1.0, 1.0 - SHADOW_ROBOT)
    robot = scene.colours[geom] * np.clip(sky + lamp, 0.0, 1.05)[:, None]
    floor = 1.0 - fade * (1.0 - bright * np.where(lit, 1.0, 1.0 - SHADOW_FLOOR))
    rgb[met] = np.where(is_floor[:, None], floor[:, None], robot)
    return np.clip(rgb, 0.0, 1.0)


def _edges(rgb: Array, geom: np.ndarray) -> np.ndarray:
    """Return which pixels differ from a neighbour in thing or colour, (h, w)."""
    edge = np.zeros(geom.shape, dtype=bool)
    for axis in (0, 1):
        step = (np.diff(geom, axis=axis) != 0) | (
            np.abs(np.diff(rgb, axis=axis)).max(axis=2) > EDGE_STEP
        )
        first = [slice(None), slice(None)]
        last = [slice(None), slice(None)]
        first[axis], last[axis] = slice(None, -1), slice(1, None)
        edge[tuple(first)] |= step
        edge[tuple(last)] |= step
    return edge


def render(scene: RayScene, size: tuple[int, int]) -> tuple[Array, Array, np.ndarray]:
    """Return colours (h, w, 3), ray lengths (h, w) and whether the robot is there."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width]
    xy = np.column_stack((x.ravel(), y.ravel()))
    may = scene.cover(scene.camera, size).ravel()
    pixels = _Pixels(xy, size, may)
    d_W = pixels.rays(scene.camera)
    hits = _look(scene, pixels, d_W)
    rgb = _colour(scene, d_W, hits).reshape(height, width, 3)
    geom = hits.geom.reshape(height, width)
    again = np.flatnonzero(_edges(rgb, geom))
    total = np.zeros((len(again), 3))
    for shift in ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)):
        pixels = _Pixels(xy[again], size, may[again], shift)
        d_W = pixels.rays(scene.camera)
        total += _colour(scene, d_W, _look(scene, pixels, d_W))
    rgb.reshape(-1, 3)[again] = total / 4.0
    is_robot = (geom >= 0) & ~scene.planes[np.maximum(geom, 0)]
    return rgb, hits.distance.reshape(height, width), is_robot


def draw(
    model: mujoco.MjModel,
    qpos: Array,
    *,
    markers: Markers | None = None,
    size: tuple[int, int] = (640, 480),
    camera: Camera | None = None,
) -> Image:
    """Return a picture of the robot in one pose.

    Args:
        model: compiled model; geoms in groups 0 to 2 with alpha > 0 are drawn.
        qpos: pose in MuJoCo's own layout, (nq,).
        markers: centre of mass, support line and a second pose to show, if any.
        size: width and height [pixels].
        camera: where from; ``camera_for(model, [qpos])`` if left out. Give the same
            one to pictures that are to be compared.

    Returns:
        Red, green and blue, (height, width, 3), uint8.

    Raises:
        ConfigError: a size that is not a picture's, or a model with nothing to see.
        ShapeError: a pose of the wrong length, or not finite.
    """
    if not (min(size) >= 1 and size[0] * size[1] <= LARGEST_PICTURE):
        raise ConfigError(
            "draw", [f"size must be at least 1 x 1 and at most 4096 x 4096, got {size}"]
        )
    camera = camera or camera_for(model, [qpos], size=size)
    rgb, distance, is_robot = render(camera_scene(model, qpos, camera), size)
    if markers is not None and markers.ghost is not None:
        ghost, _, is_ghost = render(camera_scene(model, markers.ghost, camera), size)
        rgb = np.where((is_ghost & ~is_robot)[..., None], 0.7 * rgb + 0.3 * ghost, rgb)
    if markers is not None:
        rgb = overlay(rgb, distance, camera, markers)
    return (255.0 * rgb + 0.5).astype(np.uint8)
