"""How things look in a notebook: made by rooms above those that define them.

A notebook asks an object for ``_repr_html_``. A robot's has a picture, and pictures are
above robots; so whoever can draw says here what it draws.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["HTML_MAKERS", "html_of"]

HTML_MAKERS: dict[str, Callable[[Any], str]] = {}
"""What makes a kind of thing HTML, by the name of the kind."""


def html_of(kind: str, thing: object) -> str | None:
    """Return how a notebook shows something; None where nobody can draw it.

    Args:
        kind: of thing.
        thing: to show.
    """
    maker = HTML_MAKERS.get(kind)
    return None if maker is None else maker(thing)
