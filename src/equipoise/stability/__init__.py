"""Criteria of balance: whether a robot stands, its margins, and how it fails first.

Pure functions: arrays and models in, arrays out; nothing here steps time or draws.
"""

from equipoise.robots.pose_kinematics import BodyPoint, foot_points
from equipoise.stability.engine.barrier import EngineBarrier
from equipoise.stability.engine.floor import EngineFloor, engine_floor
from equipoise.stability.loops.cartesian_stance import (
    CartesianLean,
    CartesianStance,
    cartesian_lean,
    cartesian_stance,
)
from equipoise.stability.loops.closed_loop import ClosedLoop, closed_loop
from equipoise.stability.loops.critical_delay import critical_delay
from equipoise.stability.loops.posture import (
    PostureConfig,
    PostureStance,
    posture_stance,
)
from equipoise.stability.loops.sampled_loop import sampled_loop
from equipoise.stability.multibody.law import FootLaw, JointLaw
from equipoise.stability.multibody.multibody import MultibodyStance, multibody_stance
from equipoise.stability.region.region import (
    EquilibriumRegion,
    RegionKind,
    equilibrium_region,
)
from equipoise.stability.region.torques import joint_torque_ranges, torque_limits
from equipoise.stability.rigid.capture import capture_point, pendulum_rate
from equipoise.stability.rigid.energy import EnergyMargin, energy_margin
from equipoise.stability.rigid.hull import support_polygon
from equipoise.stability.rigid.patches import contact_patches
from equipoise.stability.rigid.pressure import (
    centre_of_pressure,
    edge_moments,
    effective_wrench,
    pressure_margin,
    spin_rate,
    tipping_margin,
    zero_moment_point,
)
from equipoise.stability.rigid.rest import Rest, resting_place, rocking_barrier
from equipoise.stability.rigid.support import (
    conservative_polygon,
    gait_longitudinal_margin,
    longitudinal_margin,
    static_margin,
    weakest_direction,
)
from equipoise.stability.rigid.torque_share import torque_share
from equipoise.stability.rigid.virtual_surface import VirtualSupport, virtual_support
from equipoise.stability.soft.barrier import attraction_limit, energy_barrier
from equipoise.stability.soft.compliant import CompliantStance, compliant_stance
from equipoise.stability.soft.critical_size import critical_height, critical_width
from equipoise.stability.soft.equilibria import (
    fold_offset,
    is_tilt_stable,
    planar_equilibria,
)
from equipoise.stability.soft.foot import Foot
from equipoise.stability.soft.leg_springs import (
    cartesian_critical_width,
    posture_critical_stiffness,
    series_critical_width,
)
from equipoise.stability.soft.planar import SpringStance, planar_stance
from equipoise.stability.soft.pose import PoseAnswer, SoftBody
from equipoise.stability.soft.radial import radial_stance
from equipoise.stability.soft.shrunken_support import shrunken_support
from equipoise.stability.soft.softest_mode import SoftestMode, softest_mode
from equipoise.stability.soft.tipping_barrier import TippingBarrier, tipping_barrier
from equipoise.stability.soft.zmp_transfer import ZmpTransfer, zmp_transfer
from equipoise.stability.uncertain.margin import (
    MarginInterval,
    energy_margin_interval,
    region_margin_interval,
    static_margin_interval,
)
from equipoise.stability.uncertain.soft import multiplier_interval
from equipoise.stability.walks.gait_recovery import gait_factors, gait_recovery
from equipoise.stability.walks.recovery import (
    DisturbedWalk,
    Recovery,
    path_recovery,
    posture_recovery,
)
from equipoise.stability.walks.stops import (
    StopTrial,
    StopVerdict,
    is_safe_walk,
    passes_stop_test,
)

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
    "fold_offset",
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
    "radial_stance",
    "region_margin_interval",
    "resting_place",
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
