"""Where the ground is: a slope, and waves on it that begin ahead of the robot.

Rolling ground is a sum of three waves whose lengths and headings do not fit into each
other, so that it hardly repeats. It grows from nothing over one wave's length, for
robots start on a plane. Under a foot's ball it is the plane that touches it there:
right as long as the ground bends little under a ball.
"""

import math
from typing import NamedTuple

from equipoise.equations.tape.functions import cos, less, maximum, minimum, sin, sqrt
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec

__all__ = ["GroundSlope", "TangentPlane", "shape_settings", "tangent_plane"]

WAVES = ((1.0, 0.3, 0.0), (1.618, 1.9, 2.1), (0.618, -1.1, 4.0))
"""Waves a length, heading [rad] and phase [rad] of each."""


class GroundSlope(NamedTuple):
    """A plane through the origin, uphill along +x."""

    rise: Expr
    """Height over way, the tangent of its angle."""
    normal: Vec
    """Out of the ground."""

    @classmethod
    def of(cls, rise: Expr) -> "GroundSlope":
        """Return the plane of a slope.

        Args:
            rise: height over way.
        """
        zero = rise.tape.constant(0.0)
        up = 1 / sqrt(1.0 + rise * rise)
        return cls(rise, (-rise * up, zero, up))

    def over(self, p: Vec) -> Expr:
        """Return how far a point is over the plane [m].

        Args:
            p: the point, in W.
        """
        return (p[2] - self.rise * p[0]) * self.normal[2]


class TangentPlane(NamedTuple):
    """The ground below a point."""

    over: Expr
    """How far the point is over it [m]."""
    normal: Vec
    """Out of the ground."""


def shape_settings(rise: float) -> list[NamedNumber]:
    """Return what may vary of the ground's shape.

    Args:
        rise: height over way of its slope, uphill along +x.
    """
    return [
        NamedNumber("slope", "", rise, "height over way, uphill along +x"),
        NamedNumber("waves.height", "m", 0.0, "of rolling ground, at most"),
        NamedNumber("waves.length", "m", 1.0, "of its waves"),
        NamedNumber("waves.phase", "rad", 0.0, "where in them it begins"),
        NamedNumber("waves.from", "m", 0.8, "along x, where they begin"),
    ]


def tangent_plane(
    settings: dict[str, Expr], slope: GroundSlope, p: Vec
) -> TangentPlane:
    """Return the plane that touches the ground below a point.

    Args:
        settings: of the ground's shape, by name.
        slope: the ground without waves.
        p: the point, in W.
    """
    most = settings["waves.height"]
    if most.is_zero:
        return TangentPlane(slope.over(p), slope.normal)
    x, y, z = p
    per = math.tau / settings["waves.length"]
    zero = most.tape.constant(0.0)
    height, ahead, aside = zero, zero, zero
    for count, heading, phase in WAVES:
        a, b = count * math.cos(heading), count * math.sin(heading)
        angle = per * (a * x + b * y) + (settings["waves.phase"] + phase)
        height = height + sin(angle)
        ahead, aside = ahead + a * cos(angle), aside + b * cos(angle)
    share = (x - settings["waves.from"]) / settings["waves.length"]
    grown = minimum(maximum(share, 0.0), 1.0)
    ramps = less(0.0, share) * less(share, 1.0) / settings["waves.length"]
    size = most * (1.0 / len(WAVES))
    gx = settings["slope"] + size * (grown * per * ahead + ramps * height)
    gy = size * grown * per * aside
    over = z - settings["slope"] * x - size * grown * height
    up = 1 / sqrt(1.0 + gx * gx + gy * gy)
    return TangentPlane(over * up, (-gx * up, -gy * up, up))
