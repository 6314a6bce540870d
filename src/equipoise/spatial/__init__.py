"""Rotations, poses, twists and wrenches, and mass properties that add."""

from equipoise.spatial.mass import MassProperties
from equipoise.spatial.poses import Pose

__all__ = ["MassProperties", "Pose"]
