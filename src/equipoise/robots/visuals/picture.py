"""A robot for pictures: the same bodies and joints, with the shapes for the eye.

The specification that is simulated and judged never gets these shapes; a picture is
drawn of a copy, in which they weigh nothing and touch nothing.
"""

import mujoco
import numpy as np

from equipoise.robots.engine import built
from equipoise.robots.visuals.appearance import Appearance
from equipoise.robots.visuals.dress import add_person
from equipoise.robots.visuals.linkage import add_link_bodies
from equipoise.robots.visuals.triangles import Surface3D

__all__ = ["HIDDEN_GROUP", "add_surface", "picture_model"]

HIDDEN_GROUP = 5
"""Of MuJoCo's six: shapes that the eye does not see."""
MESH = "picture:"
"""How the names of meshes for the eye begin."""
TYPES = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "mesh": mujoco.mjtGeom.mjGEOM_MESH,
}


def picture_model(
    spec: mujoco.MjSpec, looks: Appearance, person: tuple[float, float] | None = None
) -> mujoco.MjModel:
    """Return a robot compiled for pictures; poses fit as they fit the robot.

    Args:
        spec: the robot, alone or with its ground; it is copied, not changed.
        looks: what is drawn on its bodies; those without anything show their shapes.
        person: where a figure of 1.8 m stands, to show its size, if any [m].

    Raises:
        ConfigError: MuJoCo cannot build it.
    """
    spec = spec.copy()
    bodies = {body.name: body for body in spec.bodies}
    for name in looks.bodies & set(bodies):
        for geom in bodies[name].geoms:
            geom.group = HIDDEN_GROUP
    for k, mesh in enumerate(looks.meshes):
        add_surface(spec, f"{MESH}{k}", mesh)
    for shape in looks.shapes:
        if shape.visual.body not in bodies:
            continue
        geom = bodies[shape.visual.body].add_geom(
            type=TYPES[shape.visual.kind],
            pos=shape.visual.pos,
            quat=shape.visual.quat,
            rgba=shape.rgba,
            mass=0.0,
            contype=0,
            conaffinity=0,
            group=0,
        )
        if shape.mesh >= 0:
            geom.meshname = f"{MESH}{shape.mesh}"
        else:
            geom.size = shape.visual.size
    add_link_bodies(spec)
    if person is not None:
        add_person(spec, *person)
    spec.compiler.discardvisual = False
    spec.compiler.balanceinertia = True  # one that is at its bound, but for rounding
    return built(spec, "the picture of the robot")


def add_surface(spec: mujoco.MjSpec, name: str, mesh: Surface3D) -> None:
    """Add triangles as a mesh.

    Args:
        spec: what gets it.
        name: of the mesh.
        mesh: the triangles.
    """
    vertices = mesh.vertices
    if len(vertices) < 4:  # as few as MuJoCo takes
        vertices = np.vstack([vertices, vertices[-1:]])
    spec.add_mesh(
        name=name,
        uservert=vertices.ravel(),
        userface=mesh.faces.ravel(),
        scale=[1.0, 1.0, 1.0],  # whatever a file's defaults say
        refpos=[0.0, 0.0, 0.0],
        refquat=[1.0, 0.0, 0.0, 0.0],
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
    )
