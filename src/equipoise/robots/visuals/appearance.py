"""What is drawn of a robot: its visuals read, each mesh once, none of them huge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final

import numpy as np

from equipoise.core.errors import BadFileError
from equipoise.core.text import shown
from equipoise.robots.files.raw import file_bytes
from equipoise.robots.files.visual import GREY, Colour, Visual, not_shown
from equipoise.robots.visuals.dae import read_dae
from equipoise.robots.visuals.stl_obj import read_obj, read_stl
from equipoise.robots.visuals.triangles import Surface3D, coarser, surface

__all__ = [
    "Appearance",
    "DrawnShape",
    "appearance_of",
    "meshes_within_budget",
    "read_surfaces",
]

MOST_FILE_BYTES = 64 * 2**20
"""Of one mesh file; larger ones are not read."""
MOST_TRIANGLES = 20_000
"""Of one mesh file; the triangles of finer ones are joined."""
MOST_BYTES = 8 * 2**20
"""Of all meshes of a robot together."""


@final
@dataclass(frozen=True)
class DrawnShape:
    """A shape with a place, a colour, and for a mesh its triangles."""

    visual: Visual
    rgba: Colour
    mesh: int = -1
    """Which of the meshes; -1 for a simple shape."""
    is_instead: bool = True
    """Whether it is drawn instead of the shapes that its body has anyway."""


@final
@dataclass(frozen=True)
class Appearance:
    """All that is drawn of a robot beside its physics."""

    shapes: tuple[DrawnShape, ...] = ()
    meshes: tuple[Surface3D, ...] = field(default=(), repr=False)
    unseen: tuple[str, ...] = ()
    """What is not shown, and why, one line each."""
    coarse: tuple[str, ...] = ()
    """What is shown with fewer triangles than it has, one line each."""

    @property
    def bodies(self) -> frozenset[str]:
        """Bodies whose own shapes are not drawn, as something is instead of them."""
        return frozenset(s.visual.body for s in self.shapes if s.is_instead)


def appearance_of(visuals: Iterable[Visual], unseen: Sequence[str] = ()) -> Appearance:
    """Read what visuals name; what cannot be read is noted, never an error.

    Args:
        visuals: of a robot.
        unseen: what is known already not to be shown.
    """
    read: dict[tuple[str, tuple[float, ...]], list[Surface3D]] = {}
    places: dict[str, int] = {}
    meshes: list[Surface3D] = []
    shapes: list[DrawnShape] = []
    lost, coarse = list(unseen), []
    for visual in visuals:
        if visual.kind != "mesh":
            shapes.append(DrawnShape(visual, visual.rgba or GREY))
            continue
        key = visual.path, visual.size
        if key not in read:
            try:
                read[key], count = _scaled_surfaces(visual)
            except BadFileError as problem:
                read[key], count = [], 0
                lost.append(not_shown(visual.body, f"mesh {visual.name} {problem}"))
            kept = sum(len(part.faces) for part in read[key])
            if kept < count:
                said = f"is shown with {kept} of its {count} triangles"
                coarse.append(f"mesh {shown(visual.name)} {said}")
        for part in read[key]:
            mesh = places.setdefault(part.digest, len(meshes))
            if mesh == len(meshes):
                meshes.append(replace(part, rgba=None))
            colour = part.rgba or visual.rgba or GREY
            shapes.append(DrawnShape(visual, colour, mesh))
    meshes, more = meshes_within_budget(meshes)
    return Appearance(tuple(shapes), tuple(meshes), tuple(lost), (*coarse, *more))


def _scaled_surfaces(visual: Visual) -> tuple[list[Surface3D], int]:
    """Return a mesh's surfaces at their size, and how many triangles the file has."""
    factor = np.array(visual.size)
    if not factor.all():
        raise BadFileError("is scaled to nothing")
    parts = [_scaled(p, factor) for p in _merged(read_surfaces(Path(visual.path)))]
    count = sum(len(part.faces) for part in parts)
    share = min(MOST_TRIANGLES / count, 1.0)
    return [coarser(p, max(4, round(share * len(p.faces)))) for p in parts], count


def _scaled(part: Surface3D, factor: np.ndarray) -> Surface3D:
    """Return a surface times a factor along each axis; a mirror turns its triangles."""
    if (factor == 1.0).all():
        return part
    faces = part.faces if factor.prod() > 0.0 else part.faces[:, ::-1]
    return surface(part.vertices * factor, faces, part.rgba)


def read_surfaces(path: Path) -> list[Surface3D]:
    """Return the triangles of a mesh file, in its own unit, by colour.

    Args:
        path: the file; its ending says what it is.

    Raises:
        BadFileError: what is wrong, as the end of a sentence about the file.
    """
    ending = path.suffix.lower()
    content = file_bytes(path, MOST_FILE_BYTES)
    if ending == ".stl":
        return read_stl(content)
    if ending == ".obj":
        return read_obj(content, path.parent)
    return read_dae(content)


def _merged(parts: list[Surface3D]) -> list[Surface3D]:
    """Return surfaces of which those with one colour are one."""
    groups: dict[Colour | None, list[Surface3D]] = {}
    for part in parts:
        groups.setdefault(part.rgba, []).append(part)
    return [_together(own, rgba) for rgba, own in groups.items()]


def _together(parts: list[Surface3D], rgba: Colour | None) -> Surface3D:
    """Return several surfaces as one."""
    if len(parts) == 1:
        return parts[0]
    first = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    faces = [part.faces + k for part, k in zip(parts, first, strict=True)]
    return surface(np.vstack([p.vertices for p in parts]), np.vstack(faces), rgba)


def meshes_within_budget(meshes: list[Surface3D]) -> tuple[list[Surface3D], list[str]]:
    """Return meshes that fit into the budget, and a line if that took something.

    Args:
        meshes: all of a robot.
    """
    most, total = MOST_TRIANGLES, sum(mesh.bytes for mesh in meshes)
    small = meshes
    while sum(mesh.bytes for mesh in small) > MOST_BYTES and most > 4:
        most = most * 3 // 4
        small = [coarser(mesh, most) for mesh in meshes]
    if small is meshes:
        return meshes, []
    said = f"meshes of {total / 2**20:.1f} MiB are shown with at most {most} triangles"
    return small, [f"{said} each, to stay below {MOST_BYTES >> 20}"]
