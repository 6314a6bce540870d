"""Figs 10.3 to 10.7 of [Ridderstrom2003]: every rest, and which of them hold."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from equipoise.core.arrays import Array
from equipoise.stability import fold_offset, planar_equilibria, shrunken_support
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import tidy
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED

__all__ = ["draw_surface"]

WIDEST = 1.5  # of R in the pictures
TURN = 1.45  # largest tilt drawn [rad]
HOLDS, FALLS = PALETTE[2], PALETTE[4]


def draw_surface(path: str | Path) -> Path:
    """Draw curves, fold, surface and path as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(12.0, 9.4)
    _draw_curves(figure.add_subplot(2, 2, 1))
    _draw_fold(figure.add_subplot(2, 2, 2))
    _draw_rests(figure.add_subplot(2, 2, 3, projection="3d"))
    _draw_path(figure.add_subplot(2, 2, 4))
    figure.suptitle(
        "A body off the middle of two soft feet: where it rests", fontsize=12
    )
    return save_figure(figure, path)


def _curve(a: float) -> tuple[Array, Array]:
    """Return R and alpha of the curve (10.6)."""
    angle = np.linspace(-TURN, TURN, 801)
    return np.sin(angle) / a - np.tan(angle), angle


def _draw_curves(axes: Axes) -> None:
    """Draw fig. 10.3: rests are where a vertical line at R meets a curve."""
    for a, colour in zip((0.3, 0.5, 0.7, 1.0, 1.5), PALETTE, strict=False):
        R, angle = _curve(a)
        holds = np.cos(angle) ** 3 > a
        axes.plot(R, np.degrees(angle), color=colour, linestyle=":", linewidth=1.2)
        axes.plot(
            np.where(holds, R, np.nan), np.degrees(angle), color=colour, linewidth=2.0,
            label=f"a = {a:g}",
        )  # fmt: skip
    for R in (0.0, 0.5):
        axes.axvline(R, color="0.6", linewidth=0.8)
    axes.set_xlim(-WIDEST, WIDEST)
    axes.set_xlabel("R = γ r / h [1]")
    axes.set_ylabel("tilt [°]")
    axes.set_title("fig. 10.3: full where stable, cos³α > a", fontsize=10)
    axes.legend(loc="center left", bbox_to_anchor=(0.0, 0.7), fontsize=8, frameon=False)
    tidy(axes)


def _draw_fold(axes: Axes) -> None:
    """Draw fig. 10.4: how many rests there are."""
    a = np.linspace(0.2, 1.0, 400)
    edge = np.array([fold_offset(float(x)) for x in a])
    axes.plot(a, edge, "--", color=PALETTE[1], label="fold: R = (a^(-2/3) − 1)^(3/2)")
    lifts = [shrunken_support(float(x), 0.3) * 0.3 for x in a]
    axes.plot(a, lifts, color=PALETTE[0], label="feet that only push, r/h = 0.3")
    axes.fill_between(a, 0.0, lifts, color=PALETTE[0], alpha=0.12)
    axes.text(0.22, 0.45, "three rests,\none holds", fontsize=9)
    axes.text(0.72, 1.0, "one rest,\nit does not hold", fontsize=9)
    axes.set_xlim(0.2, 1.1)
    axes.set_ylim(0.0, WIDEST)
    axes.set_xlabel("a = m g h / (2 k r²) [1]")
    axes.set_ylabel("R = γ r / h [1]")
    axes.set_title("fig. 10.4: number of rests", fontsize=10)
    axes.legend(loc="upper right", fontsize=8, frameon=False)
    tidy(axes)


def _draw_rests(axes: Any) -> None:
    """Draw figs 10.5 and 10.6: the surface, coloured by whether it holds."""
    softness, angle = np.meshgrid(
        np.linspace(0.3, 1.3, 61), np.linspace(-1.25, 1.25, 161)
    )
    R = np.sin(angle) / softness - np.tan(angle)
    R = np.where(np.abs(R) <= 1.0, R, np.nan)
    holds = np.cos(angle) ** 3 > softness
    colours = np.where(holds[..., None], to_rgb(HOLDS), to_rgb(FALLS))
    axes.plot_surface(
        softness, R, np.degrees(angle), facecolors=colours, rcount=161, ccount=61,
        linewidth=0, shade=True,
    )  # fmt: skip
    axes.computed_zorder = False  # lines in front of the surface that they lie on
    a = np.linspace(0.363, 1.0, 200)
    tilt = np.degrees(np.arccos(a))
    for side in (tilt, -tilt, 0.0 * tilt):
        axes.plot(a, 0.0 * a, side, color="0.15", linewidth=1.8)
    axes.plot([1.0, 1.3], [0.0, 0.0], [0.0, 0.0], color="0.15", linewidth=1.8)
    turn = np.degrees(np.arccos(np.cbrt(a)))
    edge = np.array([fold_offset(float(x)) for x in a])
    kept = edge <= 1.0
    for sign in (1.0, -1.0):
        axes.plot(
            a[kept],
            sign * edge[kept],
            sign * turn[kept],
            color=PALETTE[1],
            linewidth=2.5,
        )
    axes.set_xlabel("a [1]")
    axes.set_ylabel("R [1]")
    axes.set_zlabel("tilt [°]")
    axes.set_yticks([-1.0, 0.0, 1.0])
    axes.set_zticks([-60, -30, 0, 30, 60])
    axes.view_init(elev=24, azim=-125)
    axes.set_box_aspect(None, zoom=0.92)
    axes.set_title(
        "figs 10.5, 10.6: green holds; red, the fold; black, R = 0", fontsize=10
    )


def _draw_path(axes: Axes) -> None:
    """Draw fig. 10.7: the trunk moves from side to side on soft ground."""
    a, far = PRINTED.offsets
    slender = PRINTED.half_width  # over a height of 1 m
    gamma = np.linspace(-far, far, 181)
    tilt = np.degrees([planar_equilibria(a, x * slender)[1] for x in gamma])
    share = shrunken_support(a, slender)
    inside = np.abs(gamma) <= share
    axes.plot(
        gamma, tilt, color=PALETTE[1], linestyle="--", label="only if feet can pull"
    )
    axes.plot(gamma[inside], tilt[inside], color=PALETTE[2], linewidth=2.5,
        label="on feet that push")  # fmt: skip
    for side in (-share, share):
        axes.axvline(side, color="0.35", linestyle=":", linewidth=1.0)
    axes.annotate(
        f"a foot lifts,\nγ = {share:.4f}", (share, math.degrees(-0.04)), fontsize=9,
        xytext=(4, 0), textcoords="offset points",
    )  # fmt: skip
    axes.set_xlabel("γ, offset of the trunk over r [1]")
    axes.set_ylabel("tilt [°]")
    axes.set_title(f"fig. 10.7: a = {a:g}, r = {slender:g} m, h = 1 m", fontsize=10)
    axes.legend(loc="upper left", fontsize=8, frameon=False)
    tidy(axes)
