"""From a module assembly to a robot: one MuJoCo body a rigid part, ground first."""

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.assembly import Assembly, Link
from equipoise.robots.module_body import ModuleBody, ModuleJoint, mating
from equipoise.robots.robot import Robot
from equipoise.spatial.poses import Pose
from equipoise.spatial.rotations import matrix_from_axis_angle, quat_from_matrix

__all__ = ["robot_from_assembly"]

VISUAL_GROUP, CONTACT_GROUP = 2, 3
SHADES = (  # outer and inner colour by module, so that neighbours differ
    ((0.90, 0.62, 0.20, 1.0), (0.35, 0.35, 0.38, 1.0)),
    ((0.28, 0.55, 0.78, 1.0), (0.35, 0.35, 0.38, 1.0)),
    ((0.45, 0.68, 0.38, 1.0), (0.35, 0.35, 0.38, 1.0)),
    ((0.75, 0.42, 0.60, 1.0), (0.35, 0.35, 0.38, 1.0)),
)


def robot_from_assembly(assembly: Assembly) -> Robot:
    """Return the robot that an assembly describes.

    Bodies are called ``<module>_<part>``, joints and actuators ``<module>_<joint>``,
    contact balls ``<module>_ball_a`` and ``<module>_ball_b``. Actuators are ordered
    module by module, joint by joint. A keyframe ``start`` holds the assembly's angles.
    """
    spec = mujoco.MjSpec()
    spec.modelname = assembly.name
    spec.compiler.degree = False
    spec.compiler.fusestatic = False
    bodies: dict[tuple[int, int], mujoco.MjsBody] = {}
    for link in assembly.walk:
        add_module(spec, assembly, link, bodies)
    for module in assembly.modules:
        for joint in assembly.body.joints:
            if joint.locked is None:
                add_motor(spec, f"{module.name}_{joint.name}", joint)
    root = assembly.modules[assembly.ground.module].name
    part = assembly.body.connectors[assembly.ground.connector].part
    add_start_key(spec, assembly)
    return Robot(
        name=assembly.name,
        spec=spec,
        base=f"{root}_{assembly.body.parts[part]}",
        feet=("foot",) if assembly.ground.mount == "free" else (),
        modules=tuple(m.name for m in assembly.modules),
        assembly=assembly,
    )


def add_module(
    spec: mujoco.MjSpec,
    assembly: Assembly,
    link: Link,
    bodies: dict[tuple[int, int], mujoco.MjsBody],
) -> None:
    """Add one module's parts, from the part that is held outwards."""
    body, module = assembly.body, assembly.modules[link.module]
    face = body.connectors[link.connector]
    if link.parent < 0:
        X_held, holder = mating(0), spec.worldbody
    else:
        other = body.connectors[link.parent_connector]
        X_held, holder = other.X_PC @ mating(link.turn), bodies[link.parent, other.part]
    entry = add_part(holder, body, module.name, face.part, X_held @ face.X_PC.inverse())
    bodies[link.module, face.part] = entry
    if link.parent < 0 and assembly.ground.mount == "free":
        entry.add_freejoint(name="base")
        add_foot(entry, face.X_PC, body)
    for k in range(face.part, len(body.joints)):  # towards the last part
        joint = body.joints[k]
        holder = bodies[link.module, k]
        bodies[link.module, k + 1] = add_part(
            holder, body, module.name, k + 1, Pose(locked_rotation(joint), joint.origin)
        )
        if joint.locked is None:
            add_joint(bodies[link.module, k + 1], module.name, joint, np.zeros(3), 1.0)
    for k in reversed(range(face.part)):  # towards the first part: the joint backwards
        joint = body.joints[k]
        holder = bodies[link.module, k + 1]
        R = locked_rotation(joint).T
        pose = Pose(R, -R @ joint.origin)
        bodies[link.module, k] = add_part(holder, body, module.name, k, pose)
        if joint.locked is None:
            add_joint(bodies[link.module, k], module.name, joint, joint.origin, -1.0)
    colour(bodies, link.module, body)


def locked_rotation(joint: ModuleJoint) -> Array:
    """Return the rotation across a joint at zero, or at its locked value."""
    return matrix_from_axis_angle(joint.axis, joint.locked or 0.0)


def add_part(
    holder: mujoco.MjsBody, body: ModuleBody, module: str, part: int, X: Pose
) -> mujoco.MjsBody:
    """Add one rigid part with its mass and its shape."""
    child = holder.add_body(
        name=f"{module}_{body.parts[part]}", pos=X.p, quat=quat_from_matrix(X.R)
    )
    own = body.part_mass[part]
    child.explicitinertial = True
    child.mass, child.ipos = own.mass, own.com
    inertia = own.inertia
    child.fullinertia = [
        *np.diag(inertia),
        inertia[0, 1],
        inertia[0, 2],
        inertia[1, 2],
    ]
    ends = (0, len(body.parts) - 1)
    half = 0.5 * body.width
    if part in ends:
        sign = -1.0 if part == 0 else 1.0
        child.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            pos=[0.0, 0.0, sign * 0.5 * half],
            size=[0.88 * half, 0.97 * half, 0.48 * half],
            contype=0,
            conaffinity=0,
            group=VISUAL_GROUP,
        )
        child.add_geom(
            name=f"{module}_ball_{'a' if part == 0 else 'b'}",
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[body.contact_radius, 0.0, 0.0],
            group=CONTACT_GROUP,
        )
    else:
        child.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            pos=[0.0, 0.0, 0.5 * half],
            size=[0.72 * half, 0.56 * half, 0.0],
            contype=0,
            conaffinity=0,
            group=VISUAL_GROUP,
        )
    return child


def colour(
    bodies: dict[tuple[int, int], mujoco.MjsBody], module: int, body: ModuleBody
) -> None:
    """Paint a module's visible shapes."""
    outer, inner = SHADES[module % len(SHADES)]
    for part in range(len(body.parts)):
        ends = part in (0, len(body.parts) - 1)
        for geom in bodies[module, part].geoms:
            if geom.group == VISUAL_GROUP:
                geom.rgba = outer if ends else inner


def add_joint(
    child: mujoco.MjsBody, module: str, joint: ModuleJoint, anchor: Array, sign: float
) -> None:
    """Add a joint to the part that moves; its value is the module's own angle."""
    kinds = {"hinge": mujoco.mjtJoint.mjJNT_HINGE, "slide": mujoco.mjtJoint.mjJNT_SLIDE}
    child.add_joint(
        name=f"{module}_{joint.name}",
        type=kinds[joint.kind],
        pos=anchor,
        axis=sign * joint.axis,
        range=[joint.lower, joint.upper],
        limited=mujoco.mjtLimited.mjLIMITED_TRUE,
        damping=np.array([joint.damping, 0.0, 0.0]),
        armature=joint.armature,
    )


def add_motor(spec: mujoco.MjSpec, name: str, joint: ModuleJoint) -> None:
    """Add a torque source with the joint's limit."""
    motor = spec.add_actuator(name=name, target=name)
    motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
    motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
    motor.ctrlrange = [-joint.effort, joint.effort]


def add_foot(entry: mujoco.MjsBody, X_PC: Pose, body: ModuleBody) -> None:
    """Add the flat face on which a free assembly stands."""
    thickness = 0.004  # [m], thin enough not to change the stance
    X = X_PC @ Pose(np.eye(3), np.array([0.0, 0.0, -thickness]))
    half = 0.5 * body.width
    entry.add_geom(
        name="foot",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        pos=X.p,
        quat=quat_from_matrix(X.R),
        size=[0.95 * half, 0.95 * half, thickness],
        group=CONTACT_GROUP,
    )


def add_start_key(spec: mujoco.MjSpec, assembly: Assembly) -> None:
    """Store the assembly's angles as the keyframe ``start``."""
    model = spec.copy().compile()
    qpos = model.qpos0.copy()
    for module in assembly.modules:
        for joint, angle in zip(assembly.body.joints, module.angles, strict=True):
            if joint.locked is None:
                address = model.joint(f"{module.name}_{joint.name}").qposadr[0]
                qpos[address] = angle
    spec.add_key(name="start", qpos=qpos)
