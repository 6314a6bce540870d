"""Legs of walking machines: how they are built, and where they put their feet."""

from equipoise.robots.legs.build import CHAIN, KNEE, LegBuild, LegGeometry, TrunkBuild
from equipoise.robots.legs.chain import (
    add_chain,
    moment_columns,
    place_foot,
    reach_for,
)
from equipoise.robots.legs.geometry import leg_geometry
from equipoise.robots.legs.knee import add_leg, foot_jacobian, foot_place, leg_angles
from equipoise.robots.legs.pose import (
    centre_of_mass,
    foot_angles,
    foot_jacobians,
    path_angles,
)

__all__ = [
    "CHAIN",
    "KNEE",
    "LegBuild",
    "LegGeometry",
    "TrunkBuild",
    "add_chain",
    "add_leg",
    "centre_of_mass",
    "foot_angles",
    "foot_jacobian",
    "foot_jacobians",
    "foot_place",
    "leg_angles",
    "leg_geometry",
    "moment_columns",
    "path_angles",
    "place_foot",
    "reach_for",
]
