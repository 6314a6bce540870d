"""What balance is about, drawn over a robot on a live page."""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.viz.colours import MARKS
from equipoise.viz.live.scene import ROOT, LiveScene

__all__ = ["COLOURS", "LiveMarks", "Overlay"]

SHOWN = (
    "centre of mass",
    "pressure point",
    "capture point",
    "support",
    "forces",
    "push",
    "line",
)
COLOURS = {name: MARKS[name] for name in SHOWN}
"""Of the marks that can be shown and hidden; as in every other picture."""
LIFT = 2e-3  # of marks on the ground, so that it does not hide them [m]
NODE = f"{ROOT}/marks"
NOWHERE = np.zeros((1, 2, 3))


@final
@dataclass(frozen=True, eq=False)
class LiveMarks:
    """Marks of one frame; None or NaN for what is not there now."""

    com: Vec3
    """Centre of mass [m]."""
    capture: Vec3 | None = None
    """Where it would come to rest as a pendulum [m]."""
    pressure: Vec3 | None = None
    """Where the ground pushes on the whole [m]."""
    support: Array = field(default_factory=lambda: np.zeros((0, 3)))
    """Corners of what it stands on, in order, (n, 3) [m]."""
    arrows: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))
    """Start and end of each force's arrow, (n, 2, 3) [m]."""
    push: Array | None = None
    """Start and end of the arrow of a push, (2, 3) [m]."""
    line: Array | None = None
    """Ends of the line on which the centre of mass shall be, (2, 3) [m]."""


@final
class Overlay:
    """The marks of a scene.

    Args:
        scene: that they are drawn over.
        size: of the robot, to which they are in proportion [m].
    """

    def __init__(self, scene: LiveScene, size: float) -> None:
        self.api: Any = scene.scene
        # Places of nodes reach the screen before their shapes do: marks are told from
        # the centre of mass, so that a late one is off by little.
        self.node = self.api.add_frame(NODE, show_axes=False)
        self.origin = np.zeros(3)
        self.size = size
        self.shown = {name: True for name in COLOURS}
        self.balls = {
            name: self.api.add_icosphere(
                f"{NODE}/{name.replace(' ', '_')}",
                radius=share * size,
                color=COLOURS[name],
                cast_shadow=False,
                visible=False,
            )
            for name, share in (
                ("centre of mass", 0.035),
                ("pressure point", 0.025),
                ("capture point", 0.025),
            )
        }
        self.area = self.api.add_mesh_simple(
            f"{NODE}/support",
            np.zeros((3, 3)),
            np.array([[0, 1, 2]]),
            color=COLOURS["support"],
            opacity=0.35,
            side="double",
            cast_shadow=False,
            receive_shadow=False,
            visible=False,
        )
        self.rim = self.lines("rim", COLOURS["support"], 3.0)
        self.line = self.lines("line", COLOURS["line"], 2.5)
        self.plumb = self.lines("plumb", COLOURS["centre of mass"], 1.5)
        self.arrows = self.arrow("forces", 0.012)
        self.push = self.arrow("push", 0.022)

    def lines(self, name: str, colour: tuple[int, int, int], width: float) -> Any:
        """Add lines, none yet."""
        return self.api.add_line_segments(
            f"{NODE}/{name}",
            NOWHERE,
            colour,
            thickness=width,
            thickness_units="screen",
            visible=False,
        )

    def arrow(self, name: str, share: float) -> Any:
        """Add arrows, none yet."""
        return self.api.add_arrows(
            f"{NODE}/{name}",
            NOWHERE,
            COLOURS[name],
            shaft_radius=share * self.size,
            head_radius=2.4 * share * self.size,
            head_length=5.0 * share * self.size,
            visible=False,
        )

    def draw(self, marks: LiveMarks) -> None:
        """Show the marks of a frame; call it within ``atomic``.

        Args:
            marks: of the frame.
        """
        if np.isfinite(marks.com).all():
            self.origin = np.array(marks.com)
            self.node.position = self.origin
        points = {
            "centre of mass": marks.com,
            "pressure point": marks.pressure,
            "capture point": marks.capture,
        }
        for name, place in points.items():
            node, is_there = self.balls[name], self.is_seen(name, place)
            node.visible = is_there
            if is_there:
                node.position = np.asarray(place) - self.origin
        self.draw_support(marks.support)
        ground = float(marks.support[:, 2].mean()) if len(marks.support) else 0.0
        below = np.array([marks.com, [marks.com[0], marks.com[1], ground]])
        self.segments(self.plumb, "centre of mass", below[None])
        self.segments(self.arrows, "forces", marks.arrows)
        for node, name, ends in (
            (self.push, "push", marks.push),
            (self.line, "line", marks.line),
        ):
            self.segments(
                node, name, np.zeros((0, 2, 3)) if ends is None else ends[None]
            )

    def draw_support(self, corners: Array) -> None:
        """Show what the robot stands on: an area, a line, or a point."""
        n = len(corners)
        is_area = n >= 3 and self.shown["support"]
        self.area.visible = is_area
        raised = corners + np.array([0.0, 0.0, LIFT])
        if is_area:
            fan = np.array([[0, k, k + 1] for k in range(1, n - 1)], np.uint32)
            self.area.vertices = np.asarray(raised - self.origin, np.float32)
            self.area.faces = fan
        loop = np.stack([raised, np.roll(raised, -1, axis=0)], axis=1)
        self.segments(self.rim, "support", loop if n > 1 else loop[:0])

    def segments(self, node: Any, name: str, points: Array) -> None:
        """Show lines or arrows where they are finite; hide them where none is."""
        points = points[np.isfinite(points).all(axis=(1, 2))]
        is_there = bool(len(points)) and self.shown[name]
        node.visible = is_there
        if is_there:
            node.points = np.asarray(points - self.origin, np.float32)

    def is_seen(self, name: str, place: Vec3 | None) -> bool:
        """Return whether a point is to be shown."""
        return self.shown[name] and place is not None and bool(np.isfinite(place).all())
