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

from equipoise.control.com import joint_view as jv
from equipoise.control.com.brain import state as st
from equipoise.control.com.brain.state import TABLE, Mind
from equipoise.control.com.feet.forces import (
    REACH,
    factor_feet,
    foot_force,
    solve_feet,
)
from equipoise.control.com.feet.stance import (
    AWAY,
    EASE,
    GOAL_X,
    GOAL_Y,
    HEIGHT,
    HIP,
    HOME,
    LEAVES,
    LIMB,
    MARK,
    OFFSET,
    RAISE,
    REF,
    SAME,
    STARTED,
    VERDICT,
    WEIGHT,
    FeetGains,
    Stance,
)
from equipoise.control.com.feet.support import balance_verdict
from equipoise.control.com.geometry.vectors import V3, add_scaled, cross, dot, get3
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["stand"]

LEAST_FEET = 3
SURE = 50.0  # ticks for which the same feet must stand before a module says no
LEAST_EASE = 1e-3
LARGEST_RATE = 1.0  # [rad/s] of a reference in a leg
LIGHT = 0.25  # share of its even part of the weight below which a foot is pressed down
PRESS = 0.001  # [m], by as much as if its hip were too low
UPWARDS = 10  # column of a contact: force of the ground on the foot, upwards
BODY_RATE = 0.2  # [rad/s] of one between the legs
LEVER = 0.06  # [m], distance of a limb's centre from which it is lifted fully


@compiled(allocates=False)
def stand(
    mind: Mind,
    stance: Stance,
    face_part: Ints,
    anchor_part: Ints,
    order: Array,
    gains: FeetGains,
    effort: Array,
    q: Array,
    rate: Array,
    steady: Array,
    tau: Array,
) -> None:
    """Write every joint's torque and every module's verdict.

    Args:
        mind: what the modules know.
        stance: what they remember about standing; written.
        face_part: which part carries each connector.
        anchor_part: by which part a module stands, (n,).
        order: id of the foot that shall leave or 0, whether it is lifted, and x and y
            of the goal (NaN: the middle of the feet that stay), (n, 4).
        gains: see above.
        effort: largest torque of each joint, (n * joints,).
        q: joint values, (n, joints).
        rate: joint rates, (n, joints).
        steady: above zero where a module's table is complete and steady, (n,).
        tau: written, (n, joints).
    """
    joints = q.shape[1]
    for i in range(q.shape[0]):
        known = mind.rows[i * joints, jv.KNOWN] > 0.5
        count, stays, leaves = choose_feet(mind, stance, order, i)
        stance.node[i, LEAVES] = leaves
        stance.node[i, VERDICT] = -1.0
        stance.node[i, AWAY] = math.inf
        step = gains.dt / gains.ease_time
        ease = stance.node[i, EASE]
        goes = leaves != 0 and order[i, 1] > 0.5
        ease = max(ease - step, LEAST_EASE) if goes else min(ease + step, 1.0)
        stance.node[i, EASE] = ease
        can = known and stays >= LEAST_FEET
        if can:
            judge(mind, stance, i * joints, i, stays, steady[i], gains)
            share_load(mind, stance, i * joints, i, count, leaves, order, gains)
        for j in range(joints):
            row = i * joints + j
            kept = stance.joint
            if kept[row, STARTED] < 0.5:
                kept[row, REF], kept[row, STARTED] = q[i, j], 1.0
            feed = 0.0
            if can:
                feed = move_joint(
                    mind, stance, i, j, row, count, face_part, anchor_part[i], order,
                    gains, q[i, j],
                )  # fmt: skip
            value = kept[row, WEIGHT] + gains.stiffness * (kept[row, REF] - q[i, j])
            value += gains.joint_damping * feed - gains.damping * rate[i, j]
            most = effort[row]
            tau[i, j] = min(max(value, -most), most) if value == value else 0.0


@compiled(allocates=False)
def choose_feet(
    mind: Mind, stance: Stance, order: Array, i: int
) -> tuple[int, int, int]:
    """Collect module i's contacts: how many, how many stay, and who leaves.

    A foot cannot leave while fewer than three others stand: then all count.
    """
    who, chosen = mind.who, stance.chosen
    leaves = int(order[i, 0])
    count = stays = 0
    mark = 0.0
    for row in range(i * TABLE, (i + 1) * TABLE):
        if who[row, st.WHO] != 0 and who[row, st.TOUCHES] != 0:
            chosen[count] = row
            count += 1
            mark += float(who[row, st.WHO]) * who[row, st.WHO]
            if who[row, st.WHO] != leaves:
                chosen[TABLE + stays] = row
                stays += 1
    node = stance.node
    node[i, SAME] = node[i, SAME] + 1.0 if mark == node[i, MARK] else 0.0
    node[i, MARK] = mark
    if stays < LEAST_FEET and stays < count:
        leaves = 0
        stays = count
        for k in range(count):
            chosen[TABLE + k] = chosen[k]
    return count, stays, leaves


@compiled(allocates=False)
def judge(
    mind: Mind,
    stance: Stance,
    row: int,
    i: int,
    stays: int,
    steady: float,
    gains: FeetGains,
) -> None:
    """Write module i's verdict on the feet that stay, if its table is good."""
    if not steady > 0.0:
        return
    com, velocity = get3(mind.rows, row, jv.COM), get3(mind.rows, row, jv.VELOCITY)
    speed, age = math.sqrt(dot(velocity, velocity)), mind.rows[row, jv.AGE]
    slack = gains.place_error + age * (2.0 * speed + gains.jolt * age)
    answer = balance_verdict(
        mind.place, stance.chosen[TABLE:], stays, com[0], com[1], slack, gains.margin
    )
    if answer == 0 and stance.node[i, SAME] < SURE:
        answer = -1  # a foot may touch too lightly, or too shortly, to be believed
    stance.node[i, VERDICT] = answer


@compiled(allocates=False)
def share_load(
    mind: Mind,
    stance: Stance,
    row: int,
    i: int,
    count: int,
    leaves: int,
    order: Array,
    gains: FeetGains,
) -> None:
    """Find the wanted motion and solve for the forces that hold the weight."""
    com = get3(mind.rows, row, jv.COM)
    x = y = all_x = all_y = 0.0
    stays, node = 0, stance.node
    for k in range(count):
        at = stance.chosen[k]
        is_leaving = leaves != 0 and mind.who[at, st.WHO] == leaves
        stance.weight[k] = node[i, EASE] if is_leaving else 1.0
        point = get3(mind.place, at, 0)
        for a in range(3):
            stance.foot[k, a] = (point[a] - com[a]) / REACH
        all_x, all_y = all_x + point[0] / count, all_y + point[1] / count
        if not is_leaving:
            x, y, stays = x + point[0], y + point[1], stays + 1
    lean = gains.lean if leaves != 0 else 1.0
    x, y = all_x + lean * (x / stays - all_x), all_y + lean * (y / stays - all_y)
    if order[i, 2] == order[i, 2]:
        x, y = order[i, 2], order[i, 3]
    if order[i, 1] > 0.5 and node[i, GOAL_X] == node[i, GOAL_X]:
        x, y = node[i, GOAL_X], node[i, GOAL_Y]  # while a foot is up it stays
    node[i, GOAL_X], node[i, GOAL_Y] = x, y
    x, y = com[0] - x, com[1] - y
    away = math.sqrt(x * x + y * y)
    stance.node[i, AWAY] = away
    pace = min(gains.pace, gains.top_speed / max(away, 1e-12))
    stance.foot[0, 3], stance.foot[0, 4], stance.foot[0, 5] = pace * x, pace * y, 0.0
    factor_feet(stance.foot, stance.weight, count, stance.factor)
    weight = mind.rows[row, jv.MASS] * gains.gravity
    solve_feet(stance.factor, (0.0, 0.0, weight), stance.solved)


@compiled(allocates=False)
def move_joint(
    mind: Mind,
    stance: Stance,
    i: int,
    j: int,
    row: int,
    count: int,
    face_part: Ints,
    anchor_part: int,
    order: Array,
    gains: FeetGains,
    angle: float,
) -> float:
    """Write a joint's reference and the weight it holds; return its wanted rate."""
    kept = stance.joint
    weigh, moved, last, rest = behind(
        mind, stance, i, j, row, count, face_part, anchor_part, gains.gravity
    )
    share = min(gains.dt / gains.weight_time, 1.0)
    kept[row, WEIGHT] += share * (weigh - kept[row, WEIGHT])
    is_free = moved == 0 or moved == count
    limb = last if moved == 1 else (rest if count - moved == 1 else -1)
    is_leg = limb >= 0 and kept[row, LIMB] == mind.who[limb, st.WHO]
    lifted = order[i, 1] > 0.5 and kept[row, LIMB] == order[i, 0] and order[i, 0] > 0.5
    lifted = lifted and stance.node[i, EASE] <= LEAST_EASE
    if kept[row, RAISE] == 0.0:
        is_moved = moved <= count - moved
        kept[row, OFFSET] = lift_turn(mind.rows, row, is_moved, gains.lift)
    step, most = gains.dt / gains.lift_time, LARGEST_RATE * gains.dt
    if lifted or is_free:
        raised = kept[row, RAISE] + (step if lifted else -step)
        kept[row, RAISE] = min(max(raised, -1.0), 1.0)
        target = kept[row, HOME] + kept[row, RAISE] * kept[row, OFFSET]
        kept[row, REF] += min(max(target - kept[row, REF], -most), most)
        return 0.0
    kept[row, RAISE] = 0.0
    if not is_leg:  # the body between the legs is kept as it was
        change = kept[row, HOME] - kept[row, REF]
        kept[row, REF] += min(max(change, -BODY_RATE * gains.dt), BODY_RATE * gains.dt)
        return 0.0
    swift = gains.swiftness if moved == 1 else -gains.swiftness
    least = LIGHT * mind.rows[row, jv.MASS] * gains.gravity / count
    is_light = mind.place[limb, UPWARDS] < least and stance.node[i, EASE] >= 1.0
    wanted = 0.0 if is_light else gains.homing * (kept[row, HOME] - angle)
    wanted += swift * leg_rate(mind, stance, j, row, limb, gains.levelling, is_light)
    wanted = min(max(wanted, -LARGEST_RATE), LARGEST_RATE)
    kept[row, REF] += gains.dt * (wanted + gains.creep * (angle - kept[row, REF]))
    return wanted


@compiled(allocates=False)
def behind(
    mind: Mind,
    stance: Stance,
    i: int,
    j: int,
    row: int,
    count: int,
    face_part: Ints,
    anchor_part: int,
    gravity: float,
) -> tuple[float, int, int, int]:
    """Return the torque of the weight, and which contacts are behind a joint.

    These are: how many on the side that the joint moves, row of the last of them, and
    row of the last of the others; -1 for none.
    """
    rows, source = mind.rows, mind.own[i, st.SOURCE]
    held = face_part[source] if source >= 0 else anchor_part
    axis, pivot = get3(rows, row, jv.AXIS), get3(rows, row, jv.PIVOT)
    arm = add_scaled(get3(rows, row, jv.MOVED_COM), -1.0, pivot)
    weigh = cross(arm, (0.0, 0.0, rows[row, jv.MOVED_MASS] * gravity))
    moved, last, rest = 0, -1, -1
    for k in range(count):
        at = stance.chosen[k]
        port = mind.who[at, st.PORT]
        part = face_part[port] if port >= 0 else anchor_part
        if (part > j) != (held <= j):
            rest = at
            continue
        moved, last = moved + 1, at
        reach = add_scaled(get3(mind.place, at, 0), -1.0, pivot)
        holds = foot_force(stance.solved, stance.weight[k], get3(stance.foot, k, 0))
        weigh = add_scaled(weigh, -1.0, cross(reach, holds))
    return dot(axis, weigh), moved, last, rest


@compiled(allocates=False, melts=True)
def leg_rate(
    mind: Mind,
    stance: Stance,
    j: int,
    row: int,
    limb: int,
    levelling: float,
    is_light: bool,
) -> float:
    """Return u · [(p_k - q) x (how the foot shall go, seen from the body)].

    A foot that carries next to nothing is not drawn up but pressed down a little.
    """
    kept, rows = stance.joint, mind.rows
    axis, pivot = get3(rows, row, jv.AXIS), get3(rows, row, jv.PIVOT)
    point = get3(mind.place, limb, 0)
    reach = add_scaled(point, -1.0, pivot)
    hip = row - j + int(kept[row, HIP])
    rise = rows[hip, jv.PIVOT + 2] - point[2] - kept[row, HEIGHT]
    if is_light:
        rise = min(rise, -PRESS)
    if rise != rise:  # no hip in this module
        rise = 0.0
    goes = (stance.foot[0, 3], stance.foot[0, 4], levelling * rise)
    return dot(axis, cross(reach, goes))


@compiled(allocates=False)
def lift_turn(rows: Array, row: int, is_moved: bool, most: float) -> float:
    """Return the turn that raises a limb: in proportion to its lever, at most ``most``.

    Args:
        rows: what the modules know about their joints.
        row: the joint.
        is_moved: whether the limb is the side that the joint moves, or the other one.
        most: of a lever of ``LEVER`` or more [rad].
    """
    mass, pivot = rows[row, jv.MOVED_MASS], get3(rows, row, jv.PIVOT)
    centre: V3 = get3(rows, row, jv.MOVED_COM)
    sign = 1.0
    if not is_moved:
        whole, com = rows[row, jv.MASS], get3(rows, row, jv.COM)
        first = add_scaled((0.0, 0.0, 0.0), whole, com)
        first = add_scaled(first, -mass, centre)
        centre = add_scaled((0.0, 0.0, 0.0), 1.0 / max(whole - mass, 1e-12), first)
        sign = -1.0
    swing = cross(get3(rows, row, jv.AXIS), add_scaled(centre, -1.0, pivot))
    return sign * most * min(max(swing[2] / LEVER, -1.0), 1.0)
