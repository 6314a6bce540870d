"""Will it stand, if mass, centre of mass and stiffness are only known roughly?

The part of a check about tolerances: every margin becomes an interval that holds the
margins of all robots within them, and the answer is "yes" for all, "no" for all, or
"unknown".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.robots.stance.stance import Stance
from equipoise.runs.check.verdict import carrying
from equipoise.stability.region.region import equilibrium_region
from equipoise.stability.soft.foot import Foot
from equipoise.stability.uncertain.margin import (
    MarginInterval,
    energy_margin_interval,
    region_margin_interval,
    static_margin_interval,
)
from equipoise.stability.uncertain.soft import multiplier_interval

__all__ = [
    "EXACT",
    "Tolerances",
    "UncertainAnswer",
    "loosened",
    "stands_within",
    "uncertain_answer",
]

Answer = Literal["yes", "no", "unknown"]

EDGE = 1e-6  # margin within which nobody can say [m]


@final
@dataclass(frozen=True)
class Tolerances:
    """Tolerances of a robot's numbers; zero for exact ones."""

    mass: float = 0.0
    """Share of the mass, below 1."""
    com: float = 0.0
    """Of the centre of mass along each axis [m]."""
    stiffness: float = 0.0
    """Share of each foot's stiffness, below 1."""


EXACT = Tolerances()


class UncertainAnswer(NamedTuple):
    """Answer with tolerances."""

    stands: Answer
    reasons: list[str]
    summary: dict[str, Any]
    """Bounds by the names of the command's margins, null where there is none."""


def uncertain_answer(
    stance: Stance,
    *,
    friction: ArrayLike,
    feet: Sequence[Foot] | None = None,
    gravity: float = GRAVITY,
    mass_tolerance: float = 0.0,
    com_tolerance: ArrayLike = 0.0,
    stiffness_tolerance: float = 0.0,
) -> UncertainAnswer:
    """Return whether every robot within the tolerances stands.

    It knows contacts and weights only: what a check calls "unknown" for another reason
    (shapes that are lost, a fixed base) stays so.

    Args:
        stance: where the robot touches.
        friction: Coulomb friction of the contacts, >= 0, one number or (n,).
        feet: on soft ground or legs, seen from the centre of mass; None where both are
            rigid.
        gravity: along -z, > 0 [m/s²].
        mass_tolerance: share of the mass, at least 0, below 1.
        com_tolerance: half-width along x, y and z, (3,), or one number [m].
        stiffness_tolerance: share of each foot's stiffness, at least 0, below 1.

    Raises:
        ConfigError: a tolerance of stiffness where nothing is soft.
        NotPhysicalError: a tolerance out of range.
        ShapeError: a tolerance of another shape, or not finite.
    """
    if feet is None and stiffness_tolerance:
        problem = f"stiffness-tolerance {stiffness_tolerance!r} needs a stiffness"
        hint = "stiffness_tolerance needs a ground or leg stiffness, and level ground"
        raise ConfigError("the check", [f"{problem}; {hint}"])
    if not len(stance.points):
        return UncertainAnswer("no", ["it does not touch the ground"], _summary({}))
    n, pxy = len(stance.points), stance.com[:2]
    found: dict[str, MarginInterval] = {}
    if math.isfinite(stance.ground):
        found["static_margin_m"] = static_margin_interval(
            pxy, stance.points, com_tolerance
        )
    found["energy_margin_j"] = energy_margin_interval(
        stance.com,
        stance.points,
        stance.mass,
        com_tolerance=com_tolerance,
        mass_tolerance=mass_tolerance,
        gravity=gravity,
    )
    mu = np.broadcast_to(np.asarray(friction, np.float64), (n,))
    region = equilibrium_region(stance.points, stance.normals, mu)
    found["region_margin_m"] = region_margin_interval(region, pxy, com_tolerance)
    alone = carrying(stance.normals, mu)
    if not alone.all():
        found["carried_margin_m"] = static_margin_interval(
            pxy, stance.points[alone], com_tolerance
        )
    if feet is not None:
        found["multiplier"] = multiplier_interval(
            stance.mass,
            feet,
            mass_tolerance=mass_tolerance,
            com_tolerance=com_tolerance,
            stiffness_tolerance=stiffness_tolerance,
            gravity=gravity,
        )
    return _answer(found)


def stands_within(
    stance: Stance,
    friction: ArrayLike,
    feet: Sequence[Foot] | None,
    tolerances: Tolerances,
    gravity: float = GRAVITY,
) -> UncertainAnswer:
    """Return whether every robot within some tolerances stands.

    Args:
        stance: where the robot touches.
        friction: Coulomb friction of the contacts, >= 0, one number or (n,).
        feet: on soft ground or legs; None where both are rigid.
        tolerances: how well it is known.
        gravity: along -z, > 0 [m/s²].

    Raises:
        ConfigError: a tolerance of stiffness where nothing is soft.
        NotPhysicalError: a tolerance out of range.
    """
    return uncertain_answer(
        stance,
        friction=friction,
        feet=feet,
        gravity=gravity,
        mass_tolerance=tolerances.mass,
        com_tolerance=tolerances.com,
        stiffness_tolerance=tolerances.stiffness,
    )


def loosened(
    stands: Answer,
    reasons: list[str],
    told: UncertainAnswer,
    *,
    is_limited: bool,
) -> tuple[Answer, list[str]]:
    """Return an answer about one robot as one about all within the tolerances.

    Args:
        stands: of the robot as it is given.
        reasons: why.
        told: what the tolerances mean.
        is_limited: whether joint torques limited the forces, which tolerances ignore.
    """
    if stands == "unknown" or stands == told.stands == "no":
        return stands, reasons
    if told.stands == "yes" and is_limited:
        return "unknown", ["tolerances are judged without torque limits", *reasons]
    return told.stands, [*told.reasons, *reasons]


def _answer(found: dict[str, MarginInterval]) -> UncertainAnswer:
    """Return "yes" where every criterion proves it, "no" where one denies it."""
    says = {
        name: interval.above(EDGE)
        for name, interval in found.items()
        if name in ("static_margin_m", "region_margin_m")
    }
    if "carried_margin_m" in found and found["carried_margin_m"].low <= EDGE:
        says["carried_margin_m"] = "unknown"  # feet may brace against each other
    if "multiplier" in found:
        says["multiplier"] = found["multiplier"].below(1.0)
    for stands in ("no", "unknown"):
        reasons = [_reason(name, found[name]) for name in says if says[name] == stands]
        if reasons:
            return UncertainAnswer(stands, reasons, _summary(found))
    reasons = [_reason(name, found[name]) for name in says]
    is_proved = all(found[name].is_proved for name in says)
    return UncertainAnswer("yes" if is_proved else "unknown", reasons, _summary(found))


def _reason(name: str, interval: MarginInterval) -> str:
    what, unit, needed = {
        "static_margin_m": ("the static margin", " m", "must be above 0"),
        "region_margin_m": ("the margin within friction", " m", "must be above 0"),
        "carried_margin_m": (
            "the margin over feet that carry alone",
            " m",
            "must be above 0 to be sure",
        ),
        "multiplier": ("the critical stiffness over the given", "", "must be below 1"),
    }[name]
    how = "" if interval.is_proved else ", by a search that proves nothing"
    low, high = f"{interval.low:.4g}", f"{interval.high:.4g}"
    return f"{what} is between {low} and {high}{unit}{how}, and {needed}"


def _summary(found: dict[str, MarginInterval]) -> dict[str, Any]:
    names = ("static_margin_m", "energy_margin_j", "region_margin_m", "multiplier")
    bounds: dict[str, Any] = {
        name: [_number(found[name].low), _number(found[name].high)]
        if name in found
        else None
        for name in names
    }
    return bounds | {"is_proved": all(i.is_proved for i in found.values())}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
