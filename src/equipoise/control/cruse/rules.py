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
from typing import final

from equipoise.core.checks import expect_within
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["CruseRules", "RuleLeg", "RuleStrengths", "next_leg", "shift_of"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CruseRules:
    """Strengths of the rules; a strength of zero takes one out.

    Raises:
        ConfigError: a number out of range.
    """

    hinder: float = -1.25
    """Rule 1, from the leg behind while it swings."""
    hinder_hind: float = 0.3
    """Share of it between the two hind legs."""
    hinder_after: float = 0.22
    """Share of it that is left for a while after the footfall."""
    hinder_for: float = 0.34
    """For how long, in swings."""
    start: float = 0.8
    """Rule 2, from the leg behind once it has landed."""
    start_across: float = 0.18
    """The same from the leg on the other side."""
    start_for: float = 0.11
    """For how long, in swings."""
    late: float = 0.67
    """Rule 3, from the leg before while it is far back."""
    late_from: float = -0.2
    """Where that begins, in stances forward of the middle."""
    late_to: float = -0.54
    """And where it ends."""
    late_across: float = 0.24
    """The same from the leg on the other side."""
    late_across_from: float = 0.21
    """Where that begins."""
    late_across_to: float = -0.165
    """And where it ends."""
    loaded: float = -0.2
    """Rule 5b, where this leg carries more than its neighbours do."""
    loaded_from: float = 1.3
    """Its load over their mean from which on."""
    first: float = -0.5
    """Where a leg lifts without any shift."""
    rearmost: float = -1.2
    """Where it lifts at the latest."""
    foremost: float = 0.2
    """And at the earliest."""
    needed: float = -1.8
    """Where it lifts at the latest while it has to stand in for a leg that is lost."""
    target: float = 0.0
    """Rule 4, how far a foothold is moved towards that of the leg before at most; 0
    where hips are so far apart that it is out of reach, as the TUM hexapod's."""
    target_behind: float = 0.07
    """How far behind that it shall be."""
    tread: float = 0.2
    """Rule 6, from the foot before it below which a foot stands on it."""
    tread_back: float = 0.4
    """How far behind that it is put down anew."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            expect_within(self, name, -5.0, 5.0)


class RuleStrengths(Record):
    """The rules as kernels take them; see ``CruseRules``."""

    hinder: float = entry("rule 1")
    hinder_hind: float = entry("share of it between hind legs")
    hinder_after: float = entry("share of it after the footfall")
    hinder_for: float = entry("for how long, in swings")
    start: float = entry("rule 2, from behind")
    start_across: float = entry("rule 2, from the other side")
    start_for: float = entry("for how long, in swings")
    late: float = entry("rule 3, from before")
    late_from: float = entry("where it begins")
    late_to: float = entry("where it ends")
    late_across: float = entry("rule 3, from the other side")
    late_across_from: float = entry("where it begins")
    late_across_to: float = entry("where it ends")
    loaded: float = entry("rule 5b")
    loaded_from: float = entry("load over the neighbours' from which on")
    first: float = entry("where a leg lifts without any shift")
    rearmost: float = entry("where it lifts at the latest")
    foremost: float = entry("and at the earliest")
    needed: float = entry("and at the latest in place of a lost leg")
    target: float = entry("rule 4, how far a foothold is moved at most")
    target_behind: float = entry("how far behind the foot before it")
    tread: float = entry("rule 6, from a foot below which one stands on it")
    tread_back: float = entry("how far behind it is put down anew")


class RuleLeg(Record):
    """What a leg tells its neighbours."""

    swings: float = entry("1 while it does")
    at: float = entry("its foot, in stances forward of the middle")
    since: float = entry("its last footfall, in swings")
    load: float = entry("that it carries; nan: not told", "N")
    there: float = entry("1 where there is a leg, 0 where one was lost")
    moved: float = entry("1 where its foot was put down anew in this swing")


def strengths(rules: CruseRules) -> Records[RuleStrengths]:
    """Return the rules as kernels take them, (1,)."""
    out = RuleStrengths.zeros()
    for name in RuleStrengths.entries:
        out[name] = getattr(rules, name)
    return out


@compiled(allocates=False)
def _from_behind(other: RuleLeg, rule: RuleStrengths) -> float:
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
def _from_before(other: RuleLeg, rule: RuleStrengths) -> float:
    """Return what the leg before does to the one behind it: rule 3."""
    is_late = rule.late_to < other.at < rule.late_from
    return rule.late if other.swings == 0.0 and is_late else 0.0


@compiled(allocates=False)
def _from_across(other: RuleLeg, rule: RuleStrengths, is_hind: bool) -> float:
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
def shift_of(one: int, legs: Records[RuleLeg], rules: Records[RuleStrengths]) -> float:
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
    """Say whether a leg is beside, before or behind an empty place."""
    for k in range(3):
        other = _around(one, k, legs)
        if other >= 0 and legs[other].there == 0.0:
            return True
    return False


@compiled(allocates=False)
def is_needed(one: int, legs: Records[RuleLeg]) -> bool:
    """Say whether a leg has to stand in for one that is not there.

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
