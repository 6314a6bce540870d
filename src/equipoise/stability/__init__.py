"""Criteria of balance: does it stand, by how much, and which way does it fail first.

Pure functions: arrays and models in, arrays out; nothing here steps time or draws.
"""

from equipoise.stability.barrier import attraction_limit, energy_barrier
from equipoise.stability.equilibria import fold, is_tilt_stable, planar_equilibria
from equipoise.stability.foot_control import (
    cartesian_critical_width,
    posture_critical_stiffness,
    series_critical_width,
)
from equipoise.stability.planar import SpringStance, planar_stance
from equipoise.stability.radial import radial_stance

__all__ = [
    "SpringStance",
    "attraction_limit",
    "cartesian_critical_width",
    "energy_barrier",
    "fold",
    "is_tilt_stable",
    "planar_equilibria",
    "planar_stance",
    "posture_critical_stiffness",
    "radial_stance",
    "series_critical_width",
]
