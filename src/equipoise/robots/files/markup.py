"""A look at a robot file's XML before anything else reads it.

MuJoCo is trusting: it reads what a file points at, be it a pipe, and makes what a file
asks for, be it ten gigabytes of texture. What would not end is refused here, in one
sentence; so is what it would misread, such as letters that are not UTF-8.
"""

import codecs
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree as ET
from xml.parsers import expat

from equipoise.core.errors import BadFileError
from equipoise.core.text import shown
from equipoise.robots.files.other_formats import OTHER_ROOTS

__all__ = ["Outline", "outline_of", "read_outline", "root_element"]

DEEPEST = 1000  # elements inside each other; MuJoCo reads fewer
NAMES = ("name", "link", "joint")  # attributes that may hold the word "nan"
ROOTS = ("robot", "mujoco")
PARTS = (*ROOTS, "mujocoinclude")
MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


@dataclass
class Outline:
    """Outline of an XML file, read before MuJoCo sees it."""

    root: str = ""
    has_world: bool = False
    """Whether a URDF has a link called ``world``, to which the robot is fixed."""
    depth: int = 0
    """Of the element that is being read."""
    files: list[tuple[str, str]] = field(default_factory=list)
    """(element, file) for each file that it names."""
    folders: list[str] = field(default_factory=list)
    """Where it says that its files are."""
    bodies: float = 0
    elements: float = 0
    """How many there are when every copy that it asks for is made."""
    copies: list[float] = field(default_factory=lambda: [1.0])
    """How often what is read now will be there, by depth of copying."""
    made: float = 0
    """How many elements are copies."""
    joints: float = 0
    muscles: float = 0
    """Whose range of lengths MuJoCo has to find out by moving the joints."""
    motors: float = 0
    all_lengths: bool = False
    """Whether that is asked for of every actuator."""
    points: float = 0
    """Of meshes by formula."""


Watch = Callable[[Outline, str, dict[str, str], int], None]


def outline_of(content: bytes, is_strict: bool = True) -> Outline:
    """Return a robot file's outline after a look at all of it.

    Args:
        content: the file.
        is_strict: whether a NaN or a negative mass is refused too.

    Raises:
        BadFileError: what is wrong, without the file's name.
    """
    outline = read_outline(content, Outline(), expect_numbers if is_strict else None)
    if outline.root in OTHER_ROOTS:
        raise BadFileError(OTHER_ROOTS[outline.root])
    if outline.root not in ROOTS:
        raise BadFileError(
            f"has the root element <{shown(outline.root, 40)}>, "
            "expected <robot> or <mujoco>"
        )
    return outline


def root_element(content: bytes) -> ET.Element:
    """Return a file's root element, after ``outline_of`` has looked at it.

    Args:
        content: the file.

    Raises:
        BadFileError: what is wrong, without the file's name.
    """
    try:
        return ET.fromstring(content, ET.XMLParser(encoding="utf-8"))
    except ET.ParseError as error:
        raise BadFileError(f"is not complete XML ({error}); save it again") from None


def read_outline(content: bytes, outline: Outline, watch: Watch | None) -> Outline:
    """Go through an XML text and note what matters.

    A document type declaration is refused: it may define entities that grow without
    bound, and neither format needs one.

    Args:
        content: the file.
        outline: to be filled; counts go on from what it has.
        watch: told of every element: its name, attributes and line; may refuse it.

    Raises:
        BadFileError: what is wrong, without the file's name.
    """
    if not content.strip():
        raise BadFileError("is empty; a URDF or MJCF robot was expected")
    _expect_letters(content)
    parser = expat.ParserCreate("utf-8")  # as MuJoCo, whatever the file declares

    def refuse(*_: Any) -> None:
        raise BadFileError("has a DOCTYPE, which can hide endless text; remove it")

    def declared(_: str, encoding: str | None, __: int) -> None:
        try:
            codecs.lookup(encoding or "utf-8")
        except LookupError:
            raise BadFileError(
                f"declares the unknown encoding '{shown(encoding, 40)}'; "
                "save it as UTF-8"
            ) from None

    def begin(name: str, attributes: dict[str, str]) -> None:
        outline.root = outline.root or name
        outline.depth += 1
        if outline.depth > DEEPEST:
            raise BadFileError(f"is nested deeper than {DEEPEST} elements; flatten it")
        if name == "link" and attributes.get("name") == "world":
            outline.has_world = True
        if watch is not None:
            watch(outline, name, attributes, parser.CurrentLineNumber)

    def end(name: str) -> None:
        outline.depth -= 1
        if name == "replicate" and len(outline.copies) > 1:
            outline.copies.pop()

    parser.StartDoctypeDeclHandler, parser.XmlDeclHandler = refuse, declared
    parser.EndElementHandler, parser.StartElementHandler = end, begin
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError) as error:
        if isinstance(error, BadFileError):
            raise
        raise BadFileError(f"is not complete XML ({error}); save it again") from None
    return outline


def _expect_letters(content: bytes) -> None:
    """Refuse letters that MuJoCo would take for others."""
    if content[:2] in MARKS:
        raise BadFileError(f"is written in {MARKS[content[:2]]}; save it as UTF-8")
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return  # no XML at all, which the parser will say
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadFileError(
            f"has a character on line {line} that is not UTF-8; save it as UTF-8"
        ) from None


def expect_numbers(
    outline: Outline, name: str, attributes: dict[str, str], line: int
) -> None:
    """Refuse a NaN, and a mass below zero, which MuJoCo would drop unsaid."""
    del outline
    for key, value in attributes.items():
        if key not in NAMES and "nan" in value.lower().split():
            where = f"<{shown(name, 40)} {shown(key, 40)}>"
            raise BadFileError(f"has a NaN in {where} on line {line}")
    value = attributes.get("value", "").strip()
    if name == "mass" and value.startswith("-"):
        value = shown(value, 40)
        raise BadFileError(f"has the mass {value} kg on line {line}, not >= 0")
