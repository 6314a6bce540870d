"""A learned policy as a graph: states with their predicates, actions between them.

Drawn with Matplotlib alone. States of the main cycle lie on a circle in its order, the
others on a larger one; arrows are as wide as their transitions are frequent.
"""

import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch

from equipoise.core.files import atomic_write
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["plot_policy"]

RADIUS, AROUND, NODE = 1.0, 1.75, 0.17
LEAST = 0.01  # share of transitions that is drawn
SIGNS = {"phi0": "φ0", "phi1": "φ1", "phi2": "φ2", "yaw": "φ"}


def plot_policy(summary: Mapping[str, Any], path: str | Path) -> Path:
    """Draw the transitions of a policy as PNG or SVG, by the file's ending.

    Args:
        summary: of ``equipoise learn``, with transitions and main cycle.
        path: of the picture.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(7.5, 7.5)
    axes = figure.add_subplot()
    shown = [one for one in summary["transitions"] if one["share"] >= LEAST]
    places = _placed(summary["cycle"]["states"], shown)
    for one in shown:
        _draw_step(axes, one, places, one["from"] in summary["cycle"]["states"])
    for name, (x, y) in places.items():
        _draw_state(axes, name, x, y, name in summary["cycle"]["states"])
    learning, cycle = summary["learning"], summary["cycle"]
    axes.set_title(
        f"{summary['machine']} turns by {learning['greedy_rad_per_step']:.2f} rad a "
        f"step; {100 * cycle['share']:.0f} % of its steps are in the main cycle\n"
        "digits: p1 to p4, tripods that are stable; p5, best heading"
    )
    far = max([RADIUS, *(math.hypot(x, y) for x, y in places.values())]) + 0.35
    axes.set_xlim(-far, far)
    axes.set_ylim(-far, far)
    axes.set_aspect("equal")
    axes.set_axis_off()
    path = Path(path)
    if path.suffix != ".svg":
        return save_figure(figure, path)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    return atomic_write(path, buffer.getvalue())


def _placed(
    cycle: Sequence[str], steps: Sequence[Mapping[str, Any]]
) -> dict[str, tuple[float, float]]:
    """Return where states lie: the main cycle first, counterclockwise from above.

    Args:
        cycle: its states in order.
        steps: with their states.
    """
    others = [one[end] for one in steps for end in ("from", "to")]
    outside = [name for name in dict.fromkeys(others) if name not in cycle]
    found: dict[str, tuple[float, float]] = {}
    for names, radius, first in ((cycle, RADIUS, 0.5), (outside, AROUND, 0.75)):
        for k, name in enumerate(names):
            turn = math.pi * (first + 2.0 * k / len(names))
            found[name] = radius * math.cos(turn), radius * math.sin(turn)
    return found


def _draw_state(axes: Axes, name: str, x: float, y: float, is_main: bool) -> None:
    """Draw a state with its predicates, one digit each."""
    colour = PALETTE[0] if is_main else "#999999"
    axes.add_patch(Circle((x, y), NODE, fc="white", ec=colour, lw=2.5, zorder=3))
    axes.text(x, y, name, ha="center", va="center", fontsize=11, zorder=4)


def _draw_step(
    axes: Axes,
    step: Mapping[str, Any],
    places: Mapping[str, tuple[float, float]],
    is_main: bool,
) -> None:
    """Draw a transition: an arrow, its action and its share."""
    (x, y), (u, w) = places[step["from"]], places[step["to"]]
    colour = PALETTE[1] if is_main else "#999999"
    width = 0.8 + 10.0 * step["share"]
    if step["from"] == step["to"]:
        out = 1.0 + 1.6 * NODE / RADIUS
        ring = Circle((out * x, out * y), 0.6 * NODE, fill=False, ec=colour, lw=width)
        axes.add_patch(ring)
        at = (1.45 * x, 1.45 * y)
    else:
        arrow = FancyArrowPatch(
            (x, y),
            (u, w),
            connectionstyle="arc3,rad=0.18",
            arrowstyle="-|>",
            mutation_scale=10 + 25 * step["share"],
            shrinkA=34,
            shrinkB=34,
            color=colour,
            lw=width,
            zorder=2,
        )
        axes.add_patch(arrow)
        dx, dy = u - x, w - y
        at = (0.5 * (x + u) + 0.14 * dy, 0.5 * (y + w) - 0.14 * dx)
    text = f"{_action_text(step['action'])}\n{100 * step['share']:.0f} %"
    box = {"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1.0}
    axes.text(*at, text, ha="center", va="center", fontsize=9, bbox=box, zorder=5)


def _action_text(action: str) -> str:
    """Return a composition with its signs, a controller a line.

    Args:
        action: as it is written: ``phi2 1234 yaw <| phi1 124 1``.
    """
    words = [
        " ".join(SIGNS.get(w, w) for w in one.split()) for one in action.split("<|")
    ]
    return " ◁\n".join(words)
