"""Disturbances from outside the robot: a block thrown at it, a push."""

from dataclasses import dataclass
from typing import Annotated, final

from equipoise.core.setting import Setting, Settings, expect_usable

__all__ = ["Push", "ThrownBlock"]

Place = tuple[float, float, float]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ThrownBlock(Settings):
    """Cube in flight when the run starts, its faces along the world's axes."""

    mass: Annotated[float, Setting("Mass of the block", "kg", above=0.0)]
    position: Annotated[Place, Setting("Position of its centre at the start", "m")]
    velocity: Annotated[Place, Setting("Velocity of its centre at the start", "m/s")]
    half_size: Annotated[
        float, Setting("Half the length of an edge", "m", above=0.0)
    ] = 0.05
    restitution: Annotated[
        float, Setting("Speed of parting over speed of meeting", least=0.02, most=0.9)
    ] = 0.2


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Push:
    """Constant force on a body's centre of mass for a given time."""

    impulse: Annotated[Place, Setting("Force times duration, expressed in W", "N s")]
    start: Annotated[
        float, Setting("Time at which the push begins", "s", least=0.0)
    ] = 1.0
    duration: Annotated[
        float, Setting("Time for which the force acts", "s", above=0.0)
    ] = 0.1
    body: Annotated[
        str | None, Setting("Name of the body that is pushed", usual="the robot's base")
    ] = None

    def __post_init__(self) -> None:
        """Refuse what is no push."""
        expect_usable(self, "the push")
