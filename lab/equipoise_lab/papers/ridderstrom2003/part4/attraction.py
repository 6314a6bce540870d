"""From which tilt does a body on soft ground come back: figs 9.6 to 9.8, simulated.

A body is let go at rest and in vertical equilibrium, as in [Ridderstrom2003] section
9.3, and watched until it has returned or fallen. Neither answer knows the closed form
that it is compared with: fallen is a tilt of a radian. Returned is half the tilt with
half the energy; as feet only take energy away it can never reach the first tilt again.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.stability import attraction_limit
from equipoise_lab.papers.ridderstrom2003.part4.two_springs import (
    Springs,
    energy,
    moved,
    rest_height,
)

__all__ = [
    "BODIES",
    "FALLEN",
    "RETURNED",
    "UNDECIDED",
    "Grid",
    "angle_of",
    "body_of",
    "expected",
    "limit_offset",
    "near_boundary",
    "outcomes",
]

UNDECIDED, RETURNED, FALLEN = 0, 1, 2
DOWN = 1.0  # tilt of a fallen body; no start is beyond 0.25 [rad]
STEPS_A_RADIAN = 8.0  # of the fastest motion; halving the step moves no answer
HORIZON = 400.0  # [s]: near a = 1 everything happens slowly
BODIES = ((0.1, 0.3), (0.5, 0.05), (0.02, 1.0))
"""Inertia over m h^2 and damping ratio of bouncing; neither is printed."""


@dataclass(frozen=True)
class Grid:
    """Starts of one figure for one body: softness down, offset across."""

    figure: str
    height: float
    """h [m]."""
    softness: tuple[float, float]
    """Smallest and largest a."""
    body: tuple[float, float] = BODIES[0]
    count: int = 100
    """Rows, and columns."""
    half_width: float = 0.1
    widest: float = 1.2
    """Largest offset, over r."""

    def rows(self) -> Array:
        """Return the values of a, (count,)."""
        return np.linspace(*self.softness, self.count)

    def columns(self) -> Array:
        """Return the offsets of the figure's horizontal axis, (count,) [m]."""
        return np.linspace(0.0, self.widest * self.half_width, self.count + 1)[1:]


def body_of(a: float, height: float, half_width: float, body: tuple[float, float]):
    """Return a body of 1 kg that stands on ground of softness ``a``.

    Args:
        a: m g h / (2 k r^2).
        height: h [m].
        half_width: r [m].
        body: inertia over m h^2, damping ratio of bouncing.
    """
    stiffness = GRAVITY * height / (2.0 * a * half_width * half_width)
    damping = body[1] * math.sqrt(2.0 * stiffness)
    inertia = body[0] * height * height
    return Springs(1.0, inertia, stiffness, damping, half_width, height)


def angle_of(offset: float, height: float, half_width: float) -> float:
    """Return the tilt at the figures' coordinate r (1 - cos) + h sin [rad].

    Args:
        offset: of the centre of mass from the middle of the feet at their start [m].
        height: h [m].
        half_width: r [m].
    """
    reach = math.hypot(height, half_width)
    return math.atan2(half_width, height) + math.asin((offset - half_width) / reach)


def limit_offset(a: float, height: float, half_width: float) -> float:
    """Return the closed form's boundary as a coordinate of the figures [m].

    Args:
        a: m g h / (2 k r^2).
        height: h [m].
        half_width: r [m].
    """
    angle = attraction_limit(half_width, height, a)
    return half_width * (1.0 - math.cos(angle)) + height * math.sin(angle)


def outcomes(grid: Grid) -> NDArray[np.int8]:
    """Simulate every start of a grid, (count, count): row a, column offset.

    Args:
        grid: what to start from.
    """
    h, r = grid.height, grid.half_width
    angles = np.array([angle_of(x, h, r) for x in grid.columns()])
    found = np.zeros((grid.count, grid.count), np.int8)
    for i, a in enumerate(grid.rows()):
        body = body_of(a, h, r, grid.body)
        _let_go(angles, body, _time_step(body), HORIZON, found[i])
    return found


def expected(grid: Grid) -> NDArray[np.int8]:
    """Return what the closed form says of every start, (count, count).

    Args:
        grid: what to start from.
    """
    limits = _boundary(grid)[:, None]
    return np.where(grid.columns() < limits, RETURNED, FALLEN).astype(np.int8)


def near_boundary(grid: Grid, share: float) -> NDArray[np.bool_]:
    """Say which starts are within a share of the boundary's own offset.

    Args:
        grid: what to start from.
        share: of the boundary's offset, as 0.003.
    """
    limits = _boundary(grid)[:, None]
    return np.abs(grid.columns() - limits) <= share * limits


def _boundary(grid: Grid) -> Array:
    """Return the closed form's boundary in each row, (count,) [m]."""
    h, r = grid.height, grid.half_width
    return np.array([limit_offset(a, h, r) for a in grid.rows()])


def _time_step(body: Springs) -> float:
    """Return a step that follows the fastest of bouncing, rocking and damping [s]."""
    square = body.half_width * body.half_width
    stiff = 2.0 * body.stiffness * max(1.0 / body.mass, square / body.inertia)
    damp = 2.0 * body.damping * max(1.0 / body.mass, square / body.inertia)
    return 1.0 / (STEPS_A_RADIAN * max(math.sqrt(stiff), damp))


@compiled
def _let_go(
    angles: Array, body: Springs, dt: float, horizon: float, found: NDArray[np.int8]
) -> None:
    """Write what becomes of a body let go at each of some tilts.

    Args:
        angles: where it is let go, (n,) [rad].
        body: what is let go.
        dt: time step [s].
        horizon: when to give up [s].
        found: the outcomes, (n,).
    """
    y, work = np.zeros(6), np.zeros((5, 6))
    y[0] = rest_height(0.0, body)
    upright = energy(y, body)
    for i in range(len(angles)):
        y[:] = 0.0
        y[0], y[1] = rest_height(angles[i], body), angles[i]
        half = upright + 0.5 * (energy(y, body) - upright)
        found[i] = UNDECIDED
        for n in range(int(horizon / dt)):
            moved(y, body, dt, work)
            if abs(y[1]) > DOWN:
                found[i] = FALLEN
                break
            is_near = abs(y[1]) < 0.5 * angles[i]
            if n % 8 == 0 and is_near and energy(y, body) < half:
                found[i] = RETURNED
                break
