"""Where WARP1 is known to fall, or not to get on: said before it walks.

Each sentence has what was measured, seeds 1000 and on, and what would work.
"""

from equipoise.robots.warp1.walking import CREEPING_GAITS, HEAVY

__all__ = ["walking_warnings"]

SOFTEST = 2591.0
"""Ground on which the crawl was measured to get on, under each foot [N/m]."""
HIGHEST = 0.04
"""Blocks over which it was [m]."""


def walking_warnings(
    gait: str, *, payload: float, stiffness: float, step: float, actuators: str
) -> list[str]:
    """Return what is known to go wrong, a sentence each.

    Args:
        gait: its name.
        payload: that it carries [kg].
        stiffness: of the ground under each foot, infinite unless it is soft [N/m].
        step: height of the blocks that it walks over [m].
        actuators: which drives it has.
    """
    if gait not in CREEPING_GAITS:
        return []
    found, is_elastic = [], actuators == "elastic"
    if stiffness < SOFTEST:
        found.append(
            f"crawling needs ground of {SOFTEST:g} N/m under each foot, got "
            f"{stiffness:g}: on 1943 N/m none of 20 seeds advanced (they wait on "
            "all feet; without the reflex 'wary' 20 of 20 fell); take the trot"
        )
    if stiffness < float("inf") and is_elastic:
        found.append(
            f"crawling on soft ground with elastic gears falls: 2 of 6 seeds on "
            f"{SOFTEST:g} N/m; take --actuators motor, or the trot"
        )
    if payload >= HEAVY and is_elastic:
        found.append(
            f"crawling with elastic gears carries less than {HEAVY:g} kg, got "
            f"{payload:g}: with 15 kg 4 of 6 seeds fell, with 50 kg 6 of 6; take "
            "--actuators motor"
        )
    if step > HIGHEST:
        found.append(
            f"crawling over blocks was measured up to {100.0 * HIGHEST:g} cm, got "
            f"{100.0 * step:g}: over 6 cm 8 of 20 seeds fell; take lower ones"
        )
    return found
