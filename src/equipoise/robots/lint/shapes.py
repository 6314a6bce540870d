"""Shapes as robot files write them: corner points, volume, centre.

Only what lint needs: round shapes become polyhedra inside them, meshes are read from
STL and OBJ files directly, so that a file that no engine accepts can be looked at.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.errors import BadFileError
from equipoise.robots.files.raw import file_bytes

__all__ = ["LintShape", "mesh_shape", "round_shape"]

MAX_MESH_BYTES = 64 * 2**20
SIDES = 16
"""Of the polygon inside a circle; 2 % of the radius are lost."""


@dataclass(frozen=True)
class LintShape:
    """One shape of a body, in the body's frame."""

    points: Array
    """Corners, (n, 3) [m]."""
    volume: float
    """[m³]."""
    mesh: str = ""
    """The mesh's file, as the robot file names it."""
    is_drawn: bool = False
    """Whether it is for the eye only, beside shapes for collision."""

    @property
    def centre(self) -> Vec3:
        """Middle of its corners' box, (3,) [m]."""
        return 0.5 * (self.points.min(axis=0) + self.points.max(axis=0))

    @property
    def extent(self) -> float:
        """Longest side of its corners' box [m]."""
        return float(np.ptp(self.points, axis=0).max())

    def placed(self, R_BS: Mat3, p_BS: Vec3) -> "LintShape":
        """Return the shape turned and moved."""
        return replace(self, points=self.points @ R_BS.T + p_BS)


def round_shape(kind: str, size: Array) -> LintShape | None:
    """Return a simple shape about its own origin, or None for an unknown kind.

    Args:
        kind: box, sphere, cylinder, capsule or ellipsoid; the axis is z.
        size: half sides; or radius; or radius and half length without the caps.
    """
    wanted = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "ellipsoid": 3}
    if kind not in wanted or len(size) < wanted[kind] or not np.isfinite(size).all():
        return None
    if kind == "box":
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        return LintShape(signs * size[:3], float(8.0 * np.prod(np.abs(size[:3]))))
    if kind in ("sphere", "ellipsoid"):
        half = np.full(3, size[0]) if kind == "sphere" else size[:3]
        volume = 4.0 / 3.0 * np.pi * abs(float(np.prod(half)))
        return LintShape(_ball_points() * half, volume)
    radius, half_length = float(size[0]), float(size[1])
    volume = np.pi * radius**2 * 2.0 * half_length
    along = np.array([0.0, 0.0, half_length])
    if kind == "capsule":
        ball = radius * _ball_points()
        volume += 4.0 / 3.0 * np.pi * radius**3
        return LintShape(np.vstack([ball - along, ball + along]), abs(volume))
    turn = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    ring = radius * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    return LintShape(np.vstack([ring - along, ring + along]), abs(volume))


def _ball_points() -> Array:
    """Return points on the unit sphere, poles and axes among them, (n, 3)."""
    turn = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    lift = np.linspace(-0.5 * np.pi, 0.5 * np.pi, SIDES // 2 + 1)
    a, b = (grid.ravel() for grid in np.meshgrid(turn, lift))
    return np.stack([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)], axis=1)


def mesh_shape(path: Path | None, scale: Array, name: str) -> LintShape | None:
    """Return a mesh file's shape, or None where it cannot be read.

    Args:
        path: the file, or None.
        scale: factors along x, y, z, (3,).
        name: as the robot file names it.
    """
    if path is None or path.suffix.lower() not in (".stl", ".obj"):
        return None
    try:
        content = file_bytes(path, MAX_MESH_BYTES)
        is_stl = path.suffix.lower() == ".stl"
        corners = _stl_triangles(content) if is_stl else _obj_triangles(content)
    except (BadFileError, ValueError, IndexError):
        return None
    if len(corners) == 0 or not np.isfinite(corners).all():
        return None
    corners = corners * scale
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    volume = abs(float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum())) / 6.0
    return LintShape(_extremes(corners.reshape(-1, 3)), volume, name)


def _extremes(points: Array) -> Array:
    """Return the points that are farthest in 144 directions, the axes among them."""
    parts = np.array_split(_ball_points(), 12)  # of a large mesh, one after the other
    return points[np.concatenate([np.argmax(d @ points.T, axis=1) for d in parts])]


def _stl_triangles(content: bytes) -> Array:
    """Return an STL file's triangles, (n, 3, 3)."""
    count = int.from_bytes(content[80:84], "little") if len(content) >= 84 else 0
    if len(content) == 84 + 50 * count:
        kind = np.dtype([("normal", "<f4", 3), ("at", "<f4", (3, 3)), ("more", "<u2")])
        return np.frombuffer(content, kind, count, 84)["at"].astype(float)
    lines = (line.split() for line in content.decode("ascii", "replace").splitlines())
    corners = [[float(x) for x in w[1:4]] for w in lines if w and w[0] == "vertex"]
    return np.array(corners).reshape(-1, 3, 3)


def _obj_triangles(content: bytes) -> Array:
    """Return an OBJ file's faces as triangles, (n, 3, 3)."""
    lines = content.splitlines()
    at = [line[2:].split()[:3] for line in lines if line.startswith(b"v ")]
    corners = np.array(at, dtype=float).reshape(-1, 3)
    rings = [line[2:] for line in lines if line.startswith(b"f ")]
    words = re.sub(rb"/\S*", b"", b"\n".join(rings)).split(b"\n")
    faces: list[tuple[int, int, int]] = []
    for word in words:
        ring = [int(k) for k in word.split()]
        ring = [k - 1 if k > 0 else len(corners) + k for k in ring]
        if ring:
            faces += [(ring[0], *pair) for pair in pairwise(ring[1:])]
    return corners[np.array(faces, dtype=int).reshape(-1, 3)]
