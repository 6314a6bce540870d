"""What a module learns about its own joints from what it has heard, compiled."""

from equipoise.control.com import joint_view as jv
from equipoise.control.com.geometry.vectors import (
    V3,
    add,
    add_scaled,
    cross,
    dot,
    get3,
    get9,
    put3,
    turn,
)
from equipoise.control.com.module_motion import LOAD, ZERO, P, R, V, W
from equipoise.control.com.network import AXIS, HINGE, LOWER, UPPER
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["com_column", "fill_view"]

FADE = 0.1  # [rad or m]


@compiled(allocates=False, melts=True)
def fill_view(
    i: int,
    known: bool,
    held: int,
    joint: Array,
    face_part: Ints,
    link: Ints,
    part: Array,
    own: Array,
    heard: Array,
    total: Array,
    q: Array,
    rate: Array,
    oldest: float,
    aim: Array,
    pose: Array,
    rows: Array,
    whole: Array,
    span: Array,
) -> None:
    """Write the rows of module i's joints, its view of the whole, and its span.

    Args:
        i: the module.
        known: whether every neighbour has reported and the world frame is known.
        held: the part on the ground's side of every joint.
        joint: the module's joints, see ``Network``.
        face_part: which part carries each connector.
        link: who is held at each end, -1 for nobody.
        part: the parts' motion.
        own: the parts' loads, (parts, LOAD); what hangs on them is added here.
        heard: what hangs on each face, (faces, LOAD).
        total: room for sums; row 2 holds the span of all joints.
        q: joint values, (nm, joints).
        rate: joint rates, (nm, joints).
        oldest: age of the oldest number [s].
        aim: where the centre of mass shall go, see ``exchange``, (4, 3).
        pose: the modules' poses and twists.
        rows: written.
        whole: written.
        span: written.
    """
    parts, joints = own.shape[0], joint.shape[0]
    for c in range(face_part.shape[0]):
        if link[i * face_part.shape[0] + c] < 0:
            continue
        k = face_part[c]
        for a in range(LOAD):
            own[k, a] += heard[c, a]
    for a in range(LOAD):
        total[0, a] = 0.0
        for k in range(parts):
            total[0, a] += own[k, a]
    for a in range(10):
        whole[i, a] = total[0, a]
    for a in range(3):
        span[i, a] = 0.0
    com, velocity = ZERO, ZERO
    if known:
        com, velocity = whole_motion(total, pose, i)
    for k in range(joints):
        row = i * joints + k
        rows[row, jv.KNOWN] = 1.0 if known else 0.0
        rows[row, jv.ANGLE], rows[row, jv.RATE] = q[i, k], rate[i, k]
        rows[row, jv.LOWER], rows[row, jv.UPPER] = joint[k, LOWER], joint[k, UPPER]
        rows[row, jv.HINGE] = joint[k, HINGE]
        rows[row, jv.AGE] = oldest
        if known:
            rows[row, jv.MASS] = total[0, 0]
            put3(rows, row, jv.COM, com)
            put3(rows, row, jv.VELOCITY, velocity)
            put3(rows, row, jv.SPAN, get3(total, 2, 0))
            fill_joint(rows, row, k, joint, part, own, pose, i, held)
            add_span(rows, row, aim, span, i)


@compiled(allocates=False, melts=True)
def whole_motion(total: Array, pose: Array, i: int) -> tuple[V3, V3]:
    """Return centre and velocity of the whole robot in W, from its load in M."""
    share = 1.0 / total[0, 0]
    R_WM, w_WM = get9(pose, i, R), get3(pose, i, W)
    arm = turn(R_WM, add_scaled(ZERO, share, get3(total, 0, 1)))
    drift = turn(R_WM, add_scaled(ZERO, share, get3(total, 0, 10)))
    velocity = add(add(get3(pose, i, V), cross(w_WM, arm)), drift)
    return add(get3(pose, i, P), arm), velocity


@compiled(allocates=False, melts=True)
def fill_joint(
    rows: Array,
    row: int,
    k: int,
    joint: Array,
    part: Array,
    own: Array,
    pose: Array,
    i: int,
    held: int,
) -> None:
    """Write pivot, axis and moved side of joint k; ``held`` is the part held still."""
    sign = 1.0 if held <= k else -1.0
    mass, first, force, moment = 0.0, ZERO, ZERO, ZERO
    for side in range(own.shape[0]):
        if (side > k) == (held <= k):
            mass += own[side, 0]
            first = add(first, get3(own, side, 1))
            force = add(force, get3(own, side, 13))
            moment = add(moment, get3(own, side, 16))
    R_WM, p_WM = get9(pose, i, R), get3(pose, i, P)
    pivot = get3(part, k + 1, P)
    axis = add_scaled(ZERO, sign, turn(get9(part, k, R), get3(joint, k, AXIS)))
    about_pivot = add(moment, cross(force, pivot))
    rows[row, jv.TOUCH] = dot(axis, about_pivot if joint[k, HINGE] > 0.5 else force)
    rows[row, jv.MOVED_MASS] = mass
    centre = add_scaled(ZERO, 1.0 / mass, first)
    put3(rows, row, jv.AXIS, turn(R_WM, axis))
    put3(rows, row, jv.MOVED_COM, add(turn(R_WM, centre), p_WM))
    put3(rows, row, jv.PIVOT, add(turn(R_WM, pivot), p_WM))


@compiled(allocates=False, melts=True)
def add_span(rows: Array, row: int, aim: Array, span: Array, i: int) -> None:
    """Add one joint's J Jᵀ in the steering plane, as far as the joint can still go.

    A joint that is locked, or at the limit to which the error would drive it, cannot
    help; its part fades over the last ``FADE`` radians before the limit.
    """
    column = com_column(rows, row)
    x, y = dot(column, get3(aim, 0, 0)), dot(column, get3(aim, 1, 0))
    away = add_scaled(get3(rows, row, jv.COM), -1.0, get3(aim, 3, 0))
    drive = -(x * dot(away, get3(aim, 0, 0)) + y * dot(away, get3(aim, 1, 0)))
    angle, lower, upper = rows[row, jv.ANGLE], rows[row, jv.LOWER], rows[row, jv.UPPER]
    room = upper - angle if drive > 0.0 else angle - lower
    if not lower < upper:
        room = 0.0
    part = min(max(room / FADE, 0.0), 1.0)
    span[i, 0] += part * x * x
    span[i, 1] += part * x * y
    span[i, 2] += part * y * y


@compiled(allocates=False, melts=True)
def com_column(rows: Array, row: int) -> V3:
    """Return J = (m₂/M) u x (p₂ - q), or (m₂/M) u for a slide: centre per joint unit.

    Args:
        rows: what the modules know about their joints.
        row: the joint.

    Returns:
        The joint's column of the centre-of-mass Jacobian, 3 numbers [m/rad or 1].
    """
    share = rows[row, jv.MOVED_MASS] / rows[row, jv.MASS]
    axis = get3(rows, row, jv.AXIS)
    if rows[row, jv.HINGE] > 0.5:
        arm = add_scaled(get3(rows, row, jv.MOVED_COM), -1.0, get3(rows, row, jv.PIVOT))
        axis = cross(axis, arm)
    return share * axis[0], share * axis[1], share * axis[2]
