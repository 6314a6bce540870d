"""Rotations, poses, twists and wrenches, and mass properties that add."""

from equipoise.spatial.mass.mass import MassProperties
from equipoise.spatial.mass.tree import TreeMass, tree_mass
from equipoise.spatial.mass.vectors import add10, transform10
from equipoise.spatial.poses import Pose
from equipoise.spatial.rotations import (
    is_rotation,
    matrix_from_axis_angle,
    matrix_from_quat,
    matrix_from_rpy,
    quat_from_matrix,
    random_rotation,
    rpy_from_matrix,
)
from equipoise.spatial.twists import twist_at, wrench_at

__all__ = [
    "MassProperties",
    "Pose",
    "TreeMass",
    "add10",
    "is_rotation",
    "matrix_from_axis_angle",
    "matrix_from_quat",
    "matrix_from_rpy",
    "quat_from_matrix",
    "random_rotation",
    "rpy_from_matrix",
    "transform10",
    "tree_mass",
    "twist_at",
    "wrench_at",
]
