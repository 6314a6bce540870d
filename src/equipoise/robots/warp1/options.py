"""How WARP1 can be built: where its legs hang, how its knees point, what it carries.

The legs slide in grooves of the trunk's frame and can be interchanged
([Ridderstrom2003] section 5.1); the rigid body model takes any number of limbs of one
to four joints (section 6.1.1).
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, final

from equipoise.core.setting import Setting, described_settings, expect_usable
from equipoise.robots.builtin import BuiltIn
from equipoise.robots.size import Scale
from equipoise.robots.warp1.limits import walking_warnings
from equipoise.robots.warp1.walking import walking_settings

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot
    from equipoise.robots.source import Provenance

__all__ = ["CREEPING_SPEED", "ROBOT", "SIZE", "SPEED", "Knees", "Warp1Options"]

Knees = Literal["forward", "inwards", "outwards", "backward"]
ROWS = {
    1: ("middle",),
    2: ("front", "rear"),
    3: ("front", "middle", "rear"),
    4: ("front", "second", "third", "rear"),
}
HEIGHT = 0.50  # of the hips above the ground, unless given [m]
SIZE = Scale(mass=60.4, height=HEIGHT)
SPEED, CREEPING_SPEED = 0.4, 0.15  # on two feet, on three and more [m/s]
LOWEST_WITH_ANKLES = 0.40  # feet hang down: the knee would bend beyond its stop [m]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Warp1Options:
    """Options of WARP1; the defaults are the machine of the thesis.

    Kneecaps point all forward or backward, or those of front and rear towards each
    other (``inwards``) or apart (``outwards``). A payload's centre is 0.12 m above the
    trunk's. Legs have hip pitch, 2 joints also the knee, 3 hip roll, 4 an ankle; the
    straight legs of one joint have their own height.

    Raises:
        ConfigError: values out of range; all of them are named.
    """

    knees: Annotated[Knees, Setting("Direction in which the kneecaps point")] = (
        "forward"
    )
    leg_spacing: Annotated[
        float,
        Setting(
            "Distance between the foremost and the rearmost hips",
            "m",
            least=0.16,
            most=0.65,
        ),
    ] = 0.62
    half_width: Annotated[
        float,
        Setting(
            "Distance of the hips from the trunk's midplane", "m", least=0.02, most=0.6
        ),
    ] = 0.25
    payload: Annotated[
        float, Setting("Mass carried on its back", "kg", least=0.0, most=100.0)
    ] = 0.0
    legs: Annotated[
        Literal[2, 4, 6, 8], Setting("Number of legs, in rows from front to rear")
    ] = 4
    leg_joints: Annotated[
        int, Setting("Number of driven joints", "a leg", least=1, most=4)
    ] = 3
    height: Annotated[
        float,
        Setting(
            "Height of the hips above the ground at the start",
            "m",
            least=0.37,
            most=0.61,
            without=("command",),  # where --height is the biped's body height
        ),
    ] = HEIGHT

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        expect_usable(self, "'warp1'", self._height_problem())

    def _height_problem(self) -> str:
        """Return what is wrong with the height for this number of joints."""
        given, own = self.height, described_settings(Warp1Options)["height"]
        if own.problem(given):
            return ""  # said by its limits
        if self.leg_joints == 4:
            about = replace(own.about, least=LOWEST_WITH_ANKLES)
            return replace(own, about=about).problem(given)
        if self.leg_joints == 1 and given != HEIGHT:
            return (
                f"height belongs to legs of two joints and more, got {given!r} with one"
            )
        return ""

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


def _build(options: Warp1Options) -> "Robot":
    """Return WARP1."""
    from equipoise.robots.warp1.warp1 import warp1

    return warp1(options)


def _sources() -> "Provenance":
    """Return where its numbers and sensors come from."""
    from equipoise.robots.source import Provenance, facts_from, printed
    from equipoise.robots.warp1 import warp1 as own

    legs, trunk = (
        printed(f"[Ridderstrom2003] section {k}") for k in ("5.1.3", "5.1.4")
    )
    told = {"gyro": trunk, "acceleration": trunk, "inclination": trunk}
    told |= dict.fromkeys(("q", "current", "limit", "load", "pad"), legs)
    numbers = vars(own) | {
        name: (getattr(own, name).torque, getattr(own, name).speed)
        for name in ("HIP_DRIVE", "LIMB_DRIVE")
    }
    facts = facts_from(numbers, own.SOURCES, "'warp1'")
    return Provenance(facts=facts, senses=told)


ROBOT = BuiltIn(
    name="warp1",
    what="the four-legged walking platform WARP1, 60.4 kg; its rigid bodies",
    options=Warp1Options,
    task="walk",
    build=_build,
    sources=_sources,
    size=SIZE,
    speed=SPEED,
    creeping_speed=CREEPING_SPEED,
    always_recorded=("knees",),
    walking=walking_settings,
    warnings=walking_warnings,
)
