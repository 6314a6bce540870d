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
from equipoise.runs.check.remedies.search import RemedySearch, RemedyTrial, said_length

__all__ = ["feet_apart", "larger_soles"]

BOX = int(mujoco.mjtGeom.mjGEOM_BOX)
BETWEEN = {
    frozenset(("front", "rear")): ("front to rear", "longer"),
    frozenset(("left", "right")): ("left to right", "wider"),
    frozenset(("+x", "-x")): ("-x to +x", "longer"),
    frozenset(("+y", "-y")): ("-y to +y", "wider"),
}
APART = 0.02  # share of the robot's size from which a foot is on one side
MOST = 0.25  # share of the robot's size by which a foot is moved at most
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

    Where neither pair does, both at once are tried.

    Args:
        search: what shall be reached.
    """
    shapes = feet_of(search)
    if len(shapes) < 2:
        return []
    ways = {w: (v, part) for w, v, part in search.ways_in()}
    for word in ways:
        found = least_apart(search, shapes, {word: ways[word][0]}, ways[word][1])
        if found is not None:
            return [found]
    front, left = list(search.sides)[:2]
    both = {word: search.sides[word] for word in (front, left)}
    found = least_apart(search, shapes, both, 1.0) if ways else None
    return [] if found is None else [found]


def outwards(search: RemedySearch, shapes: list[Shape], way: Vec3) -> dict[Shape, int]:
    """Return which shapes are on one side of the middle, which on the other."""
    data = posed(search)
    along = {s: float(data.geom_xpos[s.number] @ way) for s in shapes}
    middle = 0.5 * (min(along.values()) + max(along.values()))
    least = APART * search.size
    return {
        s: int(x - middle > least) - int(middle - x > least) for s, x in along.items()
    }


def least_apart(
    search: RemedySearch, shapes: list[Shape], sides: dict[str, Vec3], part: float
) -> Remedy | None:
    """Return by how much feet must stand further apart along sides, or None."""
    asked = search.asked
    signs = {word: outwards(search, shapes, way) for word, way in sides.items()}
    if any(not {-1, 1} <= set(found.values()) for found in signs.values()):
        return None

    def change(k: int) -> RemedyTrial | None:
        step = k * search.step
        ways = {
            s: sum((step * signs[w][s] * v for w, v in sides.items()), np.zeros(3))
            for s in shapes
        }
        robot = moved_shapes(asked.robot, asked.pose, ways)
        return None if robot is None else RemedyTrial(robot)

    guess = search.steps(search.short / part)
    found = search.least(change, guess, search.steps(MOST * search.size))
    if found is None:
        return None
    each = round(found * search.step, 9)
    bodies = tuple(dict.fromkeys(s.body for s in shapes))
    is_whole = all(
        len({found[s] for s in shapes if s.body == body}) == 1
        for found in signs.values()
        for body in bodies
    )
    what = "its feet stand" if is_whole else f"the contacts of {named(bodies)} are"
    between = " and from ".join(
        BETWEEN[frozenset((w, opposite(search, w)))][0] for w in sides
    )
    told = (
        f"{what} {said_length(2.0 * each)} further apart from {between}, "
        f"{said_length(each)} each"
    )
    return Remedy("apart", bodies, 2.0 * each, "m", search.goal.told, told)


def named(bodies: tuple[str, ...]) -> str:
    """Return the names of bodies, as many as one wants to read."""
    more = ", ..." if len(bodies) > SHOWN else ""
    return ", ".join(f"'{shown(body)}'" for body in bodies[:SHOWN]) + more


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

    def change(k: int) -> RemedyTrial | None:
        robot = wider_soles(asked.robot, asked.pose, axes, k * search.step)
        return None if robot is None else RemedyTrial(robot)

    guess = search.steps(2.0 * search.short / part)
    found = search.least(change, guess, search.steps(2.0 * MOST * search.size))
    if found is None:
        return None
    more = round(found * search.step, 9)
    how = BETWEEN[frozenset((word, opposite(search, word)))][1]
    bodies = tuple(dict.fromkeys(s.body for s in axes))
    one, some = f"the sole of {named(bodies)} is", f"the soles of {named(bodies)} are"
    what = one if len(bodies) == 1 else some
    told = f"{what} {said_length(more)} {how}"
    return Remedy("sole", bodies, more, "m", search.goal.told, told)
