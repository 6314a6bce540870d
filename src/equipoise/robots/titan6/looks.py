"""How TITAN VI looks: columns that slide in one another, on rails beside its trunk."""

import mujoco

from equipoise.robots.sliding import LEG_NAMES, SlidingBuild
from equipoise.robots.visuals.dress import (
    DARK,
    RED,
    STEEL,
    WHITE,
    frame,
    plate,
    tube,
)

__all__ = ["dress"]

SLEEVE, COLUMN = 0.075, 0.045  # radii of what slides in what [m]
RAIL = 0.03  # [m]


def dress(spec: mujoco.MjSpec, build: SlidingBuild) -> None:
    """Draw trunk, rails and columns.

    Args:
        spec: of the machine; gets shapes for the eye.
        build: its sizes.
    """
    trunk, (length, width, tall) = spec.body("trunk"), build.trunk_size
    front = next((body for body in spec.bodies if body.name == "front"), trunk)
    for part, side in ((trunk, -1.0), (front, 1.0)):
        ends = sorted((0.04 * side * length, 0.5 * side * length))
        low, high = (ends[0], -0.4 * width, 0.0), (ends[1], 0.4 * width, tall)
        frame(part, low, high, 0.025, STEEL)
        middle, box = (
            (0.26 * side * length, 0.0, 0.5 * tall),
            (0.44 * length, 0.7 * width),
        )
        plate(part, middle, (*box, tall), WHITE)
    plate(trunk, (0.0, 0.0, 0.5 * tall), (0.1 * length, 0.5 * width, 0.8 * tall), DARK)
    down = build.foot_radius - build.height
    for name, (x, y) in zip(LEG_NAMES[4], build.hips, strict=True):
        side = 1.0 if y > 0.0 else -1.0
        ends = (x + build.forward[0] - 0.1, x + build.forward[1] + 0.1)
        for z in (0.08, 0.24):
            near = (ends[0], 0.42 * width * side, z), (ends[1], 0.42 * width * side, z)
            tube(front if x > 0.0 else trunk, *near, RAIL, STEEL)
        carriage = spec.body(f"{name}_forward")
        inner = 0.42 * width * side - y
        plate(carriage, (0.0, inner, 0.16), (0.2, 0.1, 0.26), DARK)
        reach = build.aside[1] * side
        for z in (0.08, 0.24):
            tube(carriage, (0.0, inner, z), (0.0, reach, z), RAIL, STEEL)
        sleeve = spec.body(f"{name}_aside")
        tube(sleeve, (0.0, 0.0, -0.42), (0.0, 0.0, 0.5), SLEEVE, RED)
        plate(sleeve, (0.0, 0.0, 0.16), (0.19, 0.19, 0.26), DARK)
        column = spec.body(f"{name}_up")
        tube(column, (0.0, 0.0, down), (0.0, 0.0, 0.02), COLUMN, STEEL)
        tube(column, (0.0, 0.0, down), (0.0, 0.0, down + 0.05), 0.09, DARK)
