"""What of the world would do: friction, slope, stiffness of ground and legs."""

import math

from equipoise.runs.check.remedies.remedy import Remedy, RemedyKind
from equipoise.runs.check.remedies.search import RemedySearch, RemedyTrial
from equipoise.runs.check.search import below_in_two_digits, two_digits

__all__ = ["flatter_slope", "more_friction", "stiffer"]

MOST_FRICTION, FRICTION_STEP = 2.0, 0.01
SLOPE_STEP = 0.1  # [degrees]
DECADES = 6  # times ten of its stiffness up to which one is searched for


def more_friction(search: RemedySearch) -> list[Remedy]:
    """Return the friction that would do.

    Args:
        search: what shall be reached.
    """
    now = search.result.summary["friction"]
    if now is None or now >= MOST_FRICTION:
        return []
    first = math.floor(now / FRICTION_STEP + 1e-9)

    def value(k: int) -> float:
        return round((first + k) * FRICTION_STEP, 9)

    def change(k: int) -> RemedyTrial:
        return RemedyTrial(question={"friction": value(k)})

    most = round(MOST_FRICTION / FRICTION_STEP) - first
    if not search.works(change(most), is_quick=True):
        return []
    found = search.least(change, max(1, most // 8), most)
    if found is None:
        return []
    told = f"friction is at least {value(found):.4g}"
    return [Remedy("friction", (), value(found), "", search.goal.sentence, told)]


def flatter_slope(search: RemedySearch) -> list[Remedy]:
    """Return the slope on which it would do, falling the same way.

    Args:
        search: what shall be reached.
    """
    now = search.asked.question.slope_deg
    if not now:
        return []
    first = math.ceil(now / SLOPE_STEP - 1e-9)

    def value(k: int) -> float:
        return round((first - k) * SLOPE_STEP, 9)

    def change(k: int) -> RemedyTrial:
        return RemedyTrial(question={"slope_deg": value(k)})

    if not search.works(change(first), is_quick=True):
        return []
    found = search.least(change, max(1, first // 8), first)
    if found is None:
        return []
    told = f"the slope is at most {value(found):.4g} deg"
    return [Remedy("slope", (), value(found), "deg", search.goal.sentence, told)]


def stiffer(search: RemedySearch) -> list[Remedy]:
    """Return the stiffness of the ground, and that of the legs, that would do.

    Args:
        search: what shall be reached.
    """
    question = search.asked.question
    found = [
        _stiffer_part(search, "ground-stiffness", question.ground_stiffness),
        _stiffer_part(search, "leg-stiffness", question.leg_stiffness),
    ]
    return [remedy for remedy in found if remedy is not None]


def _stiffer_part(
    search: RemedySearch, kind: RemedyKind, now: float | None
) -> Remedy | None:
    """Return the stiffness of ground or legs that would do, or None."""
    if now is None:
        return None
    setting = kind.replace("-", "_")
    lowest = 10.0 ** math.floor(math.log10(now))
    first, most = below_in_two_digits(now, lowest), 90 * DECADES

    def change(k: int) -> RemedyTrial:
        return RemedyTrial(question={setting: two_digits(first + k, lowest)})

    if not search.works(change(most), is_quick=True):
        return None
    soft = search.result.summary["compliance"] or {}
    more = soft.get("multiplier")
    guess = now if more is None else now * float(more)
    near = below_in_two_digits(guess, lowest) + 1 - first
    found = search.least(change, near, most)
    if found is None:
        return None
    value = two_digits(first + found, lowest)
    what = "the ground" if kind == "ground-stiffness" else "each leg"
    told = f"{what} has a stiffness of at least {value:.4g} N/m"
    return Remedy(kind, (), value, "N/m", search.goal.sentence, told)
