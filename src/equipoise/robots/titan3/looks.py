"""How TITAN III looks."""

import mujoco

from equipoise.robots.box_frame import dress_box_frame
from equipoise.robots.sliding import SlidingBuild
from equipoise.robots.visuals.dress import WHITE

__all__ = ["dress"]


def dress(spec: mujoco.MjSpec, build: SlidingBuild) -> None:
    """Draw frame, boxes and legs.

    Args:
        spec: of the machine; gets shapes for the eye.
        build: its sizes.
    """
    dress_box_frame(spec, build, WHITE)
