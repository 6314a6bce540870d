"""Is an XML file no robot at all: a package manifest, a launch file, a part of a robot?

Only what surely is none is called so; what cannot be read is left to the reader of
robots, which says what is wrong with it.
"""

from pathlib import Path
from xml.parsers import expat

from equipoise.core.errors import BadFileError, MissingToolError
from equipoise.core.text import shown
from equipoise.robots.files.content import robot_content
from equipoise.robots.files.markup import ROOTS
from equipoise.robots.files.named import ROBOT_ENDINGS

__all__ = ["no_robot"]

BODIES = ("link", "body", "include", "attach", "replicate")
"""Elements of a robot, or that may bring one."""


def no_robot(path: str | Path) -> str:
    """Return why a file is no robot, as half a sentence; empty where it may be one.

    Args:
        path: a file, or whatever a user gave for one.
    """
    if Path(path).suffix.lower() not in ROBOT_ENDINGS:
        return ""
    seen: dict[str, None] = {}

    def begin(name: str, _: object) -> None:
        seen.setdefault(name)

    def doctype(name: str, *_: object) -> None:
        seen.setdefault(name)

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.StartDoctypeDeclHandler = begin, doctype
    try:
        parser.Parse(robot_content(Path(path)), True)
    except (BadFileError, MissingToolError, expat.ExpatError, ValueError, LookupError):
        if not seen or next(iter(seen)) in ROOTS:
            return ""
    root = next(iter(seen))
    if root not in ROOTS:
        return f"its root element is <{shown(root, 40)}>"
    return "" if any(name in seen for name in BODIES) else "it has no body"
