"""Legs that stand further apart, or contacts where the feet are parts of the base.

A leg is moved as a person moves it in the file, with its masses: its first body is
attached elsewhere. Only what touches the ground and is no leg of its own, as feet that
are shapes of the base, moves on its body.
"""

from typing import Any

import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.core.text import shown
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import robot_scene
from equipoise.runs.check.remedies.changed import moved_bodies
from equipoise.runs.check.remedies.changed_shapes import (
    Shape,
    moved_shapes,
    shapes_named,
)
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.remedies.search import RemedySearch, RemedyTrial, said_length

__all__ = [
    "BETWEEN",
    "MOST",
    "feet_apart",
    "feet_of",
    "listed_bodies",
    "opposite",
    "scene_in_pose",
]

BETWEEN: dict[frozenset[str], tuple[str, str]] = {
    frozenset(("front", "rear")): ("front to rear", "longer"),
    frozenset(("left", "right")): ("left to right", "wider"),
    frozenset(("+x", "-x")): ("-x to +x", "longer"),
    frozenset(("+y", "-y")): ("-y to +y", "wider"),
}
APART = 0.002  # share of the robot's size from which a foot is not in the middle
MOST = 0.25  # share of the robot's size by which a foot is moved at most
SHOWN = 6  # bodies that are named


def feet_of(search: RemedySearch) -> list[Shape]:
    """Return the shapes that touch; none where they cannot be found again."""
    numbers = sorted({int(g) for g in search.result.stance.shapes})
    return shapes_named(search.asked.robot, numbers) or []


def opposite(search: RemedySearch, word: str) -> str:
    """Return the other side."""
    words = list(search.sides)
    return words[(words.index(word) + 2) % 4]


def scene_in_pose(search: RemedySearch) -> Any:
    """Return the robot's scene in the pose that was asked about."""
    robot = search.asked.robot
    return robot_scene(robot).data_at(robot, search.asked.pose)


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
        found = _least_apart(search, shapes, {word: ways[word][0]}, ways[word][1])
        if found is not None:
            return [found]
    front, left = list(search.sides)[:2]
    both = {word: search.sides[word] for word in (front, left)}
    found = _least_apart(search, shapes, both, 1.0) if ways else None
    return [] if found is None else [found]


def _outwards(search: RemedySearch, shapes: list[Shape], way: Vec3) -> dict[Shape, int]:
    """Return which shapes are on one side of the middle, which on the other."""
    data = scene_in_pose(search)
    along = {s: float(data.geom_xpos[s.number] @ way) for s in shapes}
    middle = 0.5 * (min(along.values()) + max(along.values()))
    least = APART * search.size
    return {
        s: int(x - middle > least) - int(middle - x > least) for s, x in along.items()
    }


def _least_apart(
    search: RemedySearch, shapes: list[Shape], sides: dict[str, Vec3], part: float
) -> Remedy | None:
    """Return by how much feet must stand further apart along sides, or None."""
    signs = {word: _outwards(search, shapes, way) for word, way in sides.items()}
    if any(not {-1, 1} <= set(found.values()) for found in signs.values()):
        return None
    ways = {
        s: sum((signs[w][s] * v for w, v in sides.items()), np.zeros(3)) for s in shapes
    }
    legs = _ways_of_legs(search.asked.robot, ways)

    def change(k: int) -> RemedyTrial | None:
        robot = _moved_out(search, ways, legs, k * search.step)
        return None if robot is None else RemedyTrial(robot)

    guess = search.steps(search.short / part)
    found = search.least(change, guess, search.steps(MOST * search.size))
    if found is None:
        return None
    each = round(found * search.step, 9)
    contacts = {s.body: None for s, way in ways.items() if way.any()}
    bodies = tuple(contacts if legs is None else legs)
    what = "the contacts of {} are" if legs is None else "its legs {} are attached"
    between = " and from ".join(
        BETWEEN[frozenset((w, opposite(search, w)))][0] for w in sides
    )
    told = (
        f"{what.format(listed_bodies(bodies))} {said_length(2.0 * each)} further "
        f"apart from {between}, {said_length(each)} each"
    )
    return Remedy("apart", bodies, 2.0 * each, "m", search.goal.sentence, told)


def _moved_out(
    search: RemedySearch,
    ways: dict[Shape, Vec3],
    legs: dict[str, Vec3] | None,
    step: float,
) -> Robot | None:
    """Return the robot with its legs, or else its contacts, moved outwards."""
    robot, pose = search.asked.robot, search.asked.pose
    if legs is not None:
        return moved_bodies(robot, pose, {leg: step * way for leg, way in legs.items()})
    return moved_shapes(robot, pose, {shape: step * way for shape, way in ways.items()})


def _ways_of_legs(robot: Robot, ways: dict[Shape, Vec3]) -> dict[str, Vec3] | None:
    """Return how the first body of each leg moves; None where feet are no legs.

    Args:
        robot: the robot.
        ways: how each shape that touches moves.
    """
    model = robot.model
    parents, base = np.asarray(model.body_parentid), int(model.body(robot.base).id)
    touching = {int(model.body(shape.body).id) for shape in ways}
    above = {b: _chain_above(parents, b) for b in touching}
    found: dict[str, Vec3] = {}
    for shape, way in ways.items():
        chain = above[int(model.body(shape.body).id)]
        foot = [b for b in chain if b in touching][-1]  # the highest that touches
        own = {b for b in touching if foot in above[b]}
        if base in own or base not in chain:
            return None
        leg = [b for b in chain if {c for c in touching if b in above[c]} <= own][-1]
        leg = chain[min(chain.index(leg), chain.index(base) - 1)]
        name = str(model.body(leg).name)
        if not name or not np.array_equal(found.setdefault(name, way), way):
            return None
    return {name: way for name, way in found.items() if way.any()}


def _chain_above(parents: Any, body: int) -> list[int]:
    """Return a body and those that it hangs on, without the world, from it upwards."""
    chain = []
    while body > 0:
        chain.append(body)
        body = int(parents[body])
    return chain


def listed_bodies(bodies: tuple[str, ...]) -> str:
    """Return the names of bodies, as many as one wants to read."""
    more = ", ..." if len(bodies) > SHOWN else ""
    return ", ".join(f"'{shown(body)}'" for body in bodies[:SHOWN]) + more
