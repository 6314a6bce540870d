"""A robot as MuJoCo XML with all its digits.

MuJoCo's own writer keeps six digits, so a robot that is written and read again would
not be the same robot. Here its text is taken and the numbers that make the mechanism
(places, masses, axes, limits, the keyframes) are put back in full. What stands in a
``<frame>`` is placed from there, with the digits that MuJoCo writes.
"""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

__all__ = ["mjcf_text"]

TURNS = ("axisangle", "euler", "xyaxes", "zaxis")
GEOM = mujoco.mjtGeom
PRIMITIVES = tuple(
    int(kind)
    for kind in (
        GEOM.mjGEOM_SPHERE,
        GEOM.mjGEOM_CAPSULE,
        GEOM.mjGEOM_ELLIPSOID,
        GEOM.mjGEOM_CYLINDER,
        GEOM.mjGEOM_BOX,
    )
)


def mjcf_text(spec: mujoco.MjSpec) -> str:
    """Return a robot as MJCF.

    Args:
        spec: the robot; it is copied, not changed.
    """
    spec = spec.copy()
    model = spec.compile()
    root = ET.fromstring(spec.to_xml())  # MuJoCo's own text, not a stranger's
    world = root.find("worldbody")
    bodies = [] if world is None else list(_all_bodies(world))
    for body, (element, is_framed) in enumerate(bodies, start=1):
        _sharpen_body(model, body, element, is_framed=is_framed)
    for k, key in enumerate(root.findall("keyframe/key")):
        if "qpos" in key.attrib:
            key.set("qpos", _digits(model.key_qpos[k]))
    for k, actuator in enumerate(root.find("actuator") or []):
        if "ctrlrange" in actuator.attrib:
            actuator.set("ctrlrange", _digits(model.actuator_ctrlrange[k]))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _digits(values: np.ndarray) -> str:
    """Return numbers such that they read back exactly."""
    return " ".join(repr(float(v)) for v in np.ravel(values))


def _place(element: ET.Element, p: np.ndarray, quat: np.ndarray) -> None:
    """Write where something is."""
    for word in TURNS:
        element.attrib.pop(word, None)
    element.set("pos", _digits(p))
    element.set("quat", _digits(quat))


def _all_bodies(parent: ET.Element) -> Iterator[tuple[ET.Element, bool]]:
    """Yield all bodies depth first, as a model counts them, and which are framed."""
    for body, is_framed in _own(parent, "body"):
        yield body, is_framed
        yield from _all_bodies(body)


def _own(
    parent: ET.Element, *tags: str, is_framed: bool = False
) -> Iterator[tuple[ET.Element, bool]]:
    """Yield what a body has of a kind, and whether a frame is around it."""
    for child in parent:
        if child.tag in tags:
            yield child, is_framed
        elif child.tag == "frame":
            yield from _own(child, *tags, is_framed=True)


def _sharpen_body(
    model: mujoco.MjModel, body: int, element: ET.Element, *, is_framed: bool
) -> None:
    """Put back the digits of one body, its inertia, joints and simple shapes."""
    if not is_framed:
        _place(element, model.body_pos[body], model.body_quat[body])
    inertial = element.find("inertial")
    if inertial is not None:
        _place(inertial, model.body_ipos[body], model.body_iquat[body])
        inertial.attrib.pop("fullinertia", None)
        inertial.set("mass", _digits(model.body_mass[body]))
        inertial.set("diaginertia", _digits(model.body_inertia[body]))
    joints = _own(element, "joint", "freejoint")
    for joint, (child, is_in) in enumerate(joints, start=int(model.body_jntadr[body])):
        if child.tag == "joint":
            _sharpen_joint(model, joint, child, is_framed=is_in)
    geoms = _own(element, "geom")
    for geom, (child, is_in) in enumerate(geoms, start=int(model.body_geomadr[body])):
        _sharpen_geom(model, geom, child, is_framed=is_in)


def _sharpen_geom(
    model: mujoco.MjModel, geom: int, element: ET.Element, *, is_framed: bool
) -> None:
    """Put back the digits of one shape, where it is a simple one."""
    is_simple = int(model.geom_type[geom]) in PRIMITIVES
    if not is_simple or "mesh" in element.attrib or "fromto" in element.attrib:
        return
    if not is_framed:
        _place(element, model.geom_pos[geom], model.geom_quat[geom])
    count = len(element.get("size", "").split())
    if count:
        element.set("size", _digits(model.geom_size[geom][:count]))


def _sharpen_joint(
    model: mujoco.MjModel, joint: int, element: ET.Element, *, is_framed: bool
) -> None:
    """Put back the digits of one joint."""
    dof = int(model.jnt_dofadr[joint])
    placed = {"pos": model.jnt_pos[joint], "axis": model.jnt_axis[joint]}
    rows = {
        **({} if is_framed else placed),
        "range": model.jnt_range[joint],
        "damping": model.dof_damping[dof],
        "armature": model.dof_armature[dof],
    }
    for word, values in rows.items():
        count = len(element.get(word, "").split())
        if count:
            element.set(word, _digits(np.ravel(values)[:count]))
