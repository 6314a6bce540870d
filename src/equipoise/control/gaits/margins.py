"""How far a walk stays from falling if it were slow: margins over a cycle.

On the *scheduled* support: who should stand, not who happens to press. A stretch in
which the same feet stand is taken with its ends, seen from inside. There its margin is
least, because a margin is concave along a line; so the least over a cycle is exact, not
sampled ([Ridderstrom2003] section 2.4).
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.control.gaits.plan import FootfallPlan
from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.stability.support import (
    conservative_polygon,
    longitudinal_margin,
    static_margin,
)

__all__ = ["BALANCED", "PlanMargins", "plan_margins", "wave_margin"]

BALANCED = 1e-9
"""Margin above which a gait counts as statically balanced [m]: zero is on the edge."""
FORWARD = np.array([1.0, 0.0])


@final
@dataclass(frozen=True, eq=False)
class PlanMargins:
    """Margins at the two ends of every row of a plan."""

    times: Array
    """(n, 2), in the plan's unit."""
    static: Array
    """From the centre of mass to the edge of the support, (n, 2) [m]."""
    longitudinal: Array
    """To the edge ahead or behind, (n, 2) [m]."""
    conservative: Array
    """To the edge of where any one leg may fail, (n, 2) [m]; -inf where that is
    nowhere."""

    @property
    def is_balanced(self) -> bool:
        """Whether the centre of mass is inside the support all the time."""
        return bool(self.static.min() > BALANCED)


def plan_margins(plan: FootfallPlan, heading: ArrayLike = FORWARD) -> PlanMargins:
    """Return the margins of a walk.

    Args:
        plan: the walk.
        heading: in the trunk's frame, along which the longitudinal margin is taken,
            (2,); forward unless told.

    Returns:
        Margins; -inf while no foot stands.
    """
    centres = np.stack([plan.centres[:-1], plan.centres[1:]], axis=1)
    turned = np.stack([plan.poses[:-1, 2], plan.poses[1:, 2]], axis=1)
    ahead = np.asarray(heading, np.float64)
    static = np.zeros(turned.shape)
    along, careful = np.zeros_like(static), np.zeros_like(static)
    for i, stands in enumerate(plan.support):
        feet = plan.footholds[i][stands]
        static[i] = static_margin(centres[i], feet)
        careful[i] = static_margin(centres[i], conservative_polygon(list(feet)))
        for k in range(2):
            c, s = np.cos(turned[i, k]), np.sin(turned[i, k])
            way = [c * ahead[0] - s * ahead[1], s * ahead[0] + c * ahead[1]]
            along[i, k] = longitudinal_margin(centres[i, k], feet, way)
    times = np.stack([plan.times[:-1], plan.times[1:]], axis=1)
    return PlanMargins(times, static, along, careful)


def wave_margin(legs: int, duty: float, pitch: float, stroke: float) -> float:
    """Return the least longitudinal margin of a wave gait over a cycle [m].

    For n rows of pitch P and a stroke R ≤ P, [Song1989]::

        S = (n/2 - 1) P + (1 - 3/(4β)) R

    With two rows it is the (β - 3/4) λ of [McGhee1968], λ = R/β.

    Args:
        legs: 2n.
        duty: β, at least 1/2 (3/4 for four legs) for the formula to hold.
        pitch: P [m].
        stroke: R, how far a foot goes relative to the trunk [m].

    Raises:
        ConfigError: legs, duty or stroke for which it does not hold.
    """
    problems: list[str] = []
    if legs < 4 or legs % 2:
        problems.append(f"legs must be an even number from 4, got {legs}")
    if not 0.5 <= duty < 1.0:
        problems.append(f"duty must be at least 0.5 and below 1, got {duty!r}")
    if not 0.0 <= stroke <= pitch:
        problems.append(f"stroke must be 0 to the pitch of {pitch!r} m, got {stroke!r}")
    if problems:
        raise ConfigError("the wave gait's margin", problems)
    return (legs / 4 - 1.0) * pitch + (1.0 - 0.75 / duty) * stroke
