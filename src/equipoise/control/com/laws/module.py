"""Joint target for a module's three joints, named as future work in the paper.

Each module finds the displacement of all its joints that would bring the centre of
mass to the goal if it alone moved: a few damped Gauss-Newton steps on its own exact
kinematics, inside its joint limits. With three joints the centre can be moved straight
to the goal [Moll2006] section VI. Every module does the same at the same time, so each
takes only a part of the way.
"""

from dataclasses import dataclass, field
from typing import Annotated, final

import numpy as np

from equipoise.control.com.geometry.vectors import (
    M3,
    V3,
    ZERO,
    add,
    add_scaled,
    cross,
    dot,
    put_vec,
    rotate_vector,
    scaled,
    turn_about,
    vec,
)
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.law import AbstractLaw, register
from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import cached_dispatch
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["ModuleConfig", "ModuleLaw"]

STEPS = 3  # Gauss-Newton steps a tick
SWEEPS = 3  # of Gauss-Seidel a step
HALVINGS = 6  # of a step that leads uphill, before it is given up


@dataclass(frozen=True, kw_only=True, slots=True)
class ModuleConfig(Settings):
    """Gains; defaults suit 20 modules of 72 g."""

    joints: Annotated[int, Setting("Number of joints in a module", least=1)] = 3
    proportional: Annotated[
        float, Setting("Torque per radian of displacement", "N m/rad", above=0.0)
    ] = 20.0
    derivative: Annotated[
        float, Setting("Torque against the joint's own rate", "N m s/rad", least=0.0)
    ] = 0.02
    share: Annotated[
        float,
        Setting(
            "Share of the way to the goal that one module covers by itself",
            above=0.0,
            most=1.0,
        ),
    ] = 0.5
    damping: Annotated[
        float,
        Setting(
            "Damping that keeps displacements small where they gain little",
            "m/rad",
            above=0.0,
        ),
    ] = 0.02


@compiled
def centre_after_turns(
    rows: Records[JointView], order: Ints, turns: Array, columns: Array
) -> V3:
    """Return the robot's centre after a module's joints turned; write its Jacobian.

    The outermost joint turns first, then the next one carries it along, and so on:
    p' = q + R (p - q) and p_inner += (m_outer/m_inner) (p'_outer - p_outer).

    Args:
        rows: what the modules know about their joints.
        order: rows of the module's joints, from the ground outwards.
        turns: their displacements [rad or m].
        columns: written: change of the centre per displacement, (joints, 3).
    """
    shift, outer_mass = ZERO, 0.0
    for n in range(order.shape[0] - 1, -1, -1):
        view = rows[order[n]]
        mass, pivot = view.moved_mass, vec(view.pivot)
        centre, axis = vec(view.moved_com), vec(view.axis)
        carried = add_scaled(centre, outer_mass / mass, shift)
        share = mass / view.mass
        if view.hinge != 0:
            R = turn_about(axis, turns[n])
            arm = rotate_vector(R, add_scaled(carried, -1.0, pivot))
            _turn_outer(columns, n + 1, R)
            shift = add_scaled(add(pivot, arm), -1.0, centre)
            change = cross(axis, arm)
        else:
            shift = add_scaled(add_scaled(carried, turns[n], axis), -1.0, centre)
            change = axis
        put_vec(columns[n], scaled(share, change))
        outer_mass = mass
    inner = rows[order[0]]
    return add_scaled(vec(inner.com), outer_mass / inner.mass, shift)


@compiled
def _turn_outer(columns: Array, first: int, R: M3) -> None:
    """Turn the columns of the joints that are carried along."""
    for n in range(first, columns.shape[0]):
        put_vec(columns[n], rotate_vector(R, vec(columns[n])))


@compiled
def _counted(goal: ComGoal, x: V3) -> V3:
    """Return what counts of a displacement: all of it, or its part across the line."""
    if goal.is_point:
        return x
    first, second = vec(goal.frame[0]), vec(goal.frame[1])
    across = add_scaled(ZERO, dot(x, first), first)
    return add_scaled(across, dot(x, second), second)


@compiled
def _still_to_go(
    rows: Records[JointView],
    order: Ints,
    goal: ComGoal,
    aim: V3,
    turns: Array,
    columns: Array,
) -> V3:
    """Return how far the centre is off ``aim`` after the turns; write its Jacobian."""
    centre = centre_after_turns(rows, order, turns, columns)
    for n in range(order.shape[0]):
        put_vec(columns[n], _counted(goal, vec(columns[n])))
    return _counted(goal, add_scaled(centre, -1.0, aim))


@compiled
def _newton_step(
    rows: Records[JointView],
    order: Ints,
    away: V3,
    damping: float,
    columns: Array,
    turns: Array,
) -> None:
    """Move ``turns`` to the minimum of |e + J δ|² + λ² |Δ + δ|² inside the limits.

    Gauss-Seidel, a few sweeps: each joint in turn takes its best value.
    """
    floor = damping * damping
    for _ in range(SWEEPS):
        for n in range(order.shape[0]):
            view, slope = rows[order[n]], vec(columns[n])
            gain = dot(slope, away) + floor * turns[n]
            lower = min(view.lower - view.angle, 0.0)
            upper = max(view.upper - view.angle, 0.0)
            best = turns[n] - gain / (dot(slope, slope) + floor)
            best = min(max(best, lower), upper)
            away = add_scaled(away, best - turns[n], slope)
            turns[n] = best


@compiled
def module_turns(
    rows: Records[JointView],
    order: Ints,
    goal: ComGoal,
    share: float,
    damping: float,
    turns: Array,
) -> None:
    """Write the displacements that bring the centre a share of its way to the goal.

    Damped Gauss-Newton; a step that does not lower |e|² + λ² |Δ|² is halved, so the
    centre never ends further off than it began.

    Args:
        rows: what the modules know about their joints.
        order: rows of the module's joints, from the ground outwards.
        goal: where the centre of mass shall be.
        share: part of the way to go, in (0, 1].
        damping: λ [m/rad].
        turns: written, one a joint [rad or m].
    """
    columns, trial = np.empty((order.shape[0], 3)), np.empty(order.shape[0])
    turns[:] = 0.0
    centre = vec(rows[order[0]].com)
    way = _counted(goal, add_scaled(centre, -1.0, vec(goal.point[0])))
    aim = add_scaled(centre, -share, way)
    away = _still_to_go(rows, order, goal, aim, turns, columns)
    cost = dot(away, away)
    for _ in range(STEPS):
        trial[:] = turns
        _newton_step(rows, order, away, damping, columns, trial)
        new = cost
        for _half in range(HALVINGS):
            away = _still_to_go(rows, order, goal, aim, trial, columns)
            new = dot(away, away) + damping * damping * np.sum(trial * trial)
            if new < cost:
                break
            for n in range(order.shape[0]):
                trial[n] = 0.5 * (trial[n] + turns[n])
        if not new < cost:
            return
        cost = new
        turns[:] = trial


@compiled
def _module_torques(
    rows: Records[JointView],
    goal: ComGoal,
    joints: int,
    gains: tuple[float, float, float, float],
    tau: Array,
) -> None:
    """Write τ = K_P Δ - K_D q̇ for every joint."""
    kp, kd, share, damping = gains
    order, turns = np.empty(joints, np.int64), np.empty(joints)
    for first in range(0, rows.shape[0], joints):
        if rows[first].known == 0:
            tau[first : first + joints] = 0.0
            continue
        for n in range(joints):
            order[n] = first + n
        last = first + joints - 1
        if rows[last].moved_mass > rows[first].moved_mass:
            # held at its far end: the joint nearest to the ground moves the most
            for n in range(joints):
                order[n] = last - n
        module_turns(rows, order, goal, share, damping, turns)
        for n in range(joints):
            j = order[n]
            tau[j] = kp * turns[n] - kd * rows[j].rate


@final
@register("module")
@dataclass(frozen=True)
class ModuleLaw(AbstractLaw):
    """τ = K_P Δ - K_D q̇ with Δ the module's best joint displacements together."""

    config: ModuleConfig = field(default_factory=ModuleConfig)
    _torques = cached_dispatch(lambda: _module_torques)

    def torques(
        self,
        rows: Records[JointView],
        goal: ComGoal,
        memory: Array,
        dt: float,
        tau: Array,
    ) -> None:
        """Write every joint's torque; the law keeps no memory."""
        c = self.config
        if len(rows) % c.joints:
            problem = f"joints must divide {len(rows)}, got {c.joints}"
            raise ConfigError("ModuleConfig", [problem])
        gains = (c.proportional, c.derivative, c.share, c.damping)
        self._torques(rows, goal, c.joints, gains, tau)
