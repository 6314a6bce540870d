"""What is carried from frame to frame: masses, how they change, what pushes on them.

Seen from a frame M, a lump in a frame that lies at (R, p) and moves with (v, ω) has

    first moment's rate  R ḣ + ω x (R h) + m v,     wrench  (R f, R n + p x R f)

and loads in one frame add entry by entry.
"""

from equipoise.control.com.geometry.vectors import (
    M3,
    V3,
    add,
    add_scaled,
    back,
    cross,
    dot,
    mat,
    minus,
    put_mat,
    put_vec,
    rotate_vector,
    turn_back,
    vec,
)
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry
from equipoise.spatial.mass.vectors import first_moment, moved10

__all__ = [
    "CarriedLoad",
    "ContactPush",
    "MovingFrame",
    "add_load",
    "clear_load",
    "load_from_part",
    "load_into",
    "load_out_of",
    "place_frame",
    "put_load",
]


class MovingFrame(Record):
    """Pose and velocity of a frame in another one, expressed in the latter."""

    R: Array = entry("orientation", "", 3, 3)
    p: Array = entry("place of its origin", "m", 3)
    v: Array = entry("velocity of its origin", "m/s", 3)
    w: Array = entry("angular velocity", "rad/s", 3)


class ContactPush(Record):
    """Force and moment of contacts on a body."""

    force: Array = entry("force", "N", 3)
    moment: Array = entry("moment about the frame's origin", "N m", 3)


class CarriedLoad(ContactPush):
    """Matter that may change its shape and is pushed, seen from one frame."""

    lump: Array = entry("mass, first and second moments", "kg, kg m, kg m²", 10)
    rate: Array = entry("rate of the first moment", "kg m/s", 3)


@compiled(allocates=False, force_inline=True)
def place_frame(frame: MovingFrame, R: M3, p: V3, v: V3, w: V3) -> None:
    """Write a frame."""
    put_mat(frame.R, R)
    put_vec(frame.p, p)
    put_vec(frame.v, v)
    put_vec(frame.w, w)


@compiled(allocates=False, force_inline=True)
def clear_load(out: CarriedLoad) -> None:
    """Make a load nothing."""
    for k in range(10):
        out.lump[k] = 0.0
    for k in range(3):
        out.rate[k], out.force[k], out.moment[k] = 0.0, 0.0, 0.0


@compiled(allocates=False, force_inline=True)
def put_load(out: CarriedLoad, load: CarriedLoad) -> None:
    """Write one load over another."""
    for k in range(10):
        out.lump[k] = load.lump[k]
    for k in range(3):
        out.rate[k] = load.rate[k]
        out.force[k] = load.force[k]
        out.moment[k] = load.moment[k]


@compiled(allocates=False, force_inline=True)
def add_load(out: CarriedLoad, load: CarriedLoad) -> None:
    """Add a load to another that is seen from the same frame."""
    for k in range(10):
        out.lump[k] += load.lump[k]
    for k in range(3):
        out.rate[k] += load.rate[k]
        out.force[k] += load.force[k]
        out.moment[k] += load.moment[k]


@compiled(allocates=False, force_inline=True)
def load_from_part(
    frame: MovingFrame, lump: Array, push: tuple[V3, V3], out: CarriedLoad
) -> None:
    """Write a rigid part's load, seen from where the part's frame moves.

    Args:
        frame: of the part.
        lump: its mass, first and second moments in that frame, (10,).
        push: force and moment of contacts on it, in that frame.
        out: written.
    """
    R, p, w = mat(frame.R), vec(frame.p), vec(frame.w)
    moved10(R, p, lump, out.lump)
    h = rotate_vector(R, first_moment(lump))
    put_vec(out.rate, add_scaled(cross(w, h), lump[0], vec(frame.v)))
    f, n = push
    if dot(f, f) + dot(n, n) > 0.0:
        f = rotate_vector(R, f)
        n = add(rotate_vector(R, n), cross(p, f))
    put_vec(out.force, f)
    put_vec(out.moment, n)


@compiled(allocates=False, force_inline=True)
def load_into(frame: MovingFrame, inner: CarriedLoad, out: CarriedLoad) -> None:
    """Write the load ``inner``, given in a frame, as seen from where the frame moves.

    Args:
        frame: in which ``inner`` is given.
        inner: the load.
        out: written.
    """
    pose = mat(frame.R), vec(frame.p)
    _move_load(pose, (vec(frame.v), vec(frame.w)), inner, out)


@compiled(allocates=False, force_inline=True)
def load_out_of(frame: MovingFrame, load: CarriedLoad, out: CarriedLoad) -> None:
    """Write a load as seen from a frame C that moves: the inverse of ``load_into``.

    C moves in M, so M moves in C: with R, p, v, ω of C in M,
    R_CM = Rᵀ, p_CM = -Rᵀ p, w_CM = -Rᵀ ω, v_CM = -Rᵀ (v - ω x p).

    Args:
        frame: C.
        load: seen from M.
        out: written.
    """
    R, p, v, w = mat(frame.R), vec(frame.p), vec(frame.v), vec(frame.w)
    p_CM, w_CM = turn_back(R, minus(p)), turn_back(R, minus(w))
    v_CM = turn_back(R, add_scaled(cross(w, p), -1.0, v))
    _move_load((back(R), p_CM), (v_CM, w_CM), load, out)


@compiled(allocates=False, force_inline=True)
def _move_load(
    pose: tuple[M3, V3], twist: tuple[V3, V3], inner: CarriedLoad, out: CarriedLoad
) -> None:
    """Write a load seen from outside a frame of pose (R, p) and twist (v, ω)."""
    (R, p), (v, w) = pose, twist
    moved10(R, p, inner.lump, out.lump)
    h, rate = (
        rotate_vector(R, first_moment(inner.lump)),
        rotate_vector(R, vec(inner.rate)),
    )
    rate = add_scaled(add(rate, cross(w, h)), inner.lump[0], v)
    f = rotate_vector(R, vec(inner.force))
    n = add(rotate_vector(R, vec(inner.moment)), cross(p, f))
    put_vec(out.rate, rate)
    put_vec(out.force, f)
    put_vec(out.moment, n)
