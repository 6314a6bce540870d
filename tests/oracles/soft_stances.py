"""Feet on springs whose margins have a closed form."""

import math

import numpy as np

from equipoise.stability.soft.foot import Foot


def on_a_circle(legs, r, h, ground, compliance=None, turn=0.0) -> list[Foot]:
    """Return equal feet evenly on a circle of radius r, a height h below."""
    angles = turn + 2 * np.pi * np.arange(legs) / legs
    return [
        Foot((r * math.cos(t), r * math.sin(t), -h), ground, compliance) for t in angles
    ]


def in_a_plane(r, h, k, offset=0.0, compliance=None) -> list[Foot]:
    """Return two feet in a plane, each split in two far apart across it."""
    wide = 3 * max(r, h)
    return [
        Foot(
            (side * r - offset, y, -h),
            k / 2,
            None if compliance is None else 2 * np.asarray(compliance),
        )
        for side in (-1, 1)
        for y in (-wide, wide)
    ]


def uneven(rng: np.random.Generator, k: tuple[float, float]) -> list[Foot]:
    """Return four to six vertical springs of different stiffness, off the middle."""
    n = int(rng.integers(4, 7))
    angles = (rng.uniform(0, 0.6, n) + 2 * np.pi * np.arange(n)) / n
    radii = rng.uniform(0.25, 0.4, n)
    off = rng.uniform(-0.12, 0.12, 2)
    return [
        Foot(
            (r * math.cos(t) + off[0], r * math.sin(t) + off[1], z),
            float(rng.uniform(*k)),
        )
        for r, t, z in zip(radii, angles, rng.uniform(-0.7, -0.5, n), strict=True)
    ]
