"""A robot that names no files: what touches in its own text, what is seen beside it.

MuJoCo lets a mesh touch by its convex hull; here that hull is written out, so that the
text alone is the whole mechanism. The mesh itself, as far as it can be seen, goes to
the robot's appearance, and so do meshes that are only drawn.
"""

import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import mujoco
import numpy as np

from equipoise.core.errors import BadFileError
from equipoise.robots.files.mjcf import mjcf_text
from equipoise.robots.files.visual import Colour, Visual
from equipoise.robots.visuals.appearance import (
    MOST_TRIANGLES,
    Appearance,
    DrawnShape,
    meshes_within_budget,
)
from equipoise.robots.visuals.picture import HIDDEN_GROUP, add_surface
from equipoise.robots.visuals.triangles import Surface3D, coarser, surface
from equipoise.spatial.rotations import matrix_from_quat

__all__ = ["MeshShape", "Portrait", "mesh_shapes", "portrait_of"]

SEEN = (0, 1, 2)
"""Groups of shapes that pictures show."""
MESH = mujoco.mjtGeom.mjGEOM_MESH
QUATERNION = mujoco.mjtOrientation.mjORIENTATION_QUAT
"""How a turn is told; angles of a file would count instead of it."""
ROUNDING = 1e-9
"""By which an inertia that a body can just have is made larger, of its largest."""
HULL = "hull:"
"""How the names of hulls begin."""


class MeshShape(NamedTuple):
    """A mesh of a compiled robot, at its size."""

    seen: Surface3D
    """For the eye, not too fine, in the frame that MuJoCo gives it."""
    hull: Surface3D | None
    """What touches, in the frame of its file; None where nothing touches it."""
    triangles: int
    """That the file has."""


def _names_files(spec: mujoco.MjSpec) -> bool:
    """Return whether a robot has anything that may come from another file.

    Args:
        spec: the robot.
    """
    return bool(spec.meshes or spec.textures or spec.hfields or spec.skins)


def mesh_shapes(model: mujoco.MjModel) -> dict[str, MeshShape]:
    """Return the meshes of a robot by name.

    Args:
        model: the robot, compiled.
    """
    found: dict[str, MeshShape] = {}
    for k in range(model.nmesh):
        first, count = int(model.mesh_vertadr[k]), int(model.mesh_vertnum[k])
        corners = model.mesh_vert[first : first + count].astype(np.float64)
        first, count = int(model.mesh_faceadr[k]), int(model.mesh_facenum[k])
        faces = model.mesh_face[first : first + count]
        with suppress(BadFileError):  # a mesh of nothing: none to see or to touch
            whole, hull = surface(corners, faces), _hull_of(model, k, corners)
            shape = MeshShape(coarser(whole, MOST_TRIANGLES), hull, len(whole.faces))
            found[str(model.mesh(k).name)] = shape
    return found


def _hull_of(model: mujoco.MjModel, mesh: int, corners: np.ndarray) -> Surface3D | None:
    """Return a mesh's convex hull as the engine has it."""
    at = int(model.mesh_graphadr[mesh])
    if at < 0:
        return None
    graph = model.mesh_graph[at:]  # counts; edges' starts; corners; edges; triangles
    nv, nf = int(graph[0]), int(graph[1])
    start = 2 + 3 * nv + 3 * nf
    R, p = matrix_from_quat(model.mesh_quat[mesh]), model.mesh_pos[mesh]
    return surface(corners @ R.T + p, graph[start : start + 3 * nf])


class Portrait(NamedTuple):
    """A scene that needs no other file."""

    text: str
    """What moves and touches, as MJCF."""
    looks: Appearance
    """What is drawn besides."""


def portrait_of(
    scene: mujoco.MjSpec,
    shapes: Mapping[str, MeshShape],
    looks: Appearance,
    is_exact: bool = False,
) -> Portrait:
    """Return a scene as text and triangles.

    Args:
        scene: the robot and what is with it; it is copied, not changed.
        shapes: its meshes, of ``mesh_shapes``.
        looks: what is drawn of the robot already.
        is_exact: whether numbers keep all digits, as those of a file should; else six.
    """
    with warnings.catch_warnings():  # MuJoCo's, about attributes it will not keep
        warnings.simplefilter("ignore", UserWarning)
        if is_exact or _names_files(scene):
            spec, looks = _standalone(scene, shapes, looks)
            return Portrait(mjcf_text(spec), looks)
        spec = scene.copy()
        spec.compile()
        return Portrait(str(spec.to_xml()), looks)


def _standalone(
    scene: mujoco.MjSpec, shapes: Mapping[str, MeshShape], looks: Appearance
) -> tuple[mujoco.MjSpec, Appearance]:
    """Return a scene that names no files, and what is drawn beside its shapes.

    Args:
        scene: the robot and what is with it; it is copied, not changed.
        shapes: its meshes, of ``mesh_shapes``.
        looks: what is drawn of the robot already; bodies in it need no more.
    """
    spec, model = scene.copy(), scene.copy().compile()
    _say_all(spec, model)
    paired = {name for pair in spec.pairs for name in (pair.geomname1, pair.geomname2)}
    seen: list[tuple[Visual, Colour, str]] = []
    used: set[str] = set()
    for k, geom in enumerate(list(spec.geoms)):  # in the order of the model
        mesh, body = str(geom.meshname), str(geom.parent.name)
        if not mesh:
            continue
        if body not in looks.bodies and int(geom.group) in SEEN and mesh in shapes:
            visual = Visual(body=body, kind="mesh", **_place_of(model, k))
            seen.append((visual, _colour_of(model, k), mesh))
        if geom.contype or geom.conaffinity or geom.name in paired:
            geom.group, geom.meshname = HIDDEN_GROUP, f"{HULL}{mesh}"
            used.add(mesh)
        else:
            spec.delete(geom)
    for mesh in list(spec.meshes):
        hull = shapes[mesh.name].hull if mesh.name in used else None
        if hull is not None:
            add_surface(spec, f"{HULL}{mesh.name}", hull)
        spec.delete(mesh)
    _drop_paint(spec)
    return spec, _with_meshes(looks, seen, shapes)


def _say_all(spec: mujoco.MjSpec, model: mujoco.MjModel) -> None:
    """Write down what a scene leaves to its meshes and files: masses, sizes, heights.

    Args:
        spec: the scene; it is changed.
        model: what it compiles to.
    """
    for k, body in enumerate(spec.bodies):
        moments, largest = model.body_inertia[k], float(model.body_inertia[k].max())
        is_edge = float(moments.sum()) <= (2.0 + ROUNDING) * largest  # A + B = C
        if k and model.body_mass[k] > 0.0 and (is_edge or not body.explicitinertial):
            body.explicitinertial = True
            body.mass = float(model.body_mass[k])
            body.ipos, body.iquat = model.body_ipos[k], model.body_iquat[k]
            body.fullinertia = np.full(6, np.nan)
            body.inertia = moments + (ROUNDING * largest if is_edge else 0.0)
    spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
    for k, geom in enumerate(spec.geoms):
        if geom.meshname and geom.type != MESH:  # a simple shape fitted to a mesh
            geom.pos, geom.quat = model.geom_pos[k], model.geom_quat[k]
            geom.alt.type = QUATERNION
            geom.size, geom.meshname = model.geom_size[k], ""
    for k, field in enumerate(spec.hfields):
        first = int(model.hfield_adr[k])
        field.nrow, field.ncol = int(model.hfield_nrow[k]), int(model.hfield_ncol[k])
        field.userdata = model.hfield_data[first : first + field.nrow * field.ncol]
        field.file, field.content_type = "", ""


def _drop_paint(spec: mujoco.MjSpec) -> None:
    """Take away skins and pictures on surfaces."""
    for material in spec.materials:
        material.textures = [""] * len(material.textures)
    for thing in [*spec.textures, *spec.skins]:
        spec.delete(thing)


def _place_of(model: mujoco.MjModel, geom: int) -> dict[str, Any]:
    """Return where a geom's mesh is on its body, as MuJoCo has it."""
    return {
        "pos": tuple(model.geom_pos[geom].tolist()),
        "quat": tuple(model.geom_quat[geom].tolist()),
    }


def _colour_of(model: mujoco.MjModel, geom: int) -> Colour:
    """Return a geom's colour: its own, else its material's."""
    material, rgba = int(model.geom_matid[geom]), model.geom_rgba[geom]
    if material >= 0 and (rgba == (0.5, 0.5, 0.5, 1.0)).all():
        rgba = model.mat_rgba[material]
    r, g, b, a = rgba.tolist()
    return r, g, b, a


def _with_meshes(
    looks: Appearance,
    seen: list[tuple[Visual, Colour, str]],
    shapes: Mapping[str, MeshShape],
) -> Appearance:
    """Return an appearance with more meshes on bodies that keep their other shapes."""
    if not seen:
        return looks
    meshes, drawn, coarse = list(looks.meshes), list(looks.shapes), list(looks.coarse)
    places = {mesh.digest: k for k, mesh in enumerate(meshes)}
    for visual, rgba, name in seen:
        shape = shapes[name]
        place = places.setdefault(shape.seen.digest, len(meshes))
        if place == len(meshes):
            meshes.append(shape.seen)
            count, kept = shape.triangles, len(shape.seen.faces)
            if kept < count:
                coarse.append(f"mesh {name} is shown with {kept} of {count} triangles")
        drawn.append(DrawnShape(visual, rgba, place, False))
    meshes, more = meshes_within_budget(meshes)
    return Appearance(tuple(drawn), tuple(meshes), looks.unseen, (*coarse, *more))
