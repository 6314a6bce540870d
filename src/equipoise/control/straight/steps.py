"""From stance, trunk and balance to joint torques: ``leg_programs.steps``, the law.

Reflexes come between both, ``straight.reflexes``.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from equipoise.control.leg_programs.steps import StepConfig
from equipoise.control.legs.law import LegGuards
from equipoise.control.straight.balance import FootLoad
from equipoise.control.straight.clock import LegStep
from equipoise.control.straight.known import KnownLeg, KnownTrunk
from equipoise.control.straight.memory import TickMemory
from equipoise.control.straight.stride import TrunkCourse, clamped
from equipoise.core.records import Records
from equipoise.equations.tape.functions import cos, less, maximum, minimum, sin, where
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Rows, Vec

__all__ = ["FootAim", "leg_aims", "leg_torques_expr"]

AXES = "xyz"


class FootAim(NamedTuple):
    """Aim of one leg."""

    place: Vec
    velocity: Vec
    force: Vec
    bend: Vec
    """Acceleration of a swinging foot, zero while it stands."""
    progress: Expr
    """Share of a swing that is over."""


def _turned(rpy: Vec) -> Rows:
    """Return the rotation by yaw, pitch and roll, row by row."""
    (cr, cp, cy), (sr, sp, sy) = (cos(a) for a in rpy), (sin(a) for a in rpy)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def _columns_of(rows: Rows, v: Sequence[Expr]) -> Vec:
    """Return a vector of the rows' axes in those of the columns."""
    x, y, z = (
        rows[0][i] * v[0] + rows[1][i] * v[1] + rows[2][i] * v[2] for i in range(3)
    )
    return (x, y, z)


def leg_aims(
    config: StepConfig,
    settings: dict[str, Expr],
    trunk: KnownTrunk,
    legs: list[KnownLeg],
    steps: list[LegStep],
    aim: TrunkCourse,
    loads: list[FootLoad],
    memory: TickMemory,
) -> list[FootAim]:
    """Return what each leg is told.

    Args:
        config: of the swing.
        settings: its lift.
        trunk: what is known of it.
        legs: and of the legs.
        steps: who stands.
        aim: of the trunk, corrected.
        loads: of the feet.
        memory: where swinging feet left the ground, and are bound for.
    """
    turn = _turned(aim.rpy_WB)
    slips = _columns_of(trunk.R_WB, [trunk.v_WB[i] - aim.v_WB[i] for i in range(3)])
    low = _clamped_between(aim.p_WB[2] - trunk.p_WB[2], -0.02, config.sink)
    c, s = cos(aim.rpy_WB[2]), sin(aim.rpy_WB[2])
    path = (c * aim.path[0] + s * aim.path[1], c * aim.path[1] - s * aim.path[0])
    found: list[FootAim] = []
    for k, (leg, step, load) in enumerate(zip(legs, steps, loads, strict=True)):
        held = _standing(config, turn, leg, step, aim, load, slips)
        left = _left_from(trunk, turn, leg, step, aim, k, memory)
        place = aim.places[k]
        drifts = (
            path[0] - aim.yaw_rate * place[1],
            path[1] + aim.yaw_rate * place[0],
            low.tape.constant(0.0),
        )
        shifts = (*load.shift, low)
        at, rate, bend = list[Expr](), list[Expr](), list[Expr]()
        for i in range(3):
            goal = place[i] + 0.5 * step.support * drifts[i] + shifts[i]
            lift = settings["steps.lift"] if i == 2 else None
            way = _along(config, drifts[i], goal, left[i], step, lift)
            at.append(where(step.stands, held.place[i], way[0] - leg.hip[i]))
            speed = where(step.stands, held.velocity[i], way[1] / step.swing)
            rate.append(speed)
            bend.append(where(step.stands, 0.0, way[2] / (step.swing * step.swing)))
            if i < 2:
                landing = where(step.stands, leg.foot[i], goal - leg.hip[i])
                memory.write(f"landing.{k}.{AXES[i]}", landing)
        force = [where(step.stands, f, 0.0) for f in held.force]
        found.append(
            FootAim(
                (at[0], at[1], at[2]),
                (rate[0], rate[1], rate[2]),
                (force[0], force[1], force[2]),
                (bend[0], bend[1], bend[2]),
                step.progress,
            )
        )
    return found


def _clamped_between(x: Expr, least: float, most: float) -> Expr:
    """Return a number kept between two."""
    return minimum(maximum(x, least), most)


def _standing(
    config: StepConfig,
    turn: Rows,
    leg: KnownLeg,
    step: LegStep,
    aim: TrunkCourse,
    load: FootLoad,
    slips: Vec,
) -> FootAim:
    """Return what a standing foot is told: its foothold, seen from the reference."""
    p, v = aim.p_WB, aim.v_WB
    x, y, z = (leg.foothold[i] - p[i] for i in range(3))
    seen = _columns_of(turn, (x, y, z))
    rates = _columns_of(
        turn, (aim.yaw_rate * y - v[0], -(aim.yaw_rate * x) - v[1], -v[2])
    )
    place = [seen[i] - leg.hip[i] for i in range(3)]
    if config.lands_where_seen:
        place = [where(step.before, place[i], leg.foot[i]) for i in range(3)]
    force = [
        load.force[i] + load.share * (config.steady[i] * slips[i])
        if config.steady[i] > 0.0
        else load.force[i]
        for i in range(3)
    ]
    zero = x.tape.constant(0.0)
    return FootAim(
        (place[0], place[1], place[2]),
        rates,
        (force[0], force[1], force[2]),
        (zero, zero, zero),
        step.progress,
    )


def _left_from(
    trunk: KnownTrunk,
    turn: Rows,
    leg: KnownLeg,
    step: LegStep,
    aim: TrunkCourse,
    k: int,
    memory: TickMemory,
) -> list[Expr]:
    """Return where a foot left the ground, seen from the trunk's reference."""
    arm = [leg.foot[i] + leg.hip[i] for i in range(3)]
    off: list[Expr] = []
    for i in range(3):
        row = trunk.R_WB[i]
        reach = row[0] * arm[0] + row[1] * arm[1] + row[2] * arm[2]
        off.append(trunk.p_WB[i] - aim.p_WB[i] + reach)
    seen, leaves = _columns_of(turn, off), step.before * (1.0 - step.stands)
    left: list[Expr] = []
    for i, name in enumerate(AXES):
        before = memory.read(f"left.{k}.{name}", "m")
        left.append(where(leaves, seen[i], before))
        memory.write(f"left.{k}.{name}", left[-1])
    return left


def _along(
    config: StepConfig,
    drift: Expr,
    goal: Expr,
    left: Expr,
    step: LegStep,
    lift: Expr | None,
) -> tuple[Expr, Expr, Expr]:
    """Return place, velocity and acceleration of a swing's axis: ``swing.along``."""
    u, slope = step.progress, -config.match * drift * step.swing
    a, b, d = goal - left, u * u * (3.0 - 2.0 * u), u * (1.0 - u)
    tilt = 1.0 - 2.0 * u
    at = left + a * b + slope * d * tilt
    rate = 6.0 * a * d + slope * (1.0 - 6.0 * d)
    bend = 6.0 * (a - slope) * tilt
    if lift is not None:
        soft = config.soft_landing
        s, c = sin(math.pi * u), cos(math.pi * u)
        at = at + lift * ((1.0 - soft) * s + soft * s * s)
        rate = rate + lift * (math.pi * ((1.0 - soft) * c + 2.0 * soft * s * c))
        pull = 2.0 * soft * (c * c - s * s) - (1.0 - soft) * s
        bend = bend + lift * (math.pi**2 * pull)
    late = less(0.0, step.late)
    return (
        where(late, goal - drift * step.late, at),
        where(late, -drift * step.swing, rate),
        where(late, 0.0, bend),
    )


def leg_torques_expr(
    settings: dict[str, Expr],
    guards: Records[LegGuards],
    singular: float,
    legs: list[KnownLeg],
    aims: list[FootAim],
) -> list[Expr]:
    """Return the joint torques, leg by leg: ``legs.law.leg_torques``.

    Args:
        settings: stiffness and damping.
        guards: of the leg law.
        singular: determinant of a foot's Jacobian below which nothing accelerates.
        legs: what is known of them.
        aims: what they are told.
    """
    stiffness = [settings[f"law.stiffness.{k}"] for k in AXES]
    damping = [settings[f"law.damping.{k}"] for k in AXES]
    found: list[Expr] = []
    for leg, aim, guard in zip(legs, aims, guards, strict=True):
        force = [
            stiffness[i] * (aim.place[i] - leg.foot[i])
            + damping[i] * (aim.velocity[i] - leg.rate[i])
            + aim.force[i]
            for i in range(3)
        ]
        bends = _joint_accelerations(leg, singular, aim)
        for j in range(len(leg.q)):
            tau = float(guard.inertia[j]) * bends[j]
            for i in range(3):
                tau = tau + leg.jacobian[i][j] * force[i]
            tau = tau - _guarded(leg, guard, j)
            found.append(clamped(tau, float(guard.torque[j])))
    return found


def _guarded(leg: KnownLeg, guard: LegGuards, j: int) -> Expr:
    """Return what keeps a knee from overextending; it pushes back, it never pulls."""
    stretch = float(guard.stretch[j])
    if stretch == 0.0 or not np.isfinite(stretch):
        return leg.q[j].tape.constant(0.0)
    beyond = stretch * (leg.q[j] - float(guard.straight[j])) + float(guard.angle)
    slows = float(guard.damping[j]) * stretch * leg.v[j]
    back = maximum(float(guard.stiffness[j]) * beyond + slows, 0.0)
    return where(less(0.0, beyond), stretch * back, 0.0)


def _joint_accelerations(leg: KnownLeg, singular: float, aim: FootAim) -> list[Expr]:
    """Return the joints' accelerations by J⁻¹; zero where J is singular."""
    zero = leg.q[0].tape.constant(0.0)
    if len(leg.q) != 3:
        return [zero] * len(leg.q)
    (a, b, c), (d, e, f), (g, h, i) = leg.jacobian
    first, second, third = e * i - f * h, f * g - d * i, d * h - e * g
    det = a * first + b * second + c * third
    is_flat = less(abs(det), singular)
    over = where(is_flat, 0.0, 1 / where(is_flat, 1.0, det))
    x, y, z = (over * one for one in aim.bend)
    return [
        first * x + (c * h - b * i) * y + (b * f - c * e) * z,
        second * x + (a * i - c * g) * y + (c * d - a * f) * z,
        third * x + (b * g - a * h) * y + (a * e - b * d) * z,
    ]
