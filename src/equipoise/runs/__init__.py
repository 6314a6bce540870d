"""Whole jobs: robots, control, simulation and pictures put together."""

from equipoise.runs.balance import (
    BalanceConfig,
    BalanceResult,
    SteerConfig,
    balance,
)
from equipoise.runs.check import CheckResult, check
from equipoise.runs.compare import compare
from equipoise.runs.limits import LimitsConfig, LimitsResult, limits
from equipoise.runs.mass import MassResult, mass_properties, robot_mass
from equipoise.runs.robot import RobotChoice, find_robot
from equipoise.runs.simulate import simulate
from equipoise.runs.stand import StandConfig, StandResult, stand, stand_robot

__all__ = [
    "BalanceConfig",
    "BalanceResult",
    "CheckResult",
    "LimitsConfig",
    "LimitsResult",
    "MassResult",
    "RobotChoice",
    "StandConfig",
    "StandResult",
    "SteerConfig",
    "balance",
    "check",
    "compare",
    "find_robot",
    "limits",
    "mass_properties",
    "robot_mass",
    "simulate",
    "stand",
    "stand_robot",
]
