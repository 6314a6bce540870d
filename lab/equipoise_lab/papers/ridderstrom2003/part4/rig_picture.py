"""Figs 9.4 and 9.5 of [Ridderstrom2003]: when the rig tips, and at which height."""

import math
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.part4.rig import (
    FRICTIONS,
    RADII,
    Raising,
    critical_height,
    fold_height,
    raised,
)
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED

__all__ = ["draw_rig", "tidy"]

SHOWN = 0.14  # half-width of fig. 9.4 here [m]
CASES = (
    ("wires 0.01 mm unequal", Raising(SHOWN, trim=1e-5)),
    ("wires 0.1 mm unequal", Raising(SHOWN, trim=1e-4)),
    ("wires 1 mm unequal", Raising(SHOWN, trim=1e-3)),
)


def draw_rig(path: str | Path) -> Path:
    """Simulate rigs and draw them as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(11.0, 4.6)
    left, right = figure.subplots(1, 2)
    _draw_tips(left)
    _draw_heights(right)
    figure.suptitle(
        "The balance rig: its weight raised by 2 mm at a time, 2 s between", fontsize=12
    )
    return save_figure(figure, path)


def _draw_tips(axes: Axes) -> None:
    """Draw the tilt over the height of the centre of mass, each up to its fall."""
    critical = critical_height(SHOWN)
    for (name, job), colour in zip(CASES, PALETTE, strict=False):
        found = raised(job)
        axes.plot(
            found.heights / critical, np.degrees(found.angles), color=colour, label=name
        )
        limit = fold_height(SHOWN, job.trim) / critical
        axes.axvline(limit, color=colour, linestyle=":", linewidth=1.0)
    axes.axvline(1.0, color="0.35", linewidth=1.0)
    axes.set_xlim(0.94, 1.02)
    axes.set_ylim(-1.0, 18.0)
    axes.set_xlabel("height of the centre of mass over h_c [1]")
    axes.set_ylabel("tilt [°]")
    axes.set_title(
        f"fig. 9.4, r = {SHOWN} m; dotted: the fold of each trim", fontsize=10
    )
    axes.legend(loc="upper left", fontsize=8, frameon=False)
    tidy(axes)


def _draw_heights(axes: Axes) -> None:
    """Draw the height at the fall over the half-width, with what is not perfect."""
    rig, r = PRINTED.rig, np.linspace(0.07, 0.21, 100)
    h = np.array([critical_height(x) for x in r])
    spread = rig.stiffness_error / rig.stiffness + rig.mass_error / rig.mass
    axes.fill_between(
        r, (1 - spread) * h, (1 + spread) * h, color="0.88", label="table 9.1's errors"
    )
    axes.plot(r, h, color="0.35", label="h_c = 2 k r² / (m g)")
    rows = [
        ("wires 0.01 mm unequal", "trim", 1e-5),
        ("wires 1 mm unequal", "trim", 1e-3),
    ]
    rows += [(f"friction {f:g} N, 1° lean", "friction", f) for f in FRICTIONS]
    for k, (name, what, size) in enumerate(rows):
        tips = [raised(Raising(x, **{what: size})).height for x in RADII]
        colour = PALETTE[k]
        axes.plot(RADII, tips, "+" if what == "trim" else "x", color=colour, label=name)
    axes.set_xlabel("half-width r [m]")
    axes.set_ylabel("height at the fall [m]")
    axes.set_title("fig. 9.5: friction tips late, unequal wires early", fontsize=10)
    axes.legend(loc="upper left", fontsize=8, frameon=False)
    axes.set_ylim(0.0, math.ceil(12.0 * h[-1]) / 10.0)
    tidy(axes)


def tidy(axes: Axes) -> None:
    """Give a panel the house's looks."""
    axes.grid(True, color="0.93", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
