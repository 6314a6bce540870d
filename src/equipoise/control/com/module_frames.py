"""Where a module's connectors and mass are, and how they move, from its joints alone.

Everything is seen from the module's own frame M. Nothing here knows another module.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Vec3
from equipoise.robots.assembly.module_body import (
    ModuleBody,
    ModuleJoint,
    joint_pose,
    mating,
)
from equipoise.spatial.mass.mass import MassProperties
from equipoise.spatial.poses import Pose

__all__ = [
    "ModuleFrames",
    "ModuleSensed",
    "MovingMass",
    "RelativeMotion",
    "connector_motions",
    "module_frames",
]


@dataclass(frozen=True, slots=True)
class ModuleSensed:
    """All that a module senses: its own joints and what is docked to it."""

    angles: tuple[float, ...]
    """Joint values [rad or m]."""
    rates: tuple[float, ...]
    """Joint rates [rad/s or m/s]."""
    turns: tuple[int | None, ...]
    """For each connector the quarter turns of the one docked to it; None: nothing is.
    "We assume that the receiving module knows the relative rotation between its
    connector and the sender's connector" [Moll2006] section III."""

    @property
    def docked(self) -> tuple[int, ...]:
        """Indices of the connectors to which something is docked."""
        return tuple(k for k, turn in enumerate(self.turns) if turn is not None)


@final
@dataclass(frozen=True, slots=True, eq=False)
class RelativeMotion:
    """Pose and velocity of frame B in frame A, expressed in A."""

    X_AB: Pose
    v_AB: Vec3
    """Velocity of B's origin in A, (3,) [m/s]."""
    w_AB: Vec3
    """Angular velocity of B in A, (3,) [rad/s]."""

    @staticmethod
    def still(X_AB: Pose) -> "RelativeMotion":
        """Return a frame that does not move."""
        return RelativeMotion(X_AB, np.zeros(3), np.zeros(3))

    def __eq__(self, other: object) -> bool:
        """Return whether all numbers are the same."""
        if not isinstance(other, RelativeMotion):
            return NotImplemented
        return (
            np.array_equal(self.X_AB.R, other.X_AB.R)
            and np.array_equal(self.X_AB.p, other.X_AB.p)
            and np.array_equal(self.v_AB, other.v_AB)
            and np.array_equal(self.w_AB, other.w_AB)
        )

    __hash__ = None  # type: ignore[assignment]

    def __matmul__(self, other: "RelativeMotion") -> "RelativeMotion":
        """Return the motion of C in A, from that of B in A and of C in B."""
        R_AB = self.X_AB.R
        p_BC_A = R_AB @ other.X_AB.p
        return RelativeMotion(
            self.X_AB @ other.X_AB,
            self.v_AB + _cross(self.w_AB, p_BC_A) + R_AB @ other.v_AB,
            self.w_AB + R_AB @ other.w_AB,
        )

    def inverse(self) -> "RelativeMotion":
        """Return the motion of A in B, expressed in B."""
        X_BA = self.X_AB.inverse()
        v = -self.v_AB + _cross(self.w_AB, self.X_AB.p)
        return RelativeMotion(X_BA, X_BA.R @ v, -(X_BA.R @ self.w_AB))


@final
@dataclass(frozen=True, slots=True, eq=False)
class MovingMass:
    """A lump of matter that may change its shape, seen from one frame."""

    mass: MassProperties
    rate: NDArray[Any]
    """d(m p)/dt as an observer in that frame sees it, p the lump's centre of mass in
    that frame, (3,) [kg m/s]."""

    def __add__(self, other: "MovingMass") -> "MovingMass":
        """Return both lumps together; rates of first moments add."""
        return MovingMass(self.mass + other.mass, self.rate + other.rate)

    def seen_from(self, motion: RelativeMotion) -> "MovingMass":
        """Return the lump, given in frame B, as seen from A in which B moves.

        With h = m p the first moment, h_A = R h_B + m p_AB, hence::

            dh_A/dt = R dh_B/dt + w x (R h_B) + m v
        """
        kind, m = self.mass.dtype, self.mass.mass
        R = motion.X_AB.R.astype(kind)
        v, w = motion.v_AB.astype(kind), motion.w_AB.astype(kind)
        turned = R @ (m * self.mass.com)
        rate = R @ self.rate + _cross(w, turned) + m * v
        return MovingMass(self.mass.transformed(motion.X_AB.R, motion.X_AB.p), rate)


def _cross(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return a x b of two vectors; ten times faster than np.cross on one pair."""
    a0, a1, a2 = a
    b0, b1, b2 = b
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def part_motions(
    body: ModuleBody, angles: Sequence[float], rates: Sequence[float]
) -> tuple[RelativeMotion, ...]:
    """Return the motion of each part of a module, seen from the module's frame M."""
    motions = [RelativeMotion.still(Pose.identity())]
    values = body.joint_values(angles)
    for joint, value, rate in zip(body.joints, values, rates, strict=True):
        motions.append(motions[-1] @ _joint_motion(joint, float(value), rate))
    to_M = motions[1].inverse()
    # Exactly still, not still to rounding: M is the second part's own frame.
    return tuple(
        RelativeMotion.still(Pose.identity()) if k == 1 else to_M @ motion
        for k, motion in enumerate(motions)
    )


def _joint_motion(joint: ModuleJoint, value: float, rate: float) -> RelativeMotion:
    """Return how a joint moves the part after it in the frame of the part before."""
    moved = joint.axis * (0.0 if joint.locked is not None else rate)
    still, X = np.zeros(3), joint_pose(joint, value)
    return (
        RelativeMotion(X, moved, still)
        if joint.kind == "slide"
        else RelativeMotion(X, still, moved)
    )


def connector_motions(
    body: ModuleBody, parts: Sequence[RelativeMotion], connectors: Iterable[int]
) -> dict[int, RelativeMotion]:
    """Return the motion in M of the connectors asked for, by index."""
    chosen = {k: body.connectors[k] for k in connectors}
    return {k: parts[c.part] @ RelativeMotion.still(c.X_PC) for k, c in chosen.items()}


@dataclass(frozen=True, slots=True, eq=False)
class ModuleFrames:
    """Frames that follow from a module's joints and docks, until they change."""

    sensed: ModuleSensed
    own: MovingMass
    """The module alone, in M."""
    outwards: Mapping[int, RelativeMotion]
    """Motion of M in the frame of each docked connector: how to say what I know."""
    inwards: Mapping[int, RelativeMotion]
    """Motion in M of each neighbour's connector frame: how to read what I am told."""


def module_frames(
    body: ModuleBody, part_mass: Sequence[MassProperties], sensed: ModuleSensed
) -> ModuleFrames:
    """Return a module's own mass and the frames in which it talks.

    Args:
        body: what the module is made of.
        part_mass: mass properties of its parts, in their frames; sets the dtype.
        sensed: its joints and docks.
    """
    parts = part_motions(body, sensed.angles, sensed.rates)
    docked = connector_motions(body, parts, sensed.docked)
    still = np.zeros(3, part_mass[0].dtype)
    lumps = [
        MovingMass(own, still).seen_from(motion)
        for own, motion in zip(part_mass, parts, strict=True)
    ]
    turns = ((k, M_C, sensed.turns[k]) for k, M_C in docked.items())
    return ModuleFrames(
        sensed=sensed,
        own=sum(lumps[1:], start=lumps[0]),
        outwards={k: M_C.inverse() for k, M_C in docked.items()},
        inwards={
            k: M_C @ RelativeMotion.still(mating(turn))
            for k, M_C, turn in turns
            if turn is not None
        },
    )
