"""What balance is about, as shapes: points, the support, and forces as arrows."""

from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise.core.arrays import Array
from equipoise.runs.export.foxglove.messages import (
    WORLD,
    colour,
    direction_message,
    fox,
    point_message,
    pose,
    vector_message,
)
from equipoise.runs.export.foxglove.shapes import entity
from equipoise.runs.replay.marks import support_margins_mm
from equipoise.runs.replay.recorded import RecordedMotion

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["BalanceShapes", "margin_values"]

VERMILION, GREEN = (0.835, 0.369, 0.0, 1.0), (0.0, 0.62, 0.451, 1.0)
BLUE, PURPLE = (0.0, 0.447, 0.698, 1.0), (0.8, 0.475, 0.655, 1.0)
ORANGE, RED = (0.902, 0.624, 0.0, 1.0), (0.902, 0.235, 0.078, 1.0)
HEAD = 0.22  # of an arrow's length


class BalanceShapes:
    """Makes the shapes of a frame; one that is not there now has none."""

    def __init__(self, run: "xr.Dataset", seen: RecordedMotion) -> None:
        self.seen, marks = seen, seen.marks
        self.com = run["com"].values[seen.at]
        feet = [str(name) for name in run["foot"].values] if "foot" in run else []
        count = 0 if marks.forces is None else marks.forces.shape[1]
        self.feet = feet if len(feet) == count else ["ground"] * min(count, 1)
        self.size = max(float(np.nanmax(seen.motion.com[:, 2])), 1e-3)

    def message(self, time: int, k: int) -> Any:
        """Return the shapes of a frame.

        Args:
            time: in [ns].
            k: number of the frame.
        """
        marks = self.seen.marks
        balls = [
            self.ball(time, "centre of mass", self.com[k], VERMILION, 0.04),
            self.ball(time, "pressure point", _row(marks.pressure, k), BLUE, 0.025),
            self.ball(time, "capture point", _row(marks.capture, k), PURPLE, 0.025),
        ]
        forces = [self.force(time, k, f) for f in range(len(self.feet))]
        if marks.push is not None:
            forces.append(self.push(time, marks.push[k]))
        return fox.SceneUpdate(entities=[*balls, self.support(time, k), *forces])

    def ball(
        self, time: int, name: str, p: Array, rgba: tuple[float, ...], share: float
    ) -> Any:
        """Return a point as a ball; nothing where it is not known."""
        if not np.isfinite(p).all():
            return entity(name, WORLD, time)
        shape = fox.SpherePrimitive(
            pose=pose(p),
            size=vector_message([2.0 * share * self.size] * 3),
            color=colour(rgba),
        )
        return entity(name, WORLD, time, spheres=[shape])

    def support(self, time: int, k: int) -> Any:
        """Return the rim of what it stands on."""
        corners = (self.seen.marks.support or [])[k]
        if not len(corners):
            return entity("support polygon", WORLD, time)
        rim = fox.LinePrimitive(
            type=fox.LinePrimitive.LINE_LOOP,
            pose=pose(np.zeros(3)),
            thickness=0.01 * self.size,
            points=[point_message(p) for p in corners],
            color=colour(GREEN),
        )
        return entity("support polygon", WORLD, time, lines=[rim])

    def force(self, time: int, k: int, f: int) -> Any:
        """Return where the ground pushes on a foot, and how, as ball and arrow."""
        name, marks = f"force on {self.feet[f]}", self.seen.marks
        if marks.forces is None or marks.force_places is None:
            return entity(name, WORLD, time)
        place, force = marks.force_places[k, f], marks.forces[k, f]
        if not (np.isfinite(place).all() and np.isfinite(force).all()):
            return entity(name, WORLD, time)  # in the air
        length = float(np.linalg.norm(force)) * marks.metres_a_newton
        arrow = self.arrow(place, force, length, ORANGE)
        ball = fox.SpherePrimitive(
            pose=pose(place),
            size=vector_message([0.04 * self.size] * 3),
            color=colour(ORANGE),
        )
        return entity(name, WORLD, time, arrows=[arrow], spheres=[ball])

    def push(self, time: int, push: Array) -> Any:
        """Return what pushes the robot from outside, an arrow that ends there."""
        if not np.isfinite(push).all():
            return entity("push", WORLD, time)
        way = push[3:] / np.linalg.norm(push[3:])
        tail = push[:3] - self.size * way
        return entity(
            "push", WORLD, time, arrows=[self.arrow(tail, way, self.size, RED)]
        )

    def arrow(
        self, tail: Array, way: Array, length: float, rgba: tuple[float, ...]
    ) -> Any:
        """Return an arrow of a length [m]."""
        return fox.ArrowPrimitive(
            pose=pose(tail, direction_message(way)),
            shaft_length=(1.0 - HEAD) * length,
            shaft_diameter=0.02 * self.size,
            head_length=HEAD * length,
            head_diameter=0.05 * self.size,
            color=colour(rgba),
        )


def _row(points: Array | None, k: int) -> Array:
    """Return a point at a frame, NaN where there is none."""
    return np.full(3, np.nan) if points is None else points[k]


def margin_values(seen: RecordedMotion) -> dict[str, Array]:
    """Return how far inside the support things are, by name, (nt,) [m].

    Args:
        seen: the frames.
    """
    support, marks = seen.motion.support, seen.marks
    return {
        "centre_of_mass": 1e-3 * support_margins_mm(seen.motion.com, support),
        "pressure_point": 1e-3 * support_margins_mm(marks.pressure, support),
        "capture_point": 1e-3 * support_margins_mm(marks.capture, support),
    }
