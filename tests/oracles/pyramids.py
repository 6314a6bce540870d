"""Friction cones as pyramids, and the wrenches of their edges."""

import math

import numpy as np


def tangents(normal: np.ndarray) -> np.ndarray:
    """Return two unit vectors across a unit normal, (2, 3).

    By products with the axis that is farthest from the normal, so that they come out
    the same on every processor; a decomposition's would not.
    """
    axis = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = np.cross(normal, axis)
    first = first / math.sqrt(float(first @ first))
    return np.array([first, np.cross(normal, first)])


def pyramid_edges(
    normal: np.ndarray, friction: float, sides: int, stretch: float = 1.0
) -> np.ndarray:
    """Return a pyramid's edges, (sides, 3), with normal parts of 1.

    Within the cone with stretch 1, around it with 1 / cos(π / sides).
    """
    turns = np.arange(sides) * 2 * math.pi / sides
    ways = np.c_[np.cos(turns), np.sin(turns)] @ tangents(normal)
    return normal + stretch * friction * ways


def pyramid_wrenches(
    points: np.ndarray,
    normals: np.ndarray,
    frictions: np.ndarray,
    sides: int,
    stretch: float = 1.0,
) -> np.ndarray:
    """Return force and moment about the origin of all edges, (6, n)."""
    columns = []
    for p, n, mu in zip(points, normals, frictions, strict=True):
        edges = pyramid_edges(n, mu, sides, stretch)
        columns.append(np.c_[edges, np.cross(p, edges)])
    return np.concatenate(columns).T
