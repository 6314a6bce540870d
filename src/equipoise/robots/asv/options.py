"""What can be chosen of asv: nothing yet."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from equipoise.robots.builtin import BuiltIn

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot

__all__ = ["ROBOT", "AsvOptions"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class AsvOptions:
    """It is as it was built."""


def build(options: AsvOptions) -> "Robot":
    """Return the machine."""
    from equipoise.robots.asv.build import BUILD
    from equipoise.robots.sliding import sliding_machine

    return sliding_machine(BUILD)


ROBOT = BuiltIn(
    name="asv",
    what="the Adaptive Suspension Vehicle, six legs, 2700 kg",
    options=AsvOptions,
    task="walk",
    build=build,
)
