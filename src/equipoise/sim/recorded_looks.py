"""How a robot looks, in its recording: shapes and triangles as arrays, each mesh once.

A recording is a stranger's file: what is read back is checked before it is drawn.
"""

import re
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.robots.files.visual import Visual
from equipoise.robots.visuals.appearance import Appearance, DrawnShape
from equipoise.robots.visuals.picture import TYPES, picture_model
from equipoise.robots.visuals.triangles import Surface3D, surface

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["looks_in", "looks_signals", "recorded_spec", "replay_model"]

NAMES_A_FILE = re.compile(r"<include|\b\w*file\w*\s*=")
SHAPES, MESHES = ("visual",), ("mesh",)
LARGEST = 1e6  # [m]
MOST_SHAPES, MOST_TRIANGLES = 20_000, 4_000_000


def looks_signals(looks: Appearance) -> dict[str, Any]:
    """Return what is drawn of a robot as variables of a recording.

    Args:
        looks: what is drawn; nothing gives no variable.
    """
    shapes, meshes = looks.shapes, looks.meshes
    notes = {"not_shown": looks.unseen, "shown_coarsely": looks.coarse}
    said: dict[str, Any] = {
        name: ((name,), list(lines)) for name, lines in notes.items() if lines
    }
    if not shapes:
        return said
    corners = [mesh.vertices for mesh in meshes] or [np.zeros((0, 3), np.float32)]
    faces = [mesh.faces for mesh in meshes] or [np.zeros((0, 3), np.int32)]
    quats, colours = (*SHAPES, "visual_wxyz"), (*SHAPES, "visual_channel")
    return said | {
        "visual_body": (SHAPES, [s.visual.body for s in shapes]),
        "visual_kind": (SHAPES, [s.visual.kind for s in shapes]),
        "visual_size": ((*SHAPES, "axis"), [s.visual.size for s in shapes]),
        "visual_pos": ((*SHAPES, "axis"), [s.visual.pos for s in shapes]),
        "visual_quat": (quats, [s.visual.quat for s in shapes]),
        "visual_rgba": (colours, np.array([s.rgba for s in shapes], np.float32)),
        "visual_mesh": (SHAPES, np.array([s.mesh for s in shapes], np.int32)),
        "visual_instead": (SHAPES, np.array([s.is_instead for s in shapes], np.int8)),
        "mesh_corners": (MESHES, np.array([len(m.vertices) for m in meshes], np.int32)),
        "mesh_triangles": (MESHES, np.array([len(m.faces) for m in meshes], np.int32)),
        "mesh_vertex": (("mesh_point", "axis"), np.vstack(corners), {"units": "m"}),
        "mesh_face": (("mesh_triangle", "mesh_side"), np.vstack(faces)),
    }


def looks_in(dataset: "xr.Dataset", where: str = "the run") -> Appearance:
    """Return what is drawn of the robot of a recorded run besides its shapes.

    Args:
        dataset: a run.
        where: what it is called in an error, its file.

    Raises:
        BadFileError: what is there does not fit together.
    """
    if "visual_body" not in dataset:
        return Appearance()
    try:
        meshes = _meshes_in(dataset)
        shapes = [_shape_in(dataset, k, len(meshes)) for k in range(_count(dataset))]
    except (KeyError, ValueError, IndexError, TypeError, OverflowError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadFileError(
            f"{where} has visuals that do not fit together ({reason}); record it again."
        ) from None
    return Appearance(tuple(shapes), tuple(meshes))


def _count(dataset: "xr.Dataset") -> int:
    """Return how many shapes there are."""
    many = len(dataset["visual_body"].values)
    if many > MOST_SHAPES:
        raise ValueError(f"{many} shapes, at most {MOST_SHAPES}")
    return many


def _meshes_in(dataset: "xr.Dataset") -> list[Surface3D]:
    """Return the meshes of a recording; ValueError and others where they are broken."""
    corners = np.asarray(dataset["mesh_vertex"].values, np.float32).reshape(-1, 3)
    faces = np.asarray(dataset["mesh_face"].values, np.int64).reshape(-1, 3)
    if len(faces) > MOST_TRIANGLES:
        raise ValueError(f"{len(faces)} triangles, at most {MOST_TRIANGLES}")
    counts = [dataset[name].values for name in ("mesh_corners", "mesh_triangles")]
    ends = [np.cumsum(np.asarray(n, np.int64)) for n in counts]
    meshes: list[Surface3D] = []
    v = f = 0
    for v_end, f_end in zip(*ends, strict=True):
        if not (v <= v_end <= len(corners) and f <= f_end <= len(faces)):
            raise ValueError("counts of corners or triangles")
        meshes.append(surface(corners[v:v_end], faces[f:f_end]))
        v, f = int(v_end), int(f_end)
    return meshes


def _shape_in(dataset: "xr.Dataset", k: int, meshes: int) -> DrawnShape:
    """Return one shape of a recording; ValueError and others where it is broken."""
    kind: Any = str(dataset["visual_kind"].values[k])
    numbers = {
        name: tuple(float(x) for x in dataset[f"visual_{name}"].values[k])
        for name in ("size", "pos", "quat", "rgba")
    }
    mesh = int(dataset["visual_mesh"].values[k])
    if not all(abs(x) <= LARGEST for values in numbers.values() for x in values):
        raise ValueError("a number that is too large, or none")
    if kind not in TYPES or not -1 <= mesh < meshes or (kind == "mesh") != (mesh >= 0):
        raise ValueError(f"a shape of kind '{kind[:20]}' with mesh {mesh}")
    size, pos, quat = numbers["size"], numbers["pos"], numbers["quat"]
    if (kind != "mesh" and not size[0] > 0.0) or not any(quat):
        raise ValueError(f"a {kind} of size {size} and orientation {quat}")
    r, g, b, a = (min(max(x, 0.0), 1.0) for x in numbers["rgba"])
    (sx, sy, sz), (x, y, z), (qw, qx, qy, qz) = size, pos, quat
    visual = Visual(
        body=str(dataset["visual_body"].values[k]),
        kind=kind,
        size=(sx, sy, sz),
        pos=(x, y, z),
        quat=(qw, qx, qy, qz),
    )
    is_instead = bool(dataset["visual_instead"].values[k])
    return DrawnShape(visual, (r, g, b, a), mesh, is_instead)


def recorded_spec(dataset: "xr.Dataset", where: str = "the run") -> mujoco.MjSpec:
    """Return what moved in a recorded run.

    Args:
        dataset: a run.
        where: what it is called in an error, its file.

    Raises:
        BadFileError: the run has no usable robot, or one that names files.
    """
    if not {"robot_mjcf", "qpos"} <= set(dataset.variables):
        raise BadFileError(f"{where} has no robot in it; record the run again.")
    text = str(dataset["robot_mjcf"].values[()])
    if NAMES_A_FILE.search(text):
        raise BadFileError(f"{where} has a robot that names other files; refused.")
    try:
        spec = mujoco.MjSpec.from_string(text)
        # an inertia that a body can just have may be written one digit beyond it
        spec.compiler.balanceinertia = True
        return spec
    except ValueError as error:
        reason = str(error).splitlines()[0]
        raise BadFileError(
            f"{where} has a robot that cannot be built ({reason})."
        ) from None


def replay_model(dataset: "xr.Dataset", where: str = "the run") -> mujoco.MjModel:
    """Return the compiled model of a recorded robot, for pictures and replays.

    Args:
        dataset: a run.
        where: what it is called in an error, its file.

    Raises:
        BadFileError: the run has no usable robot, or poses that do not fit it.
    """
    spec = recorded_spec(dataset, where)
    try:
        model = picture_model(spec, looks_in(dataset, where))
    except ConfigError as error:
        reason = str(error).splitlines()[0]
        raise BadFileError(
            f"{where} has a robot that cannot be built ({reason})."
        ) from None
    shape = dataset["qpos"].shape
    if len(shape) != 2 or shape[1] != model.nq or not np.prod(shape):
        raise BadFileError(
            f"{where} has poses of shape {shape}; its robot needs (any, {model.nq})."
        )
    return model
