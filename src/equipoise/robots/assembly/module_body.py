"""What one module of a modular robot is: a chain of rigid parts with connectors.

Joint k joins part k to part k+1. All part frames are parallel when every joint is at
zero. The module's own frame M is the frame of its second part, so that a module can
say where its connectors are without knowing anything outside itself.

A connector's frame has its origin at the centre of the face, z pointing outwards and
x along the mark from which turns are counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3, expect_array
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.spatial.mass.mass import MassProperties
from equipoise.spatial.poses import Pose
from equipoise.spatial.rotations import axis_angle_into

__all__ = ["Connector", "ModuleBody", "ModuleJoint", "mating"]

QUARTER_COS = (1.0, 0.0, -1.0, 0.0)
QUARTER_SIN = (0.0, 1.0, 0.0, -1.0)


@dataclass(frozen=True, kw_only=True)
class ModuleJoint:
    """A joint between two parts of one module."""

    name: str
    kind: Literal["hinge", "slide"]
    axis: Vec3
    """Unit axis in the frame of the part before it, (3,)."""
    origin: Vec3
    """Where the next part's frame sits in this part's frame at zero, (3,) [m]."""
    lower: float
    upper: float
    """Limits [rad or m]."""
    effort: float
    """Largest torque or force [N m or N]."""
    damping: float
    """Viscous resistance [N m s/rad or N s/m]."""
    armature: float
    """Rotor inertia seen at the joint [kg m² or kg]."""
    locked: float | None = None
    """The value at which the joint is fixed for good; None for a joint that moves."""

    def __post_init__(self) -> None:
        """Refuse an axis that is not a unit vector."""
        axis = expect_array("axis", self.axis, (3,))
        # 1e-9: a direction typed with ten digits is meant as a unit vector.
        if abs(np.linalg.norm(axis) - 1.0) > 1e-9:
            problem = f"axis must have length 1, got {axis.tolist()!r}"
            raise ConfigError(f"joint '{self.name}'", [problem])


@dataclass(frozen=True, kw_only=True)
class Connector:
    """A face by which modules hold each other."""

    name: str
    part: int
    """Index of the part that carries it."""
    X_PC: Pose
    """Pose of the connector in that part's frame."""


@dataclass(frozen=True)
class ModuleBody:
    """One module: parts, their masses, joints and connectors."""

    parts: tuple[str, ...]
    part_mass: tuple[MassProperties, ...]
    """Mass properties of each part in its own frame."""
    joints: tuple[ModuleJoint, ...]
    connectors: tuple[Connector, ...]
    width: float
    """Side of a module, the unit in which distances are given [m]."""
    contact_radius: float
    """Radius of the ball round each end part's origin that must not touch [m]."""

    @cached_property
    def connector_index(self) -> dict[str, int]:
        """Index of each connector by name."""
        return {c.name: k for k, c in enumerate(self.connectors)}

    def find_connector(self, name: str, where: str) -> int:
        """Return a connector's index, or say which names exist.

        Args:
            name: the connector's name.
            where: what the error message blames.
        """
        if name not in self.connector_index:
            raise UnknownNameError("connector", name, self.connector_index, where)
        return self.connector_index[name]

    def joint_values(self, angles: Sequence[float] | Array) -> Array:
        """Return the joint values, (nj,), locked joints at their fixed value."""
        values = np.array(expect_array("angles", angles, (len(self.joints),)))
        for k, joint in enumerate(self.joints):
            if joint.locked is not None:
                values[k] = joint.locked
        return values

    def part_poses(self, angles: Sequence[float] | Array) -> tuple[Pose, ...]:
        """Return X_MP, the pose of each part in the module's frame."""
        first = Pose.identity()
        chain = [first]
        for joint, value in zip(self.joints, self.joint_values(angles), strict=True):
            chain.append(chain[-1] @ joint_pose(joint, float(value)))
        X_M0 = chain[1].inverse()
        return tuple(X_M0 @ X for X in chain)

    def connector_poses(self, angles: Sequence[float] | Array) -> tuple[Pose, ...]:
        """Return X_MC, the pose of each connector in the module's frame."""
        X_MP = self.part_poses(angles)
        return tuple(X_MP[c.part] @ c.X_PC for c in self.connectors)

    def mass(self, angles: Sequence[float] | Array) -> MassProperties:
        """Return the mass properties of the whole module in its own frame."""
        total = MassProperties.zero()
        for X, own in zip(self.part_poses(angles), self.part_mass, strict=True):
            total = total + own.transformed(X.R, X.p)
        return total


def joint_pose(joint: ModuleJoint, value: float) -> Pose:
    """Return the pose of the part after a joint in the frame of the part before."""
    if joint.kind == "slide":
        return Pose(np.eye(3), joint.origin + value * joint.axis)
    R = np.empty((3, 3))
    axis_angle_into(joint.axis, value, R)
    return Pose(R, joint.origin)


def _quarter_turn(turn: int) -> Mat3:
    """Return the exact rotation about z by a number of quarter turns."""
    c, s = QUARTER_COS[turn % 4], QUARTER_SIN[turn % 4]
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def mating(turn: int) -> Pose:
    """Return X_CD, the other connector's frame D seen from mine, C.

    Faces meet, so the z axes oppose: R_CD = Rot_z(turn · 90°) Rot_x(180°). It is its
    own inverse: both sides compute with the same turn.

    Args:
        turn: quarter turns about the face normal, 0 to 3 [Moll2006] section II.
    """
    flip = np.diag([1.0, -1.0, -1.0])
    return Pose(_quarter_turn(turn) @ flip, np.zeros(3))
