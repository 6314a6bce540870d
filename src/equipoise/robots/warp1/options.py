"""How WARP1 can be built: where its legs hang, how its knees point, what it carries.

The legs slide in grooves of the trunk's frame and can be interchanged
([Ridderstrom2003] section 5.1); the rigid body model takes any number of limbs of one
to four joints (section 6.1.1).
"""

from dataclasses import dataclass, fields
from typing import Literal, final, get_args

from equipoise.core.checks import is_number, is_whole
from equipoise.core.errors import ConfigError

__all__ = ["Knees", "Warp1Config"]

Knees = Literal["forward", "inwards", "outwards", "backward"]
ROWS = {
    1: ("middle",),
    2: ("front", "rear"),
    3: ("front", "middle", "rear"),
    4: ("front", "second", "third", "rear"),
}
RANGES = {
    "leg_spacing": (0.16, 0.65, "m"),
    "half_width": (0.02, 0.6, "m"),
    "payload": (0.0, 100.0, "kg"),
    "height": (0.37, 0.61, "m"),
}
LOWEST_WITH_ANKLES = 0.40  # feet hang down: the knee would bend beyond its stop [m]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Warp1Config:
    """What can be chosen of WARP1; the defaults are the machine of the thesis.

    Raises:
        ConfigError: values out of range; all of them are named.
    """

    knees: Knees = "forward"
    """Where the kneecaps point: all forward or backward, or those of front and rear
    towards each other (``inwards``) or apart (``outwards``)."""
    leg_spacing: float = 0.62
    """From the foremost to the rearmost hips, 0.16 to 0.65 [m]."""
    half_width: float = 0.25
    """Of the hips from the trunk's middle, 0.02 to 0.6 [m]."""
    payload: float = 0.0
    """Of a box on the trunk's back, its centre 0.12 m above the trunk's, 0 to 100
    [kg]."""
    legs: int = 4
    """2, 4, 6 or 8, in rows from front to rear."""
    joints: int = 3
    """Of each leg: 1 hip pitch, 2 with the knee, 3 with hip roll, 4 with an ankle."""
    height: float = 0.50
    """Of the hips above the ground at the start, 0.37 (with ankles 0.40) to 0.61 [m];
    the straight legs of one joint have their own."""

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        problems = []
        if self.knees not in get_args(Knees):
            known = ", ".join(get_args(Knees))
            problems.append(f"knees must be one of {known}, got {self.knees!r}")
        for name, (low, high, unit) in RANGES.items():
            low = LOWEST_WITH_ANKLES if (name, self.joints) == ("height", 4) else low
            value = getattr(self, name)
            if not (is_number(value) and low <= value <= high):
                said = name.replace("_", "-")
                problems.append(
                    f"{said} must be {low:g} to {high:g} {unit}, got {value!r}"
                )
        if not (is_whole(self.legs) and self.legs in (2, 4, 6, 8)):
            problems.append(f"legs must be 2, 4, 6 or 8, got {self.legs!r}")
        if not (is_whole(self.joints) and 1 <= self.joints <= 4):
            problems.append(f"joints must be 1 to 4 a leg, got {self.joints!r}")
        elif self.joints == 1 and self.height != DEFAULT_HEIGHT:
            problems.append(
                "height belongs to legs of two joints and more, got "
                f"{self.height!r} with one"
            )
        if problems:
            raise ConfigError("'warp1'", problems)

    @property
    def leg_names(self) -> tuple[str, ...]:
        """Left and right of each row, from front to rear."""
        rows = ROWS[self.legs // 2]
        return tuple(f"{row}_{side}" for row in rows for side in ("left", "right"))

    def bend(self, row: int) -> float:
        """Return the sign of a row's knee angles: -1 for kneecaps that point forward.

        Args:
            row: counted from the front.
        """
        rows = self.legs // 2
        is_front, is_rear = 2 * row < rows - 1, 2 * row > rows - 1
        points_back = {
            "forward": False,
            "backward": True,
            "inwards": is_front,
            "outwards": is_rear,
        }
        return 1.0 if points_back[self.knees] else -1.0


DEFAULT_HEIGHT = next(f.default for f in fields(Warp1Config) if f.name == "height")
