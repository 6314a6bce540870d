"""Limbs: chains of joints that hang off a robot's base, one joint after the other.

What is fixed to the base belongs to it. Where a part branches in a pose, a leg goes on
along the branch that reaches the ground; where several do, high up (a waist that
carries two legs), each is a limb of its own, and low down (toes) they are one foot.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

import mujoco

from equipoise.core.arrays import VecN
from equipoise.robots.robot_spec import RobotSpec

__all__ = [
    "SINGLE",
    "FoundLimb",
    "Heights",
    "called_apart",
    "chain_to",
    "limbs_of",
    "parts_of",
]

HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
SINGLE = (HINGE, int(mujoco.mjtJoint.mjJNT_SLIDE))
MARKS = "_-. "


@final
@dataclass(frozen=True)
class FoundLimb:
    """A chain of joints from the base outwards."""

    name: str
    joints: tuple[int, ...]
    """Of ``robot.model``, from the base outwards; each with one freedom."""
    bodies: tuple[int, ...]
    """All that move with it, those fixed to one another too."""
    tip: int
    """The last body of its chain."""


class Heights(NamedTuple):
    """Heights of all bodies in a pose."""

    lows: dict[int, float]
    """Lowest point of each body [m]; infinite where it has no shape."""
    joints: VecN
    """Of each joint [m]."""
    near: float
    """Up to here a body reaches the ground [m]."""
    high: float
    """From here on the branches of a fork are limbs, not toes [m]."""

    def reaches(self, bodies: list[int]) -> bool:
        """Return whether one of some bodies reaches the ground."""
        return min(self.lows[body] for body in bodies) <= self.near


def parts_of(model: Any) -> dict[int, list[int]]:
    """Return the bodies that hang on each body."""
    children: dict[int, list[int]] = {}
    for body in range(1, model.nbody):
        children.setdefault(int(model.body_parentid[body]), []).append(body)
    return children


def limbs_of(
    robot: RobotSpec, base: int, heights: Heights | None = None
) -> tuple[FoundLimb, ...]:
    """Return the limbs of a robot.

    Where a part branches, as a waist that carries two arms, what hangs off it are limbs
    too, and the joints before it are not.

    Args:
        robot: any robot.
        base: body off which they hang.
        heights: of a pose, in which a limb goes on along the one branch that reaches
            the ground; None: it ends at a branch.
    """
    model, children = robot.model, parts_of(robot.model)
    limbs: list[FoundLimb] = []
    todo = [base]
    while todo:
        trunk = _rigid_part(model, children, todo.pop(0))
        for root in _moving_children(model, children, trunk):
            joints, tip, fork = _chain_from(model, children, root, heights)
            if fork or joints is None:
                todo.append(fork or root)
            else:
                limbs.append(_limb_of(model, joints, _below(children, root), tip))
    return tuple(limbs)


def _below(children: dict[int, list[int]], body: int) -> list[int]:
    """Return a body and all that hang on it, the nearest first."""
    every = [body]
    for one in every:
        every += children.get(one, ())
    return every


def _rigid_part(model: Any, children: dict[int, list[int]], body: int) -> list[int]:
    """Return a body and those that are fixed to it."""
    part = [body]
    for one in part:
        part += [c for c in children.get(one, ()) if not int(model.body_jntnum[c])]
    return part


def _moving_children(
    model: Any, children: dict[int, list[int]], part: list[int]
) -> list[int]:
    """Return the bodies that hang off a rigid part by joints."""
    every = [c for body in part for c in children.get(body, ())]
    return sorted(c for c in every if int(model.body_jntnum[c]))


def _chain_from(
    model: Any,
    children: dict[int, list[int]],
    root: int,
    heights: Heights | None,
) -> tuple[list[int] | None, int, int]:
    """Return the joints of a chain, its last body, and where it branches, or 0.

    The joints are None where one of them has several freedoms.
    """
    joints: list[int] | None = []
    body = root
    while True:
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        own = list(range(first, first + count))
        if joints is not None and all(int(model.jnt_type[j]) in SINGLE for j in own):
            joints += own
        else:
            joints = None
        part = _rigid_part(model, children, body)
        further = _moving_children(model, children, part)
        if further and heights is not None:
            further = _on_the_way(model, children, part, further, heights)
        if len(further) != 1:
            return joints, part[-1], body if further else 0
        body = further[0]


def _on_the_way(
    model: Any,
    children: dict[int, list[int]],
    part: list[int],
    further: list[int],
    heights: Heights,
) -> list[int]:
    """Return along which branches a limb goes on; none where it ends in a foot."""
    reach = [c for c in further if heights.reaches(_below(children, c))]
    if len(reach) == 1:
        return reach
    top = max(float(heights.joints[int(model.body_jntadr[c])]) for c in further)
    is_foot = heights.reaches(part)
    if (is_foot and not reach) or (top < heights.high and (is_foot or reach)):
        return []  # something hangs on a foot, or it has toes
    return further


def chain_to(
    robot: RobotSpec, base: int, body: int, until: int | None = None
) -> FoundLimb | None:
    """Return the limb from a base to a body; None where there is no such chain.

    Args:
        robot: any robot.
        base: where it begins.
        body: where it ends.
        until: the first body of the limb, where joints before it are none of its own;
            None for the base's own child.
    """
    model, children = robot.model, parts_of(robot.model)
    trunk, way = set(_rigid_part(model, children, base)), [body]
    while way[0] not in trunk and way[0] != until:
        parent = int(model.body_parentid[way[0]])
        if parent == 0:
            return None
        way.insert(0, parent)
    way = [b for b in way if b not in trunk]
    joints = [
        j
        for b in way
        for j in range(
            int(model.body_jntadr[b]), int(model.body_jntadr[b] + model.body_jntnum[b])
        )
    ]
    if not joints or any(int(model.jnt_type[j]) not in SINGLE for j in joints):
        return None
    return _limb_of(model, joints, _below(children, way[0]), body)


def _limb_of(model: Any, joints: list[int], bodies: list[int], tip: int) -> FoundLimb:
    """Return a limb, called by what the names of its joints have in common."""
    name = _common(model, joints) or str(model.body(bodies[0]).name)
    return FoundLimb(name, tuple(joints), tuple(bodies), tip)


def _common(model: Any, joints: list[int]) -> str:
    """Return how the names of joints begin, or end, in whole words; "" for neither."""
    names = [str(model.joint(j).name) for j in joints]
    begin = _shared(names)
    if begin:
        return begin
    bare = [name.removesuffix("joint").rstrip(MARKS) for name in names]
    return _shared([name[::-1] for name in bare])[::-1]


def _shared(names: list[str]) -> str:
    """Return the whole words with which names begin."""
    first, last = min(names), max(names)  # whose common beginning is that of all
    same = next((k for k, c in enumerate(first) if last[k : k + 1] != c), len(first))
    if 0 < same < len(first):
        same = max(first.rfind(mark, 0, same) for mark in MARKS) + 1 or same
    return first[:same].strip(MARKS)


def called_apart(model: Any, limbs: list[FoundLimb]) -> list[FoundLimb]:
    """Return limbs of which no two have one name: else each has its first body's.

    Args:
        model: compiled.
        limbs: to be told apart.
    """
    names = [limb.name for limb in limbs]
    return [
        limb
        if limb.name and names.count(limb.name) == 1
        else replace(limb, name=str(model.body(limb.bodies[0]).name) or f"leg{k + 1}")
        for k, limb in enumerate(limbs)
    ]
