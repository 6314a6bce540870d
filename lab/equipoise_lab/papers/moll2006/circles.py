"""Circles and a vertical line, by means that share nothing with ``control.com``.

A batch is an array, a row a case: center (3), unit axis (3), point (3), line x and y.
"""

from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from equipoise.core.arrays import Array

__all__ = [
    "distances",
    "ferrari_angles",
    "generic",
    "heights",
    "level",
    "nearest_count",
    "on_line",
    "quartic",
    "radii",
    "slopes",
]

GRID = 720
SAME = 1e-9
"""Distances closer than this share of a radius are one: the search below is good to
about the square root of a rounding in the angle, a rounding in the distance."""


def unit(v: Array) -> Array:
    """Return rows at unit length."""
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def generic(n: int, rng: np.random.Generator) -> Array:
    """Return cases without any special place."""
    return np.column_stack(
        [
            rng.normal(size=(n, 3)),
            unit(rng.normal(size=(n, 3))),
            rng.normal(size=(n, 5)),
        ]
    )


def level(n: int, rng: np.random.Generator, tilt: float = 0.0) -> Array:
    """Return cases whose axis is horizontal and whose line is within reach, off centre.

    Args:
        n: how many.
        rng: draws them.
        tilt: vertical part of the axis.
    """
    heading, turn = rng.uniform(0.0, 2.0 * np.pi, (2, n))
    along = np.column_stack([np.cos(heading), np.sin(heading), np.zeros(n)])
    across = np.column_stack([-np.sin(heading), np.cos(heading), np.zeros(n)])
    radius = rng.uniform(0.5, 2.0, n)[:, None]
    center = rng.normal(size=(n, 3))
    up = np.array([[0.0, 0.0, 1.0]])
    point = center + radius * (
        np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * up
    )
    reach = rng.uniform(0.1, 0.9, (n, 1)) * rng.choice([-1.0, 1.0], (n, 1))
    line = center + rng.normal(size=(n, 1)) * along + reach * radius * across
    axis = unit(along + tilt * up)
    return np.column_stack([center, axis, point, line[:, :2]])


def on_line(n: int, rng: np.random.Generator) -> Array:
    """Return cases whose centre of rotation lies on the line, on a tilted axis."""
    rows = generic(n, rng)
    center, u, point = rows[:, :3], rows[:, 3:6], rows[:, 6:9]
    along = np.sum((point - center) * u, axis=1, keepdims=True)
    rows[:, 9:] = (center + along * u)[:, :2]
    return rows


def _parts(rows: Array) -> tuple[Array, Array, Array]:
    """Return c, a and b of p(θ) = c + a cos θ + b sin θ seen from the line, (n, 3)."""
    center, u, point = rows[:, :3], rows[:, 3:6], rows[:, 6:9]
    along = np.sum((point - center) * u, axis=1, keepdims=True) * u
    a = point - center - along
    c = center + along
    c[:, :2] -= rows[:, 9:]
    return c, a, np.asarray(np.cross(u, a), np.float64)


def radii(rows: Array) -> Array:
    """Return the circles' radii, (n,)."""
    return np.linalg.norm(_parts(rows)[1], axis=1)


def _places(rows: Array, angles: Array) -> Array:
    """Return p(θ) seen from the line for angles, (n, k), as (n, k, 3)."""
    c, a, b = (x[:, None, :] for x in _parts(rows))
    return c + a * np.cos(angles)[..., None] + b * np.sin(angles)[..., None]


def distances(rows: Array, angles: Array) -> Array:
    """Return the distance from the line for angles, (n, k)."""
    p = _places(rows, angles)
    return np.hypot(p[..., 0], p[..., 1])


def heights(rows: Array, angles: Array) -> Array:
    """Return the height for angles, (n, k)."""
    return _places(rows, angles)[..., 2]


def slopes(rows: Array, angles: Array) -> Array:
    """Return half the derivative of the squared distance by the angle, (n, k)."""
    _, a, b = (x[:, None, :2] for x in _parts(rows))
    cos, sin = np.cos(angles)[..., None], np.sin(angles)[..., None]
    return np.sum(_places(rows, angles)[..., :2] * (b * cos - a * sin), axis=-1)


def quartic(rows: Array) -> Array:
    """Return the polynomial whose zeros t = tan(θ/2) make the distance level, (n, 5).

    Highest power first: (1 + t²)² d(distance²)/dθ / 2.
    """
    c, a, b = (x[:, :2] for x in _parts(rows))
    A, B = np.sum(c * a, axis=1), np.sum(c * b, axis=1)
    C, D = np.sum(b * b - a * a, axis=1), np.sum(a * b, axis=1)
    return np.column_stack([D - B, -2 * A - 2 * C, -6 * D, 2 * C - 2 * A, B + D])


def ferrari_angles(rows: Array) -> Array:
    """Return the angles of Ferrari's four roots, (n, 4), and of t = ∞, (n, 5).

    The textbook's formula: depressed quartic, Cardano's root of the resolvent cubic,
    two quadratics. A complex root gives its real part, so nothing good is left out.
    """
    with np.errstate(all="ignore"):
        k = quartic(rows).astype(complex)
        b, c, d, e = (k[:, i] / k[:, 0] for i in range(1, 5))
        p = c - 3 * b**2 / 8
        q = d - b * c / 2 + b**3 / 8
        r = e - b * d / 4 + b**2 * c / 16 - 3 * b**4 / 256
        P = -(p**2) / 12 - r
        Q = -(p**3) / 108 + p * r / 3 - q**2 / 8
        R = -Q / 2 + np.sqrt(Q**2 / 4 + P**3 / 27)
        U = R ** (1 / 3)
        y = -5 * p / 6 + np.where(U == 0, -((Q + 0j) ** (1 / 3)), U - P / (3 * U))
        W = np.sqrt(p + 2 * y)
        roots = [
            -b / 4 + (s * W + t * np.sqrt(-(3 * p + 2 * y + s * 2 * q / W))) / 2
            for s in (1, -1)
            for t in (1, -1)
        ]
        angles = 2 * np.arctan(np.real(np.column_stack(roots)))
    return np.column_stack([np.nan_to_num(angles), np.full(len(rows), np.pi)])


def nearest_count(row: Array) -> int:
    """Return how many angles share the least distance, by a grid and local searches."""
    one = row[None, :]
    step = 2.0 * np.pi / GRID
    grid = np.linspace(0.0, 2.0 * np.pi, GRID, endpoint=False)
    d = distances(one, grid[None, :])[0]
    dips = np.flatnonzero((d <= np.roll(d, 1)) & (d < np.roll(d, -1)))
    found: list[Any] = [
        minimize_scalar(
            lambda t: float(distances(one, np.array([[t]]))[0, 0]),
            bounds=(grid[i] - step, grid[i] + step),
            method="bounded",
            options={"xatol": 1e-12},
        )
        for i in dips
    ]
    same = SAME * float(radii(one)[0])
    least = np.array([dip.fun for dip in found])
    return int(np.sum(least - least.min() < same))
