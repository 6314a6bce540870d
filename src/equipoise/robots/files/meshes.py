"""Where a robot file's meshes are, and what is left when some cannot be used.

Where they are is in ``robots.files.places``. A mesh that is not there, or that MuJoCo
cannot read, is dropped and named: its body's mass is kept, its shape is not known.
"""

from typing import Any

import mujoco

from equipoise.core.text import shown
from equipoise.robots.files.places import MeshPlaces

__all__ = ["READABLE", "drop_mesh", "settle_meshes", "unreadable_meshes"]

READABLE = (".stl", ".obj", ".msh")
MOST_SHOWN = 120  # letters of a mesh's name in a sentence


def settle_meshes(
    spec: mujoco.MjSpec, places: MeshPlaces, is_urdf: bool
) -> list[tuple[str, str]]:
    """Point every mesh of a robot at its file, and drop those that have none.

    An MJCF file's mesh is dropped only where the bodies that use it say their own mass,
    as the mesh would be their mass otherwise; MuJoCo then refuses the file.

    Args:
        spec: the robot as read; it is changed.
        places: where its meshes are.
        is_urdf: whether it came from a URDF file.

    Returns:
        (body, what was dropped and why) for each shape that was dropped.
    """
    dropped: list[tuple[str, str]] = []
    for mesh in list(spec.meshes):
        if not mesh.file or mesh.content_type:
            continue
        path = places.find(mesh.file)
        if path is not None and path.suffix.lower() in READABLE:
            if is_urdf or "://" in mesh.file:
                mesh.file = str(path.resolve())
            if is_urdf:
                # masses are the file's own, and a flat mesh has no volume
                mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
            continue
        why = (
            places.why_missing(mesh.file)
            if path is None
            else f"is {path.suffix or 'of no kind'}, not .stl, .obj or .msh; convert it"
        )
        if is_urdf or all(b.explicitinertial for b in _users(spec, mesh)):
            dropped += drop_mesh(spec, mesh, why)
    return dropped


def _users(spec: mujoco.MjSpec, mesh: Any) -> list[Any]:
    """Return the bodies with a shape of this mesh, once a shape."""
    return [g.parent for g in spec.geoms if g.meshname == mesh.name]


def drop_mesh(spec: mujoco.MjSpec, mesh: Any, why: str) -> list[tuple[str, str]]:
    """Remove a mesh and the shapes made of it.

    Args:
        spec: the robot; it is changed.
        mesh: one of its meshes.
        why: what is wrong with it, as "is not there".

    Returns:
        (body, what was dropped and why) for each shape.
    """
    said = f"mesh {shown(mesh.file, MOST_SHOWN)} {why}"
    bodies = [body.name for body in _users(spec, mesh)]
    for geom in [g for g in spec.geoms if g.meshname == mesh.name]:
        spec.delete(geom)
    spec.delete(mesh)
    return [(body, said) for body in bodies]


def unreadable_meshes(spec: mujoco.MjSpec) -> list[tuple[Any, Exception]]:
    """Return the meshes that MuJoCo cannot make a shape of, each tried alone.

    Args:
        spec: the robot; its meshes name files with their full path.

    Returns:
        (mesh, MuJoCo's complaint) for each.
    """
    broken: list[tuple[Any, Exception]] = []
    for mesh in spec.meshes:
        alone = mujoco.MjSpec()
        alone.add_mesh(
            name=mesh.name, file=mesh.file, scale=mesh.scale, inertia=mesh.inertia
        )
        try:
            alone.compile()
        except (ValueError, RuntimeError, OSError, mujoco.FatalError) as error:
            broken.append((mesh, error))
    return broken
