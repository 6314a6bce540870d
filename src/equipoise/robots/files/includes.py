"""An MJCF file with the files that it includes put in their place.

``<include file="..."/>`` stands for what is inside the root element of another file, as
in MuJoCo: found beside the file that is read, else beside the one that includes it,
each file once.
"""

from pathlib import Path
from xml.etree import ElementTree as ET

from equipoise.core.errors import BadFileError
from equipoise.core.text import shown
from equipoise.robots.files.budget import MAX_BYTES, MOST_FILES
from equipoise.robots.files.markup import PARTS, Outline, read_outline
from equipoise.robots.files.raw import file_bytes

__all__ = ["with_includes"]


def with_includes(root: ET.Element, path: Path) -> ET.Element:
    """Return a file's root element in which every include is followed.

    Args:
        root: the file's, changed in place.
        path: the file.

    Raises:
        BadFileError: what is wrong with an included file, without the first one's name.
    """
    folder, seen, left = path.absolute().parent, {path.absolute()}, MAX_BYTES
    waiting = [(root, folder)]
    while waiting:
        parent, near = waiting.pop()
        for at in reversed(range(len(parent))):
            child = parent[at]
            if child.tag != "include":
                waiting.append((child, near))
                continue
            name = child.get("file", "")
            place = _found(folder, near, name)
            if place in seen or len(seen) > MOST_FILES:
                raise BadFileError(f"includes {shown(name)} more than once")
            seen.add(place)
            part, size = _included(place, name, left)
            left -= size
            parent[at : at + 1] = list(part)
            waiting += [(inside, place.parent) for inside in part]
            if any(inside.tag == "include" for inside in part):
                waiting.append((parent, place.parent))
    return root


def _found(folder: Path, near: Path, name: str) -> Path:
    """Return where an included file is."""
    for place in (folder / name, near / name):
        try:
            if name and place.exists():
                return place.absolute()
        except (OSError, ValueError):
            continue
    raise BadFileError(f"includes {shown(name)}, which does not exist")


def _included(place: Path, name: str, left: int) -> tuple[ET.Element, int]:
    """Return the root element of an included file and its size [bytes]."""
    try:
        content, part = file_bytes(place, max(left, 0)), Outline()
        read_outline(content, part, lambda *_: None)
        if part.root not in PARTS:
            raise BadFileError(f"has the root element <{shown(part.root, 40)}>")
        parser = ET.XMLParser(encoding="utf-8")
        return ET.fromstring(content, parser), len(content)
    except ET.ParseError as error:
        problem = f"is not complete XML ({error})"
    except BadFileError as error:
        problem = str(error)
    raise BadFileError(f"includes {shown(name)}, which {problem}")
