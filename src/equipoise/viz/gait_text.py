"""A gait diagram in letters, for a terminal."""

from collections.abc import Sequence

import numpy as np

from equipoise.control.gaits.phase_gait import leg_names
from equipoise.core.arrays import Array

__all__ = ["gait_text"]

STANDS, PARTLY, SWINGS = "█", "▌", "·"


def gait_text(
    stances: Sequence[Array],
    end: float = 1.0,
    width: int = 48,
    names: Sequence[str] | None = None,
) -> str:
    """Return a line for each leg, full where it stands, and a scale below.

    Args:
        stances: when each leg stands, per leg (n, 2), as ``gait_stances`` has them.
        end: of the time shown, in their unit; it begins at 0.
        width: columns of the diagram, >= 4.
        names: of the legs; None for the usual ones.
    """
    names = leg_names(len(stances)) if names is None else names
    wide = max(len(name) for name in names)
    edges = end * np.arange(width + 1) / width
    lines = []
    for name, both in zip(names, stances, strict=True):
        covered = np.zeros(width)
        for begin, finish in both:
            low, high = np.maximum(edges[:-1], begin), np.minimum(edges[1:], finish)
            covered += np.maximum(high - low, 0.0) * width / end
        bar = [
            STANDS if share > 0.75 else PARTLY if share > 0.25 else SWINGS
            for share in covered
        ]
        lines.append(f"{name:>{wide}} {''.join(bar)}")
    ticks = [f"{end * k / 4:g}" for k in range(5)]
    scale = [" "] * (width + len(ticks[-1]) + 1)
    for k, tick in enumerate(ticks):
        at = round(width * k / 4)
        scale[at : at + len(tick)] = tick
    lines.append(" " * (wide + 1) + "".join(scale).rstrip())
    return "\n".join(lines)
