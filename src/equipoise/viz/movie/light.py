"""How bright each point of a moving picture is: the ray-cast pictures' own light.

What ``raycast.py`` says with arrays is said here pixel by pixel in one compiled loop,
forty times as fast, so that seconds of motion are drawn in seconds.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.viz.raycast import (
    FLOOR_DARK,
    FLOOR_LIGHT,
    LAMP,
    SHADOW_FLOOR,
    SHADOW_ROBOT,
)

__all__ = ["shade"]

Bytes: TypeAlias = NDArray[np.uint8]

ALIKE = 4
"""Of 255, by which two points may differ and look alike."""
STAND_OFF = 8e-3
"""How far a point stands off its own surface when it looks at the lamp, of reach."""


@compiled(allocates=False, force_inline=True)
def _is_lit(p: Array, lamp: Array, lit_near: Array, slack: float) -> bool:
    """Return whether the lamp sees a point.

    Args:
        p: the point, (3,) [m].
        lamp: its view: eye, right, up, along, (focal length, middle x, middle y).
        lit_near: one over the depth that it sees, 0 for none, (h, w).
        slack: how far behind what it sees a point may be [m].
    """
    x = y = z = 0.0
    for i in range(3):
        away = p[i] - lamp[0, i]
        x += away * lamp[1, i]
        y += away * lamp[2, i]
        z += away * lamp[3, i]
    if z <= 0.0:
        return True
    column = int(np.floor(lamp[4, 1] + lamp[4, 0] * x / z))
    row = int(np.floor(lamp[4, 2] - lamp[4, 0] * y / z))
    if row < 0 or column < 0 or row >= lit_near.shape[0]:
        return True
    if column >= lit_near.shape[1]:
        return True
    return (z - slack) * lit_near[row, column] < 1.0


@compiled(allocates=False, force_inline=True)
def _weigh(surface: Array, p: Array, normal: Array) -> None:
    """Write the normal of a triangle at one of its points.

    Args:
        surface: corners, their normals and the colour, (7, 3).
        p: the point, (3,) [m].
        normal: (3,); overwritten.
    """
    bb = bc = cc = pb = pc = 0.0
    for i in range(3):
        b, c = surface[1, i] - surface[0, i], surface[2, i] - surface[0, i]
        r = p[i] - surface[0, i]
        bb += b * b
        bc += b * c
        cc += c * c
        pb += r * b
        pc += r * c
    below = bb * cc - bc * bc
    v = (cc * pb - bc * pc) / below if below > 0.0 else 0.0
    w = (bb * pc - bc * pb) / below if below > 0.0 else 0.0
    length = 0.0
    for i in range(3):
        normal[i] = (
            (1.0 - v - w) * surface[3, i] + v * surface[4, i] + w * surface[5, i]
        )
        length += normal[i] * normal[i]
    for i in range(3):
        normal[i] /= np.sqrt(max(length, 1e-30))


@compiled(allocates=False, force_inline=True)
def _floor_at(floors: Array, eye: Array, d: Array, most: float) -> tuple[int, float]:
    """Return the nearest floor that a ray meets, -1 for none, and how far it is.

    Args:
        floors: place, axes (3 rows), half the sides (0 for endless), (n, 5, 3).
        eye: where the ray begins, (3,) [m].
        d: its direction, (3,).
        most: length of the ray at which something else is met, in lengths of d.
    """
    best, found = most, -1
    for k in range(floors.shape[0]):
        height = fall = 0.0
        for i in range(3):
            height += (eye[i] - floors[k, 0, i]) * floors[k, 3, i]
            fall += d[i] * floors[k, 3, i]
        if height <= 0.0 or fall >= 0.0:
            continue
        length = -height / fall
        if length >= best:
            continue
        inside = True
        for axis in range(2):
            if floors[k, 4, axis] > 0.0:
                at = 0.0
                for i in range(3):
                    away = eye[i] + length * d[i] - floors[k, 0, i]
                    at += away * floors[k, 1 + axis, i]
                inside = inside and abs(at) <= floors[k, 4, axis]
        if inside:
            best, found = length, k
    return found, best


@compiled(allocates=False, force_inline=True)
def _floor_light(p: Array, lamp: Array, lit_near: Array, look: Array) -> float:
    """Return how bright a point of the floor is.

    Args:
        p: the point, (3,) [m].
        lamp: see ``_is_lit``.
        lit_near: see ``_is_lit``.
        look: reach [m], side of a square [m], target x, target y.
    """
    away = np.hypot(p[0] - look[2], p[1] - look[3]) / look[0]
    far = min(max((away - 0.9) / 1.9, 0.0), 1.0)
    fade = 1.0 - far * far * (3.0 - 2.0 * far)
    if fade <= 0.0:
        return 1.0
    odd = (np.floor(p[0] / look[1]) + np.floor(p[1] / look[1])) % 2.0
    bright = FLOOR_DARK if odd == 1.0 else FLOOR_LIGHT
    if not _is_lit(p, lamp, lit_near, 1e-3 * look[0]):
        bright *= 1.0 - SHADOW_FLOOR
    return 1.0 - fade * (1.0 - bright)


@compiled(allocates=False, force_inline=True)
def _solid_light(
    p: Array, normal: Array, d: Array, view: Array, is_sunny: bool
) -> float:
    """Return how bright a point of a solid is.

    Args:
        p: the point, (3,) [m].
        normal: there, (3,); turned round where it looks away from the viewer.
        d: the ray from the eye, (3,).
        view: the lamp's, see ``_is_lit``.
        is_sunny: whether the lamp sees the point.
    """
    length = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    head_on = -(normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2]) / length
    facing = away = 0.0
    for i in range(3):
        way = view[0, i] - p[i]
        facing += normal[i] * way
        away += way * way
    facing = max(facing / np.sqrt(away), 0.0)
    sky = 0.42 + 0.10 * normal[2] + 0.18 * max(head_on, 0.0)
    lamp = LAMP * facing * (1.0 if is_sunny else 1.0 - SHADOW_ROBOT)
    return min(max(sky + lamp, 0.0), 1.05)


@compiled(allocates=False, force_inline=True)
def _paint(
    row: int,
    column: int,
    views: tuple[Array, Array],
    surface: Array,
    seen: tuple[Array, Ints, Array],
    ground: tuple[Array, Array],
    room: tuple[Array, Array, Array],
    rgb: Bytes,
) -> None:
    """Write the colour of one point of a picture.

    Args:
        row: of the point.
        column: of the point.
        views: the camera's and the lamp's, see ``shade``.
        surface: see ``shade``.
        seen: see ``shade``.
        ground: floors and look, see ``shade``.
        room: three vectors to work with, (3,) each; overwritten.
        rgb: (h, w, 3) of bytes; overwritten at the point.
    """
    view, lamp = views
    near, index, lit_near = seen
    floors, look = ground
    d, p, normal = room
    right = (column + 0.5 - view[4, 1]) / view[4, 0]
    up = (view[4, 2] - row - 0.5) / view[4, 0]
    for i in range(3):
        d[i] = right * view[1, i] + up * view[2, i] + view[3, i]
    t = index[row, column]
    depth = 1.0 / near[row, column] if t >= 0 else 200.0 * look[0]
    floor, depth = _floor_at(floors, view[0], d, depth)
    for i in range(3):
        p[i] = view[0, i] + depth * d[i]
    if floor >= 0 or t < 0:
        index[row, column] = -1
        bright = _floor_light(p, lamp, lit_near, look) if floor >= 0 else 1.0
        for i in range(3):
            rgb[row, column, i] = int(255.0 * bright + 0.5)
        return
    _weigh(surface[t], p, normal)
    if normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2] > 0.0:
        for i in range(3):
            normal[i] = -normal[i]
    for i in range(3):
        p[i] += STAND_OFF * look[0] * normal[i]
    sunny = _is_lit(p, lamp, lit_near, STAND_OFF * look[0])
    bright = _solid_light(p, normal, d, lamp, sunny)
    for i in range(3):
        value = min(max(surface[t, 6, i] * bright, 0.0), 1.0)
        rgb[row, column, i] = int(255.0 * value + 0.5)


@compiled
def shade(
    views: tuple[Array, Array],
    surface: Array,
    seen: tuple[Array, Ints, Array],
    ground: tuple[Array, Array],
    rgb: Bytes,
) -> None:
    """Write a picture's colours, two by two points.

    Where two points across such a square look alike, the other two are taken to.

    Args:
        views: the camera's eye, right, up, along, (focal length, middle x, middle y),
            (5, 3); the same of the lamp.
        surface: corners, normals and colour of triangles, (n, 7, 3).
        seen: one over the depth of what is there, and which triangle, -1 for none,
            (h, w) each; one over the depth that the lamp sees. Where a floor is
            nearer the triangle becomes -1.
        ground: floors, see ``_floor_at``, and look, see ``_floor_light``.
        rgb: (h, w, 3) of bytes, both even; overwritten.
    """
    index = seen[1]
    room = (np.empty(3), np.empty(3), np.empty(3))
    for y in range(0, rgb.shape[0], 2):
        for x in range(0, rgb.shape[1], 2):
            first = index[y, x]
            is_one = first == index[y + 1, x] and first == index[y, x + 1]
            _paint(y, x, views, surface, seen, ground, room, rgb)
            _paint(y + 1, x + 1, views, surface, seen, ground, room, rgb)
            apart = 0
            for i in range(3):
                step = int(rgb[y, x, i]) - int(rgb[y + 1, x + 1, i])
                apart = max(apart, abs(step))
            if is_one and index[y, x] == index[y + 1, x + 1] and apart <= ALIKE:
                index[y, x + 1], index[y + 1, x] = index[y, x], index[y, x]
                for i in range(3):
                    rgb[y, x + 1, i] = rgb[y, x, i]
                    rgb[y + 1, x, i] = rgb[y + 1, x + 1, i]
            else:
                _paint(y, x + 1, views, surface, seen, ground, room, rgb)
                _paint(y + 1, x, views, surface, seen, ground, room, rgb)
