"""Steer the centre of mass, keep the robot tall, and give way where it touches.

``transpose`` alone lets one tree in fifteen sink and jams where branches meet. Two
additions travel in the same messages: a force that lifts the centre when it sinks below
a share of its first height, and the push of the contacts on the side that a joint
moves, to which the joint gives way, smoothed.
"""

from dataclasses import dataclass, field
from typing import ClassVar, final

from equipoise.control.com import joint_view as jv
from equipoise.control.com.fill_view import com_column
from equipoise.control.com.goal import Goal
from equipoise.control.com.law import AbstractLaw, register
from equipoise.control.com.laws.transpose import pull
from equipoise.control.com.vectors import dot
from equipoise.core.arrays import Array
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = ["UprightConfig", "UprightLaw"]


@dataclass(frozen=True, kw_only=True, slots=True)
class UprightConfig:
    """Gains; defaults suit 20 modules of 72 g."""

    stiffness: float = 3000.0
    """k, towards the goal [N/m]."""
    damping: float = 80.0
    """c, against the centre's velocity [N s/m]."""
    height_share: float = 0.9
    """Share of the first height below which the centre is lifted."""
    lift: float = 3000.0
    """Lifting force per metre below that [N/m]."""
    lift_damping: float = 80.0
    """Against vertical velocity while lifted [N s/m]."""
    give: float = 5.0
    """How many times its contact torque a joint adds to get away from it."""
    give_time: float = 0.03
    """Smoothing time of that [s]."""

    def __post_init__(self) -> None:
        """Refuse gains that push the wrong way."""
        expect_positive(self, "stiffness", "damping", "give_time")
        names = ("lift", "lift_damping", "give", "height_share")
        expect_positive(self, *names, zero=True)


@compiled
def upright_torques(
    rows: Array, goal: Goal, gains: Array, memory: Array, dt: float, tau: Array
) -> None:
    """Write τ = J · F + s, with F lifted and s the smoothed contact push."""
    k, c, share, lift, lift_damping, give, smooth = gains
    for j in range(rows.shape[0]):
        tau[j] = 0.0
        if rows[j, jv.KNOWN] < 0.5:
            continue
        height = rows[j, jv.COM + 2]
        if memory[j, 0] != memory[j, 0]:  # NaN: the first time that the height is known
            memory[j, 0], memory[j, 1] = height, 0.0
        force = pull(rows, j, goal, k, c)
        sunk = share * memory[j, 0] - height
        if sunk > 0.0:
            up = lift * sunk - lift_damping * rows[j, jv.VELOCITY + 2]
            force = (force[0], force[1], force[2] + up)
        memory[j, 1] += smooth * (give * rows[j, jv.TOUCH] - memory[j, 1])
        tau[j] = dot(com_column(rows, j), force) + memory[j, 1]


@final
@register("upright")
@dataclass(frozen=True)
class UprightLaw(AbstractLaw):
    """τ = J · (F_xy, F_z) + s; memory: first height [m], smoothed push [N m]."""

    config: UprightConfig = field(default_factory=UprightConfig)
    memory_width: ClassVar[int] = 2

    def torques(
        self, rows: Array, goal: Goal, memory: Array, dt: float, tau: Array
    ) -> None:
        """Write every joint's torque."""
        g = self.config
        smooth = min(1.0, dt / g.give_time)
        gains = (
            g.stiffness,
            g.damping,
            g.height_share,
            g.lift,
            g.lift_damping,
            g.give,
            smooth,
        )
        upright_torques(rows, goal, gains, memory, dt, tau)
