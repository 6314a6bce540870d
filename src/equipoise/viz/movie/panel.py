"""The lower part of a moving picture: one number now, and how it went."""

from dataclasses import dataclass, field
from typing import final

import numpy as np
from PIL import Image, ImageDraw

from equipoise.core.arrays import VecN
from equipoise.viz.movie.brush import words
from equipoise.viz.movie.frame import FINE

__all__ = ["MovieChart", "blank_panel", "write_header", "write_now"]

INK, GREY, PALE = (45, 50, 58), (120, 126, 134), (205, 209, 214)
GOOD, BAD, RED = (0, 128, 94), (190, 70, 0), (190, 20, 30)
TINT = (250, 238, 230)
LEFT = 0.385
"""Share of the width that the number has."""
EDGE = 7
"""Around everything [pixels of the shown frame]."""


@final
@dataclass(frozen=True, eq=False)
class MovieChart:
    """A number that says how a run goes, over the time of a movie."""

    title: str
    unit: str
    values: VecN = field(repr=False)
    """(nt,); NaN where it is not known."""
    time: VecN = field(repr=False)
    """(nt,) [s]."""
    is_good: tuple[float, float]
    """Between which values it is good."""
    events: tuple[float, ...] = ()
    """Times to mark [s]."""
    digits: int = 0
    has_sign: bool = True

    def said(self, k: int) -> str:
        """Return the number of a frame.

        Args:
            k: which.
        """
        value = float(self.values[k])
        if not np.isfinite(value):
            return "-"
        rounded = round(value, self.digits) + 0.0  # no minus before a zero
        sign = "+" if self.has_sign else ""
        return f"{rounded:{sign}.{self.digits}f} {self.unit}"

    def bounds(self) -> tuple[float, float]:
        """Return the least and the largest value that are shown."""
        known = self.values[np.isfinite(self.values)]
        limits = [limit for limit in self.is_good if np.isfinite(limit)]
        if not len(known):
            return -1.0, 1.0
        low, high = np.percentile(known, (0.5, 99.5))
        low, high = min([low, *limits]), max([high, *limits])
        room = max(0.1 * (high - low), 1e-9)
        return float(low - room), float(high + room)


@final
@dataclass(frozen=True, eq=False)
class PlotArea:
    """Area of a chart's values, in fine pixels."""

    chart: MovieChart
    box: tuple[float, float, float, float]
    """Left, top, right, bottom."""

    def x(self, time: VecN | float) -> VecN:
        """Return columns of times."""
        first, last = self.chart.time[0], self.chart.time[-1]
        share = (np.asarray(time) - first) / max(last - first, 1e-9)
        return self.box[0] + share * (self.box[2] - self.box[0])

    def y(self, value: VecN | float) -> VecN:
        """Return rows of values, all inside."""
        low, high = self.chart.bounds()
        share = (np.clip(value, low, high) - low) / (high - low)
        return self.box[3] - share * (self.box[3] - self.box[1])


def _area_of(chart: MovieChart, size: tuple[int, int]) -> PlotArea:
    """Return where a chart's line is drawn on a panel."""
    left, top = FINE * (LEFT * size[0] + EDGE), FINE * EDGE
    right, bottom = FINE * (size[0] - EDGE - 2), FINE * (size[1] - EDGE)
    return PlotArea(chart, (left, top, right, bottom))


def blank_panel(chart: MovieChart, size: tuple[int, int]) -> Image.Image:
    """Return what does not change: words, limits, and the whole line, palely.

    Args:
        chart: the number.
        size: width and height of the panel [pixels].
    """
    panel = Image.new("RGB", (FINE * size[0], FINE * size[1]), (255, 255, 255))
    pen, area = ImageDraw.Draw(panel), _area_of(chart, size)
    pen.line((0, 0, panel.size[0], 0), fill=PALE, width=FINE)
    left, top, right, bottom = area.box
    for limit, end in zip(chart.is_good, (bottom, top), strict=True):
        if np.isfinite(limit):
            y = float(area.y(limit))
            pen.rectangle((left, min(y, end), right, max(y, end)), fill=TINT)
            pen.line((left, y, right, y), fill=GREY, width=FINE)
    for event in chart.events:
        if chart.time[0] <= event <= chart.time[-1]:
            x = float(area.x(event))
            pen.line((x, top, x, bottom), fill=RED, width=FINE)
    _line(pen, area, len(chart.values), PALE)
    pen.text((FINE * EDGE, FINE * 6), chart.title, font=words(11.0), fill=GREY)
    return panel


def write_now(
    panel: Image.Image, chart: MovieChart, k: int, size: tuple[int, int]
) -> Image.Image:
    """Return a panel with the number of a frame, and the line up to it.

    Args:
        panel: from ``blank_panel``; not changed.
        chart: the number.
        k: which frame.
        size: width and height of the panel [pixels].
    """
    panel = panel.copy()
    pen, area = ImageDraw.Draw(panel), _area_of(chart, size)
    value = chart.values[k]
    low, high = chart.is_good
    colour = GREY if not np.isfinite(value) else GOOD if low <= value <= high else BAD
    place = (FINE * EDGE, FINE * (size[1] - EDGE))
    pen.text(place, chart.said(k), font=words(23.0, True), fill=colour, anchor="ls")
    _line(pen, area, k + 1, INK)
    if np.isfinite(value):
        x, y = float(area.x(chart.time[k])), float(area.y(value))
        r = 3.2 * FINE
        pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)
    return panel


def _line(
    pen: ImageDraw.ImageDraw, area: PlotArea, count: int, colour: tuple[int, int, int]
) -> None:
    """Draw a chart's first values, with gaps where one is not known."""
    x, y = area.x(area.chart.time[:count]), area.y(area.chart.values[:count])
    known = np.isfinite(area.chart.values[:count])
    for a in np.flatnonzero(known & ~np.concatenate(([False], known[:-1]))):
        end = np.flatnonzero(~known[a:])
        b = a + int(end[0]) if len(end) else count
        points = list(zip(x[a:b].tolist(), y[a:b].tolist(), strict=True))
        if len(points) > 1:
            pen.line(points, fill=colour, width=round(1.6 * FINE), joint="curve")


def write_header(picture: Image.Image, title: str, now: str) -> None:
    """Write over the top of a frame what is shown and when.

    Args:
        picture: the fine frame; changed.
        title: on the left.
        now: on the right.
    """
    pen = ImageDraw.Draw(picture)
    place = (FINE * EDGE, FINE * EDGE)
    pen.text(place, title, font=words(13.0, True), fill=INK)
    place = (picture.size[0] - FINE * EDGE, FINE * EDGE)
    pen.text(place, now, font=words(13.0), fill=GREY, anchor="ra")
