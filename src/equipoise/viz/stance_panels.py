"""The two views of a stance, from above and along the edge it would tip over."""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from equipoise.core.arrays import Array
from equipoise.viz.colours import hex_of
from equipoise.viz.silhouette import ABOVE, sketch, view_from_side
from equipoise.viz.stance_marks import (
    EDGE,
    HALO,
    DrawingFrame,
    centre_mark,
    corner_arrows,
    dimension,
    fitted_frame,
    length_words,
    scale_bar,
    tipping_arc,
)

if TYPE_CHECKING:
    from equipoise.viz.stance_plot import StancePicture

__all__ = ["REGION", "TippingEdge", "draw_above", "draw_side", "shows_region"]

SUPPORT, CENTRE, REGION = hex_of("support"), hex_of("centre of mass"), hex_of("line")
GREY, GROUND, SURFACE = "0.35", "0.93", "0.62"
ALIKE = 2e-2  # area by which region and support differ where both are drawn


class TippingEdge(NamedTuple):
    """The edge over which a robot would tip first."""

    ends: Array
    """(2, 2) [m]."""
    foot: Array
    """Point of it nearest to the centre of mass, (2,) [m]."""
    margin: float
    """Distance of the centre of mass from it, negative outside [m]."""
    of: str = "support"
    """Whose edge it is, ``support`` or ``region``."""


def draw_above(axes: Axes, picture: "StancePicture", edge: TippingEdge | None) -> None:
    """Draw a stance seen from above, along gravity."""
    shapes, com = picture.shapes, picture.com
    corners = [com[None, :2], picture.points[:, :2], picture.polygon]
    if shapes is not None:
        corners.append(shapes.robot[:, :2])
    frame = fitted_frame(axes, np.vstack(corners))
    if shapes is not None:
        drawn = sketch(shapes, ABOVE, frame.bounds, frame.per_metre)
        axes.imshow(drawn.image, extent=drawn.extent, zorder=1, aspect="equal")
    if len(picture.polygon):
        ring = np.vstack([picture.polygon, picture.polygon[:1]])
        axes.fill(*ring.T, facecolor=SUPPORT, alpha=0.16, zorder=2)
        axes.plot(*ring.T, color=SUPPORT, linewidth=1.6, zorder=3)
    if shows_region(picture):
        ring = np.vstack([picture.region, picture.region[:1]])
        axes.plot(*ring.T, color=REGION, linewidth=1.3, linestyle="--", zorder=3)
    axes.plot(*picture.points[:, :2].T, "o", color="black", markersize=4, zorder=5)
    if edge is not None:
        axes.plot(*edge.ends.T, color=EDGE, linewidth=4, zorder=4, gid="edge")
        dimension(axes, frame, com[:2], edge.foot, edge.margin)
    centre_mark(axes, frame, com[:2])
    corner_arrows(axes, frame, ("x", "y"))
    _downhill(axes, picture)
    scale_bar(axes, frame)
    axes.set_title("from above", fontsize=10, color=GREY)


def draw_side(axes: Axes, picture: "StancePicture", edge: TippingEdge | None) -> None:
    """Draw a stance seen along the edge it would tip over, which is on the right."""
    way = _side_way(picture, edge)
    view, com = view_from_side(way), picture.com
    points = picture.points
    corners = [com[None] @ view.T[:, :2], points @ view.T[:, :2]]
    if picture.shapes is not None:
        corners.append(picture.shapes.robot @ view.T[:, :2])
    if math.isfinite(picture.ground):
        corners.append(np.array([[float(com[:2] @ way), picture.ground]]))
    every = np.vstack(corners)
    frame = fitted_frame(axes, every)
    if picture.shapes is not None:
        drawn = sketch(picture.shapes, view, frame.bounds, frame.per_metre)
        axes.imshow(drawn.image, extent=drawn.extent, zorder=2, aspect="equal")
    here, low = float(com[:2] @ way), float(every[:, 1].min())
    _draw_ground(axes, frame, picture, way)
    if len(points):
        axes.plot(points[:, :2] @ way, points[:, 2], "o", color="black", ms=4, zorder=5)
    foot = low
    if edge is not None:
        pivot = float(edge.foot @ way)
        foot = _height_at(picture, edge.foot)
        axes.plot(pivot, foot, "o", color=EDGE, markersize=9, zorder=6, gid="pivot")
        ends = np.array([here, foot]), np.array([pivot, foot])
        dimension(axes, frame, *ends, edge.margin)
        if edge.margin > 0.0:
            tipping_arc(axes, np.array([pivot, foot]), np.array([here, com[2]]))
    axes.plot([here, here], [foot, com[2]], ":", color=CENTRE, linewidth=1.6, zorder=4)
    centre_mark(axes, frame, np.array([here, com[2]]))
    high = length_words(float(com[2]) - foot)
    axes.annotate(
        f"{high} high",
        (here, com[2]),
        xytext=(-12, 10),
        textcoords="offset points",
        ha="right",
        color=CENTRE,
        fontsize=9,
        path_effects=HALO,
        zorder=8,
    )
    scale_bar(axes, frame)
    along = ", along the edge in red" if edge and np.ptp(edge.ends, 0).any() else ""
    axes.set_title(f"from the side{along}", fontsize=10, color=GREY)


def shows_region(picture: "StancePicture") -> bool:
    """Return whether the region of equilibrium is drawn apart from the support."""
    if len(picture.region) < 3:
        return False
    if not picture.is_planar or len(picture.polygon) < 3:
        return True
    whole = _area(picture.polygon)
    return abs(whole - _area(picture.region)) > ALIKE * whole


def _area(corners: Array) -> float:
    """Return the area of a polygon [m²]."""
    x, y = corners.T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def _side_way(picture: "StancePicture", edge: TippingEdge | None) -> Array:
    """Return which direction points to the right from the side, (2,)."""
    if edge is not None:
        along = edge.ends[1] - edge.ends[0]
        off = edge.foot - picture.com[:2]
        off = off if edge.margin >= 0.0 else -off
        size = float(np.linalg.norm(along))
        if size > 0.0:
            across = np.array([along[1], -along[0]]) / size
            middle = picture.points[:, :2].mean(axis=0)
            if abs(float(across @ off)) > 1e-9:
                return across * np.sign(float(across @ off))
            return across * (np.sign(float(across @ (edge.foot - middle))) or 1.0)
        if (gap := float(np.linalg.norm(off))) > 0.0:
            return off / gap
    if picture.weakest is not None and np.any(picture.weakest):
        return np.asarray(picture.weakest) / np.linalg.norm(picture.weakest)
    return np.array([1.0, 0.0])


def _height_at(picture: "StancePicture", pxy: Array) -> float:
    """Return the height of the ground below a point of an edge [m].

    On one plane it is the plane's; else that of the two nearest contacts, between them.
    """
    points = picture.points
    if not len(points):
        return 0.0
    if picture.is_planar:
        normal = picture.normals[0]
        return float(points[0, 2] - (pxy - points[0, :2]) @ normal[:2] / normal[2])
    away = np.linalg.norm(points[:, :2] - pxy, axis=1)
    first, second = points[np.argsort(away)[[0, min(1, len(points) - 1)]]]
    way = second[:2] - first[:2]
    size = float(way @ way)
    share = float((pxy - first[:2]) @ way) / size if size > 0.0 else 0.0
    return float(first[2] + np.clip(share, 0.0, 1.0) * (second[2] - first[2]))


def _draw_ground(
    axes: Axes, frame: DrawingFrame, picture: "StancePicture", way: Array
) -> None:
    """Draw the ground from the side: a plane, or the surface at each contact."""
    points, normals = picture.points, picture.normals
    right = np.array([frame.left, frame.right])
    if not len(points):
        if math.isfinite(picture.ground):
            axes.axhspan(frame.bottom, picture.ground, color=GROUND, zorder=0)
            axes.axhline(picture.ground, color=SURFACE, linewidth=1.2, zorder=3)
        return
    if _has_plane(picture):
        fall = float(normals[0, :2] @ way) / float(normals[0, 2])
        height = points[0, 2] - (right - points[0, :2] @ way) * fall
        axes.fill_between(right, height, frame.bottom, color=GROUND, zorder=0)
        axes.plot(right, height, color=SURFACE, linewidth=1.2, zorder=3)
        return
    half = 0.06 * (frame.right - frame.left)
    for point, normal in zip(points, normals, strict=True):
        along = np.array([float(normal[2]), -float(normal[:2] @ way)])
        size = float(np.linalg.norm(along)) or 1.0
        middle = np.array([point[:2] @ way, point[2]])
        ends = middle + np.outer([-half, half], along / size)
        axes.plot(*ends.T, color=SURFACE, linewidth=1.6, zorder=3)


def _has_plane(picture: "StancePicture") -> bool:
    """Return whether what the robot touches tells of one plane."""
    return picture.is_planar and (
        math.isfinite(picture.ground) or len(picture.points) > 2
    )


def _downhill(axes: Axes, picture: "StancePicture") -> None:
    """Say how steep a plane is, and which way it falls, in the upper left corner."""
    if not _has_plane(picture) or not len(picture.normals):
        return
    normal = picture.normals[0]
    tilt = math.degrees(math.atan2(float(np.hypot(*normal[:2])), float(normal[2])))
    if tilt < 0.05:
        return
    way = normal[:2] / np.hypot(*normal[:2])
    middle = np.array([0.075, 0.92])
    axes.annotate(
        "",
        xy=tuple(middle + 0.045 * way),
        xytext=tuple(middle - 0.045 * way),
        xycoords="axes fraction",
        arrowprops={"arrowstyle": "-|>", "color": GREY, "linewidth": 2.0},
        gid="downhill",
    )
    words = f"downhill, {tilt:.3g}°"
    axes.text(
        0.14, 0.92, words, transform=axes.transAxes, va="center", fontsize=9, color=GREY
    )
