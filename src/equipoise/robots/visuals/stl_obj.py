"""Meshes in STL (binary or text) and in OBJ with the colours of its MTL file."""

import re
from pathlib import Path

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import BadFileError
from equipoise.robots.files.raw import file_bytes
from equipoise.robots.files.visual import Colour
from equipoise.robots.visuals.triangles import Surface3D, surface

__all__ = ["read_obj", "read_stl"]

HEAD, RECORD = 84, 50  # bytes of a binary STL before its triangles, and of each
CORNER = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)")
MOST_MTL_BYTES = 2**20


def read_stl(content: bytes) -> list[Surface3D]:
    """Return the triangles of an STL file.

    Args:
        content: the file.

    Raises:
        BadFileError: what is wrong, as the end of a sentence about the file.
    """
    count = int.from_bytes(content[80:HEAD], "little")
    if len(content) >= HEAD and len(content) == HEAD + RECORD * count:
        rows = np.frombuffer(content, np.uint8, RECORD * count, HEAD)
        floats = np.ascontiguousarray(rows.reshape(-1, RECORD)[:, 12:48])
        corners = floats.view("<f4").reshape(-1, 3).astype(np.float64)
    elif content.lstrip()[:5].lower() == b"solid":
        corners = _numbers(CORNER.findall(content)).reshape(-1, 3)
        corners = corners[: len(corners) - len(corners) % 3]
    else:
        expected = HEAD + RECORD * count
        raise BadFileError(f"is cut off: {len(content)} bytes of {expected}")
    return [surface(corners, np.arange(len(corners)))]


def _numbers(words: list[tuple[bytes, ...]]) -> Array:
    """Return words as numbers."""
    try:
        return np.array(words, dtype="S32").astype(np.float64)
    except ValueError:
        raise BadFileError("has a corner that is no number") from None


def read_obj(content: bytes, folder: Path) -> list[Surface3D]:
    """Return the triangles of an OBJ file, one surface a material.

    Args:
        content: the file.
        folder: where its materials are.

    Raises:
        BadFileError: what is wrong, as the end of a sentence about the file.
    """
    corners: list[list[str]] = []
    faces: dict[str, list[tuple[int, int, int]]] = {}
    colours: dict[str, Colour] = {}
    material = ""
    try:
        for line in content.decode("utf-8", "replace").splitlines():
            kind, _, rest = line.strip().partition(" ")
            if kind == "v":
                corners.append(rest.split()[:3])
            elif kind == "f":
                own = [int(word.split("/")[0]) for word in rest.split()]
                own = [k - 1 if k > 0 else k + len(corners) for k in own]
                fans = [(own[0], own[k], own[k + 1]) for k in range(1, len(own) - 1)]
                faces.setdefault(material, []).extend(fans)
            elif kind == "usemtl":
                material = rest.strip()
            elif kind == "mtllib":
                colours |= _colours_of(rest.strip(), folder)
        places = np.array(corners, np.float64).reshape(-1, 3)
    except (ValueError, IndexError) as error:
        raise BadFileError(f"has a line that cannot be read ({error})") from None
    if not faces:
        raise BadFileError("has no triangles")
    return [surface(places, own, colours.get(name)) for name, own in faces.items()]


def _colours_of(name: str, folder: Path) -> dict[str, Colour]:
    """Return the diffuse colours of an MTL file by name; none where it is not there."""
    place = folder / name
    found: dict[str, Colour] = {}
    try:
        is_inside = place.resolve().is_relative_to(folder.resolve())
        lines = file_bytes(place, MOST_MTL_BYTES) if is_inside else b""
    except (BadFileError, OSError, ValueError):
        return {}
    material = ""
    for line in lines.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words[:1] == ["newmtl"]:
            material = " ".join(words[1:])
        elif words[:1] == ["Kd"]:
            try:
                r, g, b = (min(max(float(word), 0.0), 1.0) for word in words[1:4])
            except ValueError:
                continue
            if r + g + b >= 0.0:  # a NaN is no colour
                found[material] = (r, g, b, 1.0)
    return found
