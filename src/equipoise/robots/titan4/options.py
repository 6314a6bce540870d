"""What can be chosen of titan4: nothing yet."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from equipoise.robots.builtin import BuiltIn

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot

__all__ = ["ROBOT", "Titan4Options"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Titan4Options:
    """It is as it was built."""


def build(options: Titan4Options) -> "Robot":
    """Return the machine."""
    from equipoise.robots.sliding import sliding_machine
    from equipoise.robots.titan4.build import BUILD

    return sliding_machine(BUILD)


ROBOT = BuiltIn(
    name="titan4",
    what="TITAN IV, four pantograph legs, 160 kg; an expanded trot",
    options=Titan4Options,
    task="walk",
    build=build,
)
