"""How fast a machine can walk a gait: its joints' speeds and how far its legs reach.

A foot's way around is fixed by stroke, lift and height; a faster walk runs through it
in less time and all joint speeds grow alike. So the shortest cycle follows from one
round, without a search: T = max |dq/ds| / (largest joint speed), s = t/T.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.gaits.foot_path import foot_path
from equipoise.core.arrays import Array, VecN, expect_array
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.robots.legs import LegGeometry, foot_jacobians, path_angles

__all__ = ["FootWay", "SpeedLimit", "fastest_walk", "largest_stroke", "shortest_cycle"]

SAMPLES = 240  # of a cycle; peaks lie within a 480th of one
STROKES = 48  # tried between nothing and the longest
HALVINGS = 24  # of twice the longest leg, on the way to the longest stroke


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class FootWay:
    """Path of the feet, except for the length of their strokes.

    Raises:
        ConfigError: a length that is not positive.
    """

    duty: float
    """Duty factor β of every leg."""
    depth: float
    """Height of the hip over a stance foot [m]."""
    lift: float = 0.05
    """Lift of a swing foot [m]."""
    swing: str = "ellipse"
    """Shape of the swing, one of ``SWINGS``."""
    push: float | None = None
    """Share of the cycle in which standing feet go back; None for β, smaller where the
    trunk stops and goes (and feet swing while it rests: ``ellipse`` only)."""
    offset: Array = field(default_factory=lambda: np.zeros(2))
    """Middle of each stroke from below the hip, (2,) or (nl, 2) [m]."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        expect_positive(self, "depth")
        expect_positive(self, "lift", zero=True)
        if self.push is not None and self.swing != "ellipse":
            problem = f"swing must be 'ellipse' in stop and go, got '{self.swing}'"
            raise ConfigError("the walk", [problem])


@final
@dataclass(frozen=True)
class SpeedLimit:
    """Fastest walk that a machine's joints allow."""

    speed: float
    """Speed of the trunk [m/s]."""
    stroke: float
    """Stroke of a foot relative to the trunk [m]."""
    cycle: float
    """Cycle time T [s]."""


def shortest_cycle(
    geometry: LegGeometry, speeds: VecN, strokes: Array, way: FootWay
) -> float:
    """Return the shortest cycle that joints allow [s]; inf if a foot cannot reach.

    Args:
        geometry: of the legs, with the range of each joint.
        speeds: largest joint speeds, (3 nl,) [rad/s].
        strokes: of each foot, seen from above, (nl, 2) [m].
        way: how feet go around.

    Raises:
        ConfigError: a duty factor that is none.
        ShapeError: arrays of the wrong shape.
        UnknownNameError: no such swing.
    """
    legs = len(geometry.hips)
    limits = expect_array("speeds", speeds, (3 * legs,)).reshape(legs, 3)
    ways = expect_array("strokes", strokes, (legs, 2))
    shares = _swing_samples(way.duty)
    place, rate = foot_path(way.swing, way.duty, shares)
    if way.push is not None:
        rate[shares > 1.0 - way.duty] *= way.duty / way.push
    offset = np.broadcast_to(way.offset, (legs, 2))
    longest, seen = 0.0, set[bytes]()
    for leg in range(legs):
        if (alike := _leg_key(geometry, leg, ways, offset, limits)) in seen:
            continue
        seen.add(alike)
        at = _around(ways[leg], place, way.lift)
        at += [offset[leg, 0], offset[leg, 1], -way.depth]
        rates = _joint_rates(geometry, leg, at, _around(ways[leg], rate, way.lift))
        longest = max(longest, float((np.abs(rates) / limits[leg]).max()))
    return longest


def _leg_key(
    geometry: LegGeometry, leg: int, ways: Array, offset: Array, limits: Array
) -> bytes:
    """Return what tells a leg from others: those alike need to be tried once only."""
    joints = slice(3 * leg, 3 * leg + 3)
    if not geometry.is_closed:
        return bytes([leg])  # no two chains are taken for alike
    numbers = (
        geometry.lengths[leg],
        geometry.bend[leg : leg + 1],
        geometry.lower[joints],
        geometry.upper[joints],
        ways[leg],
        offset[leg],
        limits[leg],
    )
    return np.concatenate(numbers).tobytes()


def _swing_samples(duty: float) -> Array:
    """Return instants of a cycle, half of them in the swing, none at its ends."""
    half = np.zeros(SAMPLES // 2 + 2)
    half[1:-1] = (np.arange(SAMPLES // 2) + 0.5) / (SAMPLES // 2)
    half[0], half[-1] = 1e-9, 1.0 - 1e-9  # speeds jump at the very ends
    return np.concatenate([half * (1.0 - duty), (1.0 - duty) + half * duty])


def _around(stroke: Array, path: Array, lift: float) -> Array:
    """Return a path in strokes and lifts as one in space, (m, 3) [m]."""
    return np.stack(
        [path[:, 0] * stroke[0], path[:, 0] * stroke[1], path[:, 1] * lift], axis=1
    )


def _joint_rates(geometry: LegGeometry, leg: int, at: Array, moving: Array) -> Array:
    """Return joint rates along a foot's path, (m, 3); inf where a leg cannot be."""
    angles, reached = path_angles(geometry, leg, at)
    low, high = geometry.lower[3 * leg :][:3], geometry.upper[3 * leg :][:3]
    if not reached or (angles < low).any() or (angles > high).any():
        return np.full(at.shape, math.inf)
    jacobian = foot_jacobians(geometry, leg, angles)
    rates = np.linalg.solve(jacobian, moving[:, :, None])[:, :, 0]
    return rates.astype(np.float64)


def largest_stroke(geometry: LegGeometry, direction: Array, way: FootWay) -> float:
    """Return the longest stroke the legs reach, by halving [m].

    Args:
        geometry: of the legs.
        direction: of each leg's stroke, (nl, 2); the longest is taken for one.
        way: how feet go around.
    """
    unit = _unit_strokes(direction)
    speeds = np.ones(3 * len(geometry.hips))
    short, long = 0.0, 4.0 * float(geometry.lengths.sum(axis=1).max())
    for _ in range(HALVINGS):
        middle = 0.5 * (short + long)
        cycle = shortest_cycle(geometry, speeds, middle * unit, way)
        short, long = (middle, long) if math.isfinite(cycle) else (short, middle)
    return short


def _unit_strokes(direction: Array) -> Array:
    """Return strokes divided by the longest of them."""
    ways = expect_array("direction", direction, (-1, 2))
    longest = float(np.hypot(ways[:, 0], ways[:, 1]).max())
    if not longest > 0.0:
        raise ConfigError("the strokes", ["one foot at least must move, got none"])
    return ways / longest


def fastest_walk(
    geometry: LegGeometry,
    speeds: VecN,
    direction: Array,
    way: FootWay,
    stroke: float | None = None,
) -> SpeedLimit:
    """Return the fastest walk with a gait, with a stroke or with the best one.

    Short strokes waste time on lifting, long ones on straight legs.

    Args:
        geometry: of the legs.
        speeds: largest joint speeds, (3 nl,) [rad/s].
        direction: of each leg's stroke, (nl, 2); the longest is taken for one.
        way: how feet go around.
        stroke: of the foot that goes farthest; None for the best [m].

    Raises:
        ConfigError: a stroke the legs do not reach; the longest is named.
    """
    unit = _unit_strokes(direction)
    longest = largest_stroke(geometry, unit, way)
    if stroke is None:
        tried = longest * (np.arange(STROKES) + 1.0) / (STROKES + 1.0)
    elif 0.0 < stroke <= longest:
        tried = np.array([stroke])
    else:
        problem = f"stroke must be above 0 and at most {longest:.3f} m, got {stroke!r}"
        raise ConfigError("the walk", [problem])
    best = SpeedLimit(0.0, 0.0, math.inf)
    for length in tried:
        cycle = shortest_cycle(geometry, speeds, float(length) * unit, way)
        speed = float(length) / (cycle * (way.duty if way.push is None else 1.0))
        if speed > best.speed:
            best = SpeedLimit(speed, float(length), cycle)
    return best
