"""What can be chosen of titan6: nothing yet."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from equipoise.robots.builtin import BuiltIn

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot

__all__ = ["ROBOT", "Titan6Options"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Titan6Options:
    """It is as it was built."""


def build(options: Titan6Options) -> "Robot":
    """Return the machine."""
    from equipoise.robots.sliding import sliding_machine
    from equipoise.robots.titan6.build import BUILD

    return sliding_machine(BUILD)


ROBOT = BuiltIn(
    name="titan6",
    what="TITAN VI, four legs on slides, 195 kg; an intermittent trot on a sky-hook",
    options=Titan6Options,
    task="walk",
    build=build,
)
