"""What is done to a robot from outside: a block thrown at it, a push.

A push is given by its impulse. The force that acts during a control period is the mean
over that period, so the impulse is right whatever the period and the start.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, final

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import UnknownNameError
from equipoise.core.setting import Setting, Settings, expect_usable

if TYPE_CHECKING:
    from equipoise.sim.world import World

__all__ = ["Push", "ThrownBlock", "push_plan"]

Place = tuple[float, float, float]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ThrownBlock(Settings):
    """A cube in flight when the run starts, its faces along the world's axes."""

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
    """A constant force on a body's centre of mass for a while."""

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


def push_plan(
    world: "World", pushes: Sequence[Push], ticks: int, period: float
) -> tuple[Ints, Array]:
    """Return which bodies are pushed, (np,), and by what force, (ticks, np, 3) [N].

    Args:
        world: where the bodies are.
        pushes: what is done to them.
        ticks: number of control periods.
        period: length of one [s].

    Raises:
        UnknownNameError: no such body.
    """
    model = world.model
    known = [model.body(b).name for b in range(1, model.nbody)]
    names = [push.body or world.robot.base for push in pushes]
    for name in names:
        if name not in known:
            raise UnknownNameError("body", name, known, "the world")
    order = list(dict.fromkeys(names))
    force = np.zeros((ticks, len(order), 3))
    begin = np.arange(ticks) * period
    for push, name in zip(pushes, names, strict=True):
        upper = np.minimum(begin + period, push.start + push.duration)
        share = np.clip(upper - np.maximum(begin, push.start), 0.0, None) / period
        force[:, order.index(name)] += np.outer(
            share, np.asarray(push.impulse) / push.duration
        )
    return np.array([model.body(name).id for name in order], np.int64), force
