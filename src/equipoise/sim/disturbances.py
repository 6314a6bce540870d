"""What is done to a robot from outside: a block thrown at it, a push.

A push is given by its impulse. The force that acts during a control period is the mean
over that period, so the impulse is right whatever the period and the start.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, UnknownNameError

if TYPE_CHECKING:
    from equipoise.sim.world import World

__all__ = ["Push", "ThrownBlock", "push_plan"]

Place = tuple[float, float, float]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ThrownBlock:
    """A cube in flight when the run starts, its faces along the world's axes."""

    mass: float
    """> 0 [kg]."""
    position: Place
    """Of its centre at the start [m]."""
    velocity: Place
    """At the start [m/s]."""
    half_size: float = 0.05
    """Half an edge, > 0 [m]."""
    restitution: float = 0.2
    """Speed of parting over speed of meeting, 0.02 to 0.9."""

    def __post_init__(self) -> None:
        """Refuse what cannot be thrown."""
        problems = []
        for name in ("mass", "half_size"):
            value = getattr(self, name)
            if not (is_number(value) and 0.0 < value < math.inf):
                problems.append(f"{name} must be > 0, got {value!r}")
        for name in ("position", "velocity"):
            problems += _not_a_place(name, getattr(self, name))
        if not (is_number(self.restitution) and 0.02 <= self.restitution <= 0.9):
            problems.append(
                f"restitution must be 0.02 to 0.9, got {self.restitution!r}"
            )
        if problems:
            raise ConfigError("the thrown block", problems)


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Push:
    """A constant force on a body's centre of mass for a while."""

    impulse: Place
    """Force times duration, expressed in W [N s]."""
    start: float = 1.0
    """>= 0 [s]."""
    duration: float = 0.1
    """> 0 [s]."""
    body: str | None = None
    """Which body; None for the robot's base."""

    def __post_init__(self) -> None:
        """Refuse what is no push."""
        problems = _not_a_place("impulse", self.impulse)
        if not (is_number(self.start) and 0.0 <= self.start < math.inf):
            problems.append(f"start must be >= 0 s, got {self.start!r}")
        if not (is_number(self.duration) and 0.0 < self.duration < math.inf):
            problems.append(f"duration must be > 0 s, got {self.duration!r}")
        if problems:
            raise ConfigError("the push", problems)


def _not_a_place(name: str, value: object) -> list[str]:
    """Return what is wrong with three numbers, in words."""
    is_good = (
        isinstance(value, tuple)
        and len(value) == 3
        and all(is_number(x) and math.isfinite(x) for x in value)
    )
    return [] if is_good else [f"{name} must be 3 finite numbers, got {value!r}"]


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
