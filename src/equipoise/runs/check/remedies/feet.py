"""Feet that stand further apart, or soles that are larger."""

from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.core.text import shown
from equipoise.robots.scene.scene import scene_of
from equipoise.runs.check.remedies.changed import (
    Shape,
    moved_shapes,
    shapes_named,
    wider_soles,
)
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.remedies.search import RemedySearch, Trial, said_length

__all__ = ["feet_apart", "larger_soles"]

BOX = int(mujoco.mjtGeom.mjGEOM_BOX)
BETWEEN = {
    frozenset(("front", "rear")): ("front to rear", "longer"),
    frozenset(("left", "right")): ("left to right", "wider"),
    frozenset(("+x", "-x")): ("along x", "longer"),
    frozenset(("+y", "-y")): ("along y", "wider"),
}
SHOWN = 6  # soles that are named
SQUARE = 0.9  # cosine between a sole's axis and the way from which it is along it


def feet_of(search: RemedySearch) -> list[Shape]:
    """Return the shapes that touch; none where they cannot be found again."""
    numbers = sorted({int(g) for g in search.result.stance.shapes})
    return shapes_named(search.asked.robot, numbers) or []


def opposite(search: RemedySearch, word: str) -> str:
    """Return the other side."""
    words = list(search.sides)
    return words[(words.index(word) + 2) % 4]


def posed(search: RemedySearch) -> Any:
    """Return the robot's scene in the pose that was asked about."""
    robot = search.asked.robot
    return scene_of(robot).posed(robot, search.asked.pose)


def feet_apart(search: RemedySearch) -> list[Remedy]:
    """Return by how much the feet must stand further apart, along one pair of sides.

    Args:
        search: what shall be reached.
    """
    shapes, data = feet_of(search), None
    if len({shape.body for shape in shapes}) < 2:
        return []
    data = posed(search)
    for word, way, part in search.ways_in():
        along = {s: float(data.geom_xpos[s.number] @ way) for s in shapes}
        middle = 0.5 * (min(along.values()) + max(along.values()))
        signs = {s: float(np.sign(round(x - middle, 6))) for s, x in along.items()}
        if {-1.0, 1.0} <= set(signs.values()):
            found = least_apart(search, word, way, part, signs)
            if found is not None:
                return [found]
    return []


def least_apart(
    search: RemedySearch,
    word: str,
    way: Vec3,
    part: float,
    signs: dict[Shape, float],
) -> Remedy | None:
    """Return by how much feet must stand further apart along a side, or None."""
    asked = search.asked

    def change(k: int) -> Trial | None:
        ways = {s: sign * k * search.step * way for s, sign in signs.items()}
        robot = moved_shapes(asked.robot, asked.pose, ways)
        return None if robot is None else Trial(robot)

    guess = search.steps(search.short / part)
    found = search.least(change, guess, search.steps(search.size))
    if found is None:
        return None
    each = round(found * search.step, 9)
    between = BETWEEN[frozenset((word, opposite(search, word)))][0]
    told = (
        f"its feet stand {said_length(2.0 * each)} further apart from {between}, "
        f"{said_length(each)} each"
    )
    bodies = tuple(dict.fromkeys(s.body for s in signs))
    return Remedy("apart", bodies, 2.0 * each, "m", search.goal.told, told)


def larger_soles(search: RemedySearch) -> list[Remedy]:
    """Return by how much soles that are boxes must be larger, along one pair of sides.

    Args:
        search: what shall be reached.
    """
    shapes = feet_of(search)
    model = search.asked.robot.scene_model
    if not shapes or any(int(model.geom_type[s.number]) != BOX for s in shapes):
        return []
    data = posed(search)
    for word, way, part in search.ways_in():
        axes = {s: axis_along(data, s, way) for s in shapes}
        known = {s: axis for s, axis in axes.items() if axis is not None}
        if len(known) == len(shapes):
            found = least_larger(search, word, part, known)
            if found is not None:
                return [found]
    return []


def axis_along(data: Any, shape: Shape, way: Vec3) -> int | None:
    """Return which axis of a box is along a way; None where none is."""
    share = np.abs(data.geom_xmat[shape.number].reshape(3, 3).T @ way)
    axis = int(np.argmax(share))
    return axis if share[axis] >= SQUARE else None


def least_larger(
    search: RemedySearch, word: str, part: float, axes: dict[Shape, int]
) -> Remedy | None:
    """Return by how much soles must be larger along a side, or None."""
    asked = search.asked

    def change(k: int) -> Trial | None:
        robot = wider_soles(asked.robot, asked.pose, axes, k * search.step)
        return None if robot is None else Trial(robot)

    guess = search.steps(2.0 * search.short / part)
    found = search.least(change, guess, search.steps(2.0 * search.size))
    if found is None:
        return None
    more = round(found * search.step, 9)
    how = BETWEEN[frozenset((word, opposite(search, word)))][1]
    bodies = tuple(dict.fromkeys(s.body for s in axes))
    names = ", ".join(f"'{shown(body)}'" for body in bodies[:SHOWN])
    what = (
        f"the sole of {names} is" if len(bodies) == 1 else f"the soles of {names} are"
    )
    told = f"{what} {said_length(more)} {how}"
    return Remedy("sole", bodies, more, "m", search.goal.told, told)
