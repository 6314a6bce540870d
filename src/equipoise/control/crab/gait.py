"""A crab walk's settings, and what follows from them for a heading and a speed."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.control.crab.regions import CrabLeg
from equipoise.control.crab.search import CrabPath
from equipoise.control.crab.step import CrabPlan
from equipoise.control.crab.timing import CrabPace
from equipoise.core.arrays import Vec2
from equipoise.core.checks import expect_positive, expect_within
from equipoise.core.records import Records

__all__ = ["CrabConfig", "path_of"]

LASTING, ASIDE = 3.0, 0.1  # worth of way that legs can keep up, and of way off the path
SHIFTED = 0.67  # share of a step's way that the trunk has gone when the leg lifts


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CrabConfig:
    """Of the gait; defaults are TITAN III's.

    Raises:
        ConfigError: a number out of range.
    """

    margin: float = 0.06
    """Planned of the centre of mass within the feet that stand [m]."""
    carried: float = 0.01
    """Planned of the point that carries the machine, accelerated as it is, [m]."""
    duty: float = 0.85
    """Share of a cycle for which a leg stands, by which a step's way is reckoned."""
    stroke: float = 0.92
    """Share of a leg's reach that its stroke takes."""
    spare: float = 0.02
    """Of a leg's reach that is never used, at each end [m]."""
    draw: float = 0.05
    """Share of what the centre of mass is off the path that a step takes back."""
    airborne: float = 0.6
    """Share of a step's way that is gone while its leg is in the air."""
    heavy: float = 3.0
    """What a way along the path counts over one aside, where the centre of mass cannot
    be where it would be at an even speed."""
    clearance: float = 0.05
    """Of a foot over the line between its footholds [m]."""
    foot_speed: float = 1.95
    """Largest of a foot seen from the trunk [m/s]."""
    rise_speed: float = 0.42
    """Largest of a foot upwards [m/s]."""
    shift_speed: float = 0.3
    """Largest of the centre of mass [m/s]."""
    acceleration: float = 1.5
    """Of the centre of mass where it is shifted from rest [m/s²]."""
    eased: float = 0.1
    """Least time on four feet [s]."""
    cell: float = 0.05
    """Of footholds that are looked for where one is forbidden and no map is [m]."""
    forbids: float = 0.1
    """About a foothold that turned out bad [m]."""
    longest: float = 1.2
    """Of a step [s]."""
    replaced: float = 1.2
    """Least time in which a leg in the air goes to another foothold [s]."""
    replaced_clearance: float = 0.2
    """Of it then: it may have come down into a hole [m]."""
    depth: int = 4
    """Steps that are looked ahead where the usual order of legs cannot be kept."""
    kept: int = 12
    """Stands that are gone on from at each of them."""
    footholds: int = 4
    """Of each leg that are tried."""

    def __post_init__(self) -> None:
        zero, ranged = ("spare", "draw"), ("duty", "carried")
        rest = [n for n in self.__slots__ if n not in (*zero, *ranged)]
        expect_positive(self, *rest)
        expect_positive(self, *zero, zero=True)
        expect_within(self, "duty", 0.75, 0.99)
        expect_within(self, "carried", -1.0, 1.0)

    def pace(self, speed: float, *, is_first: bool = False) -> CrabPace:
        """Return how fast things may go.

        Args:
            speed: commanded [m/s].
            is_first: whether it stood before.
        """
        return CrabPace(
            speed=speed,
            foot=self.foot_speed,
            rise=self.rise_speed,
            shift=self.shift_speed,
            eased=self.eased,
            clearance=self.clearance,
            acceleration=self.acceleration if is_first else math.inf,
        )

    def look(self) -> CrabPlan:
        """Return how far is looked ahead."""
        return CrabPlan(self.depth, self.kept, self.footholds)


def path_of(
    config: CrabConfig,
    legs: Records[CrabLeg],
    ahead: Vec2,
    origin: Vec2,
    speed: float = math.inf,
) -> Records[CrabPath]:
    """Return a path for a heading, (1,).

    Args:
        config: of the gait.
        legs: with their reach, (4,).
        ahead: direction, (2,).
        origin: a point of it, (2,) [m].
        speed: commanded [m/s]; slow steps are short.
    """
    path = CrabPath.zeros()
    one, half = path[0], 0.5 * (legs["high"] - legs["low"]).min(axis=0)
    ahead = np.where(np.abs(ahead) < 1e-9, 0.0, ahead)
    fits = min(half[i] / abs(ahead[i]) for i in (0, 1) if ahead[i] != 0.0)
    one.ahead[:], one.origin[:] = ahead / math.hypot(*ahead), origin
    one.stroke = 2.0 * config.stroke * fits
    one.way = min(one.stroke / (4.0 * config.duty), speed * config.longest)
    one.draw, one.airborne, one.shifted = config.draw, config.airborne, SHIFTED
    one.heavy = config.heavy
    one.lasting, one.aside = LASTING, ASIDE
    return path
