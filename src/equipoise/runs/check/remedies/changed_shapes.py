"""A robot with some of its shapes changed as somebody edits its file.

A body whose mass comes from its shapes changes its mass with them. What came out is
measured in the compiled model: the shapes changed as told, and nothing else moved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.robots.engine import built
from equipoise.robots.robot import Robot
from equipoise.runs.check.remedies.changed import EXACT, data_of_pose, edited

__all__ = ["Shape", "moved_shapes", "shapes_named", "wider_soles"]


@final
@dataclass(frozen=True)
class Shape:
    """A shape of a robot, found again in a copy of its specification."""

    body: str
    """Name of its body."""
    place: int
    """Which of the body's shapes it is."""
    number: int
    """In the compiled scene."""


def shapes_named(robot: Robot, numbers: Sequence[int]) -> list[Shape] | None:
    """Return shapes of a robot's scene by body and place; None where one has no name.

    Args:
        robot: whose shapes they are.
        numbers: of the scene's model.
    """
    spec = (robot.spec if robot.scene is None else robot.scene).copy()
    built(spec, f"robot '{robot.name}'")
    found: list[Shape] = []
    for body in spec.bodies:
        for place, geom in enumerate(body.geoms):
            if geom.id in numbers:
                if not body.name:
                    return None
                found.append(Shape(str(body.name), place, int(geom.id)))
    return found if len(found) == len(set(numbers)) else None


def moved_shapes(robot: Robot, pose: VecN, ways: Mapping[Shape, Vec3]) -> Robot | None:
    """Return a robot some of whose shapes sit elsewhere on their bodies.

    Args:
        robot: the robot.
        pose: in which the ways are seen, (nq,).
        ways: where to, in the world, (3,) [m], by shape.
    """
    model = robot.model
    data = data_of_pose(model, pose)

    def edit(spec: Any) -> None:
        for shape, way in ways.items():
            R_WB = data.xmat[int(model.body(shape.body).id)].reshape(3, 3)
            geom, step = spec.body(shape.body).geoms[shape.place], R_WB.T @ way
            if np.isfinite(np.asarray(geom.fromto)).all():
                geom.fromto = np.asarray(geom.fromto) + np.r_[step, step]
            else:
                geom.pos = np.asarray(geom.pos) + step

    new = edited(robot, edit)
    if new is None or not _is_elsewhere_alike(robot, new, pose, ways):
        return None
    off = _shape_moves(robot, new, pose)
    for shape, way in ways.items():
        off[shape.number] -= way
    return new if float(np.abs(off).max(initial=0.0)) <= EXACT else None


def _is_elsewhere_alike(
    old: Robot, new: Robot, pose: VecN, shapes: Mapping[Shape, Any]
) -> bool:
    """Return whether bodies are where they were, and alike but for those of shapes."""
    one, two = data_of_pose(old.model, pose), data_of_pose(new.model, pose)
    others = np.ones(old.model.nbody, bool)
    others[[int(old.model.body(shape.body).id) for shape in shapes]] = False
    masses = new.model.body_mass[others], old.model.body_mass[others]
    return (
        float(np.abs(two.xpos - one.xpos).max()) <= EXACT
        and float(np.abs(two.xipos - one.xipos)[others].max(initial=0.0)) <= EXACT
        and bool(np.allclose(*masses, rtol=1e-12, atol=0.0))
    )


def _shape_moves(old: Robot, new: Robot, pose: VecN) -> Array:
    """Return how far each shape of the scene moved on its body, (ngeom, 3) [m]."""
    before = data_of_pose(old.model, pose)
    moved = np.asarray(new.scene_model.geom_pos - old.scene_model.geom_pos)
    for geom, body in enumerate(old.scene_model.geom_bodyid):
        name = old.scene_model.body(int(body)).name
        if moved[geom].any():
            R_WB = before.xmat[int(old.model.body(name).id)].reshape(3, 3)
            moved[geom] = R_WB @ moved[geom]
    return moved


def wider_soles(
    robot: Robot, pose: VecN, axes: Mapping[Shape, int], more: float
) -> Robot | None:
    """Return a robot whose soles, boxes, are larger along one of their axes.

    Args:
        robot: the robot.
        pose: any, (nq,).
        axes: along which axis, by shape.
        more: by how much in all [m].
    """

    def edit(spec: Any) -> None:
        for shape, axis in axes.items():
            geom = spec.body(shape.body).geoms[shape.place]
            size = np.array(geom.size)
            size[axis] += 0.5 * more
            geom.size = size

    new = edited(robot, edit)
    if new is None or not _is_elsewhere_alike(robot, new, pose, axes):
        return None
    if float(np.abs(_shape_moves(robot, new, pose)).max(initial=0.0)) > EXACT:
        return None
    off = np.asarray(new.scene_model.geom_size - robot.scene_model.geom_size)
    for shape, axis in axes.items():
        off[shape.number, axis] -= 0.5 * more
    return new if float(np.abs(off).max()) <= EXACT else None
