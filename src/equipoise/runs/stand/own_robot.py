"""A robot that stands on feet, whatever it is: built in, made by hand, or a file."""

import math
from dataclasses import dataclass
from typing import final

from equipoise.control.workspace.fit import expect_fit
from equipoise.core.arrays import Array
from equipoise.robots.robot import Robot
from equipoise.robots.standing.robot import standing_robot
from equipoise.runs.stand.judge import set_place

__all__ = ["Footed", "footed", "mass_of", "scale_of", "usual_block"]

BLOCK = 1.8
"""That is thrown at a robot which is no file, unless told: [Wendlandt1997]'s [kg]."""
BLOCK_SHARE = 0.03
"""Of its mass, that is thrown at a robot of a file, unless told."""


@final
@dataclass(frozen=True)
class Footed:
    """A robot with feet, and what had to be assumed for it to have them."""

    robot: Robot
    assumed: tuple[str, ...] = ()
    faces_deg: float = 180.0
    """Which way it faces as it stands, from +x towards +y [degrees]; the biped -x."""


def footed(robot: Robot) -> Footed:
    """Return a robot that can stand: as it is, or made ready from what a file says.

    Args:
        robot: any; one that names its feet is taken as it is.

    Raises:
        ConfigError: no balance law can hold it.
    """
    if robot.feet or not robot.source:
        return Footed(robot)
    expect_fit(robot)
    ready = standing_robot(robot)
    heading = robot.found.heading + _yaw_of(set_place(ready.robot)[1])
    return Footed(ready.robot, ready.assumed, round(math.degrees(heading), 1) % 360.0)


def _yaw_of(quat: Array) -> float:
    """Return the heading of the base's x axis [rad]."""
    w, x, y, z = (float(v) for v in quat)
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def mass_of(robot: Robot) -> float:
    """Return a robot's mass [kg].

    Args:
        robot: any robot.
    """
    return float(robot.model.body_subtreemass[robot.model.body(robot.base).id])


def usual_block(robot: Robot) -> float:
    """Return the mass of the block that is thrown at a robot unless told [kg].

    Args:
        robot: with feet.
    """
    return round(BLOCK_SHARE * mass_of(robot), 3) if robot.source else BLOCK


def scale_of(robot: Robot, block: float) -> dict[str, float]:
    """Return how large a robot is and what a block is to it.

    Args:
        robot: with feet.
        block: mass of the block [kg].
    """
    mass = mass_of(robot)
    return {
        "mass_kg": mass,
        "height_m": float(set_place(robot)[0][2]),
        "block_share": block / mass,
    }
