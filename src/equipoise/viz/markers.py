"""Marks drawn over a picture: the support line and the centre of mass.

Both stay visible behind the robot, in a thinner and paler style, so that a picture
always answers the question where the mass is.
"""

from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array, Vec3, expect_array
from equipoise.viz.camera import Camera
from equipoise.viz.colours import colour_of_mark

__all__ = ["COM_COLOUR", "LINE_COLOUR", "Markers", "overlay"]

LINE_COLOUR = colour_of_mark("line")
"""Blue of the colour-blind safe palette [Okabe2008]."""
COM_COLOUR = colour_of_mark("centre of mass")
"""Vermilion of the same palette."""


@dataclass(frozen=True, kw_only=True)
class Markers:
    """Points and lines to mark in a picture, all of them optional."""

    com: Vec3 | None = None
    """Centre of mass in W, (3,) [m]; with a support line, a thin drop falls from it."""
    line_point: Vec3 | None = None
    """Point where the vertical support line meets the ground, in W, (3,) [m]."""
    line_top: float | None = None
    """Height at which the line ends [m]; a little above the picture's middle, or above
    the centre of mass, if left out."""
    ghost: Array | None = None
    """A second pose to show palely behind the first, (nq,)."""


def _blend(
    rgb: Array, colour: tuple[float, float, float] | Array, cover: Array
) -> Array:
    """Return ``rgb`` with a share ``cover`` (h, w) of each pixel painted."""
    return rgb + cover[..., None] * (np.asarray(colour) - rgb)


@dataclass(frozen=True)
class _Stroke:
    """How a line is drawn; lengths hold for a picture 480 pixels high."""

    colour: tuple[float, float, float]
    half: float
    """Half its width [pixels]."""
    period: float
    """From dash to dash [pixels]."""
    filled: float
    """Share of the period that is painted."""


SUPPORT = _Stroke(LINE_COLOUR, half=1.2, period=12.0, filled=0.62)
DROP = _Stroke(COM_COLOUR, half=0.6, period=6.0, filled=0.5)


def _line(
    rgb: Array,
    distance: Array,
    camera: Camera,
    ends: tuple[Vec3, Vec3],
    stroke: _Stroke,
) -> Array:
    """Paint a dashed line between two points; thin and pale where it is hidden."""
    low, high = ends
    size = (rgb.shape[1], rgb.shape[0])
    a, b = camera.project(np.array((low, high)), size)
    if not np.isfinite((a, b)).all():
        return rgb  # the line leaves the view behind the camera
    y, x = np.mgrid[0 : size[1], 0 : size[0]] + 0.5
    way = b[:2] - a[:2]
    length2 = max(float(way @ way), 1e-12)
    along = np.clip(((x - a[0]) * way[0] + (y - a[1]) * way[1]) / length2, 0.0, 1.0)
    aside = np.hypot(x - a[0] - along * way[0], y - a[1] - along * way[1])
    # Image shares are not world shares: depth is linear in the world, 1 / depth here.
    depth = 1.0 / ((1.0 - along) / a[2] + along / b[2])
    share = along * depth / b[2]
    p_W = low + share[..., None] * (high - low)
    hidden = np.linalg.norm(p_W - camera.eye, axis=2) > 1.001 * distance
    pixel = max(size[1] / 480.0, 0.6)
    half = stroke.half * pixel * np.where(hidden, 0.5, 1.0)
    dash = (share * np.sqrt(length2) / (stroke.period * pixel)) % 1.0 < stroke.filled
    cover = np.clip(half + 0.5 - aside, 0.0, 1.0) * dash
    return _blend(rgb, stroke.colour, cover * np.where(hidden, 0.75, 1.0))


def _ball(rgb: Array, distance: Array, camera: Camera, centre: Vec3) -> Array:
    """Paint a small ball; only its rim and a pale disc where it is hidden."""
    size = (rgb.shape[1], rgb.shape[0])
    (px, py, depth) = camera.project(np.asarray(centre), size)[0]
    if not depth > 0.0:
        return rgb
    radius = max(2.5, 6.5 * size[1] / 480.0)
    y, x = np.mgrid[0 : size[1], 0 : size[0]] + 0.5
    away = np.hypot(x - px, y - py)
    column = min(max(int(px), 0), size[0] - 1)
    row = min(max(int(py), 0), size[1] - 1)
    is_hidden = np.linalg.norm(centre - camera.eye) > distance[row, column]
    disc = np.clip(radius + 0.5 - away, 0.0, 1.0)
    halo = np.clip(radius + 2.0 - away, 0.0, 1.0)
    rim = disc - np.clip(radius - 1.2 - away, 0.0, 1.0)
    glint = np.exp(
        -((x - px + 0.35 * radius) ** 2 + (y - py + 0.4 * radius) ** 2) / radius
    )
    rgb = _blend(rgb, (1.0, 1.0, 1.0), halo * (0.6 if is_hidden else 1.0))
    rgb = _blend(rgb, COM_COLOUR, disc * (0.45 if is_hidden else 1.0))
    if is_hidden:
        return _blend(rgb, COM_COLOUR, rim)
    return _blend(rgb, (1.0, 1.0, 1.0), 0.7 * glint * disc)


def overlay(rgb: Array, distance: Array, camera: Camera, markers: Markers) -> Array:
    """Return a picture with the marks painted over it.

    Args:
        rgb: picture, (h, w, 3) in [0, 1].
        distance: how far each pixel's ray went, infinite for the sky, (h, w) [m].
        camera: where the picture was taken from.
        markers: what to paint.
    """
    low = None
    if markers.line_point is not None:
        low = expect_array("line_point", markers.line_point, (3,))
        above = camera.target[2] if markers.com is None else float(markers.com[2])
        reach = max(above, camera.target[2]) - low[2]
        top = markers.line_top
        high = np.array((low[0], low[1], low[2] + 1.35 * reach if top is None else top))
        rgb = _line(rgb, distance, camera, (low, high), SUPPORT)
    if markers.com is not None:
        com = expect_array("com", markers.com, (3,))
        if low is not None and com[2] > low[2]:
            foot = np.array((com[0], com[1], low[2]))
            rgb = _line(rgb, distance, camera, (foot, com), DROP)
        rgb = _ball(rgb, distance, camera, com)
    return rgb
