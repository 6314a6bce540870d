"""Steer the centre of mass at one pace in every direction, stay tall, give way.

``transpose`` pulls every robot with the same spring: one tree chatters, another creeps.
Here the force is scaled by what the joints of the whole robot can do together, the sum
of J Jᵀ that travels in the same messages: against joints of damping b, the force
F = -b (J Jᵀ)⁻¹ (α e + γ v) moves the centre with the pace α whatever the tree. Old news
slows it down: the pace is at most a share of one over the age of what a module knows.

Two more things travel along: a force that lifts the centre when it sinks below a share
of its first height, and the push of the contacts on the side that a joint moves, to
which the joint gives way. An outstretched robot, which no joint can steer, is bent.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

from equipoise.control.com import joint_view as jv
from equipoise.control.com.fill_view import com_column
from equipoise.control.com.forces import paced_force
from equipoise.control.com.geometry.vectors import add_scaled, cross, dot, get3
from equipoise.control.com.goal import Goal
from equipoise.control.com.law import AbstractLaw, register
from equipoise.core.arrays import Array
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["GENTLE", "UprightConfig", "UprightLaw"]


@dataclass(frozen=True, kw_only=True, slots=True)
class UprightConfig:
    """Paces and shares; only ``nudge`` and ``joint_damping`` depend on the motors."""

    pace: float = 150.0
    """α, how fast the distance shrinks [1/s]."""
    top_speed: float = 6.0
    """Largest wanted speed of the centre of mass [m/s]."""
    brake: float = 1.5
    """γ, extra damping of the centre's motion, in units of the joints' own."""
    joint_damping: float = 1.6
    """b, what the joints resist with [N m s/rad]."""
    floor: float = 0.002
    """Added to J Jᵀ so that directions out of reach are not forced [m²/rad²]."""
    patience: float = 3.0
    """The pace is at most this over the age of the oldest number."""
    height_share: float = 0.9
    """Share of the first height below which the centre is lifted."""
    give: float = 2.0
    """How many times its contact torque a joint adds to get away from it."""
    give_time: float = 0.03
    """Smoothing time of that [s]."""
    nudge: float = 0.5
    """Torque that bends a robot out of a pose in which no joint can steer [N m]."""

    def __post_init__(self) -> None:
        """Refuse gains that push the wrong way."""
        names = ("pace", "top_speed", "joint_damping", "floor", "patience", "give_time")
        expect_positive(self, *names)
        expect_positive(self, "brake", "give", "height_share", "nudge", zero=True)


GENTLE = UprightConfig(pace=2.0, top_speed=0.02, give=0.0, nudge=0.0)
"""For a robot that only stands on a foot of 84 mm: a centre that is pushed faster than
g times the foot's half width over its height, 1 to 2 m/s², tips it over."""

Gains = tuple[float, float, float, float, float, float, float, float, float, float]


@compiled(allocates=False, melts=True)
def bend_gain(rows: Array, j: int, goal: Goal, floor: float) -> float:
    """Return in [-1, 1] how much bending joint j helps where no joint can steer.

    An outstretched robot cannot pull its centre straight back: every column of the
    Jacobian is at right angles to the error e. Turning a hinge either way still brings
    it nearer to second order, when c'' = u x (u x arm) points against e; the side that
    lifts the centre is taken. Zero unless e · J Jᵀ e / e² is below ``floor``.
    """
    away = add_scaled(get3(rows, j, jv.COM), -1.0, get3(goal.point, 0, 0))
    first, second = get3(goal.frame, 0, 0), get3(goal.frame, 1, 0)
    x, y = dot(away, first), dot(away, second)
    square = x * x + y * y
    xx, xy, yy = get3(rows, j, jv.SPAN)
    reach = x * x * xx + 2.0 * x * y * xy + y * y * yy
    if goal.is_point or rows[j, jv.HINGE] < 0.5 or reach >= floor * square:
        return 0.0
    u = get3(rows, j, jv.AXIS)
    arm = add_scaled(get3(rows, j, jv.MOVED_COM), -1.0, get3(rows, j, jv.PIVOT))
    swing = cross(u, arm)
    bend = cross(u, swing)
    error = add_scaled(add_scaled((0.0, 0.0, 0.0), x, first), y, second)
    size = math.sqrt(square * dot(bend, bend))
    if not size > 0.0:
        return 0.0
    helps = max(0.0, -dot(error, bend) / size) * (1.0 - reach / (floor * square))
    return helps if swing[2] >= 0.0 else -helps


@compiled(allocates=False)
def upright_torques(
    rows: Array, goal: Goal, gains: Gains, memory: Array, dt: float, tau: Array
) -> None:
    """Write τ = J · F + s, with F lifted and s the smoothed contact push."""
    pace0, top, brake, b, floor, patience, share, give, smooth, nudge = gains
    for j in range(rows.shape[0]):
        tau[j] = 0.0
        if rows[j, jv.KNOWN] < 0.5:
            continue
        height = rows[j, jv.COM + 2]
        if memory[j, 0] != memory[j, 0]:  # NaN: the first time that the height is known
            memory[j, 0] = height
        if memory[j, 1] != memory[j, 1]:  # likewise, or a reading was not a number
            memory[j, 1] = 0.0
        pace = min(pace0, patience / max(rows[j, jv.AGE], 1e-9))
        slow = brake * pace / pace0
        force = paced_force(rows, j, goal, pace, top, slow, b, floor)
        sunk = share * memory[j, 0] - height
        if sunk > 0.0 and not goal.is_point:
            room = rows[j, jv.SPAN] + rows[j, jv.SPAN + 2] + 2.0 * floor
            up = pace * sunk - slow * rows[j, jv.VELOCITY + 2]
            along = get3(goal.frame, 2, 0)  # lifted along the line, not off it
            force = add_scaled(force, 2.0 * b * up / room * along[2], along)
        memory[j, 1] += smooth * (give * rows[j, jv.TOUCH] - memory[j, 1])
        tau[j] = dot(com_column(rows, j), force) + memory[j, 1]
        tau[j] += nudge * bend_gain(rows, j, goal, floor)


@final
@register("upright")
@dataclass(frozen=True)
class UprightLaw(AbstractLaw):
    """τ = J · F + s; memory: first height [m], smoothed push [N m]."""

    config: UprightConfig = field(default_factory=UprightConfig)
    memory_width: ClassVar[int] = 2
    stamina: ClassVar[float] = 0.2

    @classmethod
    def fitting(cls, assembly: Assembly) -> Self:
        """Return the law, gentle where the robot only stands on its foot."""
        return cls(GENTLE if assembly.ground.mount == "free" else UprightConfig())

    def torques(
        self, rows: Array, goal: Goal, memory: Array, dt: float, tau: Array
    ) -> None:
        """Write every joint's torque."""
        g = self.config
        gains = (
            g.pace,
            g.top_speed,
            g.brake,
            g.joint_damping,
            g.floor,
            g.patience,
            g.height_share,
            g.give,
            min(1.0, dt / g.give_time),
            g.nudge,
        )
        upright_torques(rows, goal, gains, memory, dt, tau)
