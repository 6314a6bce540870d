"""The critical multiplier of a body on soft feet that is known within tolerances.

All stiffnesses times f and the mass times g multiply the multiplier by g / f exactly,
so a common tolerance costs nothing. For the centre of mass and for feet that differ on
their own, level feet on vertical springs have proved bounds (``uncertain_level``).
Every other stance is searched: along the slopes from the middle to corners of the
tolerances, both ways, and half of the range found is added at each end. That is a
guess, and ``is_proved`` says so.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.constants import GRAVITY
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Foot, expect_feet
from equipoise.stability.uncertain.level import LevelFeet, critical_weights
from equipoise.stability.uncertain.margin import (
    MarginInterval,
    expect_share,
    expect_widths,
    static_margin_interval,
)

__all__ = ["multiplier_interval"]

_SOLVED = 1e-7  # relative: the path's end is solved to 1e-8
_LEVEL = 1e-9  # of the farthest foot: feet this equal in height are level
_ROOM = 0.5  # of the range found, added at each end of a search
_PROBE = 0.05  # of the tolerances: step by which a search takes slopes
_ROUNDS = 4


@dataclass(frozen=True, eq=False)
class _Body:
    """A body and what is not known of it beyond common factors."""

    mass: float
    feet: tuple[Foot, ...]
    half: Vec3
    share: float
    gravity: float

    def bounds(self, shift: Vec3, factors: VecN) -> tuple[float, float]:
        """Return the multiplier with the centre of mass shifted and feet scaled.

        Twice, or from 0 where it is only a bound, up to inf where it is not known.
        """
        feet = [
            Foot(
                foot.position - shift,
                foot.ground_stiffness * f,
                None if foot.leg_compliance is None else foot.leg_compliance / f,
                foot.normal,
            )
            for foot, f in zip(self.feet, factors.tolist(), strict=True)
        ]
        stance = compliant_stance(self.mass, feet, gravity=self.gravity)
        if stance.reason.startswith("not known"):
            return 0.0, math.inf
        is_bound = "at most" in stance.reason
        return (0.0 if is_bound else stance.multiplier), stance.multiplier


def multiplier_interval(
    mass: float,
    feet: Sequence[Foot],
    *,
    mass_tolerance: float = 0.0,
    com_tolerance: ArrayLike = 0.0,
    stiffness_tolerance: float = 0.0,
    each_foot: bool = True,
    gravity: float = GRAVITY,
) -> MarginInterval:
    """Return the bounds of ``compliant_stance(...).multiplier``; it stands below 1.

    Args:
        mass: of the body [kg].
        feet: at least one, seen from where the centre of mass is thought to be.
        mass_tolerance: share of the mass, at least 0, below 1.
        com_tolerance: half-width of the centre of mass along x, y and z, (3,), or one
            number [m].
        stiffness_tolerance: share of every stiffness, ground and leg alike, at least 0,
            below 1.
        each_foot: whether each foot may be off on its own, or all by one factor.
        gravity: free fall [m/s^2].

    Returns:
        The bounds, inf where it falls on any ground; proved by scaling, or for level
        feet on vertical springs and rigid legs, else searched.

    Raises:
        NotPhysicalError: what ``compliant_stance`` refuses, or a tolerance out of
            range.
        ShapeError: wrong shape or an entry that is not finite.
    """
    where = "multiplier_interval"
    expect_above_zero(where, mass=mass, gravity=gravity)
    expect_share(
        where, mass_tolerance=mass_tolerance, stiffness_tolerance=stiffness_tolerance
    )
    half = expect_widths(where, com_tolerance)
    expect_feet(feet)
    share = stiffness_tolerance if each_foot else 0.0
    common = 0.0 if each_foot else stiffness_tolerance
    body = _Body(mass, tuple(feet), half, share, gravity)
    found = _unscaled(body)
    return MarginInterval(
        found.low * (1 - mass_tolerance) / (1 + common) * (1 - _SOLVED),
        found.high * (1 + mass_tolerance) / (1 - common) * (1 + _SOLVED),
        found.is_proved,
    )


def _unscaled(body: _Body) -> MarginInterval:
    """Return the bounds without the common factors."""
    if not body.half.any() and not body.share:
        low, high = body.bounds(np.zeros(3), np.ones(len(body.feet)))
        return MarginInterval(low, high, low > 0 or math.isfinite(high))
    level = _level_feet(body)
    if level is None:
        return _searched(body)
    # A weight beside its feet falls on any ground.
    if static_margin_interval((0, 0), level.places, body.half).high < 0:
        return MarginInterval(math.inf, math.inf)
    carried, fallen = critical_weights(level)
    weight = body.mass * body.gravity
    low = weight / fallen if fallen > 0 else math.inf
    if carried > 0:
        return MarginInterval(low, weight / carried)
    searched = _searched(body)
    return MarginInterval(min(low, searched.low), searched.high, False)


def _level_feet(body: _Body) -> LevelFeet | None:
    """Return level feet on vertical springs under rigid legs, or None for others."""
    places = np.array([foot.position for foot in body.feet])
    size = float(np.linalg.norm(places, axis=1).max())
    upright = np.zeros((3, 3), dtype=bool)
    upright[2, 2] = True
    is_plain = all(
        foot.leg_compliance is None or not foot.leg_compliance.any()
        for foot in body.feet
    ) and all(
        not foot.ground_stiffness[~upright].any() and foot.normal[2] == 1.0
        for foot in body.feet
    )
    height = -float(places[:, 2].mean())
    is_level = float(np.ptp(places[:, 2])) <= _LEVEL * size
    if not (is_plain and is_level and height > body.half[2]):
        return None
    k = np.array([foot.ground_stiffness[2, 2] for foot in body.feet])
    spread = np.linalg.svd(places[:, :2] - places[:, :2].mean(axis=0))[1]
    if len(k) < 3 or spread[1] <= _LEVEL * size:
        return None
    return LevelFeet(
        places[:, :2],
        k * (1 - body.share),
        k * (1 + body.share),
        body.half[:2],
        height - float(body.half[2]),
        height + float(body.half[2]),
    )


def _searched(body: _Body) -> MarginInterval:
    """Return the range that a search finds, with room at both ends."""
    n = len(body.feet)
    scale = np.concatenate([body.half, np.full(n, body.share)])
    free = np.flatnonzero(scale)

    def bounds(unit: Array) -> tuple[float, float]:
        off = np.zeros(3 + n)
        off[free] = unit * scale[free]
        return body.bounds(off[:3], 1 + off[3:])

    low = _extreme(lambda unit: bounds(unit)[0], len(free), -1.0)
    high = _extreme(lambda unit: bounds(unit)[1], len(free), 1.0)
    if math.isinf(high):
        return MarginInterval(0.0 if math.isinf(low) else low / 2, high, False)
    room = _ROOM * (high - low)
    return MarginInterval(max(low - room, 0.0), high + room, False)


def _extreme(function: Callable[[Array], float], count: int, way: float) -> float:
    """Return the least (way -1) or largest (1) value found from slope to corner."""
    at = np.zeros(count)
    best = function(at)
    for _ in range(_ROUNDS):
        if math.isinf(best):
            break
        corner = np.empty(count)
        for i in range(count):
            step = np.eye(count)[i] * (-_PROBE if at[i] > 0 else _PROBE)
            rise = function(at + step) - best
            corner[i] = 1.0 if way * rise * step[i] >= 0 else -1.0
        value = function(corner)
        if way * (value - best) <= 0:
            break
        at, best = corner, value
    return best
