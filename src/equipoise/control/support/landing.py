"""When a swinging foot is taken to stand."""

import math

from equipoise.control.records import LegAim, LegEstimate, LegStance
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry

__all__ = ["Landing", "lands"]


SEEN = 0.5  # of ``near`` over the ground from which a foot that sees it does not stand


class Landing(Record):
    """What makes a foot stand."""

    touch: float = entry("load from which a foot stands", "N")
    early: float = entry("share of a swing from which it may stand before its time")
    near: float = entry("how close to its foothold it must be then", "m")
    patience: float = entry("overdue for how long it may stand anywhere", "s")


@compiled(allocates=False)
def lands(
    is_due: bool, leg: LegStance, known: LegEstimate, aim: LegAim, landing: Landing
) -> bool:
    """Say whether a swinging foot stands from now on.

    Args:
        is_due: whether its swing is over.
        leg: how far its swing is, or how late it is.
        known: what is known of it.
        aim: what it was told.
        landing: what makes it stand.
    """
    if math.isnan(known.load):  # nothing feels the ground: trust the clock
        return is_due and leg.late > 0.02
    if not known.load > landing.touch or known.near > SEEN * landing.near:
        return False  # felt by torques alone, a foot that is stopped feels a load too
    x, y = known.foot[0] - aim.landing[0], known.foot[1] - aim.landing[1]
    is_near = abs(x) < landing.near and abs(y) < landing.near
    if is_due:
        return is_near or leg.late > landing.patience
    return is_near and leg.progress > landing.early
