"""How a module's parts and faces lie and move, seen from the module itself, compiled.

The module's frame M is the frame of part 1. A row of 19 numbers, a *load*, is carried
along: mass vector (10), rate of the first moment (3), contact wrench about the origin
(6); loads add.
"""

from typing import NamedTuple

import numpy as np

from equipoise.control.com.geometry.vectors import (
    M3,
    V3,
    add,
    add_scaled,
    back,
    cross,
    dot,
    get3,
    get9,
    matmul,
    put3,
    put9,
    turn,
    turn_about,
    turn_back,
)
from equipoise.control.com.network import AXIS, HINGE, ORIGIN, Network
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.spatial.mass.vectors import moved10

__all__ = [
    "LOAD",
    "Motion",
    "empty_motion",
    "load_into",
    "own_load",
    "place_face",
    "place_parts",
]

LOAD = 19
R, P, V, W = 0, 9, 12, 15
"""Columns of a row that says how a frame lies and moves in M."""
MATE = 18
"""Columns of the neighbour's connector frame, at the same place as ours."""
IDENTITY: M3 = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ZERO: V3 = (0.0, 0.0, 0.0)


class Motion(NamedTuple):
    """Scratch of one module, written afresh each tick."""

    part: Array
    """(parts, 18) R, p, v, w of each part in M."""
    face: Array
    """(faces, 27) R, p, v, w of each connector in M, then the neighbour's R."""
    own: Array
    """(parts, LOAD) what each part is itself, in M."""
    heard: Array
    """(faces, LOAD) what hangs on each face, in M."""
    total: Array
    """(3, LOAD) room for sums."""


def empty_motion(net: Network) -> Motion:
    """Return arrays of the right sizes."""
    parts, faces = len(net.mass), len(net.face_part)
    return Motion(
        part=np.zeros((parts, 18)),
        face=np.zeros((faces, 27)),
        own=np.zeros((parts, LOAD)),
        heard=np.zeros((faces, LOAD)),
        total=np.zeros((3, LOAD)),
    )


@compiled(allocates=False, melts=True)
def place_parts(joint: Array, i: int, q: Array, rate: Array, part: Array) -> None:
    """Write pose and velocity of every part; joint 0 is seen backwards from part 1.

    Args:
        joint: the module's joints, see ``Network``.
        i: the module.
        q: joint values, (nm, joints).
        rate: joint rates, (nm, joints).
        part: written, (parts, 18).
    """
    put9(part, 1, R, IDENTITY)
    put3(part, 1, P, ZERO)
    put3(part, 1, V, ZERO)
    put3(part, 1, W, ZERO)
    axis, origin = get3(joint, 0, AXIS), get3(joint, 0, ORIGIN)
    if joint[0, HINGE] > 0.5:
        backwards = turn_about(axis, -q[i, 0])
        p = turn(backwards, (-origin[0], -origin[1], -origin[2]))
        w = add_scaled(ZERO, -rate[i, 0], axis)
        put9(part, 0, R, backwards)
        put3(part, 0, P, p)
        put3(part, 0, V, cross(w, p))
        put3(part, 0, W, w)
    else:
        put9(part, 0, R, IDENTITY)
        put3(part, 0, P, add_scaled(ZERO, -1.0, add_scaled(origin, q[i, 0], axis)))
        put3(part, 0, V, add_scaled(ZERO, -rate[i, 0], axis))
        put3(part, 0, W, ZERO)
    for k in range(1, part.shape[0] - 1):
        place_next(joint, k, q[i, k], rate[i, k], part)


@compiled(allocates=False, melts=True)
def place_next(joint: Array, k: int, q: float, rate: float, part: Array) -> None:
    """Write part k+1, which hangs on part k by joint k."""
    R_k, w_k = get9(part, k, R), get3(part, k, W)
    axis = get3(joint, k, AXIS)
    arm, along = turn(R_k, get3(joint, k, ORIGIN)), turn(R_k, axis)
    if joint[k, HINGE] > 0.5:
        put9(part, k + 1, R, matmul(R_k, turn_about(axis, q)))
        put3(part, k + 1, W, add_scaled(w_k, rate, along))
        slip = ZERO
    else:
        arm = add_scaled(arm, q, along)
        put9(part, k + 1, R, R_k)
        put3(part, k + 1, W, w_k)
        slip = add_scaled(ZERO, rate, along)
    put3(part, k + 1, P, add(get3(part, k, P), arm))
    put3(part, k + 1, V, add(add(get3(part, k, V), cross(w_k, arm)), slip))


@compiled(allocates=False, melts=True)
def place_face(
    local: Array, k: int, mate: Array, end: int, part: Array, face: Array, c: int
) -> None:
    """Write pose and velocity of connector c, on part k, that holds a neighbour."""
    R_k, w = get9(part, k, R), get3(part, k, W)
    R_c = matmul(R_k, get9(local, c, R))
    arm = turn(R_k, get3(local, c, P))
    put9(face, c, R, R_c)
    put3(face, c, P, add(get3(part, k, P), arm))
    put3(face, c, V, add(get3(part, k, V), cross(w, arm)))
    put3(face, c, W, w)
    put9(face, c, MATE, matmul(R_c, get9(mate, end, 0)))


@compiled(allocates=False, melts=True)
def load_into(
    frame: Array, j: int, columns: int, inner: Array, i: int, out: Array, o: int
) -> None:
    """Write a load seen from M; row ``inner[i]`` is in a frame that moves in M.

    First moment's rate: R ḣ + ω x (R h) + m v. Wrench: (R f, R n + p x R f).

    Args:
        frame: rows of R, p, v, w.
        j: the frame's row.
        columns: where its R stands (a face's own, or its neighbour's).
        inner: load in that frame, row ``i``.
        i: row of ``inner``.
        out: row ``o`` is written.
        o: row of ``out``.
    """
    R_in, p = get9(frame, j, columns), get3(frame, j, P)
    move_load(R_in, p, get3(frame, j, V), get3(frame, j, W), inner, i, out, o, 0)


@compiled(allocates=False, melts=True)
def own_load(part: Array, k: int, skin: Array, i: int, own: Array) -> None:
    """Write part k's own load in M: as ``load_into``, but nothing moves inside a part.

    Args:
        part: the parts' motion.
        k: the part.
        skin: its mass vector and contact wrench in its own frame, row ``i``.
        i: row of ``skin``.
        own: row k is written.
    """
    R_k, p, w = get9(part, k, R), get3(part, k, P), get3(part, k, W)
    moved10(R_k, p, skin, i, own, k, 0)
    h = turn(R_k, get3(skin, i, 1))
    put3(own, k, 10, add_scaled(cross(w, h), skin[i, 0], get3(part, k, V)))
    f, n = get3(skin, i, 13), get3(skin, i, 16)
    if dot(f, f) + dot(n, n) > 0.0:
        f = turn(R_k, f)
        n = add(turn(R_k, n), cross(p, f))
    put3(own, k, 13, f)
    put3(own, k, 16, n)


@compiled(allocates=False, melts=True)
def move_load(
    R_in: M3, p: V3, v: V3, w: V3, inner: Array, i: int, out: Array, o: int, first: int
) -> None:
    """Write a load seen from outside a frame with pose (R, p) and velocity (v, w)."""
    moved10(R_in, p, inner, i, out, o, first)
    h, rate = turn(R_in, get3(inner, i, 1)), turn(R_in, get3(inner, i, 10))
    rate = add_scaled(add(rate, cross(w, h)), inner[i, 0], v)
    f = turn(R_in, get3(inner, i, 13))
    n = add(turn(R_in, get3(inner, i, 16)), cross(p, f))
    put3(out, o, first + 10, rate)
    put3(out, o, first + 13, f)
    put3(out, o, first + 16, n)


@compiled(allocates=False, melts=True)
def load_to_face(
    face: Array, c: int, total: Array, t: int, out: Array, o: int, first: int
) -> None:
    """Write a load of M into connector c's own frame: the inverse of ``load_into``.

    The connector C moves in M, so M moves in C: with R, p, v, ω of C in M,
    R_CM = Rᵀ, p_CM = -Rᵀ p, w_CM = -Rᵀ ω, v_CM = -Rᵀ (v - ω x p). It is written to
    row ``o`` of ``out`` from column ``first``.
    """
    R_c, p = get9(face, c, R), get3(face, c, P)
    v, w = get3(face, c, V), get3(face, c, W)
    p_CM = turn_back(R_c, (-p[0], -p[1], -p[2]))
    w_CM = turn_back(R_c, (-w[0], -w[1], -w[2]))
    v_CM = turn_back(R_c, add_scaled(cross(w, p), -1.0, v))
    move_load(back(R_c), p_CM, v_CM, w_CM, total, t, out, o, first)
