"""The push of a recorded run: what its settings say of it, in words and in plots."""

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from equipoise.core.arrays import Array

__all__ = [
    "RecordedPush",
    "draw_push_place",
    "draw_push_time",
    "push_in",
    "push_of",
    "push_words",
]

LASTS = 0.1  # a push on a walk [s]
COLOUR = "#be141e"
LONG = 0.25  # of the arrow, in widths of the plot
SIDES = {0: "ahead", 90: "to the left", 180: "back", 270: "to the right"}


class RecordedPush(NamedTuple):
    """A push on a robot."""

    impulse: Array
    """In W, (3,) [N s]; zeros where there is none."""
    start: float
    """[s]."""
    duration: float
    """[s]."""


def push_in(config: Mapping[str, Any]) -> RecordedPush:
    """Return the push of a configuration; its impulse is zero where there is none."""
    push, start = config.get("push"), config.get("push_at")
    nothing = RecordedPush(np.zeros(3), 0.0, LASTS)
    if isinstance(push, Mapping):  # of a robot that stands
        impulse = push.get("impulse")
        start, lasts = push.get("start"), push.get("duration")
        if not (_is_number(start) and _is_number(lasts) and lasts > 0.0):
            return nothing
        if not (isinstance(impulse, list) and len(impulse) == 3):
            return nothing
        if not all(_is_number(x) for x in impulse):
            return nothing
        return RecordedPush(np.array(impulse, np.float64), float(start), float(lasts))
    if start is None and _is_number(config.get("seconds")):
        start = 0.5 * config["seconds"]
    heading = config.get("push_heading")
    if not (_is_number(push) and _is_number(start) and _is_number(heading)):
        return nothing
    angle = math.radians(heading)
    way = np.array([math.cos(angle), math.sin(angle), 0.0])
    return RecordedPush(push * way, start, LASTS)


def _is_number(value: object) -> TypeGuard[float]:
    """Return whether something is a finite number."""
    return isinstance(value, int | float) and math.isfinite(value)


def push_of(run: xr.Dataset) -> RecordedPush | None:
    """Return the push of a recorded run that came before its end; None without any."""
    try:
        config = json.loads(str(run.attrs.get("config", "{}")))
    except ValueError:
        return None
    push = push_in(config if isinstance(config, dict) else {})
    is_there = push.impulse.any() and push.start < float(run["time"].values[-1])
    return push if is_there else None


def push_words(push: RecordedPush) -> str:
    """Return the size of a push and where it goes, as 'push of 40 N s to the left'."""
    size = float(np.linalg.norm(push.impulse))
    angle = math.degrees(math.atan2(push.impulse[1], push.impulse[0])) % 360.0
    side = SIDES.get(round(angle) % 360)
    if side is None:
        return f"push of {size:.3g} N s towards {angle:.0f}°"
    return f"push of {size:.3g} N s {side}"


def draw_push_time(axes: Axes, run: xr.Dataset, *, is_named: bool = False) -> None:
    """Shade the time of a push, and name it above the panel if asked to.

    Args:
        axes: over time.
        run: the recorded run.
        is_named: whether size and direction are written.
    """
    push = push_of(run)
    if push is None:
        return
    end = push.start + push.duration
    axes.axvspan(push.start, end, color=COLOUR, alpha=0.3, lw=0.0)
    if is_named:
        middle, across = 0.5 * (push.start + end), axes.get_xaxis_transform()
        # what is marked is in the panel: an annotation of a place outside is left out
        place = {"xy": (middle, 0.5), "xytext": (middle, 1.01)}
        place |= {"xycoords": across, "textcoords": across}
        lies = {"ha": "center", "va": "bottom", "annotation_clip": True}
        axes.annotate(push_words(push), **place, color=COLOUR, fontsize=8, **lies)


def draw_push_place(axes: Axes, run: xr.Dataset) -> None:
    """Draw a push as an arrow that ends where the trunk was, seen from above.

    Args:
        axes: x and y of the world, both scaled alike.
        run: the recorded run.
    """
    push = push_of(run)
    if push is None:
        return
    time = run["frame_time"].values
    frame = min(int(np.searchsorted(time, push.start)), len(time) - 1)
    place = run["qpos"].values[frame, :2]
    size = float(np.linalg.norm(push.impulse[:2]))
    if size == 0.0:
        return
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    tail = place - LONG * min(right - left, high - low) * push.impulse[:2] / size
    arrow = {"arrowstyle": "-|>", "color": COLOUR, "lw": 2.0, "mutation_scale": 14}
    axes.annotate("", xy=tuple(place), xytext=tuple(tail), arrowprops=arrow, zorder=5)
    axes.plot([], [], color=COLOUR, lw=2.0, label=push_words(push))
