"""Legs without a body that step by the rules: what gait comes of them.

A foot on the ground goes back at one speed; in the air it goes forward to its anterior
extreme position within a swing. Nothing else happens: this is the kinematic animal on
which gaits are looked for, [Ridderstrom2003] section 3.4.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.cruse.rules import (
    CruseRules,
    RuleLeg,
    shift_of,
)
from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Records, entry, record_of
from equipoise.core.seeds import stream
from equipoise.core.setting import Setting, Settings

__all__ = ["InsectConfig", "stepped_insect"]

Flags = NDArray[np.bool_]
FORE = 0.5  # anterior extreme position, in stances forward of the middle


class InsectLeg(RuleLeg):
    """A leg on its way."""

    lifts: float = entry("1 where it lifts at this tick")
    left: float = entry("where it lifted, in stances forward of the middle")
    over: float = entry("share of its swing that is over")
    swung: float = entry("how often it has swung")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class InsectConfig(Settings):
    """How the legs of an insect move, and for how long they are watched."""

    ratio: Annotated[
        float,
        Setting(
            "Ratio of a stance's duration to a swing's without any shift", above=0.0
        ),
    ] = 2.0
    legs: Annotated[int, Setting("Number of legs")] = 6
    swings: Annotated[float, Setting("Duration of the walk, in swings", above=0.0)] = (
        80.0
    )
    period: Annotated[float, Setting("Duration of a tick, in swings", above=0.0)] = 0.01
    noise: Annotated[
        float,
        Setting(
            "Standard deviation of a swing's duration over that duration",
            least=0.0,
            most=0.5,
        ),
    ] = 0.05
    amputated: tuple[int, ...] = ()
    """Legs that are missing."""
    rules: CruseRules = field(default_factory=CruseRules)


def stepped_insect(config: InsectConfig, seed: int) -> tuple[VecN, Flags]:
    """Return times, in swings, and which legs swung, (nt,) and (nt, nl).

    Args:
        config: how legs move.
        seed: of where feet begin, and of how long swings take.
    """
    ticks, draws = round(config.swings / config.period), stream(seed, "insect")
    legs = InsectLeg.zeros(config.legs)
    legs["at"] = draws.uniform(-FORE, FORE, config.legs)
    legs["since"], legs["load"], legs["there"] = math.inf, math.nan, 1.0
    legs["there"][list(config.amputated)] = 0.0
    starts = draws.uniform(0.0, 1.0, config.legs) < 1.0 / (1.0 + config.ratio)
    legs["swings"], legs["left"] = np.where(starts, legs["there"], 0.0), -FORE
    legs["over"] = np.where(starts, legs["at"] + FORE, 0.0)
    noise = draws.normal(0.0, config.noise, (config.legs, 4 * int(config.swings) + 8))
    paces = 1.0 / np.clip(1.0 + noise, 0.5, 2.0)
    out = np.zeros((ticks, config.legs), dtype=np.bool_)
    _step_insect(legs, record_of(config.rules), config.period, config.ratio, paces, out)
    return np.arange(ticks, dtype=np.float64) * config.period, out


@compiled(allocates=False)
def _step_insect(
    legs: Records[InsectLeg],
    rules: Records[CruseRules],
    period: float,
    ratio: float,
    paces: Array,
    out: Flags,
) -> None:
    """Move all legs tick by tick, and write which of them swing.

    Args:
        legs: where they begin; overwritten, (nl,).
        rules: by which they lift, (1,).
        period: of a tick, in swings.
        ratio: of stance to swing.
        paces: of each leg's swings one after the other, over the usual, (nl, ns).
        out: which legs swing, (nt, nl); overwritten.
    """
    for tick in range(out.shape[0]):
        for one in range(legs.shape[0]):  # all decide by what is, then all move
            leg = legs[one]
            out[tick, one] = leg.swings > 0.0
            is_back = leg.at <= shift_of(one, legs, rules)
            stands = leg.there > 0.0 and leg.swings == 0.0
            leg.lifts = 1.0 if stands and is_back else 0.0
        for one in range(legs.shape[0]):
            leg = legs[one]
            pace = paces[one, int(leg.swung) % paces.shape[1]]
            _move_leg(leg, period, ratio, pace)


@compiled(allocates=False)
def _move_leg(leg: InsectLeg, period: float, ratio: float, pace: float) -> None:
    """Move a foot for a tick; one that arrives lands.

    Args:
        leg: that moves.
        period: of a tick, in swings.
        ratio: of stance to swing.
        pace: of this swing over the usual.
    """
    if leg.there == 0.0:
        return
    if leg.lifts > 0.0:
        leg.swings, leg.left, leg.over = 1.0, leg.at, 0.0
    if leg.swings == 0.0:
        leg.at -= period / ratio
        leg.since += period
        return
    leg.over += period * pace
    leg.at = leg.left + (FORE - leg.left) * min(leg.over, 1.0)
    if leg.over >= 1.0:
        leg.swings, leg.since, leg.swung = 0.0, 0.0, leg.swung + 1.0
