"""Shapes for the eye on the bodies of a built-in robot: bars, plates, balls.

They touch nothing and weigh nothing, and a world for simulation leaves them out.
"""

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from equipoise.robots.visuals.linkage import TwoBarLinkage, add_link

__all__ = [
    "DARK",
    "GLASS",
    "ORANGE",
    "PERSON",
    "PERSON_HEIGHT",
    "RED",
    "STEEL",
    "WHITE",
    "YELLOW",
    "Colour",
    "add_person",
    "ball",
    "bar",
    "frame",
    "pantograph",
    "plate",
    "tube",
]

Colour = tuple[float, float, float, float]
Point = Sequence[float]
STEEL: Colour = (0.66, 0.69, 0.72, 1.0)
DARK: Colour = (0.22, 0.24, 0.27, 1.0)
WHITE: Colour = (0.88, 0.88, 0.85, 1.0)
RED: Colour = (0.70, 0.22, 0.16, 1.0)
YELLOW: Colour = (0.86, 0.64, 0.16, 1.0)
GLASS: Colour = (0.42, 0.56, 0.66, 1.0)
ORANGE: Colour = (0.84, 0.45, 0.16, 1.0)
PERSON: Colour = (0.55, 0.50, 0.44, 1.0)
PERSON_HEIGHT = 1.8
"""Of the figure that shows how large a machine is [m]."""
UNTOUCHED = {"contype": 0, "conaffinity": 0, "mass": 0.0, "group": 1}


def bar(
    body: mujoco.MjsBody, start: Point, end: Point, radius: float, rgba: Colour
) -> None:
    """Draw a round bar with round ends.

    Args:
        body: that carries it.
        start: one end, in its frame [m].
        end: the other [m].
        radius: [m].
        rgba: its colour.
    """
    _round_shape(body, mujoco.mjtGeom.mjGEOM_CAPSULE, start, end, radius, rgba)


def tube(
    body: mujoco.MjsBody, start: Point, end: Point, radius: float, rgba: Colour
) -> None:
    """Draw a round bar with flat ends.

    Args:
        body: that carries it.
        start: one end, in its frame [m].
        end: the other [m].
        radius: [m].
        rgba: its colour.
    """
    _round_shape(body, mujoco.mjtGeom.mjGEOM_CYLINDER, start, end, radius, rgba)


def _round_shape(
    body: mujoco.MjsBody,
    kind: mujoco.mjtGeom,
    start: Point,
    end: Point,
    radius: float,
    rgba: Colour,
) -> None:
    """Draw a capsule or a cylinder between two points."""
    body.add_geom(
        type=kind,
        fromto=[*start, *end],
        size=[radius, 0.0, 0.0],
        rgba=rgba,
        **UNTOUCHED,
    )


def plate(body: mujoco.MjsBody, centre: Point, size: Point, rgba: Colour) -> None:
    """Draw a box.

    Args:
        body: that carries it.
        centre: in its frame [m].
        size: along the axes of its frame [m].
        rgba: its colour.
    """
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        pos=centre,
        size=0.5 * np.array(size),
        rgba=rgba,
        **UNTOUCHED,
    )


def ball(body: mujoco.MjsBody, centre: Point, radius: float, rgba: Colour) -> None:
    """Draw a ball.

    Args:
        body: that carries it.
        centre: in its frame [m].
        radius: [m].
        rgba: its colour.
    """
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        pos=centre,
        size=[radius, 0.0, 0.0],
        rgba=rgba,
        **UNTOUCHED,
    )


def frame(
    body: mujoco.MjsBody, low: Point, high: Point, radius: float, rgba: Colour
) -> None:
    """Draw the twelve edges of a box as bars.

    Args:
        body: that carries them.
        low: the corner with the least coordinates [m].
        high: the corner with the largest [m].
        radius: of a bar [m].
        rgba: its colour.
    """
    ends = (low, high)
    for axis in range(3):
        for i in range(2):
            for j in range(2):
                other = [k for k in range(3) if k != axis]
                start = [0.0, 0.0, 0.0]
                start[other[0]], start[other[1]] = ends[i][other[0]], ends[j][other[1]]
                end = list(start)
                start[axis], end[axis] = low[axis], high[axis]
                bar(body, start, end, radius, rgba)


def pantograph(
    spec: mujoco.MjSpec,
    leg: str,
    hip: Point,
    foot: Point,
    lengths: tuple[float, float],
    bend: tuple[float, float, float],
    radius: float,
    rgba: Colour,
) -> None:
    """Draw a leg of two bars on either side of its plane, from the trunk to the foot.

    Args:
        spec: of a machine of slides.
        leg: its name; its foot hangs on ``<leg>_up``.
        hip: where its bars begin, in the trunk's frame [m].
        foot: where they end, in the frame of ``<leg>_up`` [m].
        lengths: of the bars [m].
        bend: where its knee points, in the trunk's frame.
        radius: of a bar [m].
        rgba: its colour.
    """
    across = np.cross(bend, (0.0, 0.0, 1.0))
    across *= 1.6 * radius / max(math.hypot(*across), 1e-9)
    for side, way in (("a", 1.0), ("b", -1.0)):
        ends = (np.array(hip) + way * across, np.array(foot) + way * across)
        link = TwoBarLinkage(
            name=f"{leg}_{side}",
            bodies=("trunk", f"{leg}_up"),
            ends=(tuple(ends[0].tolist()), tuple(ends[1].tolist())),
            lengths=lengths,
            bend=bend,
            radius=radius,
            rgba=rgba,
        )
        add_link(spec, link)


def add_person(spec: mujoco.MjSpec, x: float, y: float) -> None:
    """Put a figure of 1.8 m on the ground, which shows how large a machine is.

    Args:
        spec: of a picture.
        x: where it stands [m].
        y: where it stands [m].
    """
    person = spec.worldbody.add_body(pos=[x, y, 0.0])
    for side in (-1.0, 1.0):
        bar(person, (0.0, 0.09 * side, 0.07), (0.0, 0.1 * side, 0.82), 0.07, PERSON)
        bar(person, (0.0, 0.25 * side, 0.8), (0.0, 0.21 * side, 1.4), 0.045, PERSON)
    bar(person, (0.0, 0.0, 0.95), (0.0, 0.0, 1.33), 0.15, PERSON)
    bar(person, (0.0, -0.13, 1.39), (0.0, 0.13, 1.39), 0.075, PERSON)
    bar(person, (0.0, 0.0, 1.45), (0.0, 0.0, 1.62), 0.055, PERSON)
    ball(person, (0.0, 0.0, PERSON_HEIGHT - 0.11), 0.11, PERSON)
