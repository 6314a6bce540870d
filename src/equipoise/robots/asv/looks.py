"""How the Adaptive Suspension Vehicle looks: a long truss, a cabin, six pantographs."""

import mujoco

from equipoise.robots.sliding import LEG_NAMES, SlidingBuild
from equipoise.robots.visuals.dress import (
    DARK,
    GLASS,
    STEEL,
    WHITE,
    YELLOW,
    ball,
    bar,
    frame,
    pantograph,
    plate,
    tube,
)

__all__ = ["dress"]

THIGH, SHANK = 1.25, 1.35  # reach every place of a foot [m]
BAYS = 5  # of the truss
FLOOR, ROOF = -0.15, 1.05  # of the truss, from the hips [m]
HALF_WIDTH = 0.62  # of the truss [m]
REAR, FRONT = -2.55, 2.0  # of the truss [m]
STOUT = 0.045  # radius of a bar of the truss [m]
RIM = 0.06  # of a leg's bar [m]


def dress(spec: mujoco.MjSpec, build: SlidingBuild) -> None:
    """Draw truss, engine, cabin, scanner and legs.

    Args:
        spec: of the machine; gets shapes for the eye.
        build: its sizes.
    """
    trunk = spec.body("trunk")
    _draw_truss(trunk)
    _draw_cabin(trunk, build)
    foot = (0.0, 0.0, 2.0 * build.foot_radius - build.height)
    for name, (x, y) in zip(LEG_NAMES[6], build.hips, strict=True):
        tube(trunk, (x, 0.6 * y, 0.0), (x, 1.02 * y, 0.0), 0.11, DARK)
        plate(trunk, (x, 0.85 * y, 0.45), (0.22, 0.12, 1.0), STEEL)
        pantograph(
            spec, name, (x, y, 0.0), foot, (THIGH, SHANK), (-1.0, 0.0, 0.2), RIM, STEEL
        )
        shin = spec.body(f"{name}_up")
        ball(shin, foot, 1.7 * RIM, DARK)
        down = build.foot_radius - build.height
        tube(shin, (0.0, 0.0, down - 0.04), (0.0, 0.0, down + 0.04), 0.25, DARK)


def _draw_truss(trunk: mujoco.MjsBody) -> None:
    """Draw the frame, its slanted bars and the engine within."""
    low, high = (REAR, -HALF_WIDTH, FLOOR), (FRONT, HALF_WIDTH, ROOF)
    frame(trunk, low, high, STOUT, YELLOW)
    bay = (FRONT - REAR) / BAYS
    for k in range(BAYS):
        x = REAR + k * bay
        for y in (-HALF_WIDTH, HALF_WIDTH):
            heights = (FLOOR, ROOF) if k % 2 == 0 else (ROOF, FLOOR)
            start, end = (x, y, heights[0]), (x + bay, y, heights[1])
            bar(trunk, start, end, 0.6 * STOUT, YELLOW)
            if k:
                bar(trunk, (x, y, FLOOR), (x, y, ROOF), 0.7 * STOUT, YELLOW)
    plate(trunk, (-1.3, 0.0, 0.4), (2.0, 1.0, 0.85), DARK)  # engine and flywheel
    plate(trunk, (0.8, 0.0, 0.35), (1.7, 0.95, 0.7), WHITE)  # pumps and computers


def _draw_cabin(trunk: mujoco.MjsBody, build: SlidingBuild) -> None:
    """Draw where the operator sits, and the scanner above."""
    length, _, tall = build.outside or (5.8, 2.2, 3.1)
    nose = FRONT + 0.85
    top = tall - build.height
    plate(trunk, (nose - 0.45, 0.0, 0.22), (0.9, 1.05, 0.7), WHITE)
    plate(trunk, (nose - 0.55, 0.0, 0.83), (0.7, 1.0, 0.55), GLASS)
    plate(trunk, (nose - 0.55, 0.0, 1.14), (0.8, 1.1, 0.08), WHITE)
    plate(trunk, (nose - 0.5, 0.0, 0.5 * (1.18 + top)), (0.35, 0.4, top - 1.18), DARK)
    plate(trunk, (REAR - 0.5 * (length - nose + REAR), 0.0, 0.3),
          (length - nose + REAR, 0.8, 0.5), STEEL)  # fmt: skip
