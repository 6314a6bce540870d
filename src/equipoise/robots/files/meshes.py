"""Where a robot file's meshes are, and what is left when some cannot be used.

``package://name/rest`` is looked for from the robot file's own folder upwards, so that
a checked-out description package works without a ROS installation. A mesh that is not
there, or that MuJoCo cannot read, is dropped and named: its body's mass is kept, its
shape is not known.
"""

from pathlib import Path
from typing import Any

import mujoco

__all__ = ["READABLE", "drop_mesh", "find_mesh", "settle_meshes", "unreadable_meshes"]

READABLE = (".stl", ".obj", ".msh")
MAX_MESH_BYTES = 256 * 2**20
SCHEMES = ("package://", "model://", "file://")


def find_mesh(name: str, folder: Path) -> Path | None:
    """Return the plain file that a mesh's name means, or None.

    Args:
        name: as the robot file writes it: a path, or ``package://``, ``model://`` or
            ``file://`` and a path.
        folder: the robot file's folder; where a package is looked for, so are all
            folders above.
    """
    scheme = next((s for s in SCHEMES if name.startswith(s)), "")
    rest = name[len(scheme) :]
    if scheme in ("package://", "model://"):
        rest = rest.lstrip("/")
        inside = rest.partition("/")[
            2
        ]  # for a package whose folder is called otherwise
        above = [folder, *folder.parents]
        places = [f / rest for f in above] + [f / inside for f in above if inside]
    else:
        places = [folder / rest]
    return next((place for place in places if is_plain(place)), None)


def is_plain(path: Path) -> bool:
    """Say whether a path is a plain file of a size that can be read."""
    try:
        return path.is_file() and path.stat().st_size <= MAX_MESH_BYTES
    except (OSError, ValueError):
        return False


def settle_meshes(
    spec: mujoco.MjSpec, folder: Path, is_urdf: bool
) -> list[tuple[str, str]]:
    """Point every mesh of a robot at its file, and drop those that have none.

    An MJCF file's mesh is dropped only where the bodies that use it say their own mass,
    as the mesh would be their mass otherwise; MuJoCo then refuses the file.

    Args:
        spec: the robot as read; it is changed.
        folder: the robot file's folder.
        is_urdf: whether it came from a URDF file.

    Returns:
        (body, what was dropped and why) for each shape that was dropped.
    """
    dropped: list[tuple[str, str]] = []
    for mesh in list(spec.meshes):
        if not mesh.file or mesh.content_type:
            continue
        meshdir = "" if is_urdf else spec.meshdir
        path = find_mesh(mesh.file, folder / meshdir)
        if path is not None and path.suffix.lower() in READABLE:
            if is_urdf:
                mesh.file = str(path.resolve())
                # masses are the file's own, and a flat mesh has no volume
                mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
            continue
        why = (
            "is not there"
            if path is None
            else f"is {path.suffix or 'of no kind'}, not .stl, .obj or .msh"
        )
        if is_urdf or all(b.explicitinertial for b in users(spec, mesh)):
            dropped += drop_mesh(spec, mesh, why)
    return dropped


def users(spec: mujoco.MjSpec, mesh: Any) -> list[Any]:
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
    said = f"mesh {mesh.file} {why}"
    bodies = [body.name for body in users(spec, mesh)]
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
