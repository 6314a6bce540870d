"""What a module learns about its own joints from what it has heard, compiled."""

from equipoise.control.com.geometry.vectors import (
    ZERO,
    add,
    add_scaled,
    cross,
    dot,
    mat,
    put_vec,
    rotate_vector,
    vec,
)
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView, com_column
from equipoise.control.com.loads import add_load, clear_load
from equipoise.control.com.module_motion import ModuleScratch, PartState, whole_motion
from equipoise.control.com.network import JointShape, ModuleDesign, ModuleEstimate
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.spatial.mass.vectors import first_moment

__all__ = ["fill_view", "read_joints"]

FADE = 0.1  # [rad or m]


@compiled(allocates=False, force_inline=True)
def read_joints(
    joint: Records[JointShape], q: Array, rate: Array, views: Records[JointView]
) -> None:
    """Write what a module knows of its joints without being told.

    Args:
        joint: its joints.
        q: their values, (joints,).
        rate: their rates, (joints,).
        views: written.
    """
    for k in range(joint.shape[0]):
        view = views[k]
        view.angle, view.rate = q[k], rate[k]
        view.lower, view.upper = joint[k].lower, joint[k].upper
        view.hinge = joint[k].hinge


@compiled(allocates=False, force_inline=True)
def fill_view(
    shape: ModuleDesign,
    scratch: ModuleScratch,
    goal: ComGoal,
    module: ModuleEstimate,
    views: Records[JointView],
) -> None:
    """Write the views of a module's joints, its view of the whole, and its span.

    Args:
        shape: what the module is made of.
        scratch: its parts with their loads, to which what hangs on them is added here,
            and the span of all joints.
        goal: where the centre of mass shall be.
        module: what it knows; the whole robot and the span are written.
        views: after ``read_joints``; written.
    """
    parts, total = scratch.parts, scratch.total[0]
    for c in range(scratch.faces.shape[0]):
        if scratch.faces[c].counts != 0:
            add_load(parts[shape.face[c].part].load, scratch.faces[c].heard)
    clear_load(total)
    for k in range(parts.shape[0]):
        add_load(total, parts[k].load)
    for a in range(10):
        module.whole[a] = total.lump[a]
    put_vec(module.span, ZERO)
    com, velocity = ZERO, ZERO
    if module.known != 0:
        com, velocity = whole_motion(total, module.pose)
    for k in range(views.shape[0]):
        view = views[k]
        view.known, view.age = module.known, module.age
        if module.known != 0:
            view.mass = total.lump[0]
            put_vec(view.com, com)
            put_vec(view.velocity, velocity)
            put_vec(view.span, vec(scratch.span))
            _fill_joint(shape.joint[k], k, parts, module, view)
            add_span(view, goal, module.span)


@compiled(allocates=False, force_inline=True)
def _fill_joint(
    joint: JointShape,
    k: int,
    parts: Records[PartState],
    module: ModuleEstimate,
    view: JointView,
) -> None:
    """Write pivot, axis and moved side of joint k."""
    held, pose = module.held, module.pose
    sign = 1.0 if held <= k else -1.0
    mass, first, force, moment = 0.0, ZERO, ZERO, ZERO
    for side in range(parts.shape[0]):
        if (side > k) == (held <= k):
            load = parts[side].load
            mass += load.lump[0]
            first = add(first, first_moment(load.lump))
            force = add(force, vec(load.force))
            moment = add(moment, vec(load.moment))
    R_WM, p_WM = mat(pose.R), vec(pose.p)
    pivot, R_part = vec(parts[k + 1].frame.p), mat(parts[k].frame.R)
    axis = add_scaled(ZERO, sign, rotate_vector(R_part, vec(joint.axis)))
    about_pivot = add(moment, cross(force, pivot))
    view.touch = dot(axis, about_pivot if joint.hinge != 0 else force)
    view.moved_mass = mass
    centre = add_scaled(ZERO, 1.0 / mass, first)
    put_vec(view.axis, rotate_vector(R_WM, axis))
    put_vec(view.moved_com, add(rotate_vector(R_WM, centre), p_WM))
    put_vec(view.pivot, add(rotate_vector(R_WM, pivot), p_WM))


@compiled(allocates=False, force_inline=True)
def add_span(view: JointView, goal: ComGoal, span: Array) -> None:
    """Add one joint's J Jᵀ in the steering plane, as far as the joint can still go.

    A joint that is locked, or at the limit to which the error would drive it, cannot
    help; its part fades over the last ``FADE`` radians before the limit.
    """
    column = com_column(view)
    first, second = vec(goal.frame[0]), vec(goal.frame[1])
    x, y = dot(column, first), dot(column, second)
    away = add_scaled(vec(view.com), -1.0, vec(goal.point[0]))
    drive = -(x * dot(away, first) + y * dot(away, second))
    room = view.upper - view.angle if drive > 0.0 else view.angle - view.lower
    if not view.lower < view.upper:
        room = 0.0
    part = min(max(room / FADE, 0.0), 1.0)
    span[0] += part * x * x
    span[1] += part * x * y
    span[2] += part * y * y
