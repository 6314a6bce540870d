"""Two bars between two bodies, for the eye alone: they bend as the bodies move.

A machine of slides stands for linkages, and pictures show these: bars that are hinged
on one body, meet in a knee, and end on another. Where the knee is follows from both
ends. They are custom entries of the specification, which no simulation looks at and
which its text keeps; a model for pictures has a body of no mass for each bar.
"""

import math
from dataclasses import dataclass
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.spatial.rotations import quat_from_matrix

__all__ = ["Linkages", "TwoBarLinkage", "add_link", "add_link_bodies", "linkages_of"]

PREFIX = "linkage:"
"""How the names of all entries and bodies begin."""
BETWEEN = "|"
BODY = mujoco.mjtObj.mjOBJ_BODY
NUMBERS = 16
"""Two ends, two lengths, the way the knee points, a radius and a colour."""
FARTHEST = 1e6  # of any of them
Three = tuple[float, float, float]


@final
@dataclass(frozen=True, kw_only=True)
class TwoBarLinkage:
    """Two bars between two bodies."""

    name: str
    bodies: tuple[str, str]
    """That carry its ends."""
    ends: tuple[Three, Three]
    """Where, in their frames [m]."""
    lengths: tuple[float, float]
    """Of the bars, which together reach wherever the ends go [m]."""
    bend: Three
    """Where the knee points, in the first body's frame."""
    radius: float
    """[m]."""
    rgba: tuple[float, float, float, float]


def add_link(spec: mujoco.MjSpec, link: TwoBarLinkage) -> None:
    """Write two bars into a specification; nothing but pictures knows them.

    Args:
        spec: what gets them.
        link: the bars.
    """
    ends = (*link.ends[0], *link.ends[1])
    numbers = (*ends, *link.lengths, *link.bend, link.radius, *link.rgba)
    spec.add_numeric(name=f"{PREFIX}{link.name}", size=NUMBERS, data=numbers)
    spec.add_text(name=f"{PREFIX}{link.name}", data=BETWEEN.join(link.bodies))


def add_link_bodies(spec: mujoco.MjSpec) -> None:
    """Add a body for each bar, moved by ``Linkages``.

    Args:
        spec: of a picture; entries that make no sense are left out.
    """
    names = {body.name for body in spec.bodies}
    texts = {text.name: str(text.data) for text in spec.texts}
    for entry in list(spec.numerics):
        bodies = texts.get(entry.name, "").split(BETWEEN)
        numbers = np.asarray(entry.data, float)
        if not (entry.name.startswith(PREFIX) and _is_sound(numbers)):
            continue
        if len(bodies) != 2 or not names.issuperset(bodies):
            continue
        for k in range(2):
            body = spec.worldbody.add_body(name=f"{entry.name}:{k}", mocap=True)
            body.add_geom(
                type=mujoco.mjtGeom.mjGEOM_CAPSULE,
                size=[numbers[11], 0.5 * numbers[6 + k], 0.0],
                rgba=numbers[12:16],
                mass=0.0,
                contype=0,
                conaffinity=0,
            )


def _is_sound(numbers: VecN) -> bool:
    """Return whether numbers are those of two bars; a file may say anything."""
    if numbers.shape != (NUMBERS,) or not (np.abs(numbers) < FARTHEST).all():
        return False
    has_size = bool((numbers[[6, 7, 11]] > 0.0).all())
    return has_size and bool(np.linalg.norm(numbers[8:11]) > 0.0)


@final
@dataclass(frozen=True, eq=False)
class Linkages:
    """All bars of a model for pictures, as arrays of n pairs."""

    bodies: np.ndarray
    """That carry the ends, (n, 2)."""
    ends: Array
    """(n, 2, 3) [m]."""
    lengths: Array
    """(n, 2) [m]."""
    bend: Array
    """(n, 3)."""
    bars: np.ndarray
    """Which of the moved bodies they are, (n, 2)."""

    def place(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Put all bars where they are in a pose.

        Args:
            model: of the picture.
            data: with the kinematics of the pose; they are computed again.
        """
        if len(self.bodies) == 0:
            return
        R = data.xmat.reshape(-1, 3, 3)[self.bodies]
        ends = data.xpos[self.bodies] + np.einsum("nkij,nkj->nki", R, self.ends)
        knee = knees(ends, self.lengths, np.einsum("nij,nj->ni", R[:, 0], self.bend))
        for k, (start, end) in enumerate(((ends[:, 0], knee), (knee, ends[:, 1]))):
            data.mocap_pos[self.bars[:, k]] = 0.5 * (start + end)
            for bar, way in zip(self.bars[:, k], end - start, strict=True):
                data.mocap_quat[bar] = quat_from_matrix(_frame_along(way))
        mujoco.mj_kinematics(model, data)


def linkages_of(model: mujoco.MjModel) -> Linkages:
    """Return the bars of a model for pictures, none where there are none.

    Args:
        model: compiled from what ``add_link_bodies`` has seen.
    """
    bodies, numbers, bars = [], [], []
    for k in range(model.nnumeric):
        name = model.numeric(k).name
        own = [mujoco.mj_name2id(model, BODY, f"{name}:{i}") for i in range(2)]
        if not name.startswith(PREFIX) or min(own) < 0:
            continue
        bodies.append([model.body(end).id for end in _said(model, name)])
        numbers.append(np.array(model.numeric(k).data))
        bars.append(model.body_mocapid[own])
    table = np.reshape(numbers, (-1, NUMBERS))
    return Linkages(
        np.reshape(bodies, (-1, 2)).astype(int),
        table[:, :6].reshape(-1, 2, 3),
        table[:, 6:8],
        table[:, 8:11],
        np.reshape(bars, (-1, 2)).astype(int),
    )


def _said(model: mujoco.MjModel, name: str) -> list[str]:
    """Return the bodies that a text of that name names."""
    text = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_TEXT, name)
    first, size = int(model.text_adr[text]), int(model.text_size[text])
    words = bytes(model.text_data[first : first + size]).decode()
    return words.rstrip("\0").split(BETWEEN)


def knees(ends: Array, lengths: Array, bend: Array) -> Array:
    """Return where bars meet, by the law of cosines, (n, 3) [m].

    Args:
        ends: (n, 2, 3) [m].
        lengths: of both bars, (n, 2) [m].
        bend: where knees point, (n, 3).
    """
    way = ends[:, 1] - ends[:, 0]
    far = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    along, first, second = way / far, lengths[:, :1], lengths[:, 1:]
    part = (first**2 - second**2 + far**2) / (2.0 * far)
    aside = np.sqrt(np.maximum(first**2 - part**2, 0.0))
    out = bend - (bend * along).sum(axis=1, keepdims=True) * along
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    return ends[:, 0] + part * along + aside * out


def _frame_along(way: VecN) -> Array:
    """Return a frame whose z points along a way, (3, 3)."""
    size = math.sqrt(float(way @ way))
    z = way / size if size > 0.0 else np.array([0.0, 0.0, 1.0])
    other = np.array([1.0, 0.0, 0.0] if abs(z[0]) < 0.9 else [0.0, 1.0, 0.0])
    y = np.cross(z, other)
    y /= np.linalg.norm(y)
    return np.column_stack([np.cross(y, z), y, z])
