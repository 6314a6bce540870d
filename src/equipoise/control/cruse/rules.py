"""How neighbours shift the position at which a leg lifts: rules 1, 2, 3 and 5b.

Rules 4 and 6, of where feet go, are in ``control.cruse.footholds``, and 5a, of their
force, is the reflex ``coactivate``; strengths of all but the last are here.

Positions are shares of the stance's length, forward of its middle; times are shares of
a swing. A negative shift lets a leg stand for longer, a positive one lifts it sooner.
Legs come in pairs, left before right, front to rear. [Ridderstrom2003] section 3.4.1
names the rules; their strengths are ours, found by a search that some ratios of stance
to swing were kept out of.
"""

from dataclasses import dataclass
from typing import Annotated, final

from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["CruseRules", "RuleLeg", "next_leg", "shift_of"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CruseRules(Settings):
    """Strengths of the rules; a strength of zero takes one out."""

    hinder: Annotated[
        float,
        Setting(
            "Rule 1: shift by the leg behind while it swings", least=-5.0, most=5.0
        ),
    ] = -1.25
    hinder_hind: Annotated[
        float,
        Setting(
            "Rule 1: share of that shift between the two hind legs",
            least=-5.0,
            most=5.0,
        ),
    ] = 0.3
    hinder_after: Annotated[
        float,
        Setting(
            "Rule 1: share of that shift left after the footfall", least=-5.0, most=5.0
        ),
    ] = 0.22
    hinder_for: Annotated[
        float,
        Setting(
            "Rule 1: time after the footfall for which it is left, in swings",
            least=-5.0,
            most=5.0,
        ),
    ] = 0.34
    start: Annotated[
        float,
        Setting(
            "Rule 2: shift by the leg behind once it has landed", least=-5.0, most=5.0
        ),
    ] = 0.8
    start_across: Annotated[
        float,
        Setting(
            "Rule 2: shift by the leg across once it has landed", least=-5.0, most=5.0
        ),
    ] = 0.18
    start_for: Annotated[
        float, Setting("Rule 2: duration of the shift, in swings", least=-5.0, most=5.0)
    ] = 0.11
    late: Annotated[
        float,
        Setting(
            "Rule 3: largest shift by the leg ahead while it is far back",
            least=-5.0,
            most=5.0,
        ),
    ] = 0.67
    late_from: Annotated[
        float,
        Setting(
            "Rule 3: place of the leg ahead where the shift begins",
            least=-5.0,
            most=5.0,
        ),
    ] = -0.2
    late_to: Annotated[
        float,
        Setting(
            "Rule 3: place of the leg ahead where the shift ends", least=-5.0, most=5.0
        ),
    ] = -0.54
    late_across: Annotated[
        float, Setting("Rule 3: largest shift by the leg across", least=-5.0, most=5.0)
    ] = 0.24
    late_across_from: Annotated[
        float,
        Setting(
            "Rule 3: place of the leg across where the shift begins",
            least=-5.0,
            most=5.0,
        ),
    ] = 0.21
    late_across_to: Annotated[
        float,
        Setting(
            "Rule 3: place of the leg across where the shift ends", least=-5.0, most=5.0
        ),
    ] = -0.165
    loaded: Annotated[
        float,
        Setting(
            "Rule 5b: shift of a leg that carries more than its neighbours",
            least=-5.0,
            most=5.0,
        ),
    ] = -0.2
    loaded_from: Annotated[
        float,
        Setting(
            "Rule 5b: ratio of its load to their mean where the shift begins",
            least=-5.0,
            most=5.0,
        ),
    ] = 1.3
    first: Annotated[
        float,
        Setting("Place where a leg lifts without any shift", least=-5.0, most=5.0),
    ] = -0.5
    rearmost: Annotated[
        float, Setting("Rearmost place where a leg lifts", least=-5.0, most=5.0)
    ] = -1.2
    foremost: Annotated[
        float, Setting("Foremost place where a leg lifts", least=-5.0, most=5.0)
    ] = 0.2
    needed: Annotated[
        float,
        Setting(
            "Rearmost place where a leg lifts while it stands in for a lost one",
            least=-5.0,
            most=5.0,
        ),
    ] = -1.8
    target: Annotated[
        float,
        Setting(
            "Rule 4: largest shift of a foothold towards the leg ahead's; 0 for "
            "hips far apart",
            least=-5.0,
            most=5.0,
        ),
    ] = 0.0
    target_behind: Annotated[
        float,
        Setting(
            "Rule 4: distance of the foothold behind the leg ahead's",
            least=-5.0,
            most=5.0,
        ),
    ] = 0.07
    tread: Annotated[
        float,
        Setting(
            "Rule 6: distance from the foot ahead below which a foot stands on it",
            least=-5.0,
            most=5.0,
        ),
    ] = 0.2
    tread_back: Annotated[
        float,
        Setting(
            "Rule 6: distance by which such a foot is put down farther back",
            least=-5.0,
            most=5.0,
        ),
    ] = 0.4


class RuleLeg(Record):
    """Message of a leg to its neighbours."""

    swings: float = entry("1 while it does")
    at: float = entry("its foot, in stances forward of the middle")
    since: float = entry("its last footfall, in swings")
    load: float = entry("that it carries; nan: not told", "N")
    there: float = entry("1 where there is a leg, 0 where one was lost")
    moved: float = entry("1 where its foot was put down anew in this swing")


@compiled(allocates=False)
def _from_behind(other: RuleLeg, rule: CruseRules) -> float:
    """Return what the leg behind does to the one before it: rules 1 and 2."""
    shift = 0.0
    if other.swings > 0.0:
        return rule.hinder
    if other.since < rule.hinder_for:
        shift += rule.hinder_after * rule.hinder
    if other.since < rule.start_for:
        shift += rule.start
    return shift


@compiled(allocates=False)
def _from_before(other: RuleLeg, rule: CruseRules) -> float:
    """Return what the leg before does to the one behind it: rule 3."""
    is_late = rule.late_to < other.at < rule.late_from
    return rule.late if other.swings == 0.0 and is_late else 0.0


@compiled(allocates=False)
def _from_across(other: RuleLeg, rule: CruseRules, is_hind: bool) -> float:
    """Return what the leg on the other side does: rules 1 (hind legs), 2 and 3."""
    shift = 0.0
    if other.swings > 0.0:
        return rule.hinder_hind * rule.hinder if is_hind else 0.0
    if is_hind and other.since < rule.hinder_for:
        shift += rule.hinder_hind * rule.hinder_after * rule.hinder
    if other.since < rule.start_for:
        shift += rule.start_across
    if rule.late_across_to < other.at < rule.late_across_from:
        shift += rule.late_across
    return shift


@compiled(allocates=False)
def shift_of(one: int, legs: Records[RuleLeg], rules: Records[CruseRules]) -> float:
    """Return where a leg lifts, in stances forward of the middle.

    It reads its own row and those of its neighbours, no other.

    Args:
        one: which leg.
        legs: what legs tell, pair by pair from front to rear, (nl,).
        rules: of all, (1,).
    """
    rule, last, place = rules[0], legs.shape[0] - 2, 0.0
    behind, before, beside = next_leg(one, 2, legs), next_leg(one, -2, legs), one ^ 1
    load, count = 0.0, 0
    if behind >= 0:
        place += _from_behind(legs[behind], rule)
        load, count = load + legs[behind].load, count + 1
    if before >= 0:
        place += _from_before(legs[before], rule)
        load, count = load + legs[before].load, count + 1
    if legs[beside].there > 0.0:
        place += _from_across(legs[beside], rule, one >= last)
        load, count = load + legs[beside].load, count + 1
    if count > 0 and legs[one].load > rule.loaded_from * load / count:
        place += rule.loaded
    if is_needed(one, legs):
        return rule.needed
    return min(max(rule.first + place, rule.rearmost), rule.foremost)


@compiled(allocates=False)
def next_leg(one: int, step: int, legs: Records[RuleLeg]) -> int:
    """Return the next leg on a side, over an empty place if need be; -1 for none.

    Args:
        one: which leg.
        step: 2 to the rear, -2 to the front.
        legs: what legs tell.
    """
    other = one + step
    while 0 <= other < legs.shape[0] and legs[other].there == 0.0:
        other += step
    return other if 0 <= other < legs.shape[0] else -1


@compiled(allocates=False)
def _around(one: int, k: int, legs: Records[RuleLeg]) -> int:
    """Return the place beside, before or behind one, k of 0 to 2; -1 for none."""
    other = one ^ 1 if k == 0 else one - 2 if k == 1 else one + 2
    return other if 0 <= other < legs.shape[0] else -1


@compiled(allocates=False)
def _is_bereft(one: int, legs: Records[RuleLeg]) -> bool:
    """Return whether a leg is beside, before or behind an empty place."""
    for k in range(3):
        other = _around(one, k, legs)
        if other >= 0 and legs[other].there == 0.0:
            return True
    return False


@compiled(allocates=False)
def is_needed(one: int, legs: Records[RuleLeg]) -> bool:
    """Return whether a leg has to take the place of a missing one.

    It has to while a neighbour swings and one of both is next to an empty place, or
    both are next to the same: a ganglion outlives its leg and passes on what is told.
    That a leg is lost goes round, and no two of one pair swing at once from then on.
    """
    is_whole = True
    for leg in legs:
        is_whole = is_whole and leg.there > 0.0
    if is_whole:
        return False
    if legs[one ^ 1].swings > 0.0:
        return True
    is_next = _is_bereft(one, legs)
    for k in range(3):
        other = _around(one, k, legs)
        if other < 0:
            continue
        if legs[other].there > 0.0:
            if legs[other].swings > 0.0 and (is_next or _is_bereft(other, legs)):
                return True
            continue
        for m in range(3):
            third = _around(other, m, legs)
            if third >= 0 and third != one and legs[third].swings > 0.0:
                return True
    return False
