"""Which joints make up which leg: what a module is told about its place beforehand.

A leg is what has one foot beyond it, its hip the joint next to the rest of the robot.
"""

from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.robots.assembled import foot_geoms
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["LegPlan", "leg_plan"]


class LegPlan(NamedTuple):
    """Every joint's place in a leg."""

    foot: Ints
    """(nm, joints) id of the module that is the foot of its leg; 0 between the legs."""
    height: Array
    """(nm, joints) of a hip above the feet at the start; NaN for other joints [m]."""


def leg_plan(assembly: Assembly) -> LegPlan:
    """Return the legs of an assembly that stands on ``feet``.

    Args:
        assembly: the robot.
    """
    body, poses = assembly.body, assembly.module_poses()
    foot = np.zeros((len(poses), len(body.joints)), np.int64)
    height = np.full(foot.shape, np.nan)
    for module in range(len(poses)):
        for joint in range(len(body.joints)):
            sides = [_feet_beyond(assembly, module, joint, side) for side in (0, 1)]
            single = [side for side in sides if len(side) == 1]
            foot[module, joint] = single[0].pop() + 1 if single else 0
    for module, row in enumerate(assembly.neighbours):
        for port, other, connector, _ in row:
            joint = _joint_at(assembly, port)
            inner = foot[other, _joint_at(assembly, connector)]
            if foot[module, joint] and inner != foot[module, joint]:
                part = body.part_poses(assembly.modules[module].angles)[joint + 1]
                height[module, joint] = (poses[module] @ part.p)[2]
    return LegPlan(foot, height)


def _joint_at(assembly: Assembly, port: int) -> int:
    """Return the joint next to a connector."""
    part, last = assembly.body.connectors[port].part, len(assembly.body.joints) - 1
    return min(part, last)


def _feet_beyond(assembly: Assembly, module: int, joint: int, side: int) -> set[int]:
    """Return the modules that are feet on one side of a joint, 0 before or 1 after."""
    feet, body = set(foot_geoms(assembly)), assembly.body
    name, found = assembly.modules[module].name, set[int]()
    if f"{name}_ball_{'ab'[side]}" in feet:
        found.add(module)
    queue = [
        (other, module)
        for port, other, *_ in assembly.neighbours[module]
        if (body.connectors[port].part > joint) == (side == 1)
    ]
    while queue:
        at, came = queue.pop()
        name = assembly.modules[at].name
        if {f"{name}_ball_a", f"{name}_ball_b"} & feet:
            found.add(at)
        queue += [(n[1], at) for n in assembly.neighbours[at] if n[1] != came]
    return found
