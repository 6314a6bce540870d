"""A stance for people: the robot from above and from the side, and what holds it.

Over the robot's outline stand its support, its centre of mass, the edge that it would
tip over first and how far that is away.
"""

import math
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, final

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from equipoise.core.arrays import Array, Vec3
from equipoise.core.log import timed
from equipoise.core.text import shown
from equipoise.stability.rigid.support import nearest_edge, static_margin
from equipoise.viz.colours import VERDICTS, hex_of
from equipoise.viz.plots import new_figure, save_figure
from equipoise.viz.silhouette import ShapeTriangles
from equipoise.viz.stance_marks import EDGE, length_words
from equipoise.viz.stance_panels import (
    REGION,
    TippingEdge,
    draw_above,
    draw_side,
    shows_region,
)

__all__ = ["StancePicture", "facts_of", "plot_stance", "tipping_edge"]

WIDE = 112  # characters of a line below the title
SIZE = (10.0, 5.9)  # inches
SAME = 1e-6  # two margins that differ by less are one [m]
TITLES = {
    "yes": "{} stands",
    "no": "{} does not stand",
    "unknown": "{}: not known whether it stands",
}


@final
@dataclass(frozen=True, kw_only=True)
class StancePicture:
    """Picture of a stance; gravity is along -z."""

    name: str
    answer: Literal["yes", "no", "unknown"]
    points: Array = field(repr=False)
    """What touches the ground, (n, 3) [m]."""
    normals: Array = field(repr=False)
    """Of the ground at each point, (n, 3)."""
    polygon: Array = field(repr=False)
    """Corners of the support seen from above, (m, 2) [m]."""
    region: Array = field(repr=False)
    """Corners of where forces can hold the centre of mass, (k, 2) [m]."""
    com: Vec3
    """(3,) [m]."""
    ground: float = math.nan
    """Height of level ground; NaN where it is not level [m]."""
    is_planar: bool = True
    """Whether the ground is one plane, so that the support's edge counts."""
    weakest: Array | None = None
    """Direction seen from above in which it falls first, (2,)."""
    shapes: ShapeTriangles | None = field(default=None, repr=False)
    reason: str = ""
    facts: str = ""
    """Numbers on the last line."""


@timed("drawing")
def plot_stance(path: str | Path, picture: StancePicture) -> Path:
    """Draw a stance as PNG and return its path.

    Args:
        path: the file to make or replace.
        picture: what is drawn.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(*SIZE)
    figure.set_layout_engine("none")  # axes have their places
    above = figure.add_axes((0.02, 0.135, 0.47, 0.64))
    side = figure.add_axes((0.51, 0.135, 0.47, 0.64))
    edge = tipping_edge(picture)
    draw_above(above, picture, edge)
    draw_side(side, picture, edge)
    _write_answer(figure, picture)
    _write_legend(figure, picture, edge)
    return save_figure(figure, path)


def tipping_edge(picture: StancePicture) -> TippingEdge | None:
    """Return the edge that the robot would tip over first; None without a support.

    On one plane that is the nearest edge of the support; where forces within friction
    and torques hold it in less than that, or the ground is uneven, the region's.

    Args:
        picture: of which stance.
    """
    pxy = picture.com[:2]
    hulls = {"support": picture.polygon} if picture.is_planar else {}
    if len(picture.region):
        hulls["region"] = picture.region
    found = {name: float(static_margin(pxy, c)) for name, c in hulls.items() if len(c)}
    if not found:
        return None
    of = min(found, key=lambda name: found[name] + SAME * (name == "region"))
    nearest = nearest_edge(pxy, hulls[of])
    if nearest is None:
        return None
    ends, foot = nearest
    return TippingEdge(ends, foot, found[of], of)


def _write_answer(figure: Figure, picture: StancePicture) -> None:
    """Write the answer, in the colour of the verdict, and the reason below it."""
    colour = VERDICTS[picture.answer]
    lamp = figure.add_axes((0.0, 0.985, 1.0, 0.015))
    lamp.set_facecolor(colour)
    lamp.set(xticks=[], yticks=[])
    lamp.spines[:].set_visible(False)
    title = TITLES[picture.answer].format(shown(picture.name, 48))
    figure.text(0.025, 0.952, title, va="top", fontsize=16, fontweight="bold")
    lines = textwrap.wrap(
        shown(picture.reason, 300), WIDE, max_lines=2, placeholder=" ..."
    )
    if lines:
        text = "\n".join(lines)
        text = text[0].upper() + text[1:]
        figure.text(0.025, 0.885, text, va="top", fontsize=10, color="0.3")


def _write_legend(
    figure: Figure, picture: StancePicture, edge: TippingEdge | None
) -> None:
    """Name what is drawn, and give the numbers on the last line."""
    centre = hex_of("centre of mass")
    marks = [Line2D([], [], color=centre, marker="o", linestyle="none")]
    names = ["centre of mass"]
    if len(picture.points):
        dot = {"color": "black", "marker": "o", "markersize": 4, "linestyle": "none"}
        marks.append(Line2D([], [], **dot))
        names.append("touches the ground")
    if len(picture.polygon) > 1:
        marks.append(Line2D([], [], color=hex_of("support"), linewidth=2))
        names.append("support")
    if shows_region(picture):
        marks.append(Line2D([], [], color=REGION, linestyle="--"))
        names.append("forces can hold it here")
    if edge is not None and np.ptp(edge.ends, axis=0).any():
        marks.append(Line2D([], [], color=EDGE, linewidth=3))
        names.append(
            "edge it tips over first" if edge.margin >= 0.0 else "edge it is beyond"
        )
    figure.legend(
        marks,
        names,
        loc="lower center",
        bbox_to_anchor=(0.5, 0.05),
        ncols=len(names),
        frameon=False,
        fontsize=9,
        handlelength=1.4,
        columnspacing=1.6,
    )
    figure.text(0.5, 0.025, picture.facts, ha="center", fontsize=9, color="0.3")


def facts_of(margin: float | None, energy: float | None, mass: float) -> str:
    """Return the numbers of a stance on a line, those that are known."""
    parts = [] if margin is None else [f"margin {length_words(margin)}"]
    if energy is not None and np.isfinite(energy) and energy > 0.0:
        parts.append(f"{energy:.3g} J tip it over")
    return "  ·  ".join([*parts, f"mass {mass:.4g} kg"])
