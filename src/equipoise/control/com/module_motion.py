"""How a module's parts and faces lie and move, seen from the module itself, compiled.

The module's frame M is the frame of part 1.
"""

from typing import NamedTuple

import numpy as np

from equipoise.control.com.geometry.vectors import (
    IDENTITY,
    V3,
    ZERO,
    add,
    add_scaled,
    back,
    cross,
    mat,
    matmul,
    minus,
    put_mat,
    put_vec,
    rotate_vector,
    turn_about,
    vec,
)
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.loads import CarriedLoad, MovingFrame, place_frame
from equipoise.control.com.network import FaceShape, JointShape, ModuleDesign
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.spatial.mass.vectors import first_moment

__all__ = [
    "FaceState",
    "ModuleScratch",
    "PartState",
    "empty_scratch",
    "face_in_world",
    "find_world",
    "place_face",
    "place_parts",
    "whole_motion",
]


class PartState(Record):
    """One part of a module."""

    frame: MovingFrame = entry("its frame in M", kind=MovingFrame)
    load: CarriedLoad = entry(
        "itself, and later all that hangs on it, in M", kind=CarriedLoad
    )


class FaceState(Record):
    """One connector of a module."""

    frame: MovingFrame = entry("its frame in M", kind=MovingFrame)
    mate: MovingFrame = entry("its neighbour's frame in M", kind=MovingFrame)
    counts: int = entry("1 where what hangs on it counts", kind=np.int64)
    heard: CarriedLoad = entry(
        "what hangs on it, in M; nothing if not heard of", kind=CarriedLoad
    )
    span: Array = entry("sum of J Jᵀ behind it: xx, xy, yy", "m²/rad²", 3)
    age: float = entry("age of the oldest number behind it", "s")
    told: int = entry("1 when its neighbour has reported", kind=np.int64)


class ModuleScratch(NamedTuple):
    """Room for one module, written afresh whenever one is looked at."""

    parts: Records[PartState]
    """(parts,)."""
    faces: Records[FaceState]
    """(faces,)."""
    own: Records[CarriedLoad]
    """(1,) the module itself, in M."""
    total: Records[CarriedLoad]
    """(1,) room for sums; at last the whole robot, in M."""
    span: Array
    """(3,) sum of J Jᵀ over all joints."""
    blank: Records[JointView]
    """(1,) a joint of which nothing is known."""


def empty_scratch(shape: ModuleDesign) -> ModuleScratch:
    """Return room for a module of some shape."""
    return ModuleScratch(
        parts=PartState.zeros(len(shape.mass)),
        faces=FaceState.zeros(len(shape.face)),
        own=CarriedLoad.zeros(),
        total=CarriedLoad.zeros(),
        span=np.zeros(3),
        blank=JointView.zeros(),
    )


@compiled(allocates=False, force_inline=True)
def place_parts(
    joint: Records[JointShape], q: Array, rate: Array, parts: Records[PartState]
) -> None:
    """Write pose and velocity of every part; joint 0 is seen backwards from part 1.

    Args:
        joint: the module's joints.
        q: their values, (joints,).
        rate: their rates, (joints,).
        parts: their frames are written.
    """
    place_frame(parts[1].frame, IDENTITY, ZERO, ZERO, ZERO)
    axis, origin, first = vec(joint[0].axis), vec(joint[0].origin), parts[0].frame
    if joint[0].hinge != 0:
        backwards = turn_about(axis, -q[0])
        p = rotate_vector(backwards, minus(origin))
        w = add_scaled(ZERO, -rate[0], axis)
        place_frame(first, backwards, p, cross(w, p), w)
    else:
        p = add_scaled(ZERO, -1.0, add_scaled(origin, q[0], axis))
        v = add_scaled(ZERO, -rate[0], axis)
        place_frame(first, IDENTITY, p, v, ZERO)
    for k in range(1, parts.shape[0] - 1):
        _place_next(joint[k], q[k], rate[k], parts[k].frame, parts[k + 1].frame)


@compiled(allocates=False, force_inline=True)
def _place_next(
    joint: JointShape, q: float, rate: float, inner: MovingFrame, outer: MovingFrame
) -> None:
    """Write the frame of a part that hangs on another one by a joint."""
    R, w = mat(inner.R), vec(inner.w)
    axis = vec(joint.axis)
    arm, along = rotate_vector(R, vec(joint.origin)), rotate_vector(R, axis)
    if joint.hinge != 0:
        put_mat(outer.R, matmul(R, turn_about(axis, q)))
        put_vec(outer.w, add_scaled(w, rate, along))
        slip = ZERO
    else:
        arm = add_scaled(arm, q, along)
        put_mat(outer.R, R)
        put_vec(outer.w, w)
        slip = add_scaled(ZERO, rate, along)
    put_vec(outer.p, add(vec(inner.p), arm))
    put_vec(outer.v, add(add(vec(inner.v), cross(w, arm)), slip))


@compiled(allocates=False, force_inline=True)
def place_face(
    shape: FaceShape, R_mate: Array, parts: Records[PartState], face: FaceState
) -> None:
    """Write pose and velocity of a connector that holds a neighbour, and of its mate.

    Args:
        shape: the connector in its part.
        R_mate: of the neighbour's connector seen from ours, (3, 3).
        parts: the parts' frames.
        face: its frames are written.
    """
    part = parts[shape.part].frame
    R_part, w = mat(part.R), vec(part.w)
    R = matmul(R_part, mat(shape.R))
    arm = rotate_vector(R_part, vec(shape.p))
    p, v = add(vec(part.p), arm), add(vec(part.v), cross(w, arm))
    place_frame(face.frame, R, p, v, w)
    place_frame(face.mate, matmul(R, mat(R_mate)), p, v, w)


@compiled(allocates=False, force_inline=True)
def find_world(frame: MovingFrame, world: MovingFrame, pose: MovingFrame) -> None:
    """Write a module's pose and twist in W from a frame F that is known in W.

    F is the grounded part, or the neighbour's connector: R_WM = R_WF R_MFᵀ,
    p_WM = p_WF - R_WM p_MF, w_WM = w_WF - R_WM w_MF,
    v_WM = v_WF - w_WM x (R_WM p_MF) - R_WM v_MF.

    Args:
        frame: F in M.
        world: F in W.
        pose: M in W; written.
    """
    R_WM = matmul(mat(world.R), back(mat(frame.R)))
    arm = rotate_vector(R_WM, vec(frame.p))
    spin = rotate_vector(R_WM, vec(frame.w))
    slip = rotate_vector(R_WM, vec(frame.v))
    w_WM = add_scaled(vec(world.w), -1.0, spin)
    swing = add(cross(w_WM, arm), slip)
    p_WM = add_scaled(vec(world.p), -1.0, arm)
    place_frame(pose, R_WM, p_WM, add_scaled(vec(world.v), -1.0, swing), w_WM)


@compiled(allocates=False, force_inline=True)
def face_in_world(pose: MovingFrame, frame: MovingFrame, world: MovingFrame) -> None:
    """Write a frame of a module in W, from the module's own pose and twist.

    Args:
        pose: M in W.
        frame: F in M.
        world: F in W; written.
    """
    R_WM, w_WM = mat(pose.R), vec(pose.w)
    arm, slip = rotate_vector(R_WM, vec(frame.p)), rotate_vector(R_WM, vec(frame.v))
    v = add(add(vec(pose.v), cross(w_WM, arm)), slip)
    w = add(w_WM, rotate_vector(R_WM, vec(frame.w)))
    place_frame(world, matmul(R_WM, mat(frame.R)), add(vec(pose.p), arm), v, w)


@compiled(allocates=False, force_inline=True)
def whole_motion(total: CarriedLoad, pose: MovingFrame) -> tuple[V3, V3]:
    """Return centre and velocity of the whole robot in W, from its load in M.

    Args:
        total: the whole robot, in M.
        pose: M in W.
    """
    share = 1.0 / total.lump[0]
    R_WM, w_WM = mat(pose.R), vec(pose.w)
    arm = rotate_vector(R_WM, add_scaled(ZERO, share, first_moment(total.lump)))
    drift = rotate_vector(R_WM, add_scaled(ZERO, share, vec(total.rate)))
    velocity = add(add(vec(pose.v), cross(w_WM, arm)), drift)
    return add(vec(pose.p), arm), velocity
