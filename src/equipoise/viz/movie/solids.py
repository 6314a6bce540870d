"""Everything visible of a model as triangles, made once and placed in each frame.

Round shapes become polyhedra whose corners carry the round shape's normals, so that
they still look round.
"""

from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.viz.shapes import (
    HEIGHT_FIELD,
    MESHES,
    geom_colours,
    height_surface,
    is_plane,
    is_visible,
)

__all__ = ["Solids", "solids_of"]

GEOM = mujoco.mjtGeom
ROUND = 24
"""Sides of a circle."""
Patch: TypeAlias = tuple[Array, Array]
"""Corners and their normals, both (n, 3, 3), in the geom's frame."""


@final
@dataclass(frozen=True, eq=False)
class Solids:
    """Triangles of all visible geoms; ``placed`` puts them into the world."""

    corners: Array = field(repr=False)
    """(n, 3, 3) [m], in the frame of their geom."""
    normals: Array = field(repr=False)
    """At the corners, unit, (n, 3, 3)."""
    colours: Array = field(repr=False)
    """Red, green and blue, (n, 3) in [0, 1]."""
    is_ground: NDArray[np.bool_] = field(repr=False)
    """Whether a triangle belongs to the world, (n,)."""
    geoms: Ints
    """Which geoms there are, (m,)."""
    first: Ints
    """Where the triangles of each begin, and their number at last, (m + 1,)."""

    def placed(self, data: mujoco.MjData) -> Array:
        """Return corners (rows 0 to 2), normals (3 to 5), colour (6), (n, 7, 3).

        Args:
            data: a pose, its kinematics computed.
        """
        found = np.empty((len(self.corners), 7, 3))
        for k, geom in enumerate(self.geoms):
            own = slice(self.first[k], self.first[k + 1])
            R_WG = data.geom_xmat[geom].reshape(3, 3)
            _place(
                self.corners[own],
                self.normals[own],
                R_WG,
                data.geom_xpos[geom],
                found[own],
            )
        found[:, 6] = self.colours
        return found


@compiled(allocates=False)
def _place(corners: Array, normals: Array, R: Array, p: Array, found: Array) -> None:
    """Write triangles of a geom as they are in the world.

    Args:
        corners: in the geom's frame, (n, 3, 3) [m].
        normals: at the corners, (n, 3, 3).
        R: attitude of the geom, (3, 3).
        p: its place, (3,) [m].
        found: corners (rows 0 to 2) and normals (3 to 5), (n, 7, 3); overwritten.
    """
    for t in range(corners.shape[0]):
        for k in range(3):
            for i in range(3):
                x = y = 0.0
                for j in range(3):
                    x += R[i, j] * corners[t, k, j]
                    y += R[i, j] * normals[t, k, j]
                found[t, k, i] = x + p[i]
                found[t, 3 + k, i] = y


def solids_of(model: mujoco.MjModel) -> Solids:
    """Return the triangles of all visible geoms that are no plane.

    Args:
        model: compiled model.
    """
    drawn = np.flatnonzero(is_visible(model) & ~is_plane(model))
    patches = [_patch_of(model, int(geom)) for geom in drawn]
    counts = [len(corners) for corners, _ in patches]
    none = np.zeros((0, 3, 3))
    return Solids(
        np.concatenate([none, *(corners for corners, _ in patches)]),
        np.concatenate([none, *(normals for _, normals in patches)]),
        np.repeat(geom_colours(model)[drawn, :3], counts, axis=0),
        np.repeat(model.geom_bodyid[drawn] == 0, counts),
        drawn.astype(np.int64),
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
    )


def _patch_of(model: mujoco.MjModel, geom: int) -> Patch:
    """Return a geom's triangles; nothing for kinds that have no surface."""
    kind, size = int(model.geom_type[geom]), model.geom_size[geom]
    if kind == int(GEOM.mjGEOM_BOX):
        return _flat(_box(size))
    if kind in MESHES:
        return _mesh(model, int(model.geom_dataid[geom]))
    if kind == HEIGHT_FIELD:
        points, faces = height_surface(model, geom)
        return _flat(points[faces])
    if kind in (int(GEOM.mjGEOM_SPHERE), int(GEOM.mjGEOM_ELLIPSOID)):
        axes = np.full(3, size[0]) if kind == int(GEOM.mjGEOM_SPHERE) else size
        balls = _ball(0.0)
        normals = balls / axes
        return balls * axes, _unit(normals)
    if kind == int(GEOM.mjGEOM_CAPSULE):
        ends = [(_ball(s) * size[0], s * size[1]) for s in (-1.0, 1.0)]
        caps = [corners + np.array((0.0, 0.0, shift)) for corners, shift in ends]
        side, out = _tube(size[0], size[1])
        round_ends = [_unit(corners) for corners, _ in ends]
        return np.concatenate((*caps, side)), np.concatenate((*round_ends, out))
    if kind == int(GEOM.mjGEOM_CYLINDER):
        side, out = _tube(size[0], size[1])
        lids, up = _flat(_discs(size[0], size[1]))
        return np.concatenate((side, lids)), np.concatenate((out, up))
    return np.zeros((0, 3, 3)), np.zeros((0, 3, 3))


def _unit(vectors: Array) -> Array:
    """Return vectors of length one, (..., 3)."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
    return vectors / np.maximum(length, 1e-30)[..., None]


def _flat(corners: Array) -> Patch:
    """Return triangles (n, 3, 3) with the normal of each at its corners."""
    a, b, c = np.moveaxis(corners, 1, 0)
    normals = _unit(np.cross(b - a, c - a))
    return corners, np.repeat(normals[:, None], 3, axis=1)


def _halves(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Return quadrangles with corners a, b, c, d in order, (n, 3), as triangles."""
    return np.concatenate((np.stack((a, b, c), axis=1), np.stack((a, c, d), axis=1)))


def _box(half: Array) -> Array:
    """Return a box by half its sides."""
    low, high = -1.0, 1.0
    faces: list[Array] = []
    for axis, side in product(range(3), (low, high)):
        u, v = [k for k in range(3) if k != axis]
        corners = np.zeros((4, 3))
        corners[:, axis] = side
        corners[:, u], corners[:, v] = (low, high, high, low), (low, low, high, high)
        faces.append(corners)
    quads = np.array(faces) * half
    return _halves(*np.moveaxis(quads, 1, 0))


def _ball(half: float) -> Array:
    """Return a unit ball; of one ``half`` (1 the upper, -1 the lower) if not 0."""
    low, high = (-np.pi / 2 if half <= 0 else 0.0), (np.pi / 2 if half >= 0 else 0.0)
    rings = ROUND // 2 if half == 0.0 else ROUND // 4
    lat = np.linspace(low, high, rings + 1)
    lon = np.linspace(0.0, 2.0 * np.pi, ROUND + 1)
    x = np.cos(lat)[:, None] * np.cos(lon)
    y = np.cos(lat)[:, None] * np.sin(lon)
    z = np.repeat(np.sin(lat)[:, None], len(lon), axis=1)
    return _grid(np.stack((x, y, z), axis=2))


def _grid(points: Array) -> Array:
    """Return a net of points (rows, columns, 3) as triangles."""
    a, b = points[:-1, :-1], points[:-1, 1:]
    c, d = points[1:, 1:], points[1:, :-1]
    return _halves(*(corner.reshape(-1, 3) for corner in (a, b, c, d)))


def _circle() -> Array:
    """Return a unit circle's corners, the first again at last, (ROUND + 1, 3)."""
    angle = np.linspace(0.0, 2.0 * np.pi, ROUND + 1)
    return np.stack((np.cos(angle), np.sin(angle), 0.0 * angle), axis=1)


def _tube(radius: float, half: float) -> Patch:
    """Return the side of a cylinder along z, of half a length."""
    rim, way = _circle(), np.array((0.0, 0.0, half))
    side = _grid(np.stack((radius * rim - way, radius * rim + way)))
    return side, _grid(np.stack((rim, rim)))


def _discs(radius: float, half: float) -> Array:
    """Return the lids of a cylinder along z."""
    rim = radius * _circle()
    lids: list[Array] = []
    for height in (-half, half):
        middle = np.tile((0.0, 0.0, height), (ROUND, 1))
        edge = rim + np.array((0.0, 0.0, height))
        lids.append(np.stack((middle, edge[:-1], edge[1:]), axis=1))
    return np.concatenate(lids)


def _mesh(model: mujoco.MjModel, number: int) -> Patch:
    """Return a mesh's triangles, with the smooth normals that the engine made."""
    v, nv = int(model.mesh_vertadr[number]), int(model.mesh_vertnum[number])
    f, nf = int(model.mesh_faceadr[number]), int(model.mesh_facenum[number])
    n, nn = int(model.mesh_normaladr[number]), int(model.mesh_normalnum[number])
    points = model.mesh_vert[v : v + nv].astype(np.float64)
    normals = model.mesh_normal[n : n + nn].astype(np.float64)
    faces = slice(f, f + nf)
    return points[model.mesh_face[faces]], normals[model.mesh_facenormal[faces]]
