"""Limbs: chains of joints that hang off a robot's base, one joint after the other.

What is fixed to the base belongs to it. A part that branches (a torso with two arms, a
palm with fingers) is no limb, but what hangs off it may be.
"""

from dataclasses import dataclass, replace
from typing import Any, final

import mujoco

from equipoise.robots.robot import Robot

__all__ = ["FoundLimb", "limbs_of"]

HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
SINGLE = (HINGE, int(mujoco.mjtJoint.mjJNT_SLIDE))


@final
@dataclass(frozen=True)
class FoundLimb:
    """A chain of joints from the base outwards."""

    name: str
    joints: tuple[int, ...]
    """Of ``robot.model``, from the base outwards; each with one freedom."""
    bodies: tuple[int, ...]
    """All that move with it, those fixed to one another too."""
    is_driven: bool
    """Whether each of its joints has an actuator."""
    is_wheel: bool
    """Whether its last joint turns without end."""


def limbs_of(robot: Robot) -> tuple[tuple[FoundLimb, ...], tuple[int, ...]]:
    """Return the limbs of a robot, and the joints of what is no limb.

    Where a part branches, as a waist that carries two arms, what hangs off it are limbs
    too, and the joints before it are not.

    Args:
        robot: any robot.
    """
    model = robot.model
    children: dict[int, list[int]] = {}
    for body in range(1, model.nbody):
        children.setdefault(int(model.body_parentid[body]), []).append(body)
    limbs: list[FoundLimb] = []
    between: list[int] = []
    todo = [int(model.body(robot.base).id)]
    while todo:
        trunk = rigid_part(model, children, todo.pop(0))
        for root in moving_children(model, children, trunk):
            joints, bodies, ends = chain_from(model, children, root)
            if not ends and joints is not None:
                limbs.append(limb_of(model, joints, bodies))
            else:
                between += joints or ()
                todo.append(ends or root)
    return tuple(named_apart(model, limbs)), tuple(between)


def rigid_part(model: Any, children: dict[int, list[int]], body: int) -> list[int]:
    """Return a body and those that are fixed to it."""
    part = [body]
    for one in part:
        part += [c for c in children.get(one, ()) if not int(model.body_jntnum[c])]
    return part


def moving_children(
    model: Any, children: dict[int, list[int]], part: list[int]
) -> list[int]:
    """Return the bodies that hang off a rigid part by joints."""
    every = [c for body in part for c in children.get(body, ())]
    return sorted(c for c in every if int(model.body_jntnum[c]))


def chain_from(
    model: Any, children: dict[int, list[int]], root: int
) -> tuple[list[int] | None, list[int], int]:
    """Return joints and bodies of a chain, and the body at which it branches, or 0.

    The joints are None where one of them has several freedoms.
    """
    joints: list[int] | None = []
    bodies: list[int] = []
    body = root
    while True:
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        own = list(range(first, first + count))
        if joints is not None and all(int(model.jnt_type[j]) in SINGLE for j in own):
            joints += own
        else:
            joints = None
        part = rigid_part(model, children, body)
        bodies += part
        further = moving_children(model, children, part)
        if len(further) != 1:
            return joints, bodies, body if further else 0
        body = further[0]


def limb_of(model: Any, joints: list[int], bodies: list[int]) -> FoundLimb:
    """Return a limb, called by what the names of its joints have in common."""
    names = [str(model.joint(j).name) for j in joints]
    first, last = min(names), max(names)  # whose common beginning is that of all
    same = next((k for k, c in enumerate(first) if last[k : k + 1] != c), len(first))
    if 0 < same < len(first):  # whole words only
        same = max(first.rfind(mark, 0, same) for mark in "_-.") + 1 or same
    name = first[:same].strip("_-. ") or str(model.body(bodies[0]).name)
    driven = {
        int(model.actuator_trnid[a, 0])
        for a in range(model.nu)
        if int(model.actuator_trntype[a]) == int(mujoco.mjtTrn.mjTRN_JOINT)
    }
    is_endless = int(model.jnt_type[joints[-1]]) == HINGE
    is_endless = is_endless and not model.jnt_limited[joints[-1]]
    is_driven = set(joints) <= driven
    return FoundLimb(name, tuple(joints), tuple(bodies), is_driven, is_endless)


def named_apart(model: Any, limbs: list[FoundLimb]) -> list[FoundLimb]:
    """Return limbs of which no two have one name: else each has its body's."""
    names = [limb.name for limb in limbs]
    return [
        limb
        if names.count(limb.name) == 1
        else replace(limb, name=str(model.body(limb.bodies[0]).name))
        for limb in limbs
    ]
