"""Figures as they are about to be written, and whether one can read them."""

from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

SMALLEST, LARGEST = 6.5, 16.0
"""Letters that can be read on a page, and that do not shout [points]."""
THINNEST, THICKEST = 0.6, 3.0
"""Of lines that carry numbers [points]."""
NARROWEST, WIDEST = 2.0, 15.0
"""Of a whole figure [inches]."""


def kept_figures(monkeypatch: pytest.MonkeyPatch, module: Any) -> list[Figure]:
    """Return a list to which a module's figures go, instead of to files."""
    figures: list[Figure] = []

    def keep(figure: Figure, path: str | Path) -> Path:
        figures.append(figure)
        return Path(path)

    monkeypatch.setattr(module, "save_figure", keep)
    return figures


def expect_readable(figure: Figure) -> None:
    """Expect letters, lines and sizes that people can read."""
    assert all(NARROWEST <= size <= WIDEST for size in figure.get_size_inches())
    for text in figure.findobj(Text):
        if text.get_text() and text.get_visible():
            assert SMALLEST <= text.get_fontsize() <= LARGEST, text.get_text()
    for axes in figure.axes:
        for line in axes.get_lines():
            if line.get_linestyle() != "None":
                assert THINNEST <= line.get_linewidth() <= THICKEST
            assert line.get_alpha() is None or 0.3 <= line.get_alpha() <= 1.0


def lines_of(axes: Axes) -> dict[str, Line2D]:
    """Return lines that have a name, by it."""
    return {
        str(line.get_label()): line
        for line in axes.get_lines()
        if not str(line.get_label()).startswith("_")
    }
