"""Gaits as data: which legs stand when, where their feet go, what margin that leaves.

Pure functions and frozen data; a walking controller reads phases and duty factors from
here, ``equipoise gait`` draws them.
"""

from equipoise.control.gaits.best_gait import BestGait, best_gait
from equipoise.control.gaits.binary_gait import BinaryGait, binary_gait, phase_gait
from equipoise.control.gaits.crab import crab_gait, crab_stride, critical_crab_angle
from equipoise.control.gaits.discontinuous import (
    discontinuous_gait,
    discontinuous_plan,
)
from equipoise.control.gaits.follow_leader import follow_the_leader
from equipoise.control.gaits.foot_path import foot_path, peak_factor, speed_limit
from equipoise.control.gaits.footprint import (
    Footprint,
    balanced_footprint,
    row_footprint,
    standing_footprint,
)
from equipoise.control.gaits.free_gait import FreeGait, FreeGaitConfig, free_gait
from equipoise.control.gaits.machine_speed import (
    FootWay,
    SpeedLimit,
    fastest_walk,
    largest_stroke,
    shortest_cycle,
)
from equipoise.control.gaits.margins import (
    PlanMargins,
    conservative_margins,
    longitudinal_margins,
    plan_margins,
    static_margins,
    wave_margin,
)
from equipoise.control.gaits.named import gait_names, named_gait
from equipoise.control.gaits.phase_gait import PhaseGait, leg_names
from equipoise.control.gaits.plan import (
    FootfallPlan,
    periodic_plan,
    stroke_vectors,
    turning_stride,
)
from equipoise.control.gaits.sequences import (
    SupportPhase,
    creeping_gait,
    creeping_sequences,
    is_creeping,
    is_nonsingular,
    leg_sequence,
    nonsingular_count,
    nonsingular_gaits,
    support_sequence,
)
from equipoise.control.gaits.stances import gait_stances, logged_gait, logged_stances
from equipoise.control.gaits.turning import turning_gait

__all__ = [
    "BestGait",
    "BinaryGait",
    "FootWay",
    "FootfallPlan",
    "Footprint",
    "FreeGait",
    "FreeGaitConfig",
    "PhaseGait",
    "PlanMargins",
    "SpeedLimit",
    "SupportPhase",
    "balanced_footprint",
    "best_gait",
    "binary_gait",
    "conservative_margins",
    "crab_gait",
    "crab_stride",
    "creeping_gait",
    "creeping_sequences",
    "critical_crab_angle",
    "discontinuous_gait",
    "discontinuous_plan",
    "fastest_walk",
    "follow_the_leader",
    "foot_path",
    "free_gait",
    "gait_names",
    "gait_stances",
    "is_creeping",
    "is_nonsingular",
    "largest_stroke",
    "leg_names",
    "leg_sequence",
    "logged_gait",
    "logged_stances",
    "longitudinal_margins",
    "named_gait",
    "nonsingular_count",
    "nonsingular_gaits",
    "peak_factor",
    "periodic_plan",
    "phase_gait",
    "plan_margins",
    "row_footprint",
    "shortest_cycle",
    "speed_limit",
    "standing_footprint",
    "static_margins",
    "stroke_vectors",
    "support_sequence",
    "turning_gait",
    "turning_stride",
    "wave_margin",
]
