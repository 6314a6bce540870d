"""When a swinging foot is taken to stand."""

import math
from dataclasses import dataclass
from typing import Annotated

from equipoise.control.records import LegAim, LegEstimate, LegStance
from equipoise.core.jit import compiled
from equipoise.core.setting import Setting, Settings

__all__ = ["LandingConfig", "Near", "Patience", "Touch", "lands"]

SEEN = 0.5  # of ``near`` over the ground from which a foot that sees it does not stand


Touch = Annotated[float, Setting("Load above which a foot stands", "N", above=0.0)]
Early = Annotated[
    float,
    Setting("Share of a swing after which a foot may stand before its time", above=0.0),
]
Near = Annotated[
    float,
    Setting("Largest distance from its foothold of a foot that stands", "m", above=0.0),
]
Patience = Annotated[
    float,
    Setting("Delay after which a late foot may stand anywhere", "s", above=0.0),
]


@dataclass(frozen=True, kw_only=True)
class LandingConfig(Settings):
    """Settings of when a foot stands; the defaults suit WARP1."""

    touch: Touch = 30.0
    early: Early = 0.6
    near: Near = 0.08


@compiled(allocates=False)
def lands(
    is_due: bool,
    leg: LegStance,
    known: LegEstimate,
    aim: LegAim,
    landing: LandingConfig,
    patience: float,
) -> bool:
    """Return whether a swing foot stands from now on.

    Args:
        is_due: whether its swing is over.
        leg: how far its swing is, or how late it is.
        known: what is known of it.
        aim: what it was told.
        landing: settings of when it stands.
        patience: delay after which a late foot may stand anywhere [s].
    """
    if math.isnan(known.load):  # nothing feels the ground: trust the clock
        return is_due and leg.late > 0.02
    if not known.load > landing.touch or known.near > SEEN * landing.near:
        return False  # felt by torques alone, a foot that is stopped feels a load too
    x, y = known.foot[0] - aim.landing[0], known.foot[1] - aim.landing[1]
    is_near = abs(x) < landing.near and abs(y) < landing.near
    if is_due:
        return is_near or leg.late > patience
    return is_near and leg.progress > landing.early
