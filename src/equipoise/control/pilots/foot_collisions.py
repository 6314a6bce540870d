"""Feet in the air that something stops: how a machine without eyes meets a wall."""

import math

from equipoise.control.records import LegAim, LegEstimate, LegStance, TrunkEstimate
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["FootCollision", "feel_collisions"]

BEYOND = 2.0  # of a foot's usual lag, which counts up to the lag that is set
SWINGS = 2.0  # without a knock after which a foot's usual lag is known


class FootCollision(Record):
    """Obstacle that one foot met, and how well the foot follows its aims."""

    held: float = entry("for how long it has lagged too much", "s")
    is_new: float = entry("1 at the tick at which it counts as a knock")
    heading: float = entry("of its way in W", "rad")
    peak: float = entry("largest lag of this swing", "m")
    met: float = entry("1 once something was met in this swing")
    usual: float = entry("largest lag of swings in which nothing was", "m")
    swings: float = entry("how many these were")
    short: float = entry("way that it had left when it was last in the air", "m")


@compiled(allocates=False)
def feel_collisions(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    aims: Records[LegAim],
    stops_from: tuple[float, float],
    before: Records[FootCollision],
    after: Records[FootCollision],
) -> bool:
    """Write which feet are stopped on their way; say whether one is anew.

    One is that lags behind for a while, or stands too early. How far it lags anyhow is
    learnt from its first swings, drives being as good as they are.

    Args:
        trunk: of this tick, (1,).
        legs: of this tick, (nl,).
        stance: of the last tick, (nl,).
        aims: what legs were told at the last tick, (nl,).
        stops_from: lag beyond the usual [m] that stops a foot, and its duration [s].
        before: of the last tick, (nl,).
        after: overwritten, (nl,).
    """
    (lagging, lasting), R, found = stops_from, trunk[0].R_WB, False
    for one in range(legs.shape[0]):
        after[one] = before[one]
        leg, aim, knock = legs[one], aims[one], after[one]
        vx, vy = aim.velocity[0], aim.velocity[1]
        speed, stops = math.hypot(vx, vy), False
        most = lagging + min(BEYOND * knock.usual, lagging)
        if stance[one].stands > 0.0:
            stops = knock.short > most
            if knock.peak > 0.0 and knock.met == 0.0 and not stops:
                knock.usual = max(knock.usual, knock.peak)
                knock.swings += 1.0
        elif speed > 0.0:
            dx, dy = aim.place[0] - leg.foot[0], aim.place[1] - leg.foot[1]
            lag = (dx * vx + dy * vy) / speed
            knock.peak = max(knock.peak, lag)
            dx, dy = aim.landing[0] - leg.foot[0], aim.landing[1] - leg.foot[1]
            knock.short = (dx * vx + dy * vy) / speed
            knock.held = knock.held + trunk[0].dt if lag > most else 0.0
            stops = knock.held >= lasting
            x, y = R[0, 0] * vx + R[0, 1] * vy, R[1, 0] * vx + R[1, 1] * vy
            knock.heading = math.atan2(y, x)
        is_new = stops and knock.met == 0.0 and knock.swings >= SWINGS
        knock.is_new, found = (1.0, True) if is_new else (0.0, found)
        knock.met = 1.0 if is_new else knock.met
        if stance[one].stands > 0.0:
            knock.peak, knock.met, knock.held, knock.short = 0.0, 0.0, 0.0, 0.0
    return found
