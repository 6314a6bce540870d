"""Which joints are hips, and how high they stand: what a module is told beforehand."""

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.assembly import Assembly
from equipoise.robots.assembly_spec import feet_of

__all__ = ["hip_heights"]


def hip_heights(assembly: Assembly) -> Array:
    """Return how high each hip is above the feet at the start, (nm, joints) [m].

    A leg is what has one foot; its hip is the joint next to the rest of the robot. All
    other joints have NaN.
    """
    body, poses = assembly.body, assembly.module_poses()
    feet, last = set(feet_of(assembly)), len(body.parts) - 1
    own = [
        sum(f"{m.name}_ball_{end}" in feet for end in "ab") for m in assembly.modules
    ]
    out = np.full((len(own), len(body.joints)), np.nan)
    for module, row in enumerate(assembly.neighbours):
        beyond = {port: behind(assembly, own, other, module) for port, other, *_ in row}
        for port, count in beyond.items():
            _, other, _, _ = next(n for n in row if n[0] == port)
            is_leg = count == len(feet) - 1
            if not is_leg or is_leg_too(assembly, own, other, module, len(feet)):
                continue
            joint = 0 if body.connectors[port].part == 0 else last - 1
            part = body.part_poses(assembly.modules[module].angles)[joint + 1]
            out[module, joint] = (poses[module] @ part.p)[2]
    return out


def behind(assembly: Assembly, own: list[int], module: int, before: int) -> int:
    """Return how many feet there are at a module and beyond it."""
    count, queue = 0, [(module, before)]
    while queue:
        at, came = queue.pop()
        count += own[at]
        queue += [(n[1], at) for n in assembly.neighbours[at] if n[1] != came]
    return count


def is_leg_too(
    assembly: Assembly, own: list[int], module: int, before: int, feet: int
) -> bool:
    """Say whether the next module away from a foot is still part of its leg."""
    return any(
        behind(assembly, own, other, module) == feet - 1
        for _, other, _, _ in assembly.neighbours[module]
        if other != before
    )
