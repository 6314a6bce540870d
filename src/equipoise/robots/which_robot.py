"""Which of the bodies in a robot file is the robot.

A robot is one base with everything that hangs on it. A file may hold more: loose balls,
boxes to push, doors, a second robot. Each body on the world on which something moves is
a tree; the one with a free base and joints is the robot, and where that is not plain
the user says which. The other trees are left out of the robot and named; what does not
move is its scene and stays.
"""

from dataclasses import dataclass
from typing import Any

import mujoco

from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError

__all__ = ["BodyTree", "alone", "choose_robot_tree", "moving_trees", "unused"]

SHOWN = 6  # names in a sentence
MOST_LOOSE = 700  # other things that move; taking 1200 out one by one takes 8 s


@dataclass(frozen=True)
class BodyTree:
    """A body on the world and all that hangs on it, of which something moves."""

    root: Any
    """Its first body, of the specification."""
    is_free: bool
    """Whether a free joint holds its first body."""
    joints: int
    """How many joints it has, a free one not counted."""
    parts: int
    """How many bodies and shapes."""
    motors: int
    """How many actuators drive its joints."""

    @property
    def rank(self) -> int:
        """Likelihood of being the robot, up to 5."""
        if self.is_free:
            return 5 if self.joints else (3 if self.parts > 2 else 2)
        return 4 if self.motors else 1


def moving_trees(spec: mujoco.MjSpec) -> list[BodyTree]:
    """Return the kinematic trees of a file; a first body without a name gets one.

    Args:
        spec: the file; only names are added to it.
    """
    driven = [str(actuator.target) for actuator in spec.actuators]
    taken = {body.name for body in spec.bodies}
    trees = []
    for body in _moving_roots(spec):
        if not body.name:
            body.name = unused("base", taken)
            taken.add(body.name)
        members = _below(body)
        joints = [joint for member in members for joint in member.joints]
        inner = [j for j in joints if j.type != mujoco.mjtJoint.mjJNT_FREE]
        names = {joint.name for joint in inner if joint.name}
        trees.append(
            BodyTree(
                body,
                is_free=len(inner) < len(joints),
                joints=len(inner),
                parts=len(members) + sum(len(member.geoms) for member in members),
                motors=sum(target in names for target in driven),
            )
        )
    return trees


def _moving_roots(spec: mujoco.MjSpec) -> list[Any]:
    """Return the bodies on the world that move, or on which something does."""
    roots = spec.worldbody.bodies
    return [root for root in roots if any(body.joints for body in _below(root))]


def _below(body: Any) -> list[Any]:
    """Return a body and all that hangs on it."""
    return [body, *(b for child in body.bodies for b in _below(child))]


def unused(name: str, taken: set[str]) -> str:
    """Return a name that no body has."""
    k, found = 2, name
    while found in taken:
        found, k = f"{name}{k}", k + 1
    return found


def choose_robot_tree(
    trees: list[BodyTree], wanted: str | None, where: str
) -> BodyTree | None:
    """Return the tree that is the robot; None where nothing moves.

    Args:
        trees: of the file.
        wanted: the body that the user names as base, or any on its tree; None to find
            out.
        where: the file, for sentences.

    Raises:
        BadFileError: several could be it.
        UnknownNameError: none has that body.
        ConfigError: a base is wanted where nothing moves.
    """
    if wanted is not None:
        if not trees:
            raise ConfigError(
                where, [f"base '{wanted}' was given, but nothing in the file moves"]
            )
        for tree in trees:
            if wanted in {body.name for body in _below(tree.root)}:
                return tree
        names = [tree.root.name for tree in trees]
        raise UnknownNameError("moving base", wanted, names, where)
    if not trees:
        return None
    best = max(tree.rank for tree in trees)
    likely = [tree for tree in trees if tree.rank == best]
    if len(likely) > 1 and best > 1:
        names = ", ".join(f"'{tree.root.name}'" for tree in likely[:SHOWN])
        more = f" and {len(likely) - SHOWN} more" if len(likely) > SHOWN else ""
        raise BadFileError(
            f"holds {len(likely)} bodies that could be the robot, {names}{more}; name "
            f"one as base (--base {likely[0].root.name})"
        )
    return likely[0]


def alone(spec: mujoco.MjSpec, base: str) -> mujoco.MjSpec:
    """Return a copy of a file in which only one tree moves.

    Args:
        spec: the file, every tree's first body with a name.
        base: first body of the tree that stays.

    Raises:
        BadFileError: more than can be taken out.
    """
    copy = spec.copy()
    others = [root for root in _moving_roots(copy) if root.name != base]
    if len(others) > MOST_LOOSE:
        raise BadFileError(
            f"holds {len(others)} things that move beside '{base}', a soft body's "
            f"points among them; at most {MOST_LOOSE} are read"
        )
    gone = {body.name for root in others for body in _below(root) if body.name}
    for eye in (*copy.cameras, *copy.lights):  # nothing is left to look at
        if eye.targetbody in gone:
            eye.targetbody, eye.mode = "", mujoco.mjtCamLight.mjCAMLIGHT_FIXED
    for root in others:
        copy.delete(root)
    return copy
