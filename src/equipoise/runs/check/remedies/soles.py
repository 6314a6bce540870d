"""Soles that are larger."""

from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.runs.check.remedies.changed_shapes import Shape, wider_soles
from equipoise.runs.check.remedies.feet import (
    BETWEEN,
    MOST,
    feet_of,
    listed_bodies,
    opposite,
    scene_in_pose,
)
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.remedies.search import RemedySearch, RemedyTrial, said_length

__all__ = ["larger_soles"]

BOX = int(mujoco.mjtGeom.mjGEOM_BOX)
SQUARE = 0.9  # cosine between a sole's axis and the way from which it is along it


def larger_soles(search: RemedySearch) -> list[Remedy]:
    """Return by how much soles that are boxes must be larger, along one pair of sides.

    Args:
        search: what shall be reached.
    """
    shapes = feet_of(search)
    model = search.asked.robot.scene_model
    if not shapes or any(int(model.geom_type[s.number]) != BOX for s in shapes):
        return []
    data = scene_in_pose(search)
    for word, way, part in search.ways_in():
        axes = {s: _axis_along(data, s, way) for s in shapes}
        known = {s: axis for s, axis in axes.items() if axis is not None}
        if len(known) == len(shapes):
            found = _least_larger(search, word, part, known)
            if found is not None:
                return [found]
    return []


def _axis_along(data: Any, shape: Shape, way: Vec3) -> int | None:
    """Return which axis of a box is along a way; None where none is."""
    share = np.abs(data.geom_xmat[shape.number].reshape(3, 3).T @ way)
    axis = int(np.argmax(share))
    return axis if share[axis] >= SQUARE else None


def _least_larger(
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
    one, some = (
        f"the sole of {listed_bodies(bodies)} is",
        f"the soles of {listed_bodies(bodies)} are",
    )
    what = one if len(bodies) == 1 else some
    told = f"{what} {said_length(more)} {how}"
    return Remedy("sole", bodies, more, "m", search.goal.sentence, told)
