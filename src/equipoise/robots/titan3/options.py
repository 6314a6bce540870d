"""What can be chosen of titan3: nothing yet."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from equipoise.robots.builtin import BuiltIn

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot

__all__ = ["ROBOT", "Titan3Options"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Titan3Options:
    """It is as it was built."""


def build(options: Titan3Options) -> "Robot":
    """Return the machine."""
    from equipoise.robots.sliding import sliding_machine
    from equipoise.robots.titan3.build import BUILD

    return sliding_machine(BUILD)


ROBOT = BuiltIn(
    name="titan3",
    what="TITAN III, four pantograph legs of 1.2 m, 80 kg; a static crab walker",
    options=Titan3Options,
    task="walk",
    build=build,
)
