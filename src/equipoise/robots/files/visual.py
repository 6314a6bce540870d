"""A ``<visual>`` of a robot file: a shape on a body, for the eye alone.

It is plain data that names a file; nothing is read until somebody looks.
"""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, final
from xml.etree import ElementTree as ET

import numpy as np

from equipoise.core.digits import plain_float
from equipoise.core.text import shown
from equipoise.robots.files.markup import root_element
from equipoise.robots.files.places import MeshPlaces
from equipoise.spatial.rotations import matrix_from_rpy, quat_from_matrix

__all__ = ["Colour", "Visual", "VisualKind", "not_shown", "urdf_visuals"]

VisualKind = Literal["box", "sphere", "cylinder", "capsule", "mesh"]
Colour: TypeAlias = tuple[float, float, float, float]
"""Red, green, blue and alpha in [0, 1]."""
GREY: Colour = (0.72, 0.73, 0.75, 1.0)
"""Where neither the robot file nor the mesh says a colour."""
READ = (".stl", ".obj", ".dae")
"""Endings of meshes that can be read."""
Triple = tuple[float, float, float]


@final
@dataclass(frozen=True, kw_only=True)
class Visual:
    """One shape on one body."""

    body: str
    kind: VisualKind
    size: Triple = (0.0, 0.0, 0.0)
    """As MuJoCo's: half lengths of a box; radius and half length of round ones [m]; of
    a mesh the factor along each axis."""
    pos: Triple = (0.0, 0.0, 0.0)
    """Of its frame in the body's [m]."""
    quat: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    rgba: Colour | None = None
    """Of the robot file; the colours of a mesh come before it."""
    name: str = ""
    """Of a mesh, as the robot file writes it."""
    path: str = ""
    """Of a mesh, where it was found."""


def urdf_visuals(
    content: bytes, places: MeshPlaces
) -> tuple[tuple[Visual, ...], tuple[str, ...]]:
    """Return what a URDF shows.

    Args:
        content: the file, seen before by ``outline_of``.
        places: where its meshes are.

    Returns:
        The shapes, and for each that cannot be understood a line that says why.
    """
    root = root_element(content)
    colours = {
        m.get("name", ""): colour
        for m in root.iter("material")
        if (colour := _colour_of(m)) is not None
    }
    found: list[Visual] = []
    lost: list[str] = []
    for link in root.findall("link"):
        body = link.get("name", "")
        for visual in link.findall("visual"):
            try:
                found.append(_visual_of(visual, body, colours, places))
            except ValueError as problem:
                lost.append(not_shown(body, problem))
    return tuple(found), tuple(lost)


def _visual_of(
    visual: ET.Element, body: str, colours: dict[str, Colour], places: MeshPlaces
) -> Visual:
    """Return one visual; ValueError says what is wrong with it."""
    origin, geometry = visual.find("origin"), visual.find("geometry")
    shape = None if geometry is None else next(iter(geometry), None)
    if shape is None:
        raise ValueError("it has no geometry")
    place = {} if origin is None else origin.attrib
    p = _triple(place.get("xyz", "0 0 0"))
    roll, pitch, yaw = _triple(place.get("rpy", "0 0 0"))
    quat = quat_from_matrix(matrix_from_rpy(np.array([roll, pitch, yaw])))
    material = visual.find("material")
    rgba = None
    if material is not None:
        rgba = _colour_of(material) or colours.get(material.get("name", ""))
    name, path = "", ""
    if shape.tag == "mesh":
        name = shape.get("filename", "")
        path = _mesh_file(name, places)
    kind, size = _measured(shape)
    w, x, y, z = quat.tolist()
    return Visual(
        body=body,
        kind=kind,
        size=size,
        pos=p,
        quat=(w, x, y, z),
        rgba=rgba,
        name=name,
        path=path,
    )


def _mesh_file(name: str, places: MeshPlaces) -> str:
    """Return where a mesh is; ValueError says why it cannot be shown."""
    path = places.find(name)
    if path is None:
        raise ValueError(f"mesh {shown(name, 120)} {places.why_missing(name)}")
    if path.suffix.lower() not in READ:
        what = path.suffix or "of no kind"
        raise ValueError(f"mesh {name} is {what}, not one of {', '.join(READ)}")
    return str(path)


def not_shown(body: str, why: object) -> str:
    """Return the line that says so.

    Args:
        body: that it would be on.
        why: the reason, which may have words of the file in it.
    """
    return f"visual of '{shown(body, 60)}' not shown: {shown(why, 240)}"


def _measured(shape: ET.Element) -> tuple[VisualKind, Triple]:
    """Return a shape's kind and size."""
    if shape.tag == "mesh":
        return "mesh", _triple(shape.get("scale", "1 1 1"))
    if shape.tag == "box":
        x, y, z = _triple(shape.get("size", ""))
        kind, size = "box", (0.5 * x, 0.5 * y, 0.5 * z)
    elif shape.tag == "sphere":
        kind, size = "sphere", (plain_float(shape.get("radius", "")), 0.0, 0.0)
    elif shape.tag in ("cylinder", "capsule"):
        half = 0.5 * plain_float(shape.get("length", ""))
        kind, size = shape.tag, (plain_float(shape.get("radius", "")), half, 0.0)
    else:
        raise ValueError(f"<{shape.tag}> is no shape of a URDF")
    used = size[: {"box": 3, "sphere": 1}.get(kind, 2)]
    if not all(0.0 < value < math.inf for value in used):
        raise ValueError(f"a {kind} of size {used}")
    return kind, size


def _triple(text: str) -> Triple:
    """Return three finite numbers."""
    words = text.split()
    values = [plain_float(word) for word in words]
    if len(values) == 1:
        values *= 3  # a scale for all axes
    if len(values) != 3 or not all(math.isfinite(value) for value in values):
        raise ValueError(f"'{text[:40]}' is not three numbers")
    return values[0], values[1], values[2]


def _colour_of(material: ET.Element) -> Colour | None:
    """Return the colour that a material says itself."""
    colour = material.find("color")
    words = "" if colour is None else colour.get("rgba", "")
    try:
        r, g, b, a = (min(max(plain_float(word), 0.0), 1.0) for word in words.split())
    except ValueError:
        return None
    return (r, g, b, a) if r + g + b + a >= 0.0 else None  # a NaN is no colour
