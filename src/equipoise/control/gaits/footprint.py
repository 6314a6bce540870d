"""Where a machine's feet stand under it, and where its mass hangs over them.

All that the geometry of gaits needs to know of a machine. Places are seen from above in
the trunk's frame B, x forward and y left.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Vec2, expect_array
from equipoise.core.errors import ConfigError
from equipoise.robots.legs import LegGeometry, centre_of_mass, foot_angles

__all__ = ["Footprint", "balanced_footprint", "row_footprint", "standing_footprint"]

ROUNDS = 40  # each leaves a third of the error, or less


@final
@dataclass(frozen=True, eq=False)
class Footprint:
    """Middles of the legs' strokes, and the centre of mass.

    Raises:
        ShapeError: arrays of the wrong shape.
    """

    feet: Array
    """Position of each foot in the middle of its stance, (nl, 2) [m]."""
    centre: Vec2 = field(default_factory=lambda: np.zeros(2))
    """Centre of mass seen from above, (2,) [m]."""

    def __post_init__(self) -> None:
        """Check."""
        object.__setattr__(self, "feet", expect_array("feet", self.feet, (-1, 2)))
        object.__setattr__(self, "centre", expect_array("centre", self.centre, (2,)))

    @property
    def legs(self) -> int:
        """Number of legs."""
        return len(self.feet)


def row_footprint(legs: int, pitch: float, width: float) -> Footprint:
    """Return the footprint of rows of legs, with the centre of mass in the middle.

    Args:
        legs: an even number, in the order of ``leg_names``.
        pitch: from row to row, > 0 [m].
        width: from left to right, > 0 [m].

    Raises:
        ConfigError: an odd number of legs, or a length that is not positive.
    """
    problems: list[str] = []
    if legs < 2 or legs % 2:
        problems.append(f"legs must be an even number, got {legs}")
    for name, length in (("pitch", pitch), ("width", width)):
        if not 0.0 < length < np.inf:
            problems.append(f"{name} must be > 0, got {length!r}")
    if problems:
        raise ConfigError("footprint", problems)
    rows = legs // 2
    feet = np.zeros((legs, 2))
    feet[:, 0] = pitch * ((rows - 1) / 2 - np.repeat(np.arange(rows), 2))
    feet[:, 1] = np.tile([0.5 * width, -0.5 * width], rows)
    return Footprint(feet)


def standing_footprint(
    geometry: LegGeometry, depth: float, ahead: float = 0.0
) -> Footprint:
    """Return a machine's footprint with each foot below its hip, or ahead of it.

    The centre of mass is the whole machine's, legs and all, as it stands there.

    Args:
        geometry: of its legs.
        depth: from hip to foot, straight down [m].
        ahead: of each foot from below its hip [m].

    Raises:
        ConfigError: the legs are not that long.
    """
    places = np.zeros_like(geometry.hips)
    places[:, 0], places[:, 2] = ahead, -depth
    q, is_reached = foot_angles(geometry, places)
    if not is_reached:
        longest = float(geometry.lengths.sum(axis=1).min())
        raise ConfigError(
            "footprint", [f"depth must be below {longest:.3f} m, got {depth!r}"]
        )
    centre = np.zeros(3)
    centre_of_mass(q, geometry.legs, geometry.trunk, centre)
    feet = geometry.hips[:, :2] + np.array([ahead, 0.0])
    return Footprint(feet, centre[:2].copy())


def balanced_footprint(geometry: LegGeometry, depth: float) -> Footprint:
    """Return the footprint whose middle is below the centre of mass, feet moved ahead.

    Legs weigh and bend, so the centre of mass follows the feet a little; a few rounds
    settle it.

    Args:
        geometry: of the legs.
        depth: from hip to foot, straight down [m].

    Raises:
        ConfigError: the legs are not that long.
    """
    found, ahead = standing_footprint(geometry, depth), 0.0
    for _ in range(ROUNDS):
        ahead += float(found.centre[0] - found.feet[:, 0].mean())
        found = standing_footprint(geometry, depth, ahead)
    return found
