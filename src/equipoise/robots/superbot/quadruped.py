"""A quadruped of ten SuperBot modules: a trunk of two, four legs of two.

The trunk lies along x, a leg hangs on each side face of its ends. The upper module of a
leg points outwards and down, its hinges along x, so that it moves the leg sideways and
up; the lower one stands upright, turned by a quarter so that its hinges, along y, move
the foot fore and aft. The ball at the end of each lower module is a foot.

``write_assembly(superbot_quadruped(), "quadruped.yaml")`` makes a file of it.
"""

import math
from collections.abc import Iterator
from typing import Any

from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.module import SuperbotModule

__all__ = ["LEGS", "superbot_quadruped"]

LEGS = ("front_left", "front_right", "rear_left", "rear_right")
MOST_SLOPE = 1.4  # [rad]; steeper, and the legs fold under the trunk
FRONT_A, FRONT_B = 0, 3  # connectors of a module
SIDES = {  # trunk module and the connector on which each leg hangs
    "front_left": (0, 2),
    "front_right": (0, 1),
    "rear_left": (1, 5),
    "rear_right": (1, 4),
}


def superbot_quadruped(
    slope: float = 0.5, module: SuperbotModule | None = None
) -> Assembly:
    """Return the plan of a quadruped that stands on four feet.

    Args:
        slope: of the upper modules of the legs, downwards, 0.1 to 1.4 [rad]; the lower
            ones are upright. The steeper, the higher and the narrower it stands.
        module: the module's numbers; None for the default SuperBot.

    Raises:
        ConfigError: a slope out of range, or a module without a roll joint.
    """
    module = module or SuperbotModule()
    problems = list(_slope_problems(slope, module))
    if problems:
        raise ConfigError("a quadruped", problems)
    placed = [PlacedModule("front", (0.0,) * 3), PlacedModule("rear", (0.0,) * 3)]
    connections = [Connection(0, FRONT_B, 1, FRONT_A, 0)]
    for leg in LEGS:
        holder, face = SIDES[leg]
        upper = len(placed)
        bend = 0.5 * math.pi - slope
        placed.append(PlacedModule(f"{leg}_upper", (slope, 0.0, bend)))
        placed.append(PlacedModule(f"{leg}_lower", (0.0, 0.0, 0.0)))
        connections.append(Connection(holder, face, upper, FRONT_A, 0))
        connections.append(Connection(upper, FRONT_B, upper + 1, FRONT_A, 1))
    return Assembly(
        name="superbot-quadruped",
        module=module,
        modules=tuple(placed),
        connections=tuple(connections),
        ground=Ground(9, FRONT_B, "feet"),
    )


def _slope_problems(slope: Any, module: SuperbotModule) -> Iterator[str]:
    """Yield what is wrong with the numbers that describe a quadruped."""
    if not (is_number(slope) and 0.1 <= slope <= MOST_SLOPE):
        yield f"slope must be 0.1 to {MOST_SLOPE:g} rad, got {slope!r}"
    if module.kind != "superbot":
        yield f"kind must be superbot, whose modules can roll, got {module.kind!r}"
