"""A URDF file's bodies as it states them, for lint."""

from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np

from equipoise.core.arrays import Mat3, Vec3
from equipoise.core.digits import plain_float
from equipoise.robots.files.places import MeshPlaces
from equipoise.robots.lint.body import Finding, LintBody, Reading
from equipoise.robots.lint.shapes import LintShape, mesh_shape, round_shape
from equipoise.spatial.rotations import matrix_from_rpy

__all__ = ["read_urdf_bodies"]

DRIVEN = ("revolute", "continuous", "prismatic")
SHOWN = 3  # joints in a finding
MOVING = ("revolute", "continuous", "prismatic", "floating", "planar")
INERTIA = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def read_urdf_bodies(root: ET.Element, places: MeshPlaces) -> Reading:
    """Return what a URDF file says about its links.

    Args:
        root: the ``<robot>`` element.
        places: where its meshes are.
    """
    reading = Reading("urdf")
    moved, fixed = _moved_links(root), _fixed_links(root)
    for element in root.findall("link"):
        name = element.get("name", "")
        body = LintBody(name, is_jointed=name in moved)
        body.moves = body.is_jointed and name not in fixed
        _read_inertial(reading, element.find("inertial"), body)
        _read_shapes(reading, element, body, places)
        reading.bodies.append(body)
    by_name = {body.name: body for body in reading.bodies}
    for joint in root.findall("joint"):
        R_PB, p_PB = _pose(reading, joint.find("origin"), f"joint {joint.get('name')}")
        reading.reach = max(reading.reach, float(np.linalg.norm(p_PB)))
        parent, child = (
            by_name.get(_end_of(joint, tag)) for tag in ("parent", "child")
        )
        if parent is not None and child is not None and child.parent is None:
            child.attach(parent, R_PB, p_PB)
    reading.findings += _effort_findings(root)
    return reading


def _effort_findings(root: ET.Element) -> Iterator[Finding]:
    """Find joints with an effort of 0, which CAD exporters write for "not known".

    A joint that mimics another one needs no effort of its own.
    """
    found: list[str] = []
    for joint in root.findall("joint"):
        limit = joint.find("limit")
        if joint.get("type") in DRIVEN and joint.find("mimic") is None:
            text = "" if limit is None else limit.get("effort", "")
            try:
                is_zero = bool(text) and plain_float(text) == 0.0
            except ValueError:
                is_zero = False
            if is_zero:
                found.append(joint.get("name", ""))
    if found:
        more = ", ..." if len(found) > SHOWN else ""
        names = ", ".join(found[:SHOWN]) + more
        count = f"{len(found)} joint{'s' * (len(found) > 1)}"
        yield Finding(
            "warning",
            "",
            "effort of 0: no torque limit is known",
            f"{count} ({names})",
            "the largest torque [N m] or force [N] of each motor",
        )


def _end_of(joint: ET.Element, tag: str) -> str:
    """Return the link at a joint's end, or nothing."""
    end = joint.find(tag)
    return "" if end is None else end.get("link", "")


def _moved_links(root: ET.Element) -> set[str]:
    """Return the links that a joint moves."""
    joints = (j for j in root.findall("joint") if j.get("type") in MOVING)
    return {c.get("link", "") for j in joints for c in j.findall("child")}


def _fixed_links(root: ET.Element) -> set[str]:
    """Return the links that carry others by fixed joints, which may bring the mass."""
    joints = (j for j in root.findall("joint") if j.get("type") == "fixed")
    return {c.get("link", "") for j in joints for c in j.findall("parent")}


def _read_inertial(reading: Reading, found: ET.Element | None, body: LintBody) -> None:
    """Take mass, centre of mass and inertia from an ``<inertial>`` element."""
    if found is None:
        return
    body.mass = reading.number(found.find("mass"), "value", body.name)
    R_BI, body.com = _pose(reading, found.find("origin"), body.name)
    stated = found.find("inertia")
    if stated is None:
        body.lacks_inertia = True
        return
    values = [reading.number(stated, key, body.name) for key in INERTIA]
    if any(
        v is None and k in stated.keys() for k, v in zip(INERTIA, values, strict=True)
    ):
        return  # a finding already
    xx, yy, zz, xy, xz, yz = (v or 0.0 for v in values)
    body.inertia = R_BI @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R_BI.T


def _pose(reading: Reading, element: ET.Element | None, body: str) -> tuple[Mat3, Vec3]:
    """Return an ``<origin>`` element's rotation and position."""
    xyz = reading.numbers(element, "xyz", 3, body)
    rpy = reading.numbers(element, "rpy", 3, body)
    R = np.eye(3) if rpy is None else matrix_from_rpy(rpy)
    return R, np.zeros(3) if xyz is None else xyz


def _read_shapes(
    reading: Reading, link: ET.Element, body: LintBody, places: MeshPlaces
) -> None:
    """Take a link's shapes, those for collision and those that are drawn."""
    for element in [*link.findall("collision"), *link.findall("visual")]:
        geometry = element.find("geometry")
        if geometry is None or len(geometry) == 0:
            continue
        shape = _shape_of(reading, geometry[0], body.name, places)
        if shape is None:
            body.has_unknown_shape = True
            continue
        placed = shape.placed(*_pose(reading, element.find("origin"), body.name))
        body.shapes.append(replace(placed, is_drawn=element.tag == "visual"))


def _shape_of(
    reading: Reading, element: ET.Element, body: str, places: MeshPlaces
) -> LintShape | None:
    """Return the shape of a geometry's one element, or None."""
    if element.tag == "box":
        size = reading.numbers(element, "size", 3, body)
        return None if size is None else round_shape("box", 0.5 * size)
    if element.tag == "mesh":
        scale = reading.numbers(element, "scale", 3, body)
        name = element.get("filename", "")
        factors = np.ones(3) if scale is None else scale
        return mesh_shape(places.find(name), factors, name)
    radius = reading.number(element, "radius", body)
    length = reading.number(element, "length", body)
    if radius is None:
        return None
    return round_shape(element.tag, np.array([radius, 0.5 * (length or 0.0)]))
