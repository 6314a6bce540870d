"""Replays: a motion, what balance is about in it, and its signals, as one HTML file."""

from equipoise.viz.replay.marks import PlotLine, ReplayExtras, ReplayMarks, ReplayPlot
from equipoise.viz.replay.page import FRAMES_A_SECOND, played_samples, write_replay

__all__ = [
    "FRAMES_A_SECOND",
    "PlotLine",
    "ReplayExtras",
    "ReplayMarks",
    "ReplayPlot",
    "played_samples",
    "write_replay",
]
