"""Steering of the centre of mass at equal rates in all directions; stays tall.

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
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, ClassVar, Self, final

from equipoise.control.com.delay import CALMED, DELAYED, MOST_BOUND, delay_bound
from equipoise.control.com.forces import ApproachGains, away_from, paced_force
from equipoise.control.com.geometry.vectors import ZERO, add_scaled, cross, dot, vec
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView, com_column, moved_arm
from equipoise.control.com.law import AbstractLaw, register
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, record_of
from equipoise.core.setting import Setting, Settings
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["GENTLE", "UprightConfig", "UprightLaw"]


@dataclass(frozen=True, kw_only=True, slots=True)
class UprightConfig(Settings):
    """Paces and shares; only ``nudge`` and ``joint_damping`` depend on the motors."""

    pace: Annotated[
        float,
        Setting("Rate α at which the distance to the goal shrinks", "1/s", above=0.0),
    ] = 150.0
    top_speed: Annotated[
        float, Setting("Largest wanted speed of the centre of mass", "m/s", above=0.0)
    ] = 6.0
    brake: Annotated[
        float,
        Setting(
            "Extra damping γ of the centre's motion, over that of the joints", least=0.0
        ),
    ] = 1.5
    joint_damping: Annotated[
        float, Setting("Damping b of the joints themselves", "N m s/rad", above=0.0)
    ] = 1.6
    floor: Annotated[
        float,
        Setting(
            "Term added to J Jᵀ, so that directions out of reach are not forced",
            "m²/rad²",
            above=0.0,
        ),
    ] = 0.002
    patience: Annotated[
        float,
        Setting(
            "Largest product of the pace and the age of the oldest number", above=0.0
        ),
    ] = 3.0
    height_share: Annotated[
        float,
        Setting(
            "Share of the first height below which the centre is lifted", least=0.0
        ),
    ] = 0.9
    give: Annotated[
        float,
        Setting(
            "Torque with which a joint gives way, over the torque of its contacts",
            least=0.0,
        ),
    ] = 2.0
    give_time: Annotated[
        float,
        Setting(
            "Time over which the torque of the contacts is smoothed", "s", above=0.0
        ),
    ] = 0.03
    drag: Annotated[
        float,
        Setting(
            "Resistance that a joint adds to its own motion, which it feels at once",
            "N m s/rad",
            least=0.0,
        ),
    ] = 0.0
    nudge: Annotated[
        float,
        Setting(
            "Torque that bends a robot out of a pose in which no joint can steer",
            "N m",
            least=0.0,
        ),
    ] = 0.5


GENTLE = UprightConfig(pace=2.0, top_speed=0.02, give=0.0, nudge=0.0)
"""For a robot that only stands on a foot of 84 mm: a centre that is pushed faster than
g times the foot's half width over its height, 1 to 2 m/s², tips it over."""


LATE = 1.0
"""``patience`` where the delay is large: a loop with one delay allows 1.57."""


@compiled(allocates=False, force_inline=True)
def _bend_gain(view: JointView, goal: ComGoal, floor: float) -> float:
    """Return in [-1, 1] how much bending a joint helps where no joint can steer.

    An outstretched robot cannot pull its centre straight back: every column of the
    Jacobian is at right angles to the error e. Turning a hinge either way still brings
    it nearer to second order, when c'' = u x (u x arm) points against e; the side that
    lifts the centre is taken. Zero unless e · J Jᵀ e / e² is below ``floor``.
    """
    away = away_from(goal, view)
    first, second = vec(goal.frame[0]), vec(goal.frame[1])
    x, y = dot(away, first), dot(away, second)
    square = x * x + y * y
    xx, xy, yy = vec(view.span)
    reach = x * x * xx + 2.0 * x * y * xy + y * y * yy
    if goal.is_point or view.hinge == 0 or reach >= floor * square:
        return 0.0
    u = vec(view.axis)
    swing = cross(u, moved_arm(view))
    bend = cross(u, swing)
    error = add_scaled(add_scaled(ZERO, x, first), y, second)
    size = math.sqrt(square * dot(bend, bend))
    if not size > 0.0:
        return 0.0
    helps = max(0.0, -dot(error, bend) / size) * (1.0 - reach / (floor * square))
    return helps if swing[2] >= 0.0 else -helps


@compiled(allocates=False, force_inline=True)
def _upright_torque(
    view: JointView, goal: ComGoal, gains: UprightConfig, smooth: float, kept: Array
) -> float:
    """Return τ = J · F + s of one joint that is known; writes what it remembers.

    ``smooth`` is the share of the way that the smoothed push goes at a tick.
    """
    b, floor = gains.joint_damping + gains.drag, gains.floor
    height = view.com[2]
    if kept[0] != kept[0]:  # NaN: the first time that the height is known
        kept[0] = height
    if kept[1] != kept[1]:  # likewise, or a reading was not a number
        kept[1] = 0.0
    rate = min(gains.pace, gains.patience / max(view.age, 1e-9))
    slow = gains.brake * rate / gains.pace
    force = paced_force(
        view, goal, ApproachGains(rate, gains.top_speed, slow, b, floor)
    )
    sunk = gains.height_share * kept[0] - height
    if sunk > 0.0 and not goal.is_point:
        room = view.span[0] + view.span[2] + 2.0 * floor
        up = rate * sunk - slow * view.velocity[2]
        along = vec(goal.frame[2])  # lifted along the line, not off it
        force = add_scaled(force, 2.0 * b * up / room * along[2], along)
    kept[1] += smooth * (gains.give * view.touch - kept[1])
    torque = dot(com_column(view), force) + kept[1] - gains.drag * view.rate
    return torque + gains.nudge * _bend_gain(view, goal, floor)


@compiled(allocates=False)
def _upright_torques(
    rows: Records[JointView],
    goal: ComGoal,
    gains: Records[UprightConfig],
    memory: Array,
    dt: float,
    tau: Array,
) -> None:
    """Write τ = J · F + s, with F lifted and s the smoothed contact push."""
    own = gains[0]
    smooth = min(1.0, dt / own.give_time)
    for j in range(rows.shape[0]):
        tau[j] = 0.0
        if rows[j].known != 0:
            tau[j] = _upright_torque(rows[j], goal, own, smooth, memory[j])


@final
@register("upright")
@dataclass(frozen=True)
class UprightLaw(AbstractLaw):
    """τ = J · F + s; memory: first height [m], smoothed push [N m]."""

    config: UprightConfig = field(default_factory=UprightConfig)
    memory_width: ClassVar[int] = 2
    stamina: ClassVar[float] = 0.2
    _torques = cached_dispatch(lambda: _upright_torques)

    @cached_property
    def gains(self) -> Records[UprightConfig]:
        """Settings as the kernel takes them, (1,)."""
        return record_of(self.config)

    @classmethod
    def fitting(cls, assembly: Assembly, hop_delay: float = 0.0) -> Self:
        """Return the law, gentle on a free foot, and calm where news comes late.

        Args:
            assembly: the robot.
            hop_delay: time a message takes to a neighbour [s].
        """
        usual = GENTLE if assembly.ground.mount == "free" else UprightConfig()
        if not hop_delay > 0.0 or len(assembly.modules) > MOST_BOUND:
            return cls(usual)
        bound = delay_bound(assembly)
        if bound.share(hop_delay) <= DELAYED:
            return cls(usual)
        drag = bound.drag(hop_delay, CALMED)
        return cls(replace(usual, drag=drag, patience=min(usual.patience, LATE)))

    def torques(
        self,
        rows: Records[JointView],
        goal: ComGoal,
        memory: Array,
        dt: float,
        tau: Array,
    ) -> None:
        """Write every joint's torque."""
        self._torques(rows, goal, self.gains, memory, dt, tau)
