"""A robot of ``cad_robots`` as the text of a URDF or MJCF file."""

import struct
from pathlib import Path

import numpy as np

from oracles.cad_robots import CadRobot, Link, Shape, rpy, turn, words

__all__ = ["mjcf_text", "urdf_text", "write_box_stl"]
SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
NAMES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def urdf_text(robot: CadRobot) -> str:
    """Return a robot as URDF, each shape for collision and to be drawn."""
    lines = [f'<robot name="{robot.name}">']
    for at, link in enumerate(robot.links):
        lines.append(f'<link name="{link.name}">')
        if link.has_inertial:
            moments = zip(NAMES, SIX, strict=True)
            R = turned(at)
            stated = R.T @ link.inertia @ R
            inertia = " ".join(f'{n}="{stated[ij]:.12g}"' for n, ij in moments)
            lines.append(
                f'<inertial><origin xyz="{words(link.com)}" rpy="{words(rpy(R))}"/>'
                f'<mass value="{link.mass:.7g}"/><inertia {inertia}/></inertial>'
            )
        for shape in link.shapes:
            lines += [f"<{tag}>{urdf_shape(shape)}</{tag}>"
                      for tag in ("visual", "collision")]  # fmt: skip
        lines.append("</link>")
    for link in robot.links[1:]:
        kind = "fixed" if link.is_fixed else "revolute"
        lines.append(
            f'<joint name="{link.name}_joint" type="{kind}">'
            f'<parent link="{link.parent}"/><child link="{link.name}"/>'
            f'<origin xyz="{words(link.at)}" rpy="{words(rpy(link.R))}"/>'
            f'<axis xyz="{words(link.axis)}"/>'
            '<limit lower="-2" upper="2" effort="50" velocity="10"/></joint>'
        )
    return "\n".join([*lines, "</robot>"])


def turned(at: int) -> np.ndarray:
    """Return the frame of a link's inertial element; every third is the link's own."""
    return turn(0, 0.5 * (at % 3)) @ turn(2, 0.8 * (at % 3))


def urdf_shape(shape: Shape) -> str:
    """Return a shape's origin and geometry."""
    s = shape.size
    if shape.mesh:
        inside = f'<mesh filename="{shape.mesh}"/>'
    elif shape.kind == "box":
        inside = f'<box size="{words(2.0 * s)}"/>'
    elif shape.kind == "cylinder":
        inside = f'<cylinder radius="{s[0]:.7g}" length="{2 * s[1]:.7g}"/>'
    else:
        inside = f'<sphere radius="{s[0]:.7g}"/>'
    origin = f'<origin xyz="{words(shape.at)}" rpy="{words(rpy(shape.R))}"/>'
    return f"{origin}<geometry>{inside}</geometry>"


def mjcf_text(robot: CadRobot) -> str:
    """Return a robot as MJCF, nested, with explicit inertials."""
    children: dict[str, list[Link]] = {}
    for link in robot.links:
        children.setdefault(link.parent, []).append(link)
    meshes = {s.mesh for link in robot.links for s in link.shapes if s.mesh}
    assets = "".join(f'<mesh name="{m[:-4]}" file="{m}"/>' for m in sorted(meshes))

    def body(link: Link) -> str:
        joint = f'<joint axis="{words(link.axis)}"/>'
        if not link.parent:
            joint = "<freejoint/>"
        full = words(np.array([link.inertia[ij] for ij in SIX]))
        inertia = f'fullinertia="{full}"'
        if robot.links.index(link) % 2:  # along its principal axes
            values, axes = np.linalg.eigh(link.inertia)
            axes *= np.sign(np.linalg.det(axes))
            inertia = f'diaginertia="{words(values)}" {facing(axes)}'
        inertial = (
            f'<inertial pos="{words(link.com)}" mass="{link.mass:.7g}" {inertia}/>'
        )
        return (
            f'<body name="{link.name}" pos="{words(link.at)}" {facing(link.R)}>'
            f"{inertial if link.has_inertial else ''}"
            f"{'' if link.is_fixed else joint}"
            f"{''.join(mjcf_shape(s) for s in link.shapes)}"
            f"{''.join(body(child) for child in children.get(link.name, []))}</body>"
        )

    base = "".join(body(link) for link in children[""])
    return (
        f'<mujoco model="{robot.name}"><compiler angle="radian"/>'
        f"<asset>{assets}</asset><worldbody>{base}</worldbody></mujoco>"
    )


def mjcf_shape(shape: Shape) -> str:
    """Return a geom; turned by its first two axes."""
    inside = f'type="{shape.kind}" size="{words(shape.size)}"'
    if shape.mesh:
        inside = f'type="mesh" mesh="{shape.mesh[:-4]}"'
    at = f'pos="{words(shape.at)}" {facing(shape.R)}'
    return f'<geom {inside} {at} density="0"/>'


def facing(R: np.ndarray) -> str:
    """Return an orientation by its first two axes."""
    return f'xyaxes="{words(np.concatenate([R[:, 0], R[:, 1]]))}"'


def write_box_stl(path: Path, half: np.ndarray) -> None:
    """Write a box as a binary STL file."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4),
             (1, 5, 7, 3)]  # fmt: skip
    faces = [(a, b, c) for a, b, c, _ in quads] + [(a, c, d) for a, _, c, d in quads]
    corners = signs * half
    body = b"".join(
        struct.pack("<12fH", 0, 0, 0, *corners[list(f)].ravel(), 0) for f in faces
    )
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(faces)) + body)
