"""What a moving picture points out: mass, support, forces, capture point, a push."""

from dataclasses import dataclass, field
from typing import final

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from equipoise.core.arrays import Array
from equipoise.viz.camera import Camera
from equipoise.viz.colours import MARKS
from equipoise.viz.movie.brush import Brush, Colour, words
from equipoise.viz.movie.frame import FINE, Drawing
from equipoise.viz.replay.marks import ReplayMarks

__all__ = ["LOUD", "MovieMarks", "PushMark", "legend", "marked"]

GREEN, PALE_GREEN = (*MARKS["support"], 235), (*MARKS["support"], 62)
VERMILION, BLUE = (*MARKS["centre of mass"], 255), (*MARKS["pressure point"], 235)
PURPLE, ORANGE = (*MARKS["capture point"], 255), (*MARKS["forces"], 235)
RED, WHITE, NONE = (*MARKS["push"], 255), (255, 255, 255, 255), (0, 0, 0, 0)
LOUD = tuple(c[:3] for c in (GREEN, VERMILION, BLUE, PURPLE, ORANGE, RED, WHITE))
"""Colours that must come out as they are."""
HIDDEN = 70
"""How much is left of what lies on the floor behind a solid, of 255."""
LINE = 2.0
"""Height of the line, of the largest of the centre of mass."""
SHOWN_FOR = 0.45
"""How long a push is pointed out from its beginning on, at least [s]."""


@final
@dataclass(frozen=True)
class PushMark:
    """A push on the robot."""

    impulse: tuple[float, float, float]
    """In W [N s]."""
    start: float
    """[s]."""
    duration: float
    """[s]."""

    def is_on(self, time: float) -> bool:
        """Return whether it is pointed out now.

        Args:
            time: now [s].
        """
        return 0.0 <= time - self.start + 1e-9 < max(self.duration, SHOWN_FOR)


@final
@dataclass(frozen=True, eq=False)
class MovieMarks:
    """Marks that are drawn over a motion; nt frames."""

    com: Array = field(repr=False)
    """Centre of mass, (nt, 3) [m]."""
    ground: Array = field(repr=False)
    """Height of the floor below it, (nt,) [m]."""
    balance: ReplayMarks = field(repr=False)
    feet: tuple[Array, ...] | None = field(default=None, repr=False)
    """Hull of all feet, those in the air too, corners in order (n, 3) a frame [m]."""
    line: Array | None = None
    """Where a vertical line that the mass shall reach meets the floor, (3,) [m]."""
    pushes: tuple[PushMark, ...] = ()
    size: float = 1.0
    """Of the robot, for the length of a push's arrow [m]."""


def marked(
    drawing: Drawing, marks: MovieMarks, k: int, time: float, camera: Camera
) -> Image.Image:
    """Return a frame with its marks.

    Args:
        drawing: the frame.
        marks: of all frames.
        k: which frame it is.
        time: when [s].
        camera: where from.
    """
    size = (drawing.rgb.shape[1] // FINE, drawing.rgb.shape[0] // FINE)
    floor, over = Brush(camera, size), Brush(camera, size)
    _on_floor(floor, marks, k)
    _in_air(over, marks, k, time)
    picture = Image.fromarray(drawing.rgb).convert("RGBA")
    keep = np.where(drawing.is_solid, HIDDEN, 255).astype(np.uint8)
    cover = ImageChops.multiply(floor.sheet.getchannel("A"), Image.fromarray(keep))
    floor.sheet.putalpha(cover)
    picture.alpha_composite(floor.sheet)
    picture.alpha_composite(over.sheet)
    return picture.convert("RGB")


def _on_floor(brush: Brush, marks: MovieMarks, k: int) -> None:
    """Paint what lies on the floor."""
    balance = marks.balance
    if marks.feet is not None and len(marks.feet[k]) > 2:
        corners = marks.feet[k]
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            brush.dashes(a, b, GREEN, 1.0)
    if balance.support is not None:
        brush.area(balance.support[k], PALE_GREEN, GREEN)
    drop = np.array((*marks.com[k, :2], marks.ground[k]))
    brush.dot(drop, 2.6, VERMILION)
    if balance.pressure is not None and marks.line is None:
        brush.dot(balance.pressure[k], 3.4, BLUE)
    if balance.capture is not None and marks.line is None:
        brush.dot(balance.capture[k], 5.0, NONE, PURPLE)


def _in_air(brush: Brush, marks: MovieMarks, k: int, time: float) -> None:
    """Paint what is seen through the robot."""
    balance, com = marks.balance, marks.com[k]
    if marks.line is not None:
        top = np.array((*marks.line[:2], LINE * float(np.nanmax(marks.com[:, 2]))))
        brush.dashes(marks.line, top, BLUE, 2.0)
    paint_forces(brush, balance, k)
    brush.dashes(np.array((*com[:2], marks.ground[k])), com, VERMILION, 1.2)
    brush.dot(com, 6.0, VERMILION, WHITE)
    for push in marks.pushes:
        if push.is_on(time):
            _pushed(brush, push, com, marks.size)


def paint_forces(brush: Brush, balance: ReplayMarks, k: int) -> None:
    """Paint the forces of the ground."""
    if balance.forces is None or balance.force_places is None:
        return  # of a robot that is bolted down, say
    for place, force in zip(balance.force_places[k], balance.forces[k], strict=True):
        if np.isfinite(place).all() and np.isfinite(force).all():
            tip = place + balance.metres_a_newton * force
            brush.arrow(place, tip, ORANGE, 2.0)


def _pushed(brush: Brush, push: PushMark, com: Array, size: float) -> None:
    """Paint a push that ends at the robot, and how hard it is."""
    impulse = np.asarray(push.impulse)
    strength = float(np.linalg.norm(impulse))
    if strength == 0.0:
        return
    way = impulse / strength
    tail, head = com - 1.7 * size * way, com - 0.3 * size * way
    brush.arrow(tail, head, RED, 4.5)
    found = brush.at(np.array((tail, head)))
    if found is not None:
        back = found[0] - found[1]
        back *= FINE * 16.0 / max(float(np.hypot(*back)), 1.0)
        _said(brush, found[0] + back, f"push {strength:.3g} N s", RED)


def _said(brush: Brush, place: Array, text: str, colour: Colour) -> None:
    """Write a word at a place of the sheet, within it, on a light ground."""
    font = words(13.0, is_bold=True)
    left, top, right, bottom = font.getbbox(text)
    wide, high = right - left, bottom - top
    room = brush.sheet.size
    x = float(np.clip(place[0] - 0.5 * wide, 8, room[0] - wide - 8))
    y = float(np.clip(place[1] - 0.5 * high, 8, room[1] - high - 8))
    edge = 3 * FINE
    box = (x - edge, y - edge, x + wide + edge, y + high + edge)
    brush.pen.rounded_rectangle(box, radius=3 * FINE, fill=(255, 255, 255, 215))
    brush.pen.text((x - left, y - top), text, font=font, fill=colour)


def legend(picture: Image.Image, marks: MovieMarks) -> None:
    """Write at the foot of a frame what its marks are.

    Args:
        picture: the fine frame; changed.
        marks: of all frames.
    """
    named = [("mass", VERMILION)]
    if marks.line is not None:
        named.append(("its line", BLUE))
    else:
        named += [("capture point", PURPLE), ("pressure", BLUE), ("support", GREEN)]
    if marks.balance.forces is not None:
        named.append(("forces", ORANGE))
    pen, font = ImageDraw.Draw(picture), words(10.5)
    x, y = 7.0 * FINE, picture.size[1] - 10.0 * FINE
    for name, colour in named:
        r = 3.0 * FINE
        pen.ellipse((x, y - r, x + 2 * r, y + r), fill=colour[:3])
        x += 2 * r + 3 * FINE
        halo = {"stroke_width": 2 * FINE, "stroke_fill": WHITE[:3]}
        pen.text((x, y), name, font=font, fill=(95, 100, 108), anchor="lm", **halo)
        x += font.getlength(name) + 11 * FINE
