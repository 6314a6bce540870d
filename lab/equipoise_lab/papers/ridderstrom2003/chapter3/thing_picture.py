"""Figure 3.19 anew: the flat supervisor's states, as the machine goes through them."""

import math
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from equipoise.control.basis.build import BasisConfig, basis_parts, home_stance
from equipoise.control.basis.compose import Instance, bind, subject_to
from equipoise.control.basis.stance import BasisParts, BasisStance, centre_xy
from equipoise.control.basis.supervisor import FLAT, SupervisorState
from equipoise.control.machine import legged_machine
from equipoise.core.records import Records
from equipoise.robots.load import load
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["draw_supervisor"]

SIGNS = {"phi0": "φ0", "phi1": "φ1", "phi2": "φ2", "yaw": "heading"}
SETTLED = 3  # cycles after which it is drawn
TRUNK = (0.09, 0.05)  # half of it, along and across [m]


def draw_supervisor(path: Path) -> Path:
    """Draw the eight states from above, the machine heading to the right.

    Args:
        path: of the picture.

    Raises:
        BadFileError: it cannot be written.
    """
    parts = basis_parts(legged_machine(load("thing")), BasisConfig())
    figure = new_figure(13.0, 7.2)
    stance, name, at = home_stance(parts), FLAT.first, np.zeros(2)
    for k in range(8 * (SETTLED + 1)):
        told = FLAT.states[name]
        until = float(stance["p_WB"][0, 0]) + BasisConfig().stride
        after, _ = subject_to(bind(told.chain, (1.0, 0.0), until), stance, parts)
        shown = k - 8 * SETTLED
        if shown == 0:
            at = np.array(stance["p_WB"][0, :2])
        if shown >= 0:
            axes = figure.add_subplot(2, 4, shown + 1)
            _draw_state(axes, name, told, (stance, after), at, parts)
        stance, name = after, told.then
    return save_figure(figure, path)


def _draw_state(
    axes: Axes,
    name: str,
    told: SupervisorState,
    stances: tuple[Records[BasisStance], Records[BasisStance]],
    at: np.ndarray,
    parts: BasisParts,
) -> None:
    """Draw one state: trunk and centre of mass before and after, feet, who carries."""
    before, after = stances
    feet = [s["feet"][0, :, :2] - at for s in stances]
    legs = [leg - 1 for leg in told.chain[-1].inputs]
    if told.lifts:
        legs = [leg for leg in range(4) if leg != told.lifts - 1]
    ring = [leg for leg in (0, 1, 3, 2) if leg in legs]
    corners = np.vstack([feet[0][ring], feet[0][ring[:1]]])
    axes.fill(*corners.T, color=PALETTE[0], alpha=0.2)
    axes.plot(*corners.T, color=PALETTE[0], lw=1.0)
    for stance, style in ((before, ":"), (after, "-")):
        _draw_trunk(axes, stance, at, style)
    for stance, colour in ((before, "0.6"), (after, PALETTE[1])):
        x, y = centre_xy(stance, parts)
        axes.plot(x - at[0], y - at[1], "o", color=colour, ms=7)
    for leg in range(4):
        (x, y), (u, w) = feet[0][leg], feet[1][leg]
        axes.plot(u, w, "o", color="black", ms=5)
        axes.annotate(str(leg + 1), (u, w), textcoords="offset points", xytext=(5, 5))
        if math.hypot(u - x, w - y) > 0.0:
            axes.annotate(
                "", (u, w), (x, y), arrowprops={"arrowstyle": "->", "lw": 1.5}
            )
    axes.set_title(f"state {name}", fontsize=10)
    text = " ◁\n".join(_written(one) for one in told.chain)
    axes.text(-0.23, 0.21, text, fontsize=8, va="top")
    axes.set_xlim(-0.24, 0.26)
    axes.set_ylim(-0.19, 0.23)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])


def _draw_trunk(
    axes: Axes, stance: Records[BasisStance], at: np.ndarray, style: str
) -> None:
    """Draw the trunk's box."""
    yaw, (a, b) = float(stance["yaw"][0]), TRUNK
    box = np.array([(a, b), (-a, b), (-a, -b), (a, -b), (a, b)])
    c, s = math.cos(yaw), math.sin(yaw)
    x, y = stance["p_WB"][0, :2] - at
    axes.plot(
        x + c * box[:, 0] - s * box[:, 1],
        y + s * box[:, 0] + c * box[:, 1],
        style,
        color="0.4",
        lw=1.0,
    )


def _written(one: Instance) -> str:
    """Return a controller with its inputs and its output."""
    legs = "".join(str(leg) for leg in one.inputs)
    output = SIGNS.get(str(one.output), f"foot {one.output}")
    output = "xy" if one.output == "xy" else output
    return f"{SIGNS[one.kind]} {legs} → {output}" if legs else f"φ0 → {output}"
