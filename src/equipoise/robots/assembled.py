"""From a module assembly to a robot: one MuJoCo body a rigid part, ground first."""

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.text import shown
from equipoise.robots.assembly.assembly import Assembly, ConnectionSide
from equipoise.robots.assembly.module_body import ModuleBody, ModuleJoint, mating
from equipoise.robots.assembly.module_shapes import add_shapes, branch_of
from equipoise.robots.robot import Robot
from equipoise.spatial.poses import Pose
from equipoise.spatial.rotations import matrix_from_axis_angle, quat_from_matrix

__all__ = ["DEEPEST", "deepest_body", "robot_from_assembly"]

CONTACT_GROUP = 3
DEEPEST = 1023  # bodies one on the other; MuJoCo 4 refuses the next
FINE_UP_TO = 300  # modules drawn with two shapes a part, more with one
STANDS_BELOW = 1e-3  # [m]; a ball that is this near to the ground is a foot
STILL = np.eye(3)


def robot_from_assembly(assembly: Assembly) -> Robot:
    """Return the robot that an assembly describes.

    Bodies are called ``<module>_<part>``, joints and actuators ``<module>_<joint>``,
    contact balls ``<module>_ball_a`` and ``<module>_ball_b``. Actuators are ordered
    module by module, joint by joint. A keyframe ``start`` holds the assembly's angles.

    Raises:
        ConfigError: a row of modules is longer than the engine can take.
    """
    if (deepest := deepest_body(assembly)) > DEEPEST:
        problem = f"its longest chain of modules has {deepest} bodies, the engine"
        problem += f" takes {DEEPEST}; use more branches or fewer modules"
        raise ConfigError(f"robot '{shown(assembly.name)}'", [problem])
    spec = mujoco.MjSpec()
    spec.modelname = assembly.name
    spec.compiler.degree = False
    spec.compiler.fusestatic = False
    bodies: dict[tuple[int, int], mujoco.MjsBody] = {}
    for link in assembly.walk:
        _add_module(spec, assembly, link, bodies)
    branch, fine = branch_of(assembly), len(assembly.modules) <= FINE_UP_TO
    for (module, part), body in bodies.items():
        add_shapes(body, assembly.body, part, branch[module], fine)
    for module in assembly.modules:
        for joint in assembly.body.joints:
            if joint.locked is None:
                _add_motor(spec, f"{module.name}_{joint.name}", joint)
    root = assembly.modules[assembly.ground.module].name
    part = assembly.body.connectors[assembly.ground.connector].part
    _add_start_key(spec, assembly)
    return Robot(
        name=assembly.name,
        spec=spec,
        base=f"{root}_{assembly.body.parts[part]}",
        feet=foot_geoms(assembly),
        modules=tuple(m.name for m in assembly.modules),
        assembly=assembly,
    )


def deepest_body(assembly: Assembly) -> int:
    """Return how many bodies the longest row from the ground has."""
    body, depth = assembly.body, dict[tuple[int, int], int]()
    for link in assembly.walk:
        entry, above = body.connectors[link.connector].part, 0
        if link.parent >= 0:
            above = depth[link.parent, body.connectors[link.parent_connector].part]
        for part in range(len(body.parts)):
            depth[link.module, part] = above + 1 + abs(part - entry)
    return max(depth.values())


def _add_module(
    spec: mujoco.MjSpec,
    assembly: Assembly,
    link: ConnectionSide,
    bodies: dict[tuple[int, int], mujoco.MjsBody],
) -> None:
    """Add one module's parts, from the part that is held outwards."""
    body, module = assembly.body, assembly.modules[link.module]
    face = body.connectors[link.connector]
    if link.parent < 0:
        X_held, holder = assembly.X_WG, spec.worldbody
    else:
        other = body.connectors[link.parent_connector]
        X_held, holder = other.X_PC @ mating(link.turn), bodies[link.parent, other.part]
    entry = _add_part(
        holder, body, module.name, face.part, X_held @ face.X_PC.inverse()
    )
    bodies[link.module, face.part] = entry
    if link.parent < 0 and assembly.ground.mount != "fixed":
        entry.add_freejoint(name="base")
        if assembly.ground.mount == "free":
            _add_foot(entry, face.X_PC, body)
    for k in range(face.part, len(body.joints)):  # towards the last part
        joint = body.joints[k]
        holder = bodies[link.module, k]
        bodies[link.module, k + 1] = _add_part(
            holder,
            body,
            module.name,
            k + 1,
            Pose(_locked_rotation(joint), joint.origin),
        )
        if joint.locked is None:
            _add_joint(bodies[link.module, k + 1], module.name, joint, np.zeros(3), 1.0)
    for k in reversed(range(face.part)):  # towards the first part: the joint backwards
        joint = body.joints[k]
        holder = bodies[link.module, k + 1]
        R = _locked_rotation(joint).T
        pose = Pose(R, -R @ joint.origin)
        bodies[link.module, k] = _add_part(holder, body, module.name, k, pose)
        if joint.locked is None:
            _add_joint(bodies[link.module, k], module.name, joint, joint.origin, -1.0)


def _locked_rotation(joint: ModuleJoint) -> Array:
    """Return the rotation across a joint at zero, or at its locked value."""
    if not joint.locked:
        return STILL
    return matrix_from_axis_angle(joint.axis, joint.locked or 0.0)


def _add_part(
    holder: mujoco.MjsBody, body: ModuleBody, module: str, part: int, X: Pose
) -> mujoco.MjsBody:
    """Add one rigid part with its mass and its contact ball."""
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
    if part in (0, len(body.parts) - 1):
        child.add_geom(
            name=f"{module}_ball_{'a' if part == 0 else 'b'}",
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[body.contact_radius, 0.0, 0.0],
            group=CONTACT_GROUP,
        )
    return child


def _add_joint(
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


def _add_motor(spec: mujoco.MjSpec, name: str, joint: ModuleJoint) -> None:
    """Add a torque source with the joint's limit."""
    motor = spec.add_actuator(name=name, target=name)
    motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
    motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
    motor.ctrlrange = [-joint.effort, joint.effort]


def _add_foot(entry: mujoco.MjsBody, X_PC: Pose, body: ModuleBody) -> None:
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


def foot_geoms(assembly: Assembly) -> tuple[str, ...]:
    """Return the geoms on which a robot that is not welded stands at the start."""
    if assembly.ground.mount != "feet":
        return ("foot",) if assembly.ground.mount == "free" else ()
    names = []
    last = len(assembly.body.parts) - 1
    for module, X_WM in zip(assembly.modules, assembly.module_poses(), strict=True):
        X_MP = assembly.body.part_poses(module.angles)
        for part, end in ((0, "a"), (last, "b")):
            height = (X_WM @ X_MP[part].p)[2] - assembly.body.contact_radius
            if height < STANDS_BELOW:
                names.append(f"{module.name}_ball_{end}")
    return tuple(names)


def _add_start_key(spec: mujoco.MjSpec, assembly: Assembly) -> None:
    """Store the assembly's angles as the keyframe ``start``.

    MuJoCo numbers bodies depth first, children in the order they were added; walking
    likewise saves a compilation, seconds for a thousand modules.
    """
    angle_of = {
        f"{module.name}_{joint.name}": angle
        for module in assembly.modules
        for joint, angle in zip(assembly.body.joints, module.angles, strict=True)
    }
    qpos: list[float] = []
    stack = list(reversed(spec.worldbody.bodies))
    while stack:
        body = stack.pop()
        for joint in body.joints:
            if joint.type == mujoco.mjtJoint.mjJNT_FREE:
                qpos += [*body.pos, *body.quat]
            else:
                qpos.append(angle_of[joint.name])
        stack += reversed(body.bodies)
    spec.add_key(name="start", qpos=qpos)
