"""A robot as a tree of links on a tape, with a name for every number."""

from dataclasses import dataclass
from typing import NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import Mat3, VecN
from equipoise.core.kinds import Attitude
from equipoise.equations.blocks.block import Parameter
from equipoise.equations.robot.tree import LinkTree
from equipoise.equations.tape.tape import Expr, Tape
from equipoise.equations.tape.vectors import Turn, Vec, plus
from equipoise.spatial.rotations import matrix_from_quat, rpy_from_matrix

__all__ = ["Coordinate", "FootPoint", "Home", "RobotTree", "pose_in"]

JOINT = mujoco.mjtJoint


@final
@dataclass(frozen=True)
class Coordinate:
    """A coordinate or speed: its name, its symbol, its rate if it is a coordinate."""

    name: str
    symbol: Expr
    rate: Expr | None = None


class FootPoint(NamedTuple):
    """Point of a robot on which external forces act."""

    name: str
    body: str | int
    """Body to which it belongs, by name or by MuJoCo's number."""
    place: tuple[float, float, float]
    """Position in the body's frame [m]."""


@final
@dataclass(frozen=True)
class Home:
    """Place of a body: position and orientation of its frame in a link's frame."""

    link: int
    """Number of the link, -1 for the world."""
    R_LB: Mat3
    p_LB: Vec

    def point(self, r: Vec) -> Vec:
        """Return a point of the body in the link's frame."""
        return plus(self.p_LB, Turn(self.R_LB).out(r))


@final
@dataclass(frozen=True)
class RobotTree:
    """A robot's tree, and the names of what it is made of."""

    name: str
    tree: LinkTree
    attitude: Attitude
    parameters: tuple[Parameter, ...]
    q: tuple[Coordinate, ...]
    """Coordinates in MuJoCo's order; with yaw, pitch and roll three for four."""
    v: tuple[Coordinate, ...]
    """Speeds in MuJoCo's order. With quaternions those of a free body are linear in W,
    angular in B, as MuJoCo's; else both are in B."""
    homes: tuple[Home, ...]
    """Of every body, by number."""
    points: dict[str, tuple[int, Vec]]
    """Feet by name: link, and place in its frame."""
    owners: dict[str, int]
    """The link that each parameter belongs to, by name; -1 for the world."""

    @property
    def tape(self) -> Tape:
        """Tape of its expressions."""
        return self.tree.tape


def pose_in(attitude: Attitude, model: mujoco.MjModel, qpos: VecN) -> VecN:
    """Return MuJoCo's coordinates as those of an attitude, (nq,)."""
    if attitude == "quaternion":
        return qpos
    found: list[float] = []
    for j in range(model.njnt):
        at = int(model.jnt_qposadr[j])
        if model.jnt_type[j] == JOINT.mjJNT_FREE:
            roll, pitch, yaw = rpy_from_matrix(matrix_from_quat(qpos[at + 3 : at + 7]))
            found += [*qpos[at : at + 3], yaw, pitch, roll]
        else:
            width = 4 if model.jnt_type[j] == JOINT.mjJNT_BALL else 1
            found += [*qpos[at : at + width]]
    return np.array(found)
