"""What ``equipoise modules firmware`` can be asked."""

from dataclasses import dataclass
from typing import Annotated, final

from equipoise.core.setting import Setting, expect_usable

__all__ = ["FirmwareConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FirmwareConfig:
    """The module program of one robot, written or also run.

    Raises:
        ConfigError: a number of states that cannot be.
    """

    robot: Annotated[
        str,
        Setting(
            "Robot whose modules are meant: a built-in one or an assembly file",
            metavar="superbot|FILE",
        ),
    ] = "superbot"
    run: Annotated[
        bool,
        Setting("Build the C, run it on emulated processors, count cycles"),
    ] = False
    states: Annotated[
        int,
        Setting("Number of random states to compare with Python bit by bit", least=1),
    ] = 200
    seed: Annotated[
        int, Setting("Seed of the robot and of the states", without=("command",))
    ] = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        expect_usable(self, "firmware")
