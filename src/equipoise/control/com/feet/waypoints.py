"""A list of places for the centre of mass, and feet to lift there: a gait in the small.

[Moll2006] sections I and IV: a gait may say where the centre of mass shall go and which
leg moves, not the angle of every joint. A ``Step`` is one line of such a list; the next
one follows when the centre has been near enough for long enough, or when the foot that
it lifts has been up for as long as asked.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.control.com.controller import ComConfig, ComController, ComState
from equipoise.control.com.goal import ComGoal, distance_to, line_goal, point_goal
from equipoise.control.com.law import AbstractLaw
from equipoise.core.checks import is_number, is_whole
from equipoise.core.contracts import Command, Sensed
from equipoise.core.errors import ConfigError
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["MOST_STEPS", "PathController", "PathState", "Step", "lift_in_turn"]

MOST_STEPS = 62  # their number travels in six bits


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """Goal of the centre of mass, and the foot that is lifted there."""

    goal: tuple[float, ...] | None = None
    """x, y of a vertical line, or x, y, z of a point [m]; None for the middle of the
    feet that stay."""
    lift: int | None = None
    """Index of the module whose foot is lifted, once all agree; None for no foot."""
    seconds: float = 1.0
    """Duration for which the foot is up, or the centre is near its goal [s]."""
    tolerance: float = 0.005
    """Largest distance from the goal that counts as near [m]."""

    def __post_init__(self) -> None:
        """Report all problems together.

        Raises:
            ConfigError: a number out of its range.
        """
        problems: list[str] = []
        goal = self.goal
        if goal is not None:
            is_place = len(goal) in (2, 3) and all(
                is_number(x) and math.isfinite(x) for x in goal
            )
            if not is_place:
                problems.append(f"goal must be 2 or 3 finite numbers, got {goal!r}")
        if self.lift is not None and not (is_whole(self.lift) and self.lift >= 0):
            problems.append(f"lift must be a module's index or None, got {self.lift!r}")
        if not (is_number(self.seconds) and 0.0 <= self.seconds < math.inf):
            problems.append(f"seconds must be >= 0 and finite, got {self.seconds!r}")
        if not (is_number(self.tolerance) and self.tolerance > 0.0):
            problems.append(f"tolerance must be > 0 m, got {self.tolerance!r}")
        if problems:
            raise ConfigError("Step", problems)


def lift_in_turn(feet: Sequence[int], seconds: float = 1.0) -> tuple[Step, ...]:
    """Return steps that lift one foot after the other.

    Args:
        feet: indices of the modules that are feet.
        seconds: for how long each is up [s].
    """
    return tuple(Step(lift=foot, seconds=seconds) for foot in feet)


@dataclass(frozen=True, slots=True)
class PathState:
    """Present position in the list of goals."""

    inner: ComState
    step: int = 0
    near: float = 0.0
    """How long the centre has been near [s]."""


@final
@dataclass(frozen=True)
class PathController:
    """Controller that moves the centre of mass along a list of goals.

    The module on the ground decides by its own estimate when the next goal's turn has
    come; the last one is kept.
    """

    assembly: Assembly
    law: AbstractLaw
    steps: tuple[Step, ...]
    config: ComConfig = field(default_factory=ComConfig)
    dt: float = 0.001
    """Control period [s]."""

    def __post_init__(self) -> None:
        """Prepare a controller for each goal; all share one state.

        Raises:
            ConfigError: no step, one without a goal, or one that lifts a foot.
        """
        problems = [] if self.steps else ["steps is empty, give at least one"]
        for k, step in enumerate(self.steps):
            if step.goal is None or step.lift is not None:
                problems.append(f"steps[{k}] must have a goal and lift nothing")
        if problems:
            raise ConfigError("PathController", problems)
        parts = tuple(
            ComController(self.assembly, self.law, self.config, _goal_of(step), self.dt)
            for step in self.steps
        )
        object.__setattr__(self, "_parts", parts)

    _parts: tuple[ComController, ...] = field(init=False, repr=False)

    def init(self) -> PathState:
        """Return the state at the first goal."""
        return PathState(self._parts[0].init())

    def step(self, sensed: Sensed, state: PathState) -> tuple[Command, PathState]:
        """Steer to the present goal; go on to the next one when it is reached."""
        part, step = self._parts[state.step], self.steps[state.step]
        command, inner = part.step(sensed, state.inner)
        row = self.assembly.ground.module * len(self.assembly.body.joints)
        view = inner.net.rows[row]
        away = float(distance_to(part.goal, view.com))
        is_near = view.known != 0 and away < step.tolerance
        number, near = state.step, state.near + self.dt if is_near else 0.0
        if near > step.seconds and number + 1 < len(self.steps):
            number, near = number + 1, 0.0
        command.telemetry["step"] = float(number)
        return command, PathState(inner, number, near)


def _goal_of(step: Step) -> ComGoal:
    """Return a step's goal as the laws read it."""
    point: ArrayLike = np.array(step.goal or (0.0, 0.0))
    return line_goal(point) if np.size(point) == 2 else point_goal(point)
