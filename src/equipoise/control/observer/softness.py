"""How soft the ground is under each foot, and how much of its margin is left.

Each standing foot is a spring of the ground's stiffness, k = -dF/dz, found by least
squares from how its load and its height go up and down, both beside the mean of the
feet that stand: dead reckoning cannot see all of them sink, it does see one. With
joints held, a body of weight m g and height h stands on such feet, at r from their
middle, where

    Σ k r rᵀ > m g h,    margin = 1 - m g h / λ

λ the left side's smaller eigenvalue: [Ridderstrom2003] eq. (11.3) put right, for feet
at any place. On hard ground the margin is 1.
"""

import math
from dataclasses import dataclass
from typing import Annotated

from equipoise.control.records import LegEstimate, LegStance, TrunkEstimate
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["FIRMEST", "FootSoftness", "SoftnessConfig", "learn_softness", "soft_margin"]

ALIKE = 0.5  # ρ² from which load and sinking belong together
FIRMEST = 1e6
"""Stiffness beyond which dead reckoning tells nothing: that of hard ground [N/m]."""
TIPS = 10.0  # m g h / λ that counts as the most: feet in a line


@dataclass(frozen=True, kw_only=True, slots=True)
class SoftnessConfig(Settings):
    """Settings of how stiffness is learnt; the defaults suit WARP1."""

    middle_time: Annotated[
        float,
        Setting("Time constant of the means of loads and heights", "s", above=0.0),
    ] = 1.0
    memory: Annotated[
        float,
        Setting(
            "Time constant with which learnt stiffness is forgotten while loads change",
            "s",
            above=0.0,
        ),
    ] = 2.0
    stirred: Annotated[
        float,
        Setting(
            "Deviation of a load from its mean above which it is learnt from",
            "N",
            above=0.0,
        ),
    ] = 20.0
    blur: Annotated[
        float, Setting("Standard error of a foot's height", "m", least=0.0)
    ] = 0.002


class FootSoftness(Record):
    """Estimate of the ground under one foot."""

    load: float = entry("middle of its load beside the feet's mean", "N")
    height: float = entry("middle of its height beside the feet's mean", "m")
    loads: float = entry("square of how far its load has come up", "N² s")
    works: float = entry("that of its load times how far it has come down", "N m s")
    ways: float = entry("square of how far it has come down", "m² s")
    stiffness: float = entry("of the ground, hard until it is known", "N/m")
    stands: float = entry("1 where it stands and feels")
    stood: float = entry("for how long", "s")


@compiled(allocates=False)
def learn_softness(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[SoftnessConfig],
    before: Records[FootSoftness],
    after: Records[FootSoftness],
) -> None:
    """Update the estimate of the ground under each foot that stands and feels."""
    dt, setting, is_new = trunk[0].dt, settings[0], False
    unseen = setting.blur * setting.blur
    count, mean_load, mean_height = 0.0, 0.0, 0.0
    for one in range(legs.shape[0]):
        after[one] = before[one]
        leg, foot = legs[one], after[one]
        foot.stands, foot.stood = 0.0, foot.stood + dt
        height = foot_height(trunk[0], leg)
        if stance[one].stands > 0.0 and math.isfinite(leg.load + height):
            foot.stands, count = 1.0, count + 1.0
            mean_load += leg.load
            mean_height += height
        is_new = is_new or foot.stands != before[one].stands
    for one in range(legs.shape[0]):
        foot = after[one]
        if foot.stands == 0.0:
            foot.stood = 0.0
            continue
        load = legs[one].load - mean_load / count
        height = foot_height(trunk[0], legs[one]) - mean_height / count
        if is_new:
            foot.load, foot.height = load, height
        more, down = load - foot.load, foot.height - height
        if abs(more) > setting.stirred:
            fade = 1.0 - dt / (setting.memory + dt)
            foot.loads = fade * foot.loads + more * more * dt
            foot.works = fade * foot.works + more * down * dt
            foot.ways = fade * foot.ways + (down * down - unseen) * dt
        share = dt / (setting.middle_time + dt)
        foot.load += share * more
        foot.height -= share * down
    _conclude(after)


@compiled(allocates=False)
def _conclude(feet: Records[FootSoftness]) -> None:
    """Write stiffnesses; a foot that tells little is taken to stand as the others do.

    What the feet tell on average is added to what each one tells. Where loads and ways
    have little to do with each other, ρ² < 1/2, it is no spring that moves the foot:
    then the stiffness is the upper bound of both that least squares give.
    """
    loads, works, ways = 0.0, 0.0, 0.0
    for foot in feet:
        loads += foot.loads / feet.shape[0]
        works += foot.works / feet.shape[0]
        ways += foot.ways / feet.shape[0]
    for foot in feet:
        load, work, way = foot.loads + loads, foot.works + works, foot.ways + ways
        if load == 0.0:
            continue
        bound = load / max(work, load / FIRMEST)
        is_spring = work > 0.0 and work * work > ALIKE * load * way
        foot.stiffness = min(work / max(way, 1e-12), bound) if is_spring else bound


@compiled(allocates=False)
def foot_height(trunk: TrunkEstimate, leg: LegEstimate) -> float:
    """Return a foot's height in W, as it is seen now [m]."""
    up, height = trunk.R_WB[2], trunk.p_WB[2]
    for j in range(3):
        height += up[j] * (leg.hip[j] + leg.foot[j])
    return height


@compiled(allocates=False)
def soft_margin(
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    feet: Records[FootSoftness],
    lifted: int,
) -> float:
    """Return 1 - m g h / λ of feet on soft ground, no unit.

    Args:
        trunk: what is known of it.
        legs: and of the legs, (nl,).
        stance: who stands, (nl,).
        feet: the ground under each foot, (nl,).
        lifted: a leg that is taken to be in the air as well, or -1 for none.
    """
    k, x, y, z, xx, xy, yy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for one in range(legs.shape[0]):
        if one == lifted or stance[one].stands == 0.0:
            continue
        leg, own = legs[one], min(feet[one].stiffness, FIRMEST)
        a, b = leg.hip[0] + leg.foot[0], leg.hip[1] + leg.foot[1]
        k, x, y = k + own, x + own * a, y + own * b
        z += own * (trunk.p_BC[2] - leg.hip[2] - leg.foot[2])
        xx, xy, yy = xx + own * a * a, xy + own * a * b, yy + own * b * b
    if k == 0.0:
        return 1.0 - TIPS
    xx, xy, yy = xx - x * x / k, xy - x * y / k, yy - y * y / k
    middle, half = 0.5 * (xx + yy), 0.5 * (xx - yy)
    weakest = middle - math.sqrt(half * half + xy * xy)
    tips = trunk.mass * GRAVITY * z / k
    margin = 1.0 - tips / max(weakest, tips / TIPS, 1e-9)
    return margin if math.isfinite(margin) else 1.0 - TIPS
