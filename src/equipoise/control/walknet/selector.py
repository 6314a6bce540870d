"""Selector net: two units of which the stronger one moves the leg.

[Ridderstrom2003] section 3.4.1: contact with the ground excites the power stroke's unit
and inhibits the return stroke's; having gone back beyond the posterior extreme position
does the opposite. Each unit excites itself, and so keeps its state when neither input
is there. Both are there at the end of a stance: then the second must outweigh.

    PS += 0.6 GC - 1.2 PEP,    RS += 1.2 PEP - 0.6 GC,    each kept within 0 and 1

200 times a second; between two such instants the units stay as they are.
"""

from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry

__all__ = ["SelectorUnits", "select"]

PERIOD = 0.005  # [s]
BY_GROUND, BY_PLACE = 0.6, 1.2


class SelectorUnits(Record):
    """Activities of the two units of one leg."""

    power: float = entry("stroke's unit, 0 to 1")
    back: float = entry("return stroke's unit, 0 to 1")
    since: float = entry("they last moved", "s")


@compiled(allocates=False)
def select(units: SelectorUnits, has_ground: bool, is_behind: bool, dt: float) -> bool:
    """Advance both units by a tick; say whether the leg is in its power stroke.

    Args:
        units: of the leg; advanced.
        has_ground: whether its foot feels the ground.
        is_behind: whether it is beyond its posterior extreme position.
        dt: duration of the tick [s].
    """
    units.since += dt
    if units.since >= PERIOD:
        units.since = max(units.since - PERIOD, 0.0) if dt < PERIOD else 0.0
        push = BY_GROUND if has_ground else 0.0
        pull = BY_PLACE if is_behind else 0.0
        units.power = min(max(units.power + push - pull, 0.0), 1.0)
        units.back = min(max(units.back + pull - push, 0.0), 1.0)
    return units.power >= units.back
