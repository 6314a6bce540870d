"""Triangles for the eye: a surface in one colour, and how it is made smaller."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.arrays import Array
from equipoise.core.errors import BadFileError
from equipoise.robots.files.visual import Colour

__all__ = ["Surface3D", "coarser", "surface", "welded"]

LARGEST = 1e6
"""Coordinate of a corner [m]; beyond it a file's unit is wrong."""
FINEST, ROUNDS = 2048, 14


@final
@dataclass(frozen=True, eq=False)
class Surface3D:
    """Triangles of one colour, in the frame of the file that they are from."""

    vertices: NDArray[np.float32] = field(repr=False)
    """Corners, (nv, 3) [m]."""
    faces: NDArray[np.int32] = field(repr=False)
    """Which three corners make a triangle, (nf, 3)."""
    rgba: Colour | None = None
    """Of its material; None where the file does not say."""

    @property
    def bytes(self) -> int:
        """Of memory."""
        return self.vertices.nbytes + self.faces.nbytes

    @cached_property
    def digest(self) -> str:
        """Of its shape: two surfaces with the same are one; colour does not count."""
        text = hashlib.sha256(self.vertices.tobytes())
        text.update(self.faces.tobytes())
        return text.hexdigest()


def surface(
    vertices: ArrayLike, faces: ArrayLike, rgba: Colour | None = None
) -> Surface3D:
    """Return a surface without corners that nothing uses, and flat triangles left out.

    Args:
        vertices: corners, (nv, 3) [m].
        faces: three corners a triangle, (nf, 3).
        rgba: its colour, if any.

    Raises:
        BadFileError: what is wrong, as the end of a sentence about the file.
    """
    corners = np.asarray(vertices, np.float64).reshape(-1, 3)
    triples = np.asarray(faces, np.int64).reshape(-1, 3)
    if not len(triples):
        raise BadFileError("has no triangles")
    if triples.min() < 0 or triples.max() >= len(corners):
        raise BadFileError("has a triangle with a corner that is not there")
    used, triples = np.unique(triples, return_inverse=True)
    corners, triples = corners[used], triples.reshape(-1, 3)
    if not (np.abs(corners) <= LARGEST).all():  # NaN too
        raise BadFileError(f"has a corner that is not within {LARGEST:g} m")
    return welded(corners, triples, rgba)


def welded(vertices: Array, faces: np.ndarray, rgba: Colour | None) -> Surface3D:
    """Return a surface in which corners at the same place are one.

    Args:
        vertices: (nv, 3) [m].
        faces: (nf, 3).
        rgba: its colour, if any.

    Raises:
        BadFileError: nothing is left.
    """
    single = np.ascontiguousarray(vertices, np.float32) + np.float32(0.0)  # no -0
    whole = single.view([("", np.float32)] * 3).ravel()
    _, first, place = np.unique(whole, return_index=True, return_inverse=True)
    triples = place[faces]
    a, b, c = triples.T
    triples = triples[(a != b) & (b != c) & (c != a)]
    if not len(triples):
        raise BadFileError("has no triangle with an area")
    return Surface3D(single[first], triples.astype(np.int32), rgba)


def coarser(fine: Surface3D, most: int) -> Surface3D:
    """Return a surface of at most so many triangles, corners of a cell made one.

    Corners are gathered on a grid, as fine as the count allows, at their mean
    [Rossignac1993]; triangles with two corners in one cell go.

    Args:
        fine: the surface.
        most: triangles, > 0.
    """
    if len(fine.faces) <= most:
        return fine
    low = fine.vertices.min(axis=0)
    side = float((fine.vertices.max(axis=0) - low).max())
    least, cells, best = 1, FINEST, None
    for _ in range(ROUNDS):  # halving: more cells, more triangles
        middle = (least + cells) // 2
        trial = _clustered(fine, low, side / middle)
        if trial is not None and len(trial.faces) <= most:
            best, least = trial, middle
        elif trial is None:
            least = middle
        else:
            cells = middle
        if cells - least <= 1:
            break
    if best is None:
        return Surface3D(fine.vertices, fine.faces[:most], fine.rgba)
    return best


def _clustered(fine: Surface3D, low: np.ndarray, side: float) -> Surface3D | None:
    """Return a surface with one corner a cell of some side [m]; None if none left."""
    cell = np.floor((fine.vertices - low) / max(side, 1e-12)).astype(np.int64)
    key = (cell[:, 0] * 4096 + cell[:, 1]) * 4096 + cell[:, 2]
    _, place, count = np.unique(key, return_inverse=True, return_counts=True)
    sums = [np.bincount(place, x, len(count)) for x in fine.vertices.T]
    faces = place[fine.faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    if not len(faces):
        return None
    a, b, c = np.sort(faces, axis=1).T
    n = len(count)  # below 2**20, as files are below 64 MB
    _, first = np.unique((a * n + b) * n + c, return_index=True)
    faces = faces[np.sort(first)]
    used, faces = np.unique(faces, return_inverse=True)
    corners = (np.column_stack(sums) / count[:, None])[used]
    return Surface3D(
        corners.astype(np.float32), faces.reshape(-1, 3).astype(np.int32), fine.rgba
    )
