"""Meshes in COLLADA (.dae): triangles, where the scene puts them, diffuse colours.

As in RViz, the file's unit counts and its ``up_axis`` does not: a URDF's link frame is
the mesh's frame. Pictures on surfaces, lines and bones are not read.
"""

import math
import warnings
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.digits import plain_float
from equipoise.core.errors import BadFileError
from equipoise.robots.files.markup import Outline, read_outline, root_element
from equipoise.robots.files.visual import Colour
from equipoise.robots.visuals.triangles import Surface3D, surface
from equipoise.spatial.rotations import matrix_from_axis_angle

__all__ = ["read_dae"]

DEEPEST, MOST_PARTS = 64, 2000
"""Nodes inside each other, and pieces that a scene may be made of."""
SHADERS = ("phong", "lambert", "blinn", "constant")


class PlacedMesh(NamedTuple):
    """A geometry where the scene has it."""

    geometry: ET.Element
    X: Array
    """(4, 4)."""
    materials: dict[str, str]
    """The file's material for each symbol in the geometry."""


def read_dae(content: bytes) -> list[Surface3D]:
    """Return the triangles of a COLLADA file, one surface a piece and material.

    Args:
        content: the file.

    Raises:
        BadFileError: what is wrong, as the end of a sentence about the file.
    """
    if not content.strip():
        raise BadFileError("is empty")
    read_outline(content, Outline(), None)  # no DOCTYPE, no endless nesting
    root = root_element(content)
    for element in root.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    named = {e.get("id", ""): e for e in root.iter() if e.get("id")}
    meter = root.find("asset/unit")
    unit = _number(meter.get("meter", "1")) if meter is not None else 1.0
    colours = _colours_of(root, named)
    found: list[Surface3D] = []
    for piece in _pieces(root, named):
        found += _surfaces_of(piece, named, colours, unit)
        if len(found) > MOST_PARTS:
            raise BadFileError(f"has more than {MOST_PARTS} pieces")
    if not found:
        raise BadFileError("has no triangles")
    return found


def _number(text: str) -> float:
    """Return a number that is finite."""
    try:
        value = plain_float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadFileError("has a value that is no number")
    return value


def _numbers(element: ET.Element | None, kind: type = np.float64) -> np.ndarray:
    """Return all numbers that stand in an element."""
    text = "" if element is None else (element.text or "")
    if not text.strip():
        return np.zeros(0, kind)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return np.fromstring(text, kind, sep=" ")
    except (ValueError, DeprecationWarning):
        raise BadFileError("has a list of numbers with something else in it") from None


def _target(url: str | None, named: dict[str, ET.Element]) -> ET.Element | None:
    """Return what a reference inside the file means."""
    return named.get((url or "").removeprefix("#"))


def _colours_of(root: ET.Element, named: dict[str, ET.Element]) -> dict[str, Colour]:
    """Return the diffuse colour of each material that has one."""
    found: dict[str, Colour] = {}
    for material in root.iter("material"):
        instance = material.find("instance_effect")
        effect = None if instance is None else _target(instance.get("url"), named)
        shades = [] if effect is None else [e for s in SHADERS for e in effect.iter(s)]
        for shade in shades[:1]:
            rgba = _numbers(shade.find("diffuse/color")).clip(0.0, 1.0)
            if len(rgba) >= 3:
                found[material.get("id", "")] = (*rgba[:3].tolist(), 1.0)
    return found


def _pieces(root: ET.Element, named: dict[str, ET.Element]) -> Iterator[PlacedMesh]:
    """Return every geometry of the scene; of a file without a scene all there are."""
    scene = root.find("scene/instance_visual_scene")
    shown = None if scene is None else _target(scene.get("url"), named)
    if shown is None:
        shown = root.find("library_visual_scenes/visual_scene")
    if shown is None:
        for geometry in root.iter("geometry"):
            yield PlacedMesh(geometry, np.eye(4), {})
        return
    budget = [MOST_PARTS]
    for node in shown.findall("node"):
        yield from _walked(node, np.eye(4), named, DEEPEST, budget)


def _walked(
    node: ET.Element,
    X: Array,
    named: dict[str, ET.Element],
    depth: int,
    budget: list[int],
) -> Iterator[PlacedMesh]:
    """Return the geometries of a node and of those below it."""
    budget[0] -= 1
    if depth == 0 or budget[0] < 0:
        raise BadFileError(f"has more than {DEEPEST} levels or {MOST_PARTS} nodes")
    X = X @ _pose_of(node)
    for instance in node.findall("instance_geometry"):
        geometry = _target(instance.get("url"), named)
        bound = {
            m.get("symbol", ""): (m.get("target") or "").removeprefix("#")
            for m in instance.iter("instance_material")
        }
        if geometry is not None:
            yield PlacedMesh(geometry, X, bound)
    inner = [_target(i.get("url"), named) for i in node.findall("instance_node")]
    for child in [*node.findall("node"), *(n for n in inner if n is not None)]:
        yield from _walked(child, X, named, depth - 1, budget)


def _pose_of(node: ET.Element) -> Array:
    """Return what a node's moves make together, (4, 4)."""
    X = np.eye(4)
    for move in node:
        if move.tag not in ("matrix", "translate", "rotate", "scale"):
            continue
        values, step = _numbers(move), np.eye(4)
        if len(values) != {"matrix": 16, "rotate": 4}.get(move.tag, 3):
            raise BadFileError(f"has a <{move.tag}> of {len(values)} numbers")
        if move.tag == "matrix":
            step = values.reshape(4, 4)
        elif move.tag == "translate":
            step[:3, 3] = values
        elif move.tag == "scale":
            step[:3, :3] = np.diag(values)
        else:
            axis = values[:3] if values[:3].any() else np.array([0.0, 0.0, 1.0])
            step[:3, :3] = matrix_from_axis_angle(axis, math.radians(values[3]))
        X = X @ step
    return X


def _surfaces_of(
    piece: PlacedMesh,
    named: dict[str, ET.Element],
    colours: dict[str, Colour],
    unit: float,
) -> list[Surface3D]:
    """Return a geometry's triangles by material, in the scene's frame and in metres."""
    mesh = piece.geometry.find("mesh")
    found: list[Surface3D] = []
    for group in [] if mesh is None else mesh:
        if group.tag not in ("triangles", "polylist", "polygons"):
            continue
        corners = _corners_of(group, named)
        faces = _faces_of(group)
        if corners is None or not len(faces):
            continue
        symbol = group.get("material", "")
        colour = colours.get(piece.materials.get(symbol, symbol))
        placed = (corners @ piece.X[:3, :3].T + piece.X[:3, 3]) * unit
        if np.linalg.det(piece.X[:3, :3]) < 0.0:
            faces = faces[:, ::-1]
        try:
            found.append(surface(placed, faces, colour))
        except BadFileError as problem:
            if "area" not in str(problem):
                raise
    return found


def _corners_of(group: ET.Element, named: dict[str, ET.Element]) -> Array | None:
    """Return the corners that a group's triangles count, (n, 3); None without."""
    inputs = {i.get("semantic"): i for i in group.findall("input")}
    vertex = inputs.get("VERTEX")
    source = None if vertex is None else _target(vertex.get("source"), named)
    if source is not None and source.tag == "vertices":
        places = [i for i in source.findall("input") if i.get("semantic") == "POSITION"]
        source = _target(places[0].get("source"), named) if places else None
    if source is None:
        return None
    accessor = source.find("technique_common/accessor")
    stride = 3 if accessor is None else int(_number(accessor.get("stride", "3")))
    values = _numbers(source.find("float_array"))
    if stride < 3 or len(values) % stride:
        raise BadFileError(f"has {len(values)} numbers for corners of {stride}")
    return values.reshape(-1, stride)[:, :3]


def _faces_of(group: ET.Element) -> np.ndarray:
    """Return a group's triangles, (n, 3); polygons are cut into fans."""
    inputs = group.findall("input")
    width = 1 + max((int(_number(i.get("offset", "0"))) for i in inputs), default=0)
    own = [i for i in inputs if i.get("semantic") == "VERTEX"]
    offset = int(_number(own[0].get("offset", "0"))) if own else 0
    rows = [_numbers(p, np.int64) for p in group.findall("p")]
    if not 0 <= offset < width <= 64 or any(len(row) % width for row in rows):
        raise BadFileError("has triangles with half a corner")
    lists = [row.reshape(-1, width)[:, offset] for row in rows]
    if not lists:
        return np.zeros((0, 3), np.int64)
    if group.tag == "polygons":
        return np.vstack([_fans(row, np.array([len(row)])) for row in lists])
    corners = np.concatenate(lists)
    if group.tag == "triangles":
        return corners[: len(corners) - len(corners) % 3].reshape(-1, 3)
    return _fans(corners, _numbers(group.find("vcount"), np.int64))


def _fans(corners: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return polygons as triangles.

    Args:
        corners: of all polygons, one after the other, (n,).
        counts: how many each has.
    """
    if (counts < 0).any() or counts.sum() > len(corners):
        raise BadFileError("has polygons with corners that are not there")
    start = np.concatenate(([0], np.cumsum(counts)[:-1]))
    parts = [np.zeros((0, 3), np.int64)]
    for n in np.unique(counts[counts >= 3]):
        first = start[counts == n]
        for k in range(1, int(n) - 1):
            parts.append(np.column_stack([corners[first + i] for i in (0, k, k + 1)]))
    return np.vstack(parts)
