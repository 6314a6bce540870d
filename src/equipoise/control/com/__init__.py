"""Distributed steering of the centre of mass of a modular robot.

Modules tell their neighbours what lies behind them; each joint then steers the whole
robot's centre of mass by what its own module knows. ``ComController`` runs it all on
shared arrays; ``FramedController`` lets modules talk by frames alone, each a ``Brain``;
``FeetController`` does so for robots on several feet.
"""

from typing import TYPE_CHECKING

from equipoise.core.door import door

if TYPE_CHECKING:
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
__getattr__ = door(
    __name__,
    {
        "AbstractLaw": "law",
        "Brain": "brain.brain",
        "BrainConfig": "brain.brain",
        "ComConfig": "controller",
        "ComController": "controller",
        "ComGoal": "goal",
        "ComState": "controller",
        "Crash": "brain.controller",
        "FeetConfig": "feet.controller",
        "FeetController": "feet.controller",
        "FramedConfig": "brain.controller",
        "FramedController": "brain.controller",
        "LearnedMass": "mass.learn",
        "MassProgram": "mass.program",
        "PathController": "feet.waypoints",
        "RECOMMENDED": "law",
        "Step": "feet.waypoints",
        "WorldFrame": "world_frame",
        "circle_line": "geometry.circle_line",
        "distance_to": "goal",
        "find_law": "law",
        "law_names": "law",
        "learn_mass": "mass.learn",
        "lift_in_turn": "feet.waypoints",
        "line_goal": "goal",
        "point_goal": "goal",
        "register": "law",
    },
)
