"""Whole jobs: robots, control, simulation and pictures put together."""

from equipoise.runs.balance import (
    BalanceConfig,
    BalanceResult,
    SteerConfig,
    balance,
    simulate,
)
from equipoise.runs.compare import compare
from equipoise.runs.mass import MassResult, mass_properties, robot_mass
from equipoise.runs.robot import RobotChoice, find_robot

__all__ = [
    "BalanceConfig",
    "BalanceResult",
    "MassResult",
    "RobotChoice",
    "SteerConfig",
    "balance",
    "compare",
    "find_robot",
    "mass_properties",
    "robot_mass",
    "simulate",
]
