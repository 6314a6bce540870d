"""How TITAN III and IV look: a box frame between four pantographs, knees apart."""

import mujoco

from equipoise.robots.sliding import LEG_NAMES, SlidingBuild
from equipoise.robots.visuals.dress import (
    DARK,
    STEEL,
    Colour,
    ball,
    bar,
    frame,
    pantograph,
    plate,
    tube,
)

__all__ = ["dress_box_frame"]

THIGH, SHANK = 0.66, 0.70  # reach every place of a foot [m]


def dress_box_frame(spec: mujoco.MjSpec, build: SlidingBuild, lid: Colour) -> None:
    """Draw frame, boxes and legs.

    Args:
        spec: of the machine; gets shapes for the eye.
        build: its sizes.
        lid: colour of its upper side.
    """
    trunk = spec.body("trunk")
    (length, width, tall), stout = build.trunk_size, 0.6 * build.foot_radius
    low, high = (-0.45 * length, -0.4 * width, 0.02), (0.45 * length, 0.4 * width, tall)
    frame(trunk, low, high, 0.7 * stout, STEEL)
    plate(trunk, (0.0, 0.0, 0.45 * tall), (0.5 * length, 0.6 * width, 0.6 * tall), DARK)
    plate(trunk, (0.0, 0.0, tall), (0.8 * length, 0.62 * width, 0.02), lid)
    foot = (0.0, 0.0, 2.0 * build.foot_radius - build.height)
    for name, (x, y) in zip(LEG_NAMES[4], build.hips, strict=True):
        ahead = 1.0 if x > 0.0 else -1.0
        bar(trunk, (0.85 * x, 0.0, 0.05), (x, y, 0.0), stout, STEEL)
        tube(trunk, (x, y, -0.08), (x, y, tall + 0.1), 1.6 * stout, DARK)
        limbs, way = (THIGH, SHANK), (ahead, 0.0, 0.1)
        pantograph(spec, name, (x, y, 0.0), foot, limbs, way, stout, STEEL)
        ball(spec.body(f"{name}_up"), foot, 1.2 * stout, DARK)
