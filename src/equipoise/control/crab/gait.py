"""A crab walk's settings, and what follows from them for a heading and a speed."""

import math
from dataclasses import dataclass
from typing import Annotated, final

import numpy as np

from equipoise.control.crab.regions import CrabLeg
from equipoise.control.crab.search import CrabPath
from equipoise.control.crab.step import CrabPlan
from equipoise.control.crab.timing import CrabPace
from equipoise.core.arrays import Vec2
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["CrabConfig", "path_of"]

LASTING, ASIDE = 3.0, 0.1  # worth of way that legs can keep up, and of way off the path
SHIFTED = 0.67  # share of a step's way that the trunk has gone when the leg lifts


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CrabConfig(Settings):
    """Settings of the gait; the defaults are TITAN III's."""

    margin: Annotated[
        float,
        Setting(
            "Planned distance of the centre of mass inside the standing feet",
            "m",
            above=0.0,
        ),
    ] = 0.06
    carried: Annotated[
        float,
        Setting(
            "Planned distance of the zero moment point inside the standing feet",
            "m",
            least=-1.0,
            most=1.0,
        ),
    ] = 0.01
    duty: Annotated[
        float,
        Setting(
            "Share of a cycle during which a leg stands, for the length of a step",
            least=0.75,
            most=0.99,
        ),
    ] = 0.85
    stroke: Annotated[
        float, Setting("Share of a leg's reach that its stroke takes", above=0.0)
    ] = 0.92
    spare: Annotated[
        float,
        Setting(
            "Distance at each end of a leg's reach that is never used", "m", least=0.0
        ),
    ] = 0.02
    draw: Annotated[
        float,
        Setting("Share of the offset from the path that a step takes back", least=0.0),
    ] = 0.05
    airborne: Annotated[
        float,
        Setting("Share of a step's way gone while its leg is in the air", above=0.0),
    ] = 0.6
    heavy: Annotated[
        float,
        Setting(
            "Weight of the way along the path over the one aside, off an even speed",
            above=0.0,
        ),
    ] = 3.0
    clearance: Annotated[
        float,
        Setting("Height of a foot over the line between its footholds", "m", above=0.0),
    ] = 0.05
    foot_speed: Annotated[
        float,
        Setting("Largest speed of a foot relative to the trunk", "m/s", above=0.0),
    ] = 1.95
    rise_speed: Annotated[
        float, Setting("Largest vertical speed of a foot", "m/s", above=0.0)
    ] = 0.42
    shift_speed: Annotated[
        float, Setting("Largest speed of the centre of mass", "m/s", above=0.0)
    ] = 0.3
    acceleration: Annotated[
        float,
        Setting(
            "Acceleration of the centre of mass when shifted from rest",
            "m/s²",
            above=0.0,
        ),
    ] = 1.5
    eased: Annotated[float, Setting("Shortest time on four feet", "s", above=0.0)] = 0.1
    cell: Annotated[
        float,
        Setting(
            "Spacing of the footholds that are searched without a map", "m", above=0.0
        ),
    ] = 0.05
    forbids: Annotated[
        float, Setting("Radius about a bad foothold that is forbidden", "m", above=0.0)
    ] = 0.1
    longest: Annotated[float, Setting("Longest duration of a step", "s", above=0.0)] = (
        1.2
    )
    replaced: Annotated[
        float,
        Setting(
            "Shortest time in which a leg in the air reaches another foothold",
            "s",
            above=0.0,
        ),
    ] = 1.2
    replaced_clearance: Annotated[
        float,
        Setting(
            "Clearance of such a foot, which may be down in a hole", "m", above=0.0
        ),
    ] = 0.2
    depth: Annotated[
        int,
        Setting(
            "Number of steps looked ahead where legs leave their usual order", least=1.0
        ),
    ] = 4
    kept: Annotated[
        int, Setting("Number of stances kept at each of these steps", least=1.0)
    ] = 12
    footholds: Annotated[
        int, Setting("Number of footholds tried for each leg", least=1.0)
    ] = 4

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
