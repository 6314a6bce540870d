"""Steering with several feet on the ground: what each joint does, compiled.

A robot on several feet is a closed chain with the ground. Each module finds, from its
own contact table, the forces f_k with which the feet hold up the weight
(``feet_forces``), and its joint's torque from what it knows behind that joint:

    τ = u · [ (p₂ - q) x m₂ g e_z  -  Σ_k (p_k - q) x f_k ]      k behind the joint

The robot moves as one body above its feet. With v the wanted velocity of the centre of
mass, each foot shall go by -v seen from the body, and each hip comes back to its first
height above its foot: when all hips do so, the body is level again, though nobody knows
how the body is turned. A joint of a leg that stands on foot p_k takes its share by the
transposed Jacobian,

    rate = s u · [ (p_k - q) x (-v + λ (z - z₀) e_z) ] + homing

[Moll2006] section IV expects that modules must coordinate and that "some compliance
will be necessary": the reference angle goes with that rate, and creeps towards where
the joint is, so that rates that do not fit together give way. A stiff spring holds the
joint at its reference, and goes on holding when its module knows too little to steer.

Joints between the legs go back to their first angles and stay. A limb that does not
touch is carried by its springs alone. One that shall be lifted
turns each joint by as much as this raises the centre of mass of all beyond it; one that
should stand reaches down until it does.
"""

import math
from typing import NamedTuple

from equipoise.control.com.brain.state import TABLE, BrainMemory, Senses
from equipoise.control.com.feet.forces import (
    REACH,
    add_foot,
    clear_feet,
    factor_feet,
    foot_force,
    solve_feet,
)
from equipoise.control.com.feet.stance import FeetGains, FeetMemory
from equipoise.control.com.feet.support import balance_verdict
from equipoise.control.com.geometry.vectors import ZERO, add_scaled, cross, dot, vec
from equipoise.control.com.joint_view import JointView, moved_arm
from equipoise.control.com.network import FaceShape
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["stand_on_feet"]

LEAST_FEET = 3
SURE = 50.0  # ticks for which the same feet must stand before a module says no
LEAST_EASE = 1e-3
LARGEST_RATE = 1.0  # [rad/s] of a reference in a leg
LIGHT = 0.25  # share of its even part of the weight below which a foot is pressed down
PRESS = 0.001  # [m], by as much as if its hip were too low
BODY_RATE = 0.2  # [rad/s] of one between the legs
LEVER = 0.06  # [m], distance of a limb's centre from which it is lifted fully


class Sides(NamedTuple):
    """Weight that a joint holds, and the feet on either side of it."""

    weight: float
    """Torque that holds the weight and the feet's forces [N m]."""
    moved: int
    """How many feet are on the side that the joint moves."""
    last: int
    """Row of the last of them, -1 for none."""
    rest: int
    """Row of the last one on the other side, -1 for none."""


@compiled(allocates=False)
def stand_on_feet(
    memory: BrainMemory,
    feet: FeetMemory,
    face: Records[FaceShape],
    senses: Senses,
    gains: FeetGains,
    tau: Array,
) -> None:
    """Write every joint's torque and every module's verdict.

    Args:
        memory: what the modules know.
        feet: what they remember about standing; written.
        face: a module's connectors.
        senses: their readings.
        gains: see above.
        tau: written, (n, joints).
    """
    joints, law = tau.shape[1], gains.law[0]
    for i in range(tau.shape[0]):
        module = feet.modules[i]
        _choose_feet(memory, feet, i)
        module.verdict = -1.0
        module.away = math.inf
        step, ease = gains.dt / law.ease_time, module.ease
        goes = module.leaves != 0 and module.order.lifted != 0
        module.ease = max(ease - step, LEAST_EASE) if goes else min(ease + step, 1.0)
        view = memory.rows[i * joints]
        can = view.known != 0 and module.stays >= LEAST_FEET
        if can:
            _judge(memory, feet, view, i, gains)
            _share_load(memory, feet, view, i, gains)
        for j in range(joints):
            kept, angle = feet.joints[i * joints + j], senses.q[i, j]
            if kept.started == 0:
                kept.ref, kept.started = angle, 1
            feed = 0.0
            if can:
                anchor = senses.anchor_part[i]
                sides = _split(memory, feet, face, anchor, (i, j), law.gravity)
                feed = _move_joint(memory, feet, (i, j), sides, gains)
            value = kept.weight + law.stiffness * (kept.ref - angle)
            value += law.joint_damping * feed - law.damping * senses.rate[i, j]
            most = kept.effort
            tau[i, j] = min(max(value, -most), most) if value == value else 0.0


@compiled(allocates=False)
def _choose_feet(memory: BrainMemory, feet: FeetMemory, i: int) -> None:
    """Collect module i's contacts: how many, how many stay, and who leaves.

    A foot cannot leave while fewer than three others stand: then all count.
    """
    module = feet.modules[i]
    leaves = module.order.foot
    count = stays = 0
    mark = 0.0
    for row in range(i * TABLE, (i + 1) * TABLE):
        contact = memory.contacts[row]
        if contact.who != 0 and contact.touches != 0:
            feet.feet[count].row = row
            count += 1
            mark += float(contact.who) * contact.who
            if contact.who != leaves:
                feet.staying[stays] = row
                stays += 1
    module.same = module.same + 1.0 if mark == module.mark else 0.0
    module.mark = mark
    if stays < LEAST_FEET and stays < count:
        leaves = 0
        stays = count
        for k in range(count):
            feet.staying[k] = feet.feet[k].row
    module.count, module.stays, module.leaves = count, stays, leaves


@compiled(allocates=False)
def _judge(
    memory: BrainMemory, feet: FeetMemory, view: JointView, i: int, gains: FeetGains
) -> None:
    """Write module i's verdict on the feet that stay, if its table is good."""
    module = feet.modules[i]
    if not module.steady > 0.0:
        return
    velocity, age, support = vec(view.velocity), view.age, gains.support[0]
    speed = math.sqrt(dot(velocity, velocity))
    slack = support.place_error + age * (2.0 * speed + support.jolt * age)
    xy = view.com[0], view.com[1]
    answer = balance_verdict(
        memory.contacts, feet.staying, module.stays, xy, slack, support.margin
    )
    if answer == 0 and module.same < SURE:
        answer = -1  # a foot may touch too lightly, or too shortly, to be believed
    module.verdict = answer


@compiled(allocates=False)
def _share_load(
    memory: BrainMemory, feet: FeetMemory, view: JointView, i: int, gains: FeetGains
) -> None:
    """Find the wanted motion and solve for the forces that hold the weight."""
    module, system, com = feet.modules[i], feet.system[0], vec(view.com)
    leaves, count, law = module.leaves, module.count, gains.law[0]
    x = y = all_x = all_y = 0.0
    stays = 0
    clear_feet(system)
    for k in range(count):
        foot = feet.feet[k]
        contact = memory.contacts[foot.row]
        is_leaving = leaves != 0 and contact.who == leaves
        foot.weight = module.ease if is_leaving else 1.0
        point = vec(contact.place.point)
        for a in range(3):
            foot.arm[a] = (point[a] - com[a]) / REACH
        add_foot(system, vec(foot.arm), foot.weight)
        all_x, all_y = all_x + point[0] / count, all_y + point[1] / count
        if not is_leaving:
            x, y, stays = x + point[0], y + point[1], stays + 1
    lean = law.lean if leaves != 0 else 1.0
    x, y = all_x + lean * (x / stays - all_x), all_y + lean * (y / stays - all_y)
    if module.order.goal[0] == module.order.goal[0]:
        x, y = module.order.goal[0], module.order.goal[1]
    if module.order.lifted != 0 and module.goal[0] == module.goal[0]:
        x, y = module.goal[0], module.goal[1]  # while a foot is up it stays
    module.goal[0], module.goal[1] = x, y
    x, y = com[0] - x, com[1] - y
    module.away = math.sqrt(x * x + y * y)
    pace = min(law.pace, law.top_speed / max(module.away, 1e-12))
    module.velocity[0], module.velocity[1] = pace * x, pace * y
    factor_feet(system)
    solve_feet(system, (0.0, 0.0, view.mass * law.gravity))


@compiled(allocates=False)
def _split(
    memory: BrainMemory,
    feet: FeetMemory,
    face: Records[FaceShape],
    anchor: int,
    joint: tuple[int, int],
    gravity: float,
) -> Sides:
    """Return what a joint holds, and which feet it has on either side.

    Args:
        memory: what the modules know.
        feet: forces and arms of the feet.
        face: a module's connectors.
        anchor: the part by which its module stands, if it does.
        joint: its module, and which of its joints it is.
        gravity: downwards [m/s²].
    """
    i, j = joint
    view = memory.rows[i * (memory.rows.shape[0] // memory.modules.shape[0]) + j]
    held, pivot = memory.modules[i].estimate.held, vec(view.pivot)
    weigh = cross(moved_arm(view), (0.0, 0.0, view.moved_mass * gravity))
    moved, last, rest = 0, -1, -1
    for k in range(feet.modules[i].count):
        foot = feet.feet[k]
        port = memory.contacts[foot.row].port
        part = face[port].part if port >= 0 else anchor
        if (part > j) != (held <= j):
            rest = foot.row
            continue
        moved, last = moved + 1, foot.row
        reach = add_scaled(vec(memory.contacts[foot.row].place.point), -1.0, pivot)
        holds = foot_force(feet.system[0], foot.weight, vec(foot.arm))
        weigh = add_scaled(weigh, -1.0, cross(reach, holds))
    return Sides(dot(vec(view.axis), weigh), moved, last, rest)


@compiled(allocates=False)
def _move_joint(
    memory: BrainMemory,
    feet: FeetMemory,
    joint: tuple[int, int],
    sides: Sides,
    gains: FeetGains,
) -> float:
    """Write a joint's reference and the weight it holds; return its wanted rate."""
    i, j = joint
    row = i * (memory.rows.shape[0] // memory.modules.shape[0]) + j
    kept, view, module = feet.joints[row], memory.rows[row], feet.modules[i]
    moved, count, law = sides.moved, module.count, gains.law[0]
    share = min(gains.dt / law.weight_time, 1.0)
    kept.weight += share * (sides.weight - kept.weight)
    is_free = moved == 0 or moved == count
    limb = sides.last if moved == 1 else (sides.rest if count - moved == 1 else -1)
    is_leg = limb >= 0 and kept.limb == memory.contacts[limb].who
    order = module.order
    lifted = order.lifted != 0 and kept.limb == order.foot and order.foot != 0
    lifted = lifted and module.ease <= LEAST_EASE
    if kept.share == 0.0:
        kept.offset = _lift_turn(view, moved <= count - moved, law.lift)
    step, most = gains.dt / law.lift_time, LARGEST_RATE * gains.dt
    if lifted or is_free:
        raised = kept.share + (step if lifted else -step)
        kept.share = min(max(raised, -1.0), 1.0)
        target = kept.home + kept.share * kept.offset
        kept.ref += min(max(target - kept.ref, -most), most)
        return 0.0
    kept.share = 0.0
    if not is_leg:  # the body between the legs is kept as it was
        change = kept.home - kept.ref
        kept.ref += min(max(change, -BODY_RATE * gains.dt), BODY_RATE * gains.dt)
        return 0.0
    swift = law.swiftness if moved == 1 else -law.swiftness
    least = LIGHT * view.mass * law.gravity / count
    is_light = memory.contacts[limb].place.force[2] < least and module.ease >= 1.0
    wanted = 0.0 if is_light else law.homing * (kept.home - view.angle)
    wanted += swift * _leg_rate(memory, feet, joint, limb, law.levelling, is_light)
    wanted = min(max(wanted, -LARGEST_RATE), LARGEST_RATE)
    kept.ref += gains.dt * (wanted + law.creep * (view.angle - kept.ref))
    return wanted


@compiled(allocates=False, force_inline=True)
def _leg_rate(
    memory: BrainMemory,
    feet: FeetMemory,
    joint: tuple[int, int],
    limb: int,
    levelling: float,
    is_light: bool,
) -> float:
    """Return u · [(p_k - q) x (how the foot shall go, seen from the body)].

    A foot that carries next to nothing is not drawn up but pressed down a little.
    """
    i, j = joint
    first = i * (memory.rows.shape[0] // memory.modules.shape[0])
    kept, view, module = feet.joints[first + j], memory.rows[first + j], feet.modules[i]
    point = vec(memory.contacts[limb].place.point)
    reach = add_scaled(point, -1.0, vec(view.pivot))
    rise = memory.rows[first + kept.hip].pivot[2] - point[2] - kept.height
    if is_light:
        rise = min(rise, -PRESS)
    if rise != rise:  # no hip in this module
        rise = 0.0
    goes = (module.velocity[0], module.velocity[1], levelling * rise)
    return dot(vec(view.axis), cross(reach, goes))


@compiled(allocates=False)
def _lift_turn(view: JointView, is_moved: bool, most: float) -> float:
    """Return the turn that raises a limb: in proportion to its lever, at most ``most``.

    Args:
        view: what the module knows about the joint.
        is_moved: whether the limb is the side that the joint moves, or the other one.
        most: of a lever of ``LEVER`` or more [rad].
    """
    mass, centre, sign = view.moved_mass, vec(view.moved_com), 1.0
    if not is_moved:
        first = add_scaled(ZERO, view.mass, vec(view.com))
        first = add_scaled(first, -mass, centre)
        centre = add_scaled(ZERO, 1.0 / max(view.mass - mass, 1e-12), first)
        sign = -1.0
    swing = cross(vec(view.axis), add_scaled(centre, -1.0, vec(view.pivot)))
    return sign * most * min(max(swing[2] / LEVER, -1.0), 1.0)
