"""What ``equipoise linearize`` can be asked: which robot, in which pose, on what."""

from dataclasses import dataclass, field
from typing import Annotated, final

from equipoise.core.setting import Setting, expect_usable
from equipoise.runs.robot import RobotChoice

__all__ = ["LinearizeConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LinearizeConfig:
    """One pose of one robot, on springs and dampers along each axis.

    Raises:
        ConfigError: both poses given, or a ground that none can be.
    """

    robot: RobotChoice = field(default_factory=RobotChoice)
    keyframe: Annotated[
        str | None,
        Setting(
            "Name of the pose", metavar="NAME", usual="start, else the model's own"
        ),
    ] = None
    pose: Annotated[
        str | None,
        Setting(
            "YAML file with the pose: a value for each joint name",
            metavar="FILE",
            completion="yaml",
        ),
    ] = None
    ground_stiffness: Annotated[
        float, Setting("Stiffness of the ground under each foot", "N/m", above=0.0)
    ] = 70e3
    ground_damping: Annotated[
        float, Setting("Damping of the ground under each foot", "N s/m", least=0.0)
    ] = 2e3

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        is_twice = self.keyframe is not None and self.pose is not None
        problem = "give --keyframe or --pose, not both" if is_twice else ""
        expect_usable(self, "linearize", problem)
