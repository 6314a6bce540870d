"""The colours of marks: one table for pictures, replays, moving pictures, live pages.

They can be told apart with any colour vision [Okabe2008]; a mark has the same colour
wherever it is drawn.
"""

from typing import TypeAlias

__all__ = ["MARKS", "PALETTE", "VERDICTS", "colour_of_mark", "hex_of"]

Rgb: TypeAlias = tuple[int, int, int]

PALETTE = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#000000",
)
"""Of curves, in their order."""
MARKS: dict[str, Rgb] = {
    "centre of mass": (213, 94, 0),
    "pressure point": (0, 114, 178),
    "capture point": (204, 121, 167),
    "support": (0, 158, 115),
    "feet": (0, 158, 115),
    "forces": (230, 159, 0),
    "push": (190, 20, 30),
    "line": (0, 114, 178),
    "bad": (190, 20, 30),
}
"""Red, green and blue of each mark, 0 to 255; ``bad`` is what it tips over, or where a
margin is lost."""
VERDICTS = {"yes": "#009e73", "no": "#d62d20", "unknown": "#e69f00"}
"""Of an answer."""


def hex_of(name: str) -> str:
    """Return a mark's colour as ``#rrggbb``.

    Args:
        name: of the mark.
    """
    return "#{:02x}{:02x}{:02x}".format(*MARKS[name])


def colour_of_mark(name: str) -> tuple[float, float, float]:
    """Return a mark's colour in [0, 1].

    Args:
        name: of the mark.
    """
    red, green, blue = MARKS[name]
    return red / 255.0, green / 255.0, blue / 255.0
