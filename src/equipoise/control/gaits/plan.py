"""A walk as data: who stands when, on which places, and where the trunk is meanwhile.

Every gait comes to this form in the end, periodic or free, straight, sideways, turning
or stop and go; margins and pictures are made from it. Rows are stretches in which the
same feet stand on the same places and the trunk moves along a straight line, so that
whatever is worst in a stretch is worst at one of its ends: margins are concave along a
line.
"""

import math
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.control.gaits.binary_gait import binary_gait
from equipoise.control.gaits.footprint import Footprint
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.core.arrays import Array, Vec2, VecN, expect_array
from equipoise.core.errors import ConfigError

__all__ = [
    "FootfallPlan",
    "path_poses",
    "periodic_plan",
    "refined",
    "stroke_vectors",
    "turning_stride",
]

ARC_PIECES = 8  # straight pieces of a stretch in which the trunk turns


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class FootfallPlan:
    """Footfalls of a walk, seen from above in the world frame W."""

    name: str
    times: VecN
    """When each row begins and the last one ends, (n + 1,); shares or seconds."""
    support: NDArray[np.bool_]
    """Whether each leg stands in each row, (n, nl)."""
    footholds: Array
    """Foothold of each leg, (n, nl, 2) [m]; NaN for legs in the air."""
    poses: Array
    """Poses of the trunk: x, y [m] and heading [rad], (n + 1, 3)."""
    centre: Vec2 = field(default_factory=lambda: np.zeros(2))
    """Centre of mass in the trunk's frame, (2,) [m]."""

    @property
    def centres(self) -> Array:
        """Centre of mass at the times, (n + 1, 2) [m]."""
        return placed(self.poses, self.centre)


def placed(poses: Array, point: Array) -> Array:
    """Return points of the trunk's frame seen in W, (..., 2) [m].

    Args:
        poses: x, y, heading, (..., 3).
        point: in B, (2,) or (..., 2) [m].
    """
    c, s = np.cos(poses[..., 2]), np.sin(poses[..., 2])
    x, y = point[..., 0], point[..., 1]
    turned = np.stack([c * x - s * y, s * x + c * y], axis=-1)
    return poses[..., :2] + turned


def path_poses(shares: ArrayLike, stride: Vec2, turn: float) -> Array:
    """Return where a trunk with constant velocities is, x, y and heading, (..., 3).

    It moves on a circle, or on a line where it does not turn::

        p(s) = s ⎡ sin a / a        -(1 - cos a) / a ⎤ stride,   a = s turn
                 ⎣ (1 - cos a) / a    sin a / a      ⎦

    Args:
        shares: s, cycles since it was at the origin, (...).
        stride: of a cycle, as the trunk itself sees it (velocity times T), (2,) [m].
        turn: of a cycle [rad].
    """
    s = np.asarray(shares, np.float64)
    a = s * turn
    along = np.sinc(a / np.pi)
    across = np.sinc(0.5 * a / np.pi) * np.sin(0.5 * a)  # (1 - cos a) / a
    x = s * (along * stride[0] - across * stride[1])
    y = s * (across * stride[0] + along * stride[1])
    return np.stack([x, y, a], axis=-1)


def turning_stride(centre: Vec2, turn: float) -> Array:
    """Return the stride of a trunk that turns about a point, ω ẑ × (-c) T, (2,) [m].

    Args:
        centre: c, the turning centre in the trunk's frame, (2,) [m].
        turn: of a cycle [rad].
    """
    return turn * np.array([centre[1], -centre[0]])


def stroke_vectors(
    gait: PhaseGait, footprint: Footprint, stride: Vec2, turn: float = 0.0
) -> Array:
    """Return each foot's displacement in its swing relative to the trunk, (nl, 2).

    s_l = β (v + ω ẑ × r_l) T: the way its place under the trunk goes while it stands.

    Args:
        gait: phases and duty factors.
        footprint: where the feet are.
        stride: of a cycle, (2,) [m].
        turn: of a cycle [rad].
    """
    x, y = footprint.feet[:, 0], footprint.feet[:, 1]
    ways = np.asarray(stride, np.float64) + turn * np.stack([-y, x], axis=1)
    return gait.duty[:, None] * ways


def periodic_plan(
    gait: PhaseGait,
    footprint: Footprint,
    stride: ArrayLike,
    turn: float = 0.0,
    cycles: int = 1,
) -> FootfallPlan:
    """Return a gait walked with constant velocities; times are shares of the cycle.

    Each foot falls so that it is at its place under the trunk in the middle of its
    stance. The stride's direction makes it a crab walk, ``turn`` a turning gait.

    Args:
        gait: phases and duty factors.
        footprint: where the feet are under the trunk.
        stride: of a cycle, as the trunk sees it, (2,) [m].
        turn: of a cycle, counter-clockwise [rad].
        cycles: how many.

    Raises:
        ConfigError: the footprint has another number of feet, or no cycle.
        ShapeError: a stride that is no vector of the plane.
    """
    way = expect_array("stride", stride, (2,))
    problems: list[str] = []
    if gait.legs != footprint.legs:
        problems.append(f"it has {gait.legs} legs, the footprint {footprint.legs} feet")
    if cycles < 1:
        problems.append(f"cycles must be >= 1, got {cycles}")
    if not math.isfinite(turn):
        problems.append(f"turn must be finite, got {turn!r}")
    if problems:
        raise ConfigError(f"gait '{gait.name}'", problems)
    times = _row_times(gait, cycles, 1 if turn == 0.0 else ARC_PIECES)
    middle = 0.5 * (times[:-1] + times[1:])
    support = gait.is_standing(middle)
    half_way = middle[:, None] - gait.since_footfall(middle) + 0.5 * gait.duty
    places = placed(path_poses(half_way, way, turn), footprint.feet)
    return FootfallPlan(
        name=gait.name,
        times=times,
        support=support,
        footholds=np.where(support[..., None], places, np.nan),
        poses=path_poses(times, way, turn),
        centre=footprint.centre,
    )


def refined(plan: FootfallPlan, pieces: int) -> FootfallPlan:
    """Return the same walk with each row cut in pieces, to see what is between ends.

    Args:
        plan: the walk.
        pieces: of each row, >= 1.
    """
    inner = np.arange(pieces)[:, None] / pieces
    many = [
        np.append(
            (at[:-1, None] + (at[1:] - at[:-1])[:, None] * inner).reshape(
                -1, at.shape[1]
            ),
            at[-1:],
            axis=0,
        )
        for at in (plan.times[:, None], plan.poses)
    ]
    return replace(
        plan,
        times=many[0][:, 0],
        poses=many[1],
        support=np.repeat(plan.support, pieces, axis=0),
        footholds=np.repeat(plan.footholds, pieces, axis=0),
    )


def _row_times(gait: PhaseGait, cycles: int, pieces: int) -> VecN:
    """Return where rows begin and end, cycle after cycle, each row cut in pieces."""
    once = binary_gait(gait).instants
    ends = np.concatenate([once[:-1] + k for k in range(cycles)] + [once[-1:] + cycles])
    ends[-1] = once[0] + cycles
    cuts = np.arange(pieces) / pieces
    inner = ends[:-1, None] + np.diff(ends)[:, None] * cuts
    return np.append(inner.reshape(-1), ends[-1])
