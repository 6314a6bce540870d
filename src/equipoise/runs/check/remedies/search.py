"""What every search for a remedy shares: the robot, the goal, its sides, a first guess.

The guess is a closed form for a robot on level ground; what counts is the check.
"""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, final

import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.core.errors import EquipoiseError
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import shapes_extent
from equipoise.runs.check.asked import Asked
from equipoise.runs.check.remedies.changed import data_of_pose
from equipoise.runs.check.remedies.goal import Goal
from equipoise.runs.check.require.numbers import NUMBERS
from equipoise.runs.check.rest import WELL
from equipoise.runs.check.result import CheckResult
from equipoise.runs.check.search import least_that_works

__all__ = ["RemedySearch", "RemedyTrial", "begun", "said_length"]

MARGINS = ("margin", "static-margin", "region-margin")
ALONG = 0.3  # cosine to the way in from which a side is worth a try
LEVEL = 0.5  # horizontal part of a base's x axis that still is the front
MORE = (0, 1, 4, 16, 64)  # steps beyond the least, where the engine denies that
SMALL = 0.2  # size of a robot below which lengths are told in tenths of a mm [m]


class RemedyTrial(NamedTuple):
    """A change that is tried."""

    robot: Robot | None = None
    """The changed robot; None for the same."""
    question: Mapping[str, Any] = {}
    """Settings of the check that are changed."""


@final
@dataclass(frozen=True, eq=False)
class RemedySearch:
    """A check that shall say "yes", and what is known of the robot."""

    asked: Asked
    result: CheckResult
    goal: Goal
    sides: dict[str, Vec3] = field(repr=False)
    """Unit vectors to front, rear, left and right in the world, by word."""
    size: float
    """Of the robot [m]."""
    short: float
    """By how much its centre of mass must come in, about [m]."""
    inward: Vec3 = field(repr=False)
    """The shortest way in, unit, (3,); zero where nobody knows."""

    @property
    def step(self) -> float:
        """To which lengths are rounded [m]."""
        return 1e-3 if self.size >= SMALL else 1e-4

    def works(self, change: RemedyTrial | None, *, is_quick: bool = False) -> bool:
        """Return whether a change does: the check is asked of the changed robot.

        Args:
            change: what is changed; None where it could not be made.
            is_quick: whether the engine is not asked.
        """
        if change is None:
            return False
        asked = replace(
            self.asked,
            robot=change.robot or self.asked.robot,
            question=replace(self.asked.question, **change.question),
        )
        try:
            return self.goal.is_met(asked, is_quick=is_quick)
        except EquipoiseError:  # a changed robot that cannot be judged is no remedy
            return False

    def least(
        self, change: Callable[[int], RemedyTrial | None], guess: int, most: int
    ) -> int | None:
        """Return the least change that does, or None; it was tried in full.

        Where the engine must be asked too, the search does without it; what it finds,
        or else a few steps more, is then tried with it.

        Args:
            change: makes a change of so many steps.
            guess: steps with which the search begins.
            most: steps at most.
        """
        is_quick = self.asked.robot.has_world
        found = least_that_works(
            lambda k: self.works(change(k), is_quick=is_quick), guess, max(most, 1)
        )
        if found is None or not is_quick:
            return found
        tried = (k for k in (found + more for more in MORE) if k <= most)
        return next((k for k in tried if self.works(change(k))), None)

    def ways_in(self) -> list[tuple[str, Vec3, float]]:
        """Return sides towards which a move helps, the best first, with its share."""
        found = [(w, v, float(v @ self.inward)) for w, v in self.sides.items()]
        if not self.inward.any():
            return []
        return sorted((f for f in found if f[2] > ALONG), key=lambda f: -f[2])

    def steps(self, length: float) -> int:
        """Return how many steps a length is, rounded up."""
        return math.ceil(length / self.step - 1e-6)


def begun(asked: Asked, result: CheckResult, goal: Goal) -> RemedySearch:
    """Return a search for what reaches a goal.

    Args:
        asked: what was asked.
        result: the answer, which is not the goal.
        goal: what shall be reached.
    """
    scene = robot_scene(asked.robot)
    size = shapes_extent(scene, scene.data_at(asked.robot, asked.pose))
    wanted = [r.wanted for r in goal.requirements if r.number.name in MARGINS]
    read = NUMBERS["margin"].read
    margin = read(result.summary)
    if goal.is_no_worse and asked.before is not None:
        wanted.append(read(asked.before.summary) or 0.0)
    target = max([WELL * size, *wanted])
    inward = np.zeros(3)
    if result.weakest is not None:
        inward[:2] = -np.asarray(result.weakest)
    return RemedySearch(
        asked=asked,
        result=result,
        goal=replace(goal, inside=_inside_of(margin, size)),
        sides=_sides_of(asked),
        size=size,
        short=max(target - margin, 0.0) if margin is not None else 0.1 * size,
        inward=inward,
    )


def _inside_of(margin: float | None, size: float) -> float:
    """Return the margin that a robot must have after a remedy, for no knife's edge.

    That is what counts as well inside, or what it has already where something else is
    missing.

    Args:
        margin: that it has [m]; None where nobody knows.
        size: of the robot [m].
    """
    well = WELL * size
    return well if margin is None or margin <= 0.0 else min(well, margin)


def _sides_of(asked: Asked) -> dict[str, Vec3]:
    """Return where a robot's front, rear, left and right are, seen from above."""
    robot, turn = asked.robot, 0.0
    data = data_of_pose(robot.model, asked.pose)
    x = np.array(data.xmat[int(robot.model.body(robot.base).id)].reshape(3, 3)[:, 0])
    x[2] = 0.0
    words = ("front", "left", "rear", "right")
    if float(np.linalg.norm(x)) < LEVEL:
        x, words = np.array([1.0, 0.0, 0.0]), ("+x", "+y", "-x", "-y")
    else:
        with suppress(EquipoiseError):
            turn = robot.found.heading
    angle = math.atan2(x[1], x[0]) + turn
    return {
        word: np.array([math.cos(a), math.sin(a), 0.0]).round(15)
        for word, a in zip(words, angle + 0.5 * math.pi * np.arange(4), strict=True)
    }


def said_length(length: float) -> str:
    """Return a length in millimetres, as long as it must be."""
    return f"{1e3 * length:.10g} mm"
