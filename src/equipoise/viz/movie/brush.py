"""What is painted over a frame: lines, arrows, dots and words, by Pillow.

Everything is painted on a frame that is ``FINE`` times as fine as it will be shown, so
that lines come out smooth.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, final

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from equipoise.core.arrays import Array
from equipoise.viz.camera import Camera
from equipoise.viz.movie.frame import FINE

__all__ = ["Brush", "Colour", "words"]

Colour: TypeAlias = tuple[int, int, int, int]
"""Red, green, blue and how much it covers, of 255."""
HEAD = 0.32
"""Length of an arrow's head, of the arrow; at most ``LONGEST_HEAD``."""
LONGEST_HEAD = 11.0


@lru_cache(maxsize=16)
def words(size: float, is_bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return a font; the one that Matplotlib brings.

    Args:
        size: height of a line [pixels of the shown frame].
        is_bold: whether strokes are heavy.
    """
    name = "DejaVuSans-Bold.ttf" if is_bold else "DejaVuSans.ttf"
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return ImageFont.truetype(str(folder / name), round(FINE * size))


@final
@dataclass(frozen=True, eq=False)
class Brush:
    """A transparent sheet over a frame; places in the world or in shown pixels."""

    camera: Camera
    size: tuple[int, int]
    """Width and height of the shown frame [pixels]."""
    sheet: Image.Image = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Begin with nothing on the sheet."""
        fine = (FINE * self.size[0], FINE * self.size[1])
        object.__setattr__(self, "sheet", Image.new("RGBA", fine))

    @property
    def pen(self) -> ImageDraw.ImageDraw:
        """Pen that draws on the sheet."""
        return ImageDraw.Draw(self.sheet)

    def at(self, p_W: Array) -> Array | None:
        """Return where points of the world are on the sheet, (n, 2); None if behind.

        Args:
            p_W: (n, 3) [m].
        """
        fine = (FINE * self.size[0], FINE * self.size[1])
        found = self.camera.project(np.reshape(p_W, (-1, 3)), fine)[:, :2]
        return found if np.isfinite(found).all() else None

    def area(self, p_W: Array, fill: Colour, rim: Colour, wide: float = 1.5) -> None:
        """Paint a polygon of the world; a line where it has two corners.

        Args:
            p_W: its corners in order, (n, 3) [m].
            fill: of its inside.
            rim: of its edge.
            wide: of its edge [pixels].
        """
        corners = self.at(p_W) if len(p_W) else None
        if corners is None:
            return
        line = [(float(x), float(y)) for x, y in corners]
        width = round(FINE * wide)
        if len(line) == 1:
            self.dot(p_W[0], 2.0 * wide, rim)
        elif len(line) == 2:
            self.pen.line(line, fill=rim, width=2 * width)
        else:
            self.pen.polygon(line, fill=fill)
            self.pen.line([*line, line[0]], fill=rim, width=width, joint="curve")

    def dashes(self, a: Array, b: Array, colour: Colour, wide: float = 1.5) -> None:
        """Paint a dashed line between two points of the world.

        Args:
            a: one end, (3,) [m].
            b: the other, (3,) [m].
            colour: of it.
            wide: of it [pixels].
        """
        ends = self.at(np.array((a, b)))
        if ends is None:
            return
        length = float(np.hypot(*(ends[1] - ends[0])))
        count = max(int(length / (FINE * 9.0)), 1)
        for k in range(count):
            shares = np.array((k, k + 0.6)) / count
            line = ends[0] + shares[:, None] * (ends[1] - ends[0])
            self.pen.line(line.ravel().tolist(), fill=colour, width=round(FINE * wide))

    def dot(
        self, p_W: Array, radius: float, colour: Colour, rim: Colour | None = None
    ) -> None:
        """Paint a disc at a point of the world, whose size does not change.

        Args:
            p_W: (3,) [m].
            radius: of it [pixels].
            colour: of its inside; covering 0 for a ring.
            rim: of its edge; None for none.
        """
        found = self.at(p_W) if np.isfinite(p_W).all() else None
        if found is None:
            return
        (x, y), r = found[0], FINE * radius
        box = (x - r, y - r, x + r, y + r)
        width = round(FINE * 1.6) if rim is not None else 0
        self.pen.ellipse(box, fill=colour, outline=rim, width=width)

    def arrow(self, a: Array, b: Array, colour: Colour, wide: float = 2.0) -> None:
        """Paint an arrow between two points of the world.

        Args:
            a: where it begins, (3,) [m].
            b: where it points to, (3,) [m].
            colour: of it.
            wide: of its shaft [pixels].
        """
        ends = self.at(np.array((a, b)))
        if ends is None:
            return
        way = ends[1] - ends[0]
        length = float(np.hypot(*way))
        if length < FINE:
            return
        along = way / length
        aside = np.array((-along[1], along[0]))
        head = min(HEAD * length, FINE * LONGEST_HEAD * max(wide / 2.0, 1.0))
        neck = ends[1] - head * along
        shaft = [*ends[0].tolist(), *neck.tolist()]
        self.pen.line(shaft, fill=colour, width=round(FINE * wide))
        half = 0.5 * head
        tip = [ends[1], neck + half * aside, neck - half * aside]
        self.pen.polygon([tuple(p.tolist()) for p in tip], fill=colour)
