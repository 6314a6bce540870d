"""An MJCF file's bodies as it states them, for lint.

Default classes and included files are followed; bodies made by ``replicate``,
``attach`` or ``composite`` are not, and a note says so.
"""

import math
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.robots.files.places import MeshPlaces
from equipoise.robots.lint.body import LintBody, Reading
from equipoise.robots.lint.shapes import LintShape, mesh_shape, round_shape
from equipoise.spatial.rotations import matrix_from_axis_angle, matrix_from_quat

__all__ = ["read_mjcf_bodies"]

NOT_FOLLOWED = ("replicate", "attach", "composite", "flexcomp")
WATER = 1000.0
"""MuJoCo's density where a file gives none [kg/m³]."""
UPRIGHT = 1e-10  # sine of a lean that has no direction, as MuJoCo has it
Defaults = dict[str, dict[str, str]]
Placed = tuple[Mat3, Vec3]
"""Orientation and position in a body or in the world."""
NOWHERE: Placed = (np.eye(3), np.zeros(3))


def read_mjcf_bodies(root: ET.Element, places: MeshPlaces) -> Reading:
    """Return what an MJCF file says about its bodies.

    Args:
        root: the ``<mujoco>`` element.
        places: where its meshes are.
    """
    reader = MjcfReader(root, places)
    for tag in NOT_FOLLOWED:
        if root.find(f".//{tag}") is not None:
            reader.reading.add(
                "note",
                "",
                f"<{tag}> is not followed",
                tag,
                "lint the file that MuJoCo saves",
            )
    stack: list[tuple[ET.Element, LintBody | None, str, Placed]]
    stack = [(world, None, "main", NOWHERE) for world in root.findall("worldbody")]
    while stack:  # not by recursion: a file may be deep
        element, body, childclass, frame = stack.pop()
        childclass = element.get("childclass", childclass)
        if element.tag == "body":
            body, frame = reader.start_body(element, body, frame), NOWHERE
        elif element.tag == "frame":
            frame = reader.pose(element, body.name if body else "", frame)
        for part in reversed(element):  # the last pushed comes first
            if part.tag in ("body", "frame"):
                stack.append((part, body, childclass, frame))
            elif body is not None and element.tag != "worldbody":
                reader.read_part(part, body, childclass, frame)
    for body in reader.reading.bodies:
        reader.settle_mass(body)
    reader.scale_total()
    return reader.reading


class MjcfReader:
    """Reads bodies with the file's settings and default classes at hand."""

    def __init__(self, root: ET.Element, places: MeshPlaces) -> None:
        self.reading = Reading("mjcf")
        self.settings: dict[str, str] = {}
        for found in root.findall("compiler"):
            self.settings.update(found.attrib)
        meshdir = self.settings.get("meshdir", self.settings.get("assetdir", ""))
        self.places = places.inside(meshdir)
        self.defaults = _default_classes(root)
        self.meshes = {
            m.get("name") or Path(m.get("file", "")).stem: m
            for asset in root.findall("asset")
            for m in asset.findall("mesh")
        }
        self.weighed: dict[int, list[tuple[float, float]]] = {}
        """Mass and density of each body's geoms, by the body's identity."""
        compiler = ET.Element("compiler", self.settings)
        groups = self.reading.numbers(compiler, "inertiagrouprange", 2, "")
        self.groups = (0.0, 5.0) if groups is None else (groups[0], groups[1])

    def start_body(
        self, element: ET.Element, parent: LintBody | None, frame: Placed
    ) -> LintBody:
        """Begin a body."""
        bodies = self.reading.bodies
        body = LintBody(element.get("name") or f"body {len(bodies) + 1}")
        self.weighed[id(body)] = []
        bodies.append(body)
        body.attach(parent, *self.pose(element, body.name, frame))
        if len(bodies) > 1:
            step = float(np.linalg.norm(body.p_PB))
            self.reading.reach = max(self.reading.reach, step)
        return body

    def pose(self, element: ET.Element, name: str, frame: Placed) -> Placed:
        """Return an element's pose, in what its frame is in."""
        (R, p), at = frame, self.reading.numbers(element, "pos", 3, name)
        p = p if at is None else p + R @ at
        return R @ self.turn(element, name), p

    def read_part(
        self, part: ET.Element, body: LintBody, childclass: str, frame: Placed
    ) -> None:
        """Take one element inside a body."""
        if part.tag in ("joint", "freejoint"):
            body.moves = body.is_jointed = True
        elif part.tag == "inertial":
            self.read_inertial(part, body)
        elif part.tag == "geom":
            self.read_geom(self.with_defaults(part, childclass), body, frame)

    def with_defaults(self, geom: ET.Element, childclass: str) -> ET.Element:
        """Return a geom with what its class says where it says nothing itself."""
        known = self.defaults.get(geom.get("class", childclass), {})
        return ET.Element("geom", {**known, **geom.attrib})

    def read_inertial(self, found: ET.Element, body: LintBody) -> None:
        """Take mass, centre of mass and inertia."""
        read, name = self.reading, body.name
        if self.settings.get("inertiafromgeom") == "true":
            return
        body.mass = read.number(found, "mass", name)
        body.com = read.numbers(found, "pos", 3, name)
        body.lacks_inertia = not {"fullinertia", "diaginertia"} & set(found.keys())
        full = read.numbers(found, "fullinertia", 6, name)
        diagonal = read.numbers(found, "diaginertia", 3, name)
        if full is not None:
            xx, yy, zz, xy, xz, yz = full
            body.inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        elif diagonal is not None:
            R_BI = self.turn(found, name)
            body.inertia = R_BI @ np.diag(diagonal) @ R_BI.T

    def read_geom(self, geom: ET.Element, body: LintBody, frame: Placed) -> None:
        """Take a geom's shape and what it weighs."""
        shape = self.shape_of(geom, body.name)
        if shape is None:
            body.has_unknown_shape = True
        else:
            is_drawn = geom.get("contype") == "0" == geom.get("conaffinity")
            body.shapes.append(replace(shape.placed(*frame), is_drawn=is_drawn))
        mass = self.reading.number(geom, "mass", body.name)
        density = self.reading.number(geom, "density", body.name)
        density = WATER if density is None else density
        if mass is None:
            mass = density * shape.volume if shape is not None else np.nan
        elif shape is not None and shape.volume > 0.0:
            density = mass / shape.volume
        group = self.reading.number(geom, "group", body.name) or 0.0
        if self.groups[0] <= group <= self.groups[1]:
            self.weighed[id(body)].append((mass, density))

    def settle_mass(self, body: LintBody) -> None:
        """Weigh a body by its geoms where it has no inertial of its own."""
        geoms = self.weighed[id(body)]
        if body.mass is not None or self.settings.get("inertiafromgeom") == "false":
            return
        total = sum(mass for mass, _ in geoms)
        if np.isnan(total):
            body.has_unknown_mass = True
            self.reading.add(
                "note",
                body.name,
                "its mass is a mesh's that is not read",
                "unknown",
                "give it an <inertial>",
            )
        elif geoms:
            body.mass = total
            body.density = _farthest_from_water([d for _, d in geoms if d > 0.0])
            self.bound_mass(body)

    def bound_mass(self, body: LintBody) -> None:
        """Raise a mass to the least that the file allows, as MuJoCo does."""
        compiler = ET.Element("compiler", self.settings)
        least = self.reading.number(compiler, "boundmass", body.name)
        if least is not None and body.mass is not None:
            body.mass = max(body.mass, least)

    def scale_total(self) -> None:
        """Scale every mass where the file sets the whole robot's."""
        compiler = ET.Element("compiler", self.settings)
        wanted = self.reading.number(compiler, "settotalmass", "")
        total = sum(body.mass or 0.0 for body in self.reading.bodies)
        if wanted is None or not wanted > 0.0 or not total > 0.0:
            return
        for body in self.reading.bodies:
            body.mass = None if body.mass is None else body.mass * wanted / total
            if body.inertia is not None:
                body.inertia = body.inertia * wanted / total
            if body.density is not None:
                body.density *= wanted / total

    def shape_of(self, geom: ET.Element, body: str) -> LintShape | None:
        """Return a geom's shape in its body, or None."""
        kind = geom.get("type", "mesh" if geom.get("mesh") else "sphere")
        if kind == "mesh":
            shape = self.mesh_of(geom.get("mesh", ""), body)
        else:
            size = self.reading.numbers(geom, "size", 0, body)
            size = np.zeros(0) if size is None else size
            ends = self.reading.numbers(geom, "fromto", 6, body)
            if ends is not None:
                return _between(kind, size, ends)
            shape = round_shape(kind, size)
        if shape is None:
            return None
        at = self.reading.numbers(geom, "pos", 3, body)
        return shape.placed(self.turn(geom, body), np.zeros(3) if at is None else at)

    def mesh_of(self, name: str, body: str) -> LintShape | None:
        """Return a mesh asset's shape."""
        asset = self.meshes.get(name)
        if asset is None or not asset.get("file"):
            return None
        known = self.defaults.get(f"mesh {asset.get('class', 'main')}", {})
        asset = ET.Element("mesh", {**known, **asset.attrib})
        scale = self.reading.numbers(asset, "scale", 3, body)
        file = asset.get("file", "")
        factors = np.ones(3) if scale is None else scale
        return mesh_shape(self.places.find(file), factors, file)

    def turn(self, geom: ET.Element, body: str) -> Mat3:
        """Return a geom's rotation in its body."""
        read, unit = self.reading, self.settings.get("angle", "degree") != "radian"
        quat = read.numbers(geom, "quat", 4, body)
        if quat is not None and quat.any():
            return matrix_from_quat(quat)
        euler = read.numbers(geom, "euler", 3, body)
        if euler is not None:
            angles = np.deg2rad(euler) if unit else euler
            return _turned(self.settings.get("eulerseq", "xyz"), angles)
        turn = read.numbers(geom, "axisangle", 4, body)
        if turn is not None and turn[:3].any():
            angle = np.deg2rad(turn[3]) if unit else turn[3]
            return matrix_from_axis_angle(turn[:3], float(angle))
        pair = read.numbers(geom, "xyaxes", 6, body)
        if pair is not None and np.cross(pair[:3], pair[3:]).any():
            return _spanned(pair[:3], pair[3:])
        up = read.numbers(geom, "zaxis", 3, body)
        return np.eye(3) if up is None else _facing(up)


def _farthest_from_water(densities: list[float]) -> float | None:
    """Return the least usual of some densities [kg/m³], or None."""
    return max(densities, key=lambda d: abs(np.log(d / WATER)), default=None)


def _turned(order: str, angles: Vec3) -> Mat3:
    """Return three turns in a row; lower case letters turn with the body."""
    R = np.eye(3)
    for letter, angle in zip(order, angles, strict=False):
        if letter not in "xyzXYZ":
            continue  # MuJoCo would refuse it
        step = matrix_from_axis_angle(np.eye(3)["xyz".index(letter.lower())], angle)
        R = R @ step if letter.islower() else step @ R
    return R


def _spanned(x: Vec3, y: Vec3) -> Mat3:
    """Return the rotation with this x axis and the y axis nearest to another."""
    x, z = x / np.linalg.norm(x), np.cross(x, y)
    z = z / np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _facing(up: Vec3) -> Mat3:
    """Return the shortest turn of the z axis to a direction, about x to -z."""
    length = float(np.linalg.norm(up))
    if length == 0.0:
        return np.eye(3)
    x, y, z = up / length
    sine = math.hypot(x, y)
    axis = np.array([-y, x, 0.0]) if sine > UPRIGHT else np.array([1.0, 0.0, 0.0])
    return matrix_from_axis_angle(axis, math.atan2(sine, z))


def _between(kind: str, size: Array, ends: Array) -> LintShape | None:
    """Return a shape that reaches from one point to another."""
    start, stop = ends[:3], ends[3:]
    half = 0.5 * float(np.linalg.norm(stop - start))
    if len(size) == 0:
        return None
    sizes = (
        [size[0], size[0], half] if kind in ("box", "ellipsoid") else [size[0], half]
    )
    shape = round_shape(kind, np.array(sizes))
    if shape is None:
        return None
    return shape.placed(_facing(start - stop), 0.5 * (start + stop))


def _default_classes(root: ET.Element) -> Defaults:
    """Return each class's attributes of geoms, and of meshes as ``mesh NAME``."""
    known: Defaults = {}
    stack = [(d, {}, {}, "main") for d in root.findall("default")]
    while stack:
        element, geom, mesh, fallback = stack.pop()
        name = element.get("class", fallback)
        for found in element.findall("geom"):
            geom = {**geom, **found.attrib}
        for found in element.findall("mesh"):
            mesh = {**mesh, **found.attrib}
        known[name], known[f"mesh {name}"] = geom, mesh
        stack += [(d, geom, mesh, name) for d in element.findall("default")]
    return known
