"""Criteria of balance: does it stand, by how much, and which way does it fail first.

Pure functions: arrays and models in, arrays out; nothing here steps time or draws.
"""

from equipoise.robots.pose_kinematics import BodyPoint, foot_points
from equipoise.stability.barrier import attraction_limit, energy_barrier
from equipoise.stability.capture import capture_point, pendulum_rate
from equipoise.stability.cartesian_stance import (
    CartesianLean,
    CartesianStance,
    cartesian_lean,
    cartesian_stance,
)
from equipoise.stability.closed_loop import ClosedLoop, closed_loop
from equipoise.stability.compliant import CompliantStance, compliant_stance
from equipoise.stability.critical_delay import critical_delay
from equipoise.stability.critical_size import critical_height, critical_width
from equipoise.stability.energy import EnergyMargin, energy_margin
from equipoise.stability.engine_barrier import EngineBarrier
from equipoise.stability.engine_floor import EngineFloor, engine_floor
from equipoise.stability.equilibria import fold, is_tilt_stable, planar_equilibria
from equipoise.stability.foot import Foot
from equipoise.stability.foot_control import (
    cartesian_critical_width,
    posture_critical_stiffness,
    series_critical_width,
)
from equipoise.stability.gait_recovery import gait_factors, gait_recovery
from equipoise.stability.hull import support_polygon
from equipoise.stability.multibody import MultibodyStance, multibody_stance
from equipoise.stability.multibody_law import FootLaw, JointLaw
from equipoise.stability.patches import contact_patches
from equipoise.stability.planar import SpringStance, planar_stance
from equipoise.stability.posture import PostureConfig, PostureStance, posture_stance
from equipoise.stability.pressure import (
    centre_of_pressure,
    edge_moments,
    effective_wrench,
    pressure_margin,
    spin_rate,
    tipping_margin,
    zero_moment_point,
)
from equipoise.stability.radial import radial_stance
from equipoise.stability.recovery import (
    DisturbedWalk,
    Recovery,
    path_recovery,
    posture_recovery,
)
from equipoise.stability.region import EquilibriumRegion, RegionKind, equilibrium_region
from equipoise.stability.region_torques import joint_torque_ranges, torque_limits
from equipoise.stability.rest import Rest, put_down, rocking_barrier
from equipoise.stability.sampled_loop import sampled_loop
from equipoise.stability.shrunken_support import shrunken_support
from equipoise.stability.soft_pose import PoseAnswer, SoftBody
from equipoise.stability.softest_mode import SoftestMode, softest_mode
from equipoise.stability.stops import (
    StopTrial,
    StopVerdict,
    is_safe_walk,
    passes_stop_test,
)
from equipoise.stability.support import (
    conservative_polygon,
    gait_longitudinal_margin,
    longitudinal_margin,
    static_margin,
    weakest_direction,
)
from equipoise.stability.tipping_barrier import TippingBarrier, tipping_barrier
from equipoise.stability.torque_share import torque_share
from equipoise.stability.uncertain import (
    MarginInterval,
    energy_margin_interval,
    region_margin_interval,
    static_margin_interval,
)
from equipoise.stability.uncertain_soft import multiplier_interval
from equipoise.stability.virtual_surface import VirtualSupport, virtual_support
from equipoise.stability.zmp_transfer import ZmpTransfer, zmp_transfer

__all__ = [
    "BodyPoint",
    "CartesianLean",
    "CartesianStance",
    "ClosedLoop",
    "CompliantStance",
    "DisturbedWalk",
    "EnergyMargin",
    "EngineBarrier",
    "EngineFloor",
    "EquilibriumRegion",
    "Foot",
    "FootLaw",
    "JointLaw",
    "MarginInterval",
    "MultibodyStance",
    "PoseAnswer",
    "PostureConfig",
    "PostureStance",
    "Recovery",
    "RegionKind",
    "Rest",
    "SoftBody",
    "SoftestMode",
    "SpringStance",
    "StopTrial",
    "StopVerdict",
    "TippingBarrier",
    "VirtualSupport",
    "ZmpTransfer",
    "attraction_limit",
    "capture_point",
    "cartesian_critical_width",
    "cartesian_lean",
    "cartesian_stance",
    "centre_of_pressure",
    "closed_loop",
    "compliant_stance",
    "conservative_polygon",
    "contact_patches",
    "critical_delay",
    "critical_height",
    "critical_width",
    "edge_moments",
    "effective_wrench",
    "energy_barrier",
    "energy_margin",
    "energy_margin_interval",
    "engine_floor",
    "equilibrium_region",
    "fold",
    "foot_points",
    "gait_factors",
    "gait_longitudinal_margin",
    "gait_recovery",
    "is_safe_walk",
    "is_tilt_stable",
    "joint_torque_ranges",
    "longitudinal_margin",
    "multibody_stance",
    "multiplier_interval",
    "passes_stop_test",
    "path_recovery",
    "pendulum_rate",
    "planar_equilibria",
    "planar_stance",
    "posture_critical_stiffness",
    "posture_recovery",
    "posture_stance",
    "pressure_margin",
    "put_down",
    "radial_stance",
    "region_margin_interval",
    "rocking_barrier",
    "sampled_loop",
    "series_critical_width",
    "shrunken_support",
    "softest_mode",
    "spin_rate",
    "static_margin",
    "static_margin_interval",
    "support_polygon",
    "tipping_barrier",
    "tipping_margin",
    "torque_limits",
    "torque_share",
    "virtual_support",
    "weakest_direction",
    "zero_moment_point",
    "zmp_transfer",
]
