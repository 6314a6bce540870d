"""Hold a legged machine's height, roll and pitch by the loads on its feet."""

from equipoise.control.forces.distribution import share_consistent, share_printed
from equipoise.control.posture.config import PostureControllerConfig
from equipoise.control.posture.controller import (
    PostureController,
    PostureReference,
    posture_controller,
)

__all__ = [
    "PostureController",
    "PostureControllerConfig",
    "PostureReference",
    "posture_controller",
    "share_consistent",
    "share_printed",
]
