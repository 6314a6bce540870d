"""What a module learns about its own joints from what it has heard, compiled."""

from equipoise.control.com import joint_view as jv
from equipoise.control.com.module_motion import LOAD, Motion, P, R, V, W
from equipoise.control.com.network import NetState, Network
from equipoise.control.com.vectors import (
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
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["com_column", "fill_view"]


@compiled
def fill_view(
    i: int,
    known: bool,
    source: int,
    net: Network,
    state: NetState,
    at: Motion,
    q: Array,
    rate: Array,
    oldest: float,
    plane: Array,
) -> None:
    """Write the rows of module i's joints.

    Args:
        i: the module.
        known: whether every neighbour has reported and the world frame is known.
        source: connector towards the ground.
        net: the robot's constants.
        state: ``rows``, ``whole`` and ``own_span`` of module i are written.
        at: the module's parts and loads; ``own`` becomes parts with what hangs on them.
        q: joint values, (nm, joints).
        rate: joint rates, (nm, joints).
        oldest: age of the oldest number [s].
        plane: the plane in which the centre is steered, (2, 3).
    """
    parts, joints = at.own.shape[0], net.joint_axis.shape[0]
    rows = state.rows
    for c in range(net.face_count):
        for a in range(LOAD):
            at.own[net.face_part[c], a] += at.heard[c, a]
    for a in range(LOAD):
        at.total[0, a] = 0.0
        for k in range(parts):
            at.total[0, a] += at.own[k, a]
    for a in range(10):
        state.whole[i, a] = at.total[0, a]
    for a in range(3):
        state.own_span[i, a] = 0.0
    com, velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if known:
        com, velocity = whole_motion(at.total, state.pose, i)
    for k in range(joints):
        row = i * joints + k
        rows[row, jv.KNOWN] = 1.0 if known else 0.0
        rows[row, jv.ANGLE], rows[row, jv.RATE] = q[i, k], rate[i, k]
        rows[row, jv.LOWER] = net.joint_lower[k]
        rows[row, jv.UPPER] = net.joint_upper[k]
        rows[row, jv.HINGE] = 1.0 if net.joint_hinge[k] else 0.0
        rows[row, jv.AGE] = oldest
        if known:
            rows[row, jv.MASS] = at.total[0, 0]
            put3(rows, row, jv.COM, com)
            put3(rows, row, jv.VELOCITY, velocity)
            put3(rows, row, jv.SPAN, get3(at.total, 2, 0))
            fill_joint(rows, row, k, net, at, state.pose, i, net.face_part[source])
            add_span(rows, row, plane, state.own_span, i)


@compiled
def whole_motion(total: Array, pose: Array, i: int) -> tuple[V3, V3]:
    """Return centre and velocity of the whole robot in W, from its load in M."""
    share = 1.0 / total[0, 0]
    R_WM, w_WM = get9(pose, i, R), get3(pose, i, W)
    zero = (0.0, 0.0, 0.0)
    arm = turn(R_WM, add_scaled(zero, share, get3(total, 0, 1)))
    drift = turn(R_WM, add_scaled(zero, share, get3(total, 0, 10)))
    velocity = add(add(get3(pose, i, V), cross(w_WM, arm)), drift)
    return add(get3(pose, i, P), arm), velocity


@compiled
def fill_joint(
    rows: Array,
    row: int,
    k: int,
    net: Network,
    at: Motion,
    pose: Array,
    i: int,
    held: int,
) -> None:
    """Write pivot, axis and moved side of joint k; ``held`` is the part held still."""
    sign = 1.0 if held <= k else -1.0
    zero = (0.0, 0.0, 0.0)
    mass, first, force, moment = 0.0, zero, zero, zero
    for part in range(at.own.shape[0]):
        if (part > k) == (held <= k):
            mass += at.own[part, 0]
            first = add(first, get3(at.own, part, 1))
            force = add(force, get3(at.own, part, 13))
            moment = add(moment, get3(at.own, part, 16))
    R_WM, p_WM = get9(pose, i, R), get3(pose, i, P)
    pivot = get3(at.part, k + 1, P)
    axis = add_scaled(zero, sign, turn(get9(at.part, k, R), get3(net.joint_axis, k, 0)))
    about_pivot = add(moment, cross(force, pivot))
    rows[row, jv.TOUCH] = dot(axis, about_pivot if net.joint_hinge[k] else force)
    rows[row, jv.MOVED_MASS] = mass
    centre = add_scaled(zero, 1.0 / mass, first)
    put3(rows, row, jv.AXIS, turn(R_WM, axis))
    put3(rows, row, jv.MOVED_COM, add(turn(R_WM, centre), p_WM))
    put3(rows, row, jv.PIVOT, add(turn(R_WM, pivot), p_WM))


@compiled
def add_span(rows: Array, row: int, plane: Array, span: Array, i: int) -> None:
    """Add one joint's J Jᵀ in the steering plane."""
    column = com_column(rows, row)
    x, y = dot(column, get3(plane, 0, 0)), dot(column, get3(plane, 1, 0))
    span[i, 0] += x * x
    span[i, 1] += x * y
    span[i, 2] += y * y


@compiled
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
        arm = add_scaled(
            get3(rows, row, jv.MOVED_COM), -1.0, get3(rows, row, jv.PIVOT)
        )
        axis = cross(axis, arm)
    return share * axis[0], share * axis[1], share * axis[2]
