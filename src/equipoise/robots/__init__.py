"""What a robot is: an MjSpec and the names that matter, built in or from a file.

Every folder here with an ``options.py`` is a built-in robot, see ``robots.builtin``.
"""

from typing import TYPE_CHECKING

from equipoise.core.door import door

if TYPE_CHECKING:
    from equipoise.robots.assembled import robot_from_assembly
    from equipoise.robots.assembly.assembly import (
        Assembly,
        Connection,
        Ground,
        PlacedModule,
    )
    from equipoise.robots.assembly.file import read_assembly, write_assembly
    from equipoise.robots.assembly.module import SuperbotModule
    from equipoise.robots.builtin import builtin_names
    from equipoise.robots.files.named import shipped_file, shipped_names
    from equipoise.robots.files.urdf import urdf_text
    from equipoise.robots.robot import Robot
    from equipoise.robots.robot_file import read_robot_file
    from equipoise.robots.scene.engine_contacts import EngineContacts
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
    "random_assembly",
    "random_tree",
    "read_assembly",
    "read_robot_file",
    "robot_from_assembly",
    "shipped_file",
    "shipped_names",
    "superbot_quadruped",
    "urdf_text",
    "write_assembly",
]
__getattr__ = door(
    __name__,
    {
        "Assembly": "assembly.assembly",
        "Connection": "assembly.assembly",
        "EngineContacts": "scene.engine_contacts",
        "Ground": "assembly.assembly",
        "PlacedModule": "assembly.assembly",
        "Robot": "robot",
        "SuperbotModule": "assembly.module",
        "builtin_names": "builtin",
        "random_assembly": "superbot.superbot",
        "random_tree": "superbot.superbot",
        "read_assembly": "assembly.file",
        "read_robot_file": "robot_file",
        "robot_from_assembly": "assembled",
        "shipped_file": "files.named",
        "shipped_names": "files.named",
        "superbot_quadruped": "superbot.quadruped",
        "urdf_text": "files.urdf",
        "write_assembly": "assembly.file",
    },
)
