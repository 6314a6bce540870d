"""What was found in a robot file, and whether it stands like that."""

from typing import Any

from equipoise.robots.robot import Robot
from equipoise.robots.visuals.robot_looks import robot_appearance
from equipoise.runs.check.check import check

__all__ = ["robot_description"]


def robot_description(robot: Robot) -> dict[str, Any]:
    """Return what was found in a robot: legs, feet, stand, drives, what is assumed.

    Args:
        robot: any robot, but one of modules has no legs.
    """
    found = robot.found
    summary = found.summary(robot)
    known = len(robot.unseen)  # the rest is seen only when meshes are read
    summary["assumed"] += robot_appearance(robot).unseen[known:]
    told = robot.description
    summary["description"] = None if told is None else told.path
    summary["stands"] = None
    if found.legs:
        answer = check(robot, qpos=found.qpos)
        summary["stands"] = answer.stands
        summary["reasons"] = answer.summary["reasons"]
    else:
        summary["reasons"] = [found.why_not]
    return summary
