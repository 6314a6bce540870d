"""What a replay draws over a robot and beside it, frame by frame.

NaN means "not known, or not there now": a foot in the air has no force, a robot in the
air no support.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ShapeError
from equipoise.core.text import shown
from equipoise.viz.camera import Camera

__all__ = [
    "PlotLine",
    "ReplayExtras",
    "ReplayMarks",
    "ReplayPlot",
    "base64_of",
    "packed_marks",
    "packed_plots",
    "point",
]


@final
@dataclass(frozen=True, eq=False)
class ReplayMarks:
    """Marks of balance in a replay; nt frames, nf points where the ground pushes."""

    capture: Array | None = None
    """Capture point, at which the robot would come to rest, (nt, 3) [m]."""
    pressure: Array | None = None
    """Pressure point of the ground's total force, (nt, 3) [m]."""
    support: Sequence[Array] | None = None
    """Corners of the support, in order, (n, 3) per frame [m]."""
    force_places: Array | None = None
    """Points at which forces act, (nt, nf, 3) [m]."""
    forces: Array | None = None
    """Forces of the ground on the robot, (nt, nf, 3) [N]."""
    metres_a_newton: float = 1e-3
    """Length of an arrow for a force [m/N]."""
    margin: VecN | None = None
    """Margin of the centre of mass in the support, negative outside, (nt,) [m]."""
    push: Array | None = None
    """External push, point and force, (nt, 6) [m] and [N]."""
    goals: Array | None = None
    """Planned footholds, (nt, ng, 3) [m]."""
    banned: Array | None = None
    """Least corners of forbidden cells of the ground, (nc, 3) [m]."""
    cell: float = 0.0
    """Edge of such a cell [m]."""


@final
@dataclass(frozen=True, eq=False)
class PlotLine:
    """Signal of a plot."""

    name: str
    values: VecN = field(repr=False)
    """Values of the signal, (nt,)."""
    colour: str = ""
    """Colour in CSS; empty for the next of the palette."""


@final
@dataclass(frozen=True, eq=False)
class ReplayPlot:
    """Signals that share an axis."""

    title: str
    unit: str
    lines: tuple[PlotLine, ...]
    is_joints: bool = False
    """Whether each line is a joint, of which one can be chosen."""
    has_zero: bool = False
    """Whether zero is always in the picture."""
    is_cut: bool = False
    """Whether the largest 2 % of the values may leave the picture."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ReplayExtras:
    """Contents of a replay beside the robot's motion."""

    marks: ReplayMarks | None = None
    plots: tuple[ReplayPlot, ...] = ()
    track: Array | None = None
    """Point that the camera follows, (nt, 3) [m]."""
    near: Camera | None = None
    """First view of a camera that follows the robot; None for none."""
    follows: bool = False
    """Whether the camera follows at first."""
    notes: tuple[str, ...] = ()
    """Lines to show, such as what is not shown."""
    verdict: Literal["yes", "no", "unknown"] | None = None
    """Colour of the lamp beside the title; None for no lamp."""
    outcome: str = ""
    """Meaning of the lamp in a few words."""
    ground: float | None = None
    """Height of the floor [m], if it is known and not a plane of the model."""


def base64_of(array: ArrayLike, kind: type = np.float32) -> str:
    """Return an array as base64 of little-endian numbers.

    Args:
        array: any.
        kind: of number.
    """
    little = np.dtype(kind).newbyteorder("<")
    raw = np.ascontiguousarray(array, dtype=little).tobytes()
    return base64.b64encode(raw).decode()


def packed_marks(marks: ReplayMarks | None, nt: int) -> dict[str, Any] | None:
    """Return marks as the page takes them.

    Args:
        marks: of all frames; None for none.
        nt: how many frames there are.

    Raises:
        ShapeError: arrays that do not fit the frames or each other.
    """
    if marks is None:
        return None
    forces, places = marks.forces, marks.force_places
    together = None
    if forces is not None and places is not None:
        if forces.shape != places.shape or forces.shape[0] != nt:
            raise ShapeError(
                f"forces and their places must have shapes ({nt}, nf, 3), "
                f"got {forces.shape} and {places.shape}."
            )
        together = np.concatenate((places, forces), axis=2)
    corners = max((len(p) for p in marks.support or ()), default=0)
    goals, banned = marks.goals, marks.banned
    if goals is not None and (goals.ndim != 3 or goals[:, 0].shape != (nt, 3)):
        raise ShapeError(f"goals must have shape ({nt}, ng, 3), got {goals.shape}.")
    return {
        "capture": point(marks.capture, "capture", nt),
        "pressure": point(marks.pressure, "pressure", nt),
        "support": _polygons(marks.support, corners, nt),
        "corners": corners,
        "forces": None if together is None else base64_of(together),
        "feet": 0 if together is None else int(together.shape[1]),
        "metres_a_newton": float(marks.metres_a_newton),
        "margin": _row_of(marks.margin, "margin", (nt,)),
        "push": _row_of(marks.push, "push", (nt, 6)),
        "goals": None if goals is None else base64_of(goals),
        "bound": 0 if goals is None else int(goals.shape[1]),
        "banned": None if banned is None else base64_of(banned),
        "cell": float(marks.cell),
    }


def point(values: Array | None, name: str, nt: int) -> str | None:
    """Return a point's way through the frames.

    Args:
        values: (nt, 3) [m]; None for none.
        name: what it is called in an error.
        nt: how many frames there are.

    Raises:
        ShapeError: another shape.
    """
    return _row_of(values, name, (nt, 3))


def _row_of(values: Array | None, name: str, shape: tuple[int, ...]) -> str | None:
    """Return values of a shape, packed; None for none."""
    if values is None:
        return None
    if np.shape(values) != shape:
        raise ShapeError(f"{name} must have shape {shape}, got {np.shape(values)}.")
    return base64_of(values)


def _polygons(support: Sequence[Array] | None, corners: int, nt: int) -> str | None:
    """Return all polygons with as many corners each, NaN where one has fewer."""
    if support is None or corners == 0:
        return None
    if len(support) != nt:
        raise ShapeError(f"support must have {nt} polygons, got {len(support)}.")
    filled = np.full((nt, corners, 3), np.nan)
    for k, polygon in enumerate(support):
        filled[k, : len(polygon)] = polygon
    return base64_of(filled)


def packed_plots(plots: Sequence[ReplayPlot], nt: int) -> list[dict[str, Any]]:
    """Return plots as the page takes them; names are made safe to show.

    Args:
        plots: with a value a frame.
        nt: how many frames there are.

    Raises:
        ShapeError: a line that does not fit the frames.
    """
    for plot in plots:
        for line in plot.lines:
            if np.shape(line.values) != (nt,):
                got = np.shape(line.values)
                raise ShapeError(f"'{line.name}' must have shape ({nt},), got {got}.")
    return [
        {
            "title": shown(plot.title),
            "unit": shown(plot.unit),
            "is_joints": plot.is_joints,
            "has_zero": plot.has_zero,
            "is_cut": plot.is_cut,
            "lines": [
                {
                    "name": shown(line.name),
                    "values": base64_of(line.values),
                    "colour": line.colour,
                }
                for line in plot.lines
            ],
        }
        for plot in plots
        if plot.lines
    ]
