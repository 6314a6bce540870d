"""Any compiled robot as URDF text.

Bodies become links, hinge and slide joints become joints; several joints on one body
get massless links in between. A free base is left out, as URDF has no word for it: the
reader decides whether the root link floats.
"""

import math
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.robots.drives import actuator_limit
from equipoise.spatial.rotations import matrix_from_quat, rpy_from_matrix

__all__ = ["UNLIMITED", "urdf_text"]

UNLIMITED = 1e9
"""Effort of a motor without a limit, and way of a slide without one; zero would be no
motor, and a joint that is locked."""


def urdf_text(model: mujoco.MjModel, name: str) -> str:
    """Return the robot as URDF.

    Args:
        model: a compiled model with hinge, slide and free joints.
        name: the robot's name.

    Raises:
        ConfigError: the model has a ball joint, which URDF cannot say.
    """
    root = ET.Element("robot", name=name)
    has_world = any(
        model.body_parentid[b] == 0 and not _has_free_joint(model, b)
        for b in range(1, model.nbody)
    )
    if has_world:
        ET.SubElement(root, "link", name="world")
    for body in range(1, model.nbody):
        _add_link(root, model, body)
        parent = int(model.body_parentid[body])
        if parent == 0 and _has_free_joint(model, body):
            continue
        _add_joints(
            root, model, body, "world" if parent == 0 else _body_name(model, parent)
        )
    ET.indent(root)
    return '<?xml version="1.0"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _numbers(values: np.ndarray) -> str:
    """Return numbers with all their digits."""
    return " ".join(repr(float(v)) for v in np.atleast_1d(values))


def _body_name(model: mujoco.MjModel, body: int) -> str:
    """Return a body's name, made up where it has none."""
    return model.body(body).name or f"body{body}"


def _has_free_joint(model: mujoco.MjModel, body: int) -> bool:
    """Return whether a body floats."""
    first = model.body_jntadr[body]
    return first >= 0 and model.jnt_type[first] == mujoco.mjtJoint.mjJNT_FREE


def _origin(parent: ET.Element, p: np.ndarray, quat: np.ndarray) -> None:
    """Add an ``_origin`` element."""
    rpy = rpy_from_matrix(matrix_from_quat(quat))
    ET.SubElement(parent, "origin", xyz=_numbers(p), rpy=_numbers(rpy))


def _add_link(root: ET.Element, model: mujoco.MjModel, body: int) -> None:
    """Add a body's mass and shapes."""
    link = ET.SubElement(root, "link", name=_body_name(model, body))
    inertial = ET.SubElement(link, "inertial")
    _origin(inertial, model.body_ipos[body], model.body_iquat[body])
    ET.SubElement(inertial, "mass", value=_numbers(model.body_mass[body]))
    ixx, iyy, izz = (repr(float(v)) for v in model.body_inertia[body])
    ET.SubElement(
        inertial, "inertia", ixx=ixx, iyy=iyy, izz=izz, ixy="0.0", ixz="0.0", iyz="0.0"
    )
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    for geom in range(first, first + count):
        collides = model.geom_contype[geom] or model.geom_conaffinity[geom]
        _add_shape(link, model, geom, "collision" if collides else "visual")


def _add_shape(link: ET.Element, model: mujoco.MjModel, geom: int, role: str) -> None:
    """Add one shape; kinds that URDF lacks are left out."""
    size, kind = model.geom_size[geom], mujoco.mjtGeom(int(model.geom_type[geom]))
    shapes = {
        mujoco.mjtGeom.mjGEOM_SPHERE: ("sphere", {"radius": _numbers(size[0])}),
        mujoco.mjtGeom.mjGEOM_BOX: ("box", {"size": _numbers(2 * size)}),
        mujoco.mjtGeom.mjGEOM_CYLINDER: (
            "cylinder",
            {"radius": _numbers(size[0]), "length": _numbers(2 * size[1])},
        ),
    }
    if kind not in shapes:
        return
    tag, attributes = shapes[kind]
    element = ET.SubElement(link, role)
    _origin(element, model.geom_pos[geom], model.geom_quat[geom])
    ET.SubElement(ET.SubElement(element, "geometry"), tag, attributes)


def _add_joints(
    root: ET.Element, model: mujoco.MjModel, body: int, parent: str
) -> None:
    """Join a body to its parent; the joint's own frame is at its anchor."""
    child = _body_name(model, body)
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    pose = (model.body_pos[body], model.body_quat[body])
    if count == 0:
        joint = ET.SubElement(root, "joint", name=f"{child}_fixed", type="fixed")
        _connect(joint, parent, child, *pose)
        return
    if count > 1:
        raise ConfigError(
            f"body '{child}'", [f"URDF allows one joint per body, got {count}"]
        )
    _add_moving_joint(root, model, first, parent, child)


def _add_moving_joint(
    root: ET.Element, model: mujoco.MjModel, index: int, parent: str, child: str
) -> None:
    """Add a hinge or slide; URDF joints act at the child's origin."""
    kinds = {
        mujoco.mjtJoint.mjJNT_HINGE: "revolute",
        mujoco.mjtJoint.mjJNT_SLIDE: "prismatic",
    }
    body = int(model.jnt_bodyid[index])
    kind = mujoco.mjtJoint(int(model.jnt_type[index]))
    name = model.joint(index).name or f"joint{index}"
    if kind not in kinds:
        raise ConfigError(f"joint '{name}'", ["URDF has no ball joint"])
    limited = bool(model.jnt_limited[index])
    word = (
        kinds[kind] if limited or kind != mujoco.mjtJoint.mjJNT_HINGE else "continuous"
    )
    joint = ET.SubElement(root, "joint", name=name, type=word)
    anchor = model.jnt_pos[index]
    R_PB = matrix_from_quat(model.body_quat[body])
    moved = child
    if np.any(anchor != 0.0):  # a massless link at the anchor, then the body, fixed
        moved = f"{child}_anchor"
        ET.SubElement(root, "link", name=moved)
    _connect(
        joint,
        parent,
        moved,
        model.body_pos[body] + R_PB @ anchor,
        model.body_quat[body],
    )
    ET.SubElement(joint, "axis", xyz=_numbers(model.jnt_axis[index]))
    _add_limits(joint, model, index)
    if moved != child:
        fixed = ET.SubElement(root, "joint", name=f"{child}_shift", type="fixed")
        _connect(fixed, moved, child, -anchor, np.array([1.0, 0.0, 0.0, 0.0]))


def _add_limits(joint: ET.Element, model: mujoco.MjModel, index: int) -> None:
    """Add range, effort and damping."""
    effort, most = 0.0, math.inf
    if model.jnt_actfrclimited[index]:
        most = float(np.abs(model.jnt_actfrcrange[index]).max())
    for actuator in range(model.nu):
        drives = model.actuator_trnid[actuator, 0] == index
        if drives and model.actuator_trntype[actuator] == mujoco.mjtTrn.mjTRN_JOINT:
            limit = actuator_limit(model, actuator)
            effort = min(UNLIMITED if math.isnan(limit) else limit, most)
    ends = model.jnt_range[index]
    is_slide = model.jnt_type[index] == mujoco.mjtJoint.mjJNT_SLIDE
    if is_slide and not model.jnt_limited[index]:  # a range of nothing would lock it
        ends = np.array([-UNLIMITED, UNLIMITED])
    lower, upper = (repr(float(v)) for v in ends)
    ET.SubElement(
        joint, "limit", lower=lower, upper=upper, effort=repr(effort), velocity="100.0"
    )
    damping = np.ravel(model.dof_damping[model.jnt_dofadr[index]])[0]
    ET.SubElement(joint, "dynamics", damping=_numbers(damping), friction="0.0")


def _connect(
    joint: ET.Element, parent: str, child: str, p: np.ndarray, quat: np.ndarray
) -> None:
    """Say which links a joint connects, and where."""
    _origin(joint, p, quat)
    ET.SubElement(joint, "parent", link=parent)
    ET.SubElement(joint, "child", link=child)
