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
from equipoise.stability.rigid.support import (
    conservative_polygon,
    longitudinal_margin,
    static_margin,
)

__all__ = [
    "BALANCED",
    "PlanMargins",
    "conservative_margins",
    "longitudinal_margins",
    "plan_margins",
    "static_margins",
    "wave_margin",
]

BALANCED = 1e-9
"""Margin above which a gait counts as statically balanced [m]: zero is on the edge."""
FORWARD = np.array([1.0, 0.0])


@final
@dataclass(frozen=True, eq=False)
class PlanMargins:
    """Margins at the two ends of every row of a plan."""

    times: Array
    """Instants of the margins, (n, 2), in the plan's unit."""
    static: Array
    """Distances of the centre of mass from the support's edge, (n, 2) [m]."""
    longitudinal: Array
    """Distances from the edge ahead or behind, (n, 2) [m]."""

    @property
    def is_balanced(self) -> bool:
        """Whether the centre of mass is inside the support at all times."""
        return bool(self.static.min() > BALANCED)


def _row_ends(values: Array) -> Array:
    """Return what holds at both ends of every row, (n, 2, ...)."""
    return np.stack([values[:-1], values[1:]], axis=1)


def static_margins(plan: FootfallPlan) -> Array:
    """Return the static margins of a walk at both ends of every row, (n, 2) [m].

    Args:
        plan: the walk.

    Returns:
        Margins; -inf while no foot stands.
    """
    centres = _row_ends(plan.centres)
    feet = [at[on] for at, on in zip(plan.footholds, plan.support, strict=True)]
    rows = zip(centres, feet, strict=True)
    return np.array([static_margin(both, stands) for both, stands in rows])


def conservative_margins(plan: FootfallPlan) -> Array:
    """Return the margins that remain if any one leg fails, (n, 2) [m].

    Args:
        plan: the walk.

    Returns:
        Margins inside the conservative support polygon; -inf where there is none.
    """
    centres = _row_ends(plan.centres)
    feet = [at[on] for at, on in zip(plan.footholds, plan.support, strict=True)]
    rows = zip(centres, feet, strict=True)
    return np.array(
        [static_margin(both, conservative_polygon(list(on))) for both, on in rows]
    )


def longitudinal_margins(plan: FootfallPlan, heading: ArrayLike = FORWARD) -> Array:
    """Return the margins ahead or behind at both ends of every row, (n, 2) [m].

    Args:
        plan: the walk.
        heading: in the trunk's frame, (2,); forward unless told.

    Returns:
        Margins; -inf while no foot stands ahead or behind.
    """
    centres, turned = _row_ends(plan.centres), _row_ends(plan.poses[:, 2])
    ahead = np.asarray(heading, np.float64)
    c, s = np.cos(turned), np.sin(turned)
    ways = np.stack([c * ahead[0] - s * ahead[1], s * ahead[0] + c * ahead[1]], axis=-1)
    found = np.zeros(turned.shape)
    for i, stands in enumerate(plan.support):
        feet = plan.footholds[i][stands]
        if turned[i, 0] == turned[i, 1]:
            found[i] = longitudinal_margin(centres[i], feet, ways[i, 0])
        else:
            for k in range(2):
                found[i, k] = longitudinal_margin(centres[i, k], feet, ways[i, k])
    return found


def plan_margins(plan: FootfallPlan, heading: ArrayLike = FORWARD) -> PlanMargins:
    """Return the margins of a walk.

    Args:
        plan: the walk.
        heading: in the trunk's frame, along which the longitudinal margin is taken,
            (2,); forward unless told.

    Returns:
        Margins; -inf while no foot stands.
    """
    along = longitudinal_margins(plan, heading)
    return PlanMargins(_row_ends(plan.times), static_margins(plan), along)


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
        problems.append(f"legs must be an even number >= 4, got {legs}")
    if not 0.5 <= duty < 1.0:
        problems.append(f"duty must be at least 0.5 and below 1, got {duty!r}")
    if not 0.0 <= stroke <= pitch:
        problems.append(f"stroke must be 0 to the pitch of {pitch!r} m, got {stroke!r}")
    if problems:
        raise ConfigError("the wave gait's margin", problems)
    return (legs / 4 - 1.0) * pitch + (1.0 - 0.75 / duty) * stroke
