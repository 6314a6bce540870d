"""The machine as its walking controller knows it: legs, mass, drives."""

from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.robots.drives import Drive
from equipoise.robots.leg_kinematics import LegGeometry, leg_geometry
from equipoise.robots.robot import Robot

__all__ = ["LeggedMachine", "legged_machine"]


@final
@dataclass(frozen=True, eq=False)
class LeggedMachine:
    """What all parts of a walking controller may know of the machine they run on."""

    name: str
    geometry: LegGeometry
    drives: tuple[Drive, ...]
    """In actuator order, leg by leg, (nu,)."""
    height: float
    """Of the hips over the foot points, as it walks [m]."""
    mass: float
    """With its payload [kg]."""

    @property
    def legs(self) -> int:
        """How many."""
        return len(self.geometry.legs)

    @property
    def joints(self) -> int:
        """Of each leg."""
        return len(self.drives) // self.legs

    @property
    def side(self) -> VecN:
        """1 for legs on the left, -1 on the right, (nl,)."""
        return np.sign(self.geometry.hips[:, 1])


def legged_machine(robot: Robot, *, height: float = 0.5) -> LeggedMachine:
    """Return the machine that a robot is.

    Args:
        robot: with legs of hip roll, hip pitch and knee, and drives.
        height: of the hips over the foot points, as it walks [m].

    Raises:
        ConfigError: legs of another kind, joints without drives, or a height that the
            legs do not have.
    """
    geometry = leg_geometry(robot)
    reach = float(geometry.lengths.sum(axis=1).min())
    problems: list[str] = []
    joints = len(geometry.lower)
    if len(robot.drives) != joints:
        problems.append(f"{joints} joints need as many drives, got {len(robot.drives)}")
    if not 0.5 * reach <= height < reach:
        problems.append(
            f"height must be {0.5 * reach:.2f} m to less than {reach:.2f} m, "
            f"got {height!r}"
        )
    if problems:
        raise ConfigError(f"robot '{robot.name}'", problems)
    return LeggedMachine(robot.name, geometry, robot.drives, height, geometry.mass)
