"""What can be chosen of titan6: whether its trunk is in two parts."""

from dataclasses import dataclass
from typing import Annotated, Literal, final

from equipoise.core.setting import Setting, expect_usable
from equipoise.robots.as_built import sliding_robot
from equipoise.robots.size import Scale

__all__ = ["ROBOT", "SIZE", "SPEED", "Titan6Options", "TrunkJoint"]
SIZE = Scale(mass=195.0, height=0.9)
SPEED = 1.0  # as it walks unless told otherwise [m/s]

TrunkJoint = Literal["locked", "sprung"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Titan6Options:
    """Options of TITAN VI; by default its trunk is one part.

    Raises:
        ConfigError: no such joint.
    """

    trunk_joint: Annotated[
        TrunkJoint,
        Setting("Joint of the trunk's front half, which can slide on a spring"),
    ] = "locked"

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        expect_usable(self, "'titan6'")

    @property
    def is_parted(self) -> bool:
        """Whether its trunk is in two parts."""
        return self.trunk_joint == "sprung"


ROBOT = sliding_robot(
    "titan6",
    "TITAN VI, four legs on slides, 195 kg; an intermittent trot on a sky-hook",
    controller="titan6",
    size=SIZE,
    speed=SPEED,
    options=Titan6Options,
)
