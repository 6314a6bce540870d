"""Distributed steering of the centre of mass of a modular robot.

Modules tell their neighbours what lies behind them; each joint then steers the whole
robot's centre of mass by what its own module knows. ``ComController`` runs it all on
shared arrays; ``FramedController`` lets modules talk by frames alone, each a ``Brain``;
``FeetController`` does so for robots on several feet.
"""

from equipoise.control.com.brain.brain import Brain, BrainConfig
from equipoise.control.com.brain.controller import (
    Crash,
    FramedConfig,
    FramedController,
)
from equipoise.control.com.controller import ComConfig, ComController, ComState
from equipoise.control.com.feet.controller import FeetConfig, FeetController
from equipoise.control.com.feet.waypoints import PathController, Step, lift_in_turn
from equipoise.control.com.geometry.circle_line import circle_line
from equipoise.control.com.goal import ComGoal, distance_to, line_goal, point_goal
from equipoise.control.com.law import (
    RECOMMENDED,
    AbstractLaw,
    find_law,
    law_names,
    register,
)
from equipoise.control.com.mass.learn import LearnedMass, learn_mass
from equipoise.control.com.mass.program import MassProgram
from equipoise.control.com.world_frame import WorldFrame

__all__ = [
    "RECOMMENDED",
    "AbstractLaw",
    "Brain",
    "BrainConfig",
    "ComConfig",
    "ComController",
    "ComGoal",
    "ComState",
    "Crash",
    "FeetConfig",
    "FeetController",
    "FramedConfig",
    "FramedController",
    "LearnedMass",
    "MassProgram",
    "PathController",
    "Step",
    "WorldFrame",
    "circle_line",
    "distance_to",
    "find_law",
    "law_names",
    "learn_mass",
    "lift_in_turn",
    "line_goal",
    "point_goal",
    "register",
]
