"""What a panel is made of: sliders and lines of a plot, as data."""

from dataclasses import dataclass
from typing import final

__all__ = ["Knob", "PlotTrace"]


@final
@dataclass(frozen=True, kw_only=True)
class Knob:
    """A number that can be changed while it runs."""

    name: str
    """By which the change is told."""
    label: str
    """With its unit."""
    low: float
    high: float
    step: float
    value: float
    group: str = ""
    """Folder in which it is."""
    hint: str = ""
    """What it does, in a sentence."""


@final
@dataclass(frozen=True)
class PlotTrace:
    """A line of the plot."""

    name: str
    colour: tuple[int, int, int]
