"""A robot file's XML: as it is on disk, or what a xacro file expands to."""

from pathlib import Path
from xml.parsers import expat

from equipoise.core.errors import BadFileError
from equipoise.robots.files.budget import MAX_BYTES
from equipoise.robots.files.packages import NO_PACKAGES, Packages
from equipoise.robots.files.raw import file_bytes
from equipoise.robots.files.xacro import expanded, is_xacro

__all__ = ["physics_only", "robot_content"]

LOOKS = ("visual", "material")
"""Elements of a URDF that say how it looks, and nothing of how it moves."""


def robot_content(path: Path, packages: Packages = NO_PACKAGES) -> bytes:
    """Return the XML of a robot file; a file that ends in ``.xacro`` is expanded.

    Args:
        path: the file.
        packages: what the user says of packages.

    Raises:
        BadFileError: what is wrong, without the file's name.
        MissingToolError: a xacro file, and xacro is not installed.
    """
    content = file_bytes(path, MAX_BYTES)
    return expanded(path, packages) if is_xacro(path) else content


def physics_only(content: bytes) -> bytes:
    """Return a URDF with blanks in place of what says how it looks, line by line.

    MuJoCo refuses a file for its looks: two materials of one visual, a mesh for the eye
    alone that is not there.

    Args:
        content: the file, seen before by ``outline_of``.
    """
    kept = bytearray(content)
    parser = expat.ParserCreate("utf-8")
    starts: list[tuple[str, int]] = []

    def begin(name: str, _: dict[str, str]) -> None:
        starts.append((name, parser.CurrentByteIndex))

    def end(_: str) -> None:
        name, first = starts.pop()
        if name not in LOOKS or any(outer in LOOKS for outer, _ in starts):
            return
        at = parser.CurrentByteIndex
        last = _tag_end(content, first)
        if not (at == last + 1 and content[at - 2 : at] == b"/>"):  # it has an end tag
            last = content.find(b">", at)
        kept[first : last + 1] = bytes(
            letter if letter in b"\r\n" else 0x20 for letter in kept[first : last + 1]
        )

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise BadFileError(f"is not complete XML ({error}); save it again") from None
    return bytes(kept)


def _tag_end(content: bytes, first: int) -> int:
    """Return where a tag's ``>`` is, those in quoted values left out."""
    quote = 0
    for at in range(first, len(content)):
        letter = content[at]
        if quote:
            quote = 0 if letter == quote else quote
        elif letter in b"'\"":
            quote = letter
        elif letter == 0x3E:
            return at
    return len(content) - 1
