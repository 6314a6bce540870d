"""What ``equipoise derive`` can be asked: of what, for which processor, and how."""

from dataclasses import dataclass, field
from typing import Annotated, final

from equipoise.core.kinds import Attitude, Parameters, Precision, Target
from equipoise.core.setting import Setting, expect_usable
from equipoise.runs.robot import RobotChoice

__all__ = ["DeriveConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class DeriveConfig:
    """Equations of one robot or script, as C for one kind of processor.

    Raises:
        ConfigError: values that there are not; all of them are named.
    """

    robot: RobotChoice = field(default_factory=RobotChoice)
    """A robot, or as its name ``FILE.py:NAME``: that Python file is run, and NAME in it
    is a ``System``, a ``Block``, a ``Robot``, or a function without arguments that
    returns one."""
    target: Annotated[
        Target,
        Setting(
            "Target of the C; cuda writes kernels for many robots on a graphics card"
        ),
    ] = "host"
    precision: Annotated[
        Precision | None,
        Setting("Precision of all numbers", usual="double; single on atmega128"),
    ] = None
    parameters: Annotated[
        Parameters,
        Setting(
            "Parameters of the robot that can be set later: those that are not zero, "
            "all, or none"
        ),
    ] = "sparse"
    attitude: Annotated[
        Attitude | None,
        Setting(
            "Attitude coordinates of a floating base. With angles, its velocity is in "
            "its own axes; with a quaternion, as in MuJoCo",
            usual="yaw-pitch-roll; quaternion for cuda",
        ),
    ] = None
    outputs: Annotated[
        tuple[str, ...],
        Setting(
            "Outputs in addition to the accelerations, as com, feet or lines",
            metavar="NAME,...",
            usual="none",
        ),
    ] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        expect_usable(self, "derive")
