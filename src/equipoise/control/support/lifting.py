"""Which legs of a free gait lift now, and where they step; see ``support.free``."""

import math
from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.gaits.leg_limits import LegLimits
from equipoise.control.records import LegEstimate, LegStance, TrunkEstimate
from equipoise.control.support.landing import LandingConfig, Near, Patience, Touch
from equipoise.control.support.seen_ground import (
    SeenCell,
    highest_between,
    near_foothold,
)
from equipoise.control.support.temporal import (
    FreeFoot,
    FreeRule,
    half_support,
    next_to_lift,
)
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Records, entry
from equipoise.core.setting import Setting

__all__ = ["FreeConfig", "FreeLeg", "lift_legs"]

KEPT = 4  # footholds that each leg remembers


@final
@dataclass(frozen=True, kw_only=True)
class FreeConfig(FreeRule, LandingConfig):
    """Settings of the free gait; the defaults are the ASV's."""

    workspace: Annotated[
        float, Setting("Share of a leg's reach that is used", least=0.1, most=1.0)
    ] = 0.9
    follows: Annotated[
        bool, Setting("Whether legs step where the leg ahead has stood")
    ] = False
    behind: Annotated[
        float,
        Setting("Distance of a foothold behind that of the leg ahead", "m", least=0.0),
    ] = 0.1
    astray: Annotated[
        float,
        Setting(
            "Largest distance of a followed foothold from the leg's own", "m", above=0.0
        ),
    ] = 0.5
    clearance: Annotated[
        float,
        Setting(
            "Clearance of swinging feet; 0 takes the leg program's", "m", least=0.0
        ),
    ] = 0.0
    cell: Annotated[
        float,
        Setting("Edge length of the cells that keep scanned heights", "m", above=0.0),
    ] = 0.25
    steepest: Annotated[
        float, Setting("Largest scanned slope on which a foot is put down", least=0.0)
    ] = 0.3
    over: Annotated[
        float,
        Setting(
            "Smallest clearance of swinging feet over scanned ground", "m", least=0.0
        ),
    ] = 0.15
    patience: Annotated[
        float,
        Setting(
            "Share of its time in the workspace below which a leg may lift",
            least=0.05,
            most=1.0,
        ),
    ] = 0.6
    touch: Touch = 1300.0
    near: Near = 0.4
    patient: Patience = 0.1


class FreeLeg(FreeFoot):
    """Memory of one leg of a free gait."""

    raised: float = entry("for how long it has been in the air", "s")
    seen: Array = entry("footholds in W, the newest first", "m", KEPT, 3)
    count: float = entry("how many of them there are")


@compiled(allocates=False)
def lift_legs(
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    velocity: tuple[float, float, float],
    set_by: tuple[FreeConfig, float],
    limits: Records[LegLimits],
    stances: tuple[Records[LegStance], Records[FreeLeg], Records[SeenCell]],
    places: Array,
) -> None:
    """Lift legs while one should and can be lifted, and choose their footholds."""
    (setting, radius), (stance, free, seen) = set_by, stances
    centre = (trunk.p_BC[0], trunk.p_BC[1])
    for _ in range(legs.shape[0]):
        one = next_to_lift(
            velocity, centre, setting, setting.follows, limits, free, places
        )
        if one < 0 or (setting.follows and is_busy(one, free)):
            return
        leg, mine = stance[one], free[one]
        leg.stands, leg.late, leg.progress, leg.clearance = (
            0.0,
            0.0,
            0.0,
            setting.clearance,
        )
        mine.stands, mine.raised = 0.0, 0.0
        _remember(legs[one], mine)
        x, y = _bound_for(trunk, velocity, setting, limits[one])
        _choose_seen((x, y), setting, radius, legs[one], seen, leg)
        if setting.follows:
            _pass_turn(one, free)
            _follow_ahead(trunk, one, (x, y), setting, free, leg)


@compiled(allocates=False)
def _bound_for(
    trunk: TrunkEstimate,
    velocity: tuple[float, float, float],
    setting: FreeConfig,
    limit: LegLimits,
) -> tuple[float, float]:
    """Return where in W a leg that lifts now would step of itself [m]."""
    R, p = trunk.R_WB, trunk.p_WB
    size = math.hypot(R[0, 0], R[1, 0])
    c, s = R[0, 0] / size, R[1, 0] / size
    vx, vy, w = velocity
    ahead = setting.swing + half_support(limit, velocity)
    a = limit.place[0] + (vx - w * limit.place[1]) * ahead
    b = limit.place[1] + (vy + w * limit.place[0]) * ahead
    return p[0] + c * a - s * b, p[1] + s * a + c * b


@compiled(allocates=False)
def _choose_seen(
    place: tuple[float, float],
    setting: FreeConfig,
    radius: float,
    known: LegEstimate,
    seen: Records[SeenCell],
    leg: LegStance,
) -> None:
    """Bind a leg for ground that was seen and is not steep; lift it over the rest."""
    x, y = place
    a, b, height = near_foothold(x, y, setting.cell, setting.steepest, seen)
    leg.goal[0], leg.goal[1], leg.goal[2] = a, b, height + radius
    if not math.isfinite(height):
        return
    start = (known.foothold[0], known.foothold[1])
    top = highest_between(start, (a, b), setting.cell, seen) + radius
    high = max(known.foothold[2], leg.goal[2])
    if top > high:
        leg.clearance = max(leg.clearance, top - high + setting.over)


@compiled(allocates=False)
def is_busy(one: int, free: Records[FreeLeg]) -> bool:
    """Return whether another leg of the same side is in the air."""
    for other in range(one % 2, free.shape[0], 2):
        if other != one and free[other].stands == 0.0:
            return True
    return False


@compiled(allocates=False)
def _pass_turn(one: int, free: Records[FreeLeg]) -> None:
    """Let the leg ahead step next, after the front one the rearmost."""
    ahead = one - 2 if one >= 2 else free.shape[0] - 2 + one % 2
    free[one].is_next, free[ahead].is_next = 0.0, 1.0


@compiled(allocates=False)
def _remember(leg: LegEstimate, mine: FreeLeg) -> None:
    """Keep where a leg has stood, the newest first."""
    for back in range(KEPT - 1):
        k = KEPT - 1 - back
        for i in range(3):
            mine.seen[k, i] = mine.seen[k - 1, i]
    for i in range(3):
        mine.seen[0, i] = leg.foothold[i]
    mine.count = min(mine.count + 1.0, float(KEPT))


@compiled(allocates=False)
def _follow_ahead(
    trunk: TrunkEstimate,
    one: int,
    place: tuple[float, float],
    setting: FreeConfig,
    free: Records[FreeLeg],
    leg: LegStance,
) -> None:
    """Bind a leg for the nearest place that the one ahead has used, if one is near."""
    if one < 2:
        return
    R = trunk.R_WB
    size = math.hypot(R[0, 0], R[1, 0])
    c, s = R[0, 0] / size, R[1, 0] / size
    leader, best, least = free[one - 2], -1, setting.astray
    for k in range(int(leader.count)):
        far = math.hypot(leader.seen[k, 0] - place[0], leader.seen[k, 1] - place[1])
        if far < least:
            best, least = k, far
    if best >= 0:
        leg.goal[0] = leader.seen[best, 0] - c * setting.behind
        leg.goal[1] = leader.seen[best, 1] - s * setting.behind
        leg.goal[2] = leader.seen[best, 2]
