"""What a robot is: an MjSpec and the names that matter, built in or from a file."""

from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.file import read_assembly, write_assembly
from equipoise.robots.assembly.spec import robot_from_assembly
from equipoise.robots.files.robot_file import read_robot_file
from equipoise.robots.files.urdf import urdf_text
from equipoise.robots.load import builtin_names, load
from equipoise.robots.robot import Robot
from equipoise.robots.scene.engine_contacts import EngineContacts
from equipoise.robots.superbot.module import SuperbotModule
from equipoise.robots.superbot.quadruped import superbot_quadruped
from equipoise.robots.superbot.superbot import random_assembly, random_tree

__all__ = [
    "Assembly",
    "Connection",
    "EngineContacts",
    "Ground",
    "PlacedModule",
    "Robot",
    "SuperbotModule",
    "builtin_names",
    "load",
    "random_assembly",
    "random_tree",
    "read_assembly",
    "read_robot_file",
    "robot_from_assembly",
    "superbot_quadruped",
    "urdf_text",
    "write_assembly",
]
