"""Whole jobs: robots, control, simulation and pictures put together."""

from equipoise.runs.balance.balance import (
    BalanceConfig,
    BalanceResult,
    SteerConfig,
    balance,
)
from equipoise.runs.balance.compare import compare
from equipoise.runs.check.check import CheckResult, check
from equipoise.runs.check.run import check_run
from equipoise.runs.limits import LimitsConfig, LimitsResult, limits
from equipoise.runs.mass import MassResult, mass_properties, robot_mass
from equipoise.runs.robot import RobotChoice, find_robot
from equipoise.runs.simulate import simulate
from equipoise.runs.stand.stand import StandConfig, StandResult, stand, stand_robot
from equipoise.runs.stand.stop_tests import safe_walk, stop_test, stop_trial
from equipoise.runs.walk.recovery import walk_recovery
from equipoise.runs.walk.seeds import SeedsResult, walk_seeds
from equipoise.runs.walk.walk import WalkConfig, WalkResult, walk, walk_robot

__all__ = [
    "BalanceConfig",
    "BalanceResult",
    "CheckResult",
    "LimitsConfig",
    "LimitsResult",
    "MassResult",
    "RobotChoice",
    "SeedsResult",
    "StandConfig",
    "StandResult",
    "SteerConfig",
    "WalkConfig",
    "WalkResult",
    "balance",
    "check",
    "check_run",
    "compare",
    "find_robot",
    "limits",
    "mass_properties",
    "robot_mass",
    "safe_walk",
    "simulate",
    "stand",
    "stand_robot",
    "stop_test",
    "stop_trial",
    "walk",
    "walk_recovery",
    "walk_robot",
    "walk_seeds",
]
