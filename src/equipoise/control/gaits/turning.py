"""Turning in balance: which order of steps keeps the margin about a turning centre.

A crawl whose feet follow circles about a far centre is a crawl still. On the spot it is
not in balance: there only one order of six is, around the machine the way it turns, LF,
LR, RR, RF to the left. In between the better of the two is taken. Turning centres at
infinity are crab walks ([Ridderstrom2003] section 2.3, after Hirose).
"""

import numpy as np

from equipoise.control.gaits.crab import crab_gait
from equipoise.control.gaits.footprint import Footprint
from equipoise.control.gaits.margins import static_margins
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.gaits.plan import periodic_plan
from equipoise.control.gaits.sequences import creeping_gait
from equipoise.core.arrays import Vec2
from equipoise.core.errors import ConfigError

__all__ = ["turning_gait"]

TO_THE_LEFT, TO_THE_RIGHT = (0, 2, 3, 1), (1, 3, 2, 0)


def turning_gait(
    footprint: Footprint, stride: Vec2, turn: float, duty: float = 0.85
) -> PhaseGait:
    """Return the creeping gait with the larger margin for a stride and a turn.

    Args:
        footprint: of four legs.
        stride: of a cycle, as the trunk sees it, (2,) [m].
        turn: of a cycle, to the left; not zero [rad].
        duty: at least 3/4.

    Raises:
        ConfigError: another number of legs, no turn, or a duty factor too small.
    """
    if not (np.isfinite(turn) and turn != 0.0):
        raise ConfigError("turning gait", [f"turn must not be zero, got {turn!r}"])
    ahead = float(np.arctan2(stride[1], stride[0]))
    around = TO_THE_LEFT if turn > 0.0 else TO_THE_RIGHT
    tried = [crab_gait(ahead, footprint, duty), creeping_gait(around, duty)]
    least = [
        float(static_margins(periodic_plan(gait, footprint, stride, turn)).min())
        for gait in tried
    ]
    best = tried[int(np.argmax(least))]
    return PhaseGait(best.phases, best.duty, "turning")
