"""Small URDF files for lint, whose masses and moments are known by hand."""

import math
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

__all__ = ["ball", "link", "linked", "tetrahedron"]


def link(
    name: str,
    mass: float,
    moments: Sequence[float],
    *,
    com: str = "0 0 0",
    products: str = "0 0 0",
    box: Sequence[float] | None = None,
    shape: str = "",
) -> str:
    """Return a link.

    Args:
        name: of the link.
        mass: [kg].
        moments: about its axes [kg m²].
        com: centre of mass [m].
        products: of inertia xy, xz and yz [kg m²].
        box: sides of its shape, if it is one [m].
        shape: any other shape, as XML.
    """
    ixx, iyy, izz = moments
    ixy, ixz, iyz = products.split()
    if box is not None:
        sides = " ".join(str(side) for side in box)
        shape = f'<collision><geometry><box size="{sides}"/></geometry></collision>'
    return (
        f'<link name="{name}"><inertial><origin xyz="{com}"/><mass value="{mass}"/>'
        f'<inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="{ixy}" ixz="{ixz}"'
        f' iyz="{iyz}"/></inertial>{shape}</link>'
    )


def linked(joints: Sequence[tuple[str, str]], side: float) -> str:
    """Return even dice l0, l1, ... of 8 kg, all on the first.

    Args:
        joints: place of each on the first, and the kind of its joint.
        side: of each [m].
    """
    moments = (8.0 / 6.0 * side**2,) * 3
    parts = [
        link(f"l{k}", 8.0, moments, box=(side,) * 3) for k in range(len(joints) + 1)
    ]
    parts += [
        f'<joint name="j{k}" type="{kind}"><parent link="l0"/><child link="l{k}"/>'
        f'<origin xyz="{place}"/></joint>'
        for k, (place, kind) in enumerate(joints, 1)
    ]
    return "".join(parts)


def ball(radius: float, density: float) -> tuple[float, float]:
    """Return mass and moment of an even ball."""
    mass = density * 4.0 / 3.0 * math.pi * radius**3
    return mass, 0.4 * mass * radius**2


def tetrahedron(path: Path, size: float) -> None:
    """Write the corner of a cube of a size, cut off at its diagonals, as binary STL."""
    corners = size * np.vstack([np.zeros(3), np.eye(3)])
    faces = [
        corners[list(f)].ravel() for f in ((0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3))
    ]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *face, 0) for face in faces)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", 4) + body)
