"""How a machine learned: its mean rate of turn over the steps that it tried."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from equipoise.core.arrays import Array
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["plot_curves"]

WINDOW = 50  # steps that are averaged


def plot_curves(rates: Sequence[Array], path: str | Path) -> Path:
    """Draw turns a step against steps, averaged over fifty, and return the file.

    Args:
        rates: of each seed, a number a step [rad].
        path: of the picture.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(7.0, 4.0)
    axes = figure.add_subplot()
    steps = min(len(one) for one in rates)
    width = min(WINDOW, steps)
    even = np.ones(width) / width
    curves = np.array([np.convolve(one[:steps], even, mode="valid") for one in rates])
    at = np.arange(width, steps + 1)
    for curve in curves:
        axes.plot(at, curve, color=PALETTE[0], lw=0.8, alpha=0.35)
    axes.plot(at, curves.mean(axis=0), color=PALETTE[1], lw=2.5, label="mean")
    axes.axhline(0.36, color=PALETTE[6], lw=1.0, ls="--", label="reported of Thing")
    axes.set_xlabel("steps tried")
    axes.set_ylabel(f"turn per step, mean of the last {width} [rad]")
    axes.set_title(f"{len(rates)} seeds" if len(rates) > 1 else "one seed")
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", frameon=False)
    return save_figure(figure, path)
