"""What a supervisor sees of the world: which controllers have converged.

[Ridderstrom2003] section 3.3.3: p1 to p4 say that a tripod is stable, p5 that the
trunk's heading is the best there is for all four legs.
"""

import math

import numpy as np

from equipoise.control.basis.compose import Instance, bind, subject_to
from equipoise.control.basis.stance import BasisParts, BasisStance, tripod_margin
from equipoise.core.records import Records

__all__ = ["TRIPODS", "margins", "name_of", "predicates"]

TRIPODS = ((1, 2, 3), (1, 2, 4), (2, 3, 4), (1, 3, 4))
"""Of p1 to p4, legs 1 LF, 2 RF, 3 LR, 4 RR: the first lacks a leg diagonally opposite
to that of the third, as the second and the fourth do."""
TURNED = 0.03  # by which the best heading is off at most for p5 [rad]
BEST_YAW = bind([Instance("phi2", (1, 2, 3, 4), "yaw")])


def margins(
    stance: Records[BasisStance], parts: BasisParts
) -> tuple[float, float, float, float]:
    """Return the margin of the centre of mass in each tripod [m].

    Args:
        stance: of the machine, (1,).
        parts: of the machine.
    """
    a, b, c, d = (
        tripod_margin(stance, i - 1, j - 1, k - 1, parts) for i, j, k in TRIPODS
    )
    return a, b, c, d


def predicates(
    stance: Records[BasisStance], parts: BasisParts
) -> tuple[bool, bool, bool, bool, bool]:
    """Return p1 to p5.

    Args:
        stance: of the machine, (1,).
        parts: of the machine.
    """
    least = float(parts[2]["margin"][0])
    a, b, c, d = (margin > least for margin in margins(stance, parts))
    turned, _ = subject_to(BEST_YAW, stance, parts)
    off = float(turned["yaw"][0] - stance["yaw"][0])
    return a, b, c, d, abs(math.remainder(off, 2.0 * np.pi)) < TURNED


def name_of(seen: tuple[bool, ...]) -> str:
    """Return the name of a state of predicates: a digit each, such as ``01001``.

    Args:
        seen: p1 to p5.
    """
    return "".join("1" if one else "0" for one in seen)
