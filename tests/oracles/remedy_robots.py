"""Robots of a few bodies written in the test, and searches for what they need.

A goal is met by whatever a function says of the changed robot, so that what a search
finds can be worked out by hand.
"""

import math
from types import SimpleNamespace

import mujoco
import numpy as np

from equipoise.robots.robot import Robot
from equipoise.runs.check.asked import Asked
from equipoise.runs.check.remedies.changed import data_of_pose
from equipoise.runs.check.remedies.search import RemedySearch
from equipoise.runs.check.result import Question

ANGLE = 0.4
"""Yaw of the pose in which ways are told, so that world and trunk differ [rad]."""


def robot_of(inside, name="robot", base="trunk"):
    """Return a robot whose trunk has some text inside."""
    text = (
        f'<mujoco><compiler angle="radian" autolimits="true"/><worldbody><body '
        f'name="{base}" pos="0 0 0.3"><freejoint/><geom type="box" size="0.3 0.2 0.05" '
        f'mass="5" contype="0" conaffinity="0"/>{inside}</body></worldbody></mujoco>'
    )
    return Robot(name, mujoco.MjSpec.from_string(text), base=base)


def leg(name, x, y, inside="", *, size=0.02):
    """Return a leg that hangs on a hinge, turned, with a foot on its shank."""
    named = f'name="{name}"' if name else ""
    return (
        f'<body {named} pos="{x} {y} 0" euler="0 0 0.7"><joint name="{name}_hip" '
        f'type="hinge" axis="0 1 0"/><inertial pos="0 0 -0.1" mass="0.5" diaginertia='
        f'"0.01 0.01 0.01"/><body name="{name}_shank" pos="0 0 -0.2"><joint name="'
        f'{name}_knee" type="hinge" axis="0 1 0"/><geom name="{name}_foot" type='
        f'"sphere" size="{size}" pos="0 0 -0.1" mass="0.2"/>{inside}</body></body>'
    )


def pose_of(robot, angle=ANGLE):
    pose = np.array(robot.model.qpos0)
    pose[3:7] = math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)
    return pose


def four_legs(**more):
    legs = {
        "fl": (0.2, 0.1),
        "fr": (0.2, -0.12),
        "rl": (-0.21, 0.1),
        "rr": (-0.2, -0.1),
    }
    return robot_of("".join(leg(name, *at, **more) for name, at in legs.items()))


def sides(angle=0.0):
    words = ("front", "left", "rear", "right")
    return {
        word: np.array([math.cos(a), math.sin(a), 0.0])
        for word, a in zip(words, angle + 0.5 * math.pi * np.arange(4), strict=True)
    }


class Met:
    """A goal that is met by what a function says of the changed robot."""

    sentence, requirements = "it stands", ()

    def __init__(self, says):
        self.says = says

    def is_met(self, asked, *, is_quick=False):
        return self.says(asked.robot)


def searching(robot, says, *, angle=0.0, shapes=None, **parts):
    model = robot.scene_model
    named = [g for g in range(model.ngeom) if "foot" in model.geom(g).name]
    start = SimpleNamespace(qpos=pose_of(robot, angle))
    stance = SimpleNamespace(
        shapes=named if shapes is None else shapes, mass=float(model.body_mass.sum())
    )
    given = {
        "asked": Asked(robot=robot, start=start, question=Question()),
        "result": SimpleNamespace(stance=stance, summary={}),
        "goal": Met(says),
        "sides": sides(angle),
        "size": 0.5,
        "short": 0.01,
        "inward": np.array([-1.0, 0.0, 0.0]),
    }
    return RemedySearch(**{**given, **parts})


def extent(robot, way):
    """Return how far feet are apart along a way in the robot's own frame [m]."""
    data = data_of_pose(robot.model, np.array(robot.model.qpos0))
    places = [
        float(data.geom_xpos[g] @ way)
        for g in range(robot.model.ngeom)
        if "foot" in robot.model.geom(g).name
    ]
    return max(places) - min(places)


def soles(angle=0.0):
    """Return a robot on two boxes, the second turned by a right angle."""
    boxes = "".join(
        f'<body name="{name}" pos="{x} 0 -0.3" euler="0 0 {turn}"><joint type="hinge"/>'
        f'<geom name="{name}_foot" type="box" size="0.05 0.03 0.01" mass="0.5"/></body>'
        for name, x, turn in (("one", 0.1, angle), ("two", -0.1, 0.5 * math.pi + angle))
    )
    return robot_of(boxes)


def sizes(robot):
    model = robot.scene_model
    return {n: model.geom(f"{n}_foot").size.copy() for n in ("one", "two")}


BALL = '<geom name="b_foot" type="sphere" size="0.02" pos="-0.1 0.1 -0.3"/>'
