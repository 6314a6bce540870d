"""Section 9.3: how far a body may lean and still come back, figs 9.6 to 9.8."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from equipoise.stability import attraction_limit
from equipoise_lab.papers.check import at_least, below, same
from equipoise_lab.papers.claim import Claim, beyond, compared, shown
from equipoise_lab.papers.ridderstrom2003.part4.attraction import (
    BODIES,
    UNDECIDED,
    Grid,
    expected,
    limit_offset,
    near_boundary,
)
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED

__all__ = ["BESIDE", "FIGURES", "Outcomes", "attraction_claims", "grids", "misjudged"]

Outcomes = Mapping[Grid, NDArray[np.int8]]
BESIDE = 0.003
"""Starts this near to the boundary, over its offset, are left out: there a body may
linger longer than anybody watches."""
FIGURES = (
    Grid("fig. 9.6", PRINTED.heights[0], (0.05, 0.998)),
    Grid("fig. 9.7", PRINTED.heights[0], (0.99, 0.998)),
    Grid("fig. 9.8", PRINTED.heights[1], (0.97, 0.998)),
)
SOFT = (1.01, 1.05, 1.2)
"""Values of a at which nothing stands."""


def grids(count: int = 100) -> list[Grid]:
    """Return every grid: three figures, three bodies, and ground that is too soft.

    Args:
        count: rows, and columns.
    """
    found = [
        Grid(g.figure, g.height, g.softness, body, count)
        for g in FIGURES
        for body in BODIES
    ]
    return [*found, Grid("a > 1", PRINTED.heights[1], (SOFT[0], SOFT[-1]), count=10)]


def misjudged(grid: Grid, found: NDArray[np.int8]) -> int:
    """Return how many starts away from the boundary end otherwise than it says.

    Args:
        grid: the starts.
        found: how they ended; undecided is misjudged.
    """
    return int(((found != expected(grid)) & ~near_boundary(grid, BESIDE)).sum())


def attraction_claims(results: Outcomes) -> list[Claim]:
    """Return the claims about the domain of attraction.

    Args:
        results: of the simulated grids.
    """
    return [
        _hard_claim(),
        *(_figure_claim(grid.figure, results) for grid in FIGURES),
        _soft_claim(results),
        *_seen_claims(),
    ]


def _hard_claim() -> Claim:
    """Return the condition on hard ground."""
    r, h = PRINTED.half_width, PRINTED.heights[1]
    wrong = 0
    for gamma in np.linspace(-0.9, 0.9, 19):
        for angle in np.linspace(-0.6, 0.6, 121):
            s, c = math.sin(angle), math.cos(angle)
            left = h * s + (1.0 + gamma) * r * c  # of the foot's place from B's
            right = -h * s + (1.0 - gamma) * r * c
            between = left > 0.0 and right > 0.0
            wrong += between != (abs(math.tan(angle) + gamma * r / h) < r / h)
    return compared(
        "9.3",
        "|tan(alpha) + gamma r/h| < r/h, against feet on either side of the mass",
        0,
        int(wrong),
        "mismatches on 2299 tilts and offsets",
    )


def _figure_claim(figure: str, results: Outcomes) -> Claim:
    """Return that simulation and closed form agree on a figure."""
    mine = {grid: row for grid, row in results.items() if grid.figure == figure}
    count = sum(row.size for row in mine.values())
    wrong = sum(misjudged(grid, row) for grid, row in mine.items())
    beside = sum(int(near_boundary(grid, BESIDE).sum()) for grid in mine)
    undecided = sum(int((row == UNDECIDED).sum()) for row in mine.values())
    low, high = next(iter(mine)).softness
    return beyond(
        f"9.3, {figure}",
        "simulated starts that our closed form misjudges",
        wrong,
        same(wrong, 0),
        f"{count} starts, a from {low} to {high}, three bodies; {beside} of them within"
        f" 0.3 % of the boundary are not counted, {undecided} were undecided after"
        " 400 s. arctan(r/h) up to a = h / sqrt(h^2 + r^2), arccos(a) beyond",
        tolerance=0,
    )


def _soft_claim(results: Outcomes) -> Claim:
    """Return that nothing comes back on ground that is too soft."""
    grid = next(g for g in results if g.figure == "a > 1")
    return compared(
        "9.3",
        "simulated starts that do not fall at a > 1",
        0,
        int((results[grid] != expected(grid)).sum()),
        f"{results[grid].size} starts, a from {SOFT[0]} to {SOFT[-1]}",
    )


def _seen_claims() -> list[Claim]:
    """Return what the text reads off the figures."""
    r, (tall, low) = PRINTED.half_width, PRINTED.heights
    edges = [h / math.hypot(h, r) for h in (tall, low)]
    offsets = [limit_offset(a, tall, r) for a in (0.05, 0.5, 0.99)]
    shrunk = limit_offset(0.998, tall, r) / r, limit_offset(0.998, low, r) / r
    on_one = attraction_limit(r, low, edges[1])
    return [
        shown(
            "9.3, fig. 9.6",
            "as long as a < 1 it is as on hard ground, it seems; not true near 1",
            "near 1 less",
            f"less only above a = {edges[0]:.4f} for h = 1 m, {edges[1]:.4f} for 0.5 m",
            [
                at_least(min(offsets), r * (1 - 1e-12)),
                below(abs(on_one - math.atan2(r, low)), 1e-7),
            ],
            "below that a the last balance is on one foot, exactly as on hard ground,"
            " and above it on both: why fig. 9.6 does not show it and fig. 9.7 does",
            tolerance="the closed form",
        ),
        shown(
            "9.3, fig. 9.8",
            "more evident for h = 0.5 m",
            "more evident",
            f"at a = 0.998 {100 * shrunk[1]:.0f} % of r are left, {100 * shrunk[0]:.0f}"
            " % for h = 1 m",
            [below(shrunk[1], shrunk[0]), below(shrunk[0], 1.0)],
            "offset of the boundary over r",
            tolerance="less than for h = 1 m",
        ),
    ]
