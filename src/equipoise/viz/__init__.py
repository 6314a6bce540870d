"""Pictures, plots and replays of robots, without a screen or a GL library."""

from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.limits_plot import plot_limits
from equipoise.viz.markers import Markers
from equipoise.viz.pictures import montage, write_png
from equipoise.viz.plots import plot_balance
from equipoise.viz.raycast import draw
from equipoise.viz.replay.page import write_replay
from equipoise.viz.stand_plots import plot_stand

__all__ = [
    "Camera",
    "Markers",
    "camera_for",
    "draw",
    "montage",
    "plot_balance",
    "plot_limits",
    "plot_stand",
    "write_png",
    "write_replay",
]
