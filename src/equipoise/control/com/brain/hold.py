"""What a joint does while its module may not steer, and the way back, compiled.

It holds the angle that it had when its module last knew enough: a spring and a damper
about that angle, and the weight that it last knew it carried. When its module knows
enough again, the torque goes over from holding to steering in a short time, so nothing
jumps.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com import joint_view as jv
from equipoise.control.com.gravity import add_gravity_torques
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["HOLD", "Grip", "HoldGains", "act"]

LATCH, WEIGHT, SHARE, STRAIN, STARTED, HOLD = 0, 1, 2, 3, 4, 5
"""Columns of ``Grip.hold``: angle held [rad or m], weight last known [N m or N], share
of steering in the torque, how long the motor has been asked for all it has [s], 1 once
the angle is set; ``HOLD`` is how many there are."""
REST = 0.9  # share of its peak torque that a strained motor gives


class Grip(NamedTuple):
    """What each joint remembers."""

    effort: Array
    """(joints,) largest torque; 0 for a locked joint [N m or N]."""
    hold: Array
    """(joints, HOLD)."""
    memory: Array
    """(joints, width) the law's own numbers."""


class HoldGains(NamedTuple):
    """The numbers of ``BrainConfig`` that this file reads."""

    gravity: float
    """0 without compensation [m/s²]."""
    stiffness: float
    damping: float
    keep: float
    """Share of the last known weight that is left after a tick."""
    step: float
    """Share of the way from holding to steering that a tick goes."""
    stamina: float
    """How long a motor may be asked for all it has [s]."""
    dt: float


@compiled(allocates=False)
def act(
    rows: Array,
    grip: Grip,
    gains: HoldGains,
    alive: NDArray[np.bool_],
    asked: Array,
    q: Array,
    rate: Array,
    tau: Array,
) -> None:
    """Write every joint's torque: held, steered, or on the way between.

    Args:
        rows: what each module knows about each joint, (joints, joint_view.WIDTH).
        grip: what the joints remember; written.
        gains: see above.
        alive: modules that run, (n,); the joints of the others get no torque.
        asked: what the law asks for, (joints,); gravity compensation is added here.
        q: joint values, (n, joints of a module).
        rate: joint rates.
        tau: written, (n, joints of a module).
    """
    effort, hold, _ = grip
    each = q.shape[1]
    if gains.gravity != 0.0:
        for j in range(rows.shape[0]):
            hold[j, WEIGHT] *= 1.0 if rows[j, jv.KNOWN] > 0.5 else gains.keep
        weigh(rows, gains.gravity, hold)
    for j in range(rows.shape[0]):
        if not alive[j // each]:
            tau[j // each, j % each] = 0.0
            continue
        angle, speed = q[j // each, j % each], rate[j // each, j % each]
        steers = rows[j, jv.KNOWN] > 0.5
        if hold[j, STARTED] < 0.5 or (not steers and hold[j, SHARE] > 0.0):
            hold[j, LATCH] = angle
            hold[j, STARTED] = 1.0 if angle == angle else 0.0  # NaN: try again
        if not abs(hold[j, WEIGHT]) < np.inf:
            hold[j, WEIGHT] = 0.0
        hold[j, SHARE] = min(hold[j, SHARE] + gains.step, 1.0) if steers else 0.0
        share = hold[j, SHARE]
        value = asked[j] + hold[j, WEIGHT]
        if share < 1.0:
            held = gains.stiffness * (hold[j, LATCH] - angle) - gains.damping * speed
            held = within(held + hold[j, WEIGHT], effort[j])
            value = within(value, effort[j]) if steers else 0.0
            value = share * value + (1.0 - share) * held
        tau[j // each, j % each] = limited(value, effort[j], gains, hold, j)


@compiled(allocates=False)
def weigh(rows: Array, gravity: float, hold: Array) -> None:
    """Write the weight that each joint knows it carries; the others keep theirs."""
    for j in range(rows.shape[0]):
        if rows[j, jv.KNOWN] > 0.5:
            hold[j, WEIGHT] = 0.0
    add_gravity_torques(rows, gravity, hold[:, WEIGHT])


@compiled(allocates=False, melts=True)
def within(value: float, most: float) -> float:
    """Return a torque cut to a limit; zero if it is not a number."""
    return min(max(value, -most), most) if value == value else 0.0


@compiled(allocates=False, melts=True)
def limited(
    value: float, effort: float, gains: HoldGains, hold: Array, j: int
) -> float:
    """Return a torque within the motor's limits, less where it has long had its most.

    A motor that has been asked for all it has for longer than ``stamina`` gives only
    ``REST`` of it until less is asked, as in ``ComController``.
    """
    if abs(value) >= effort:
        hold[j, STRAIN] += gains.dt
    else:
        hold[j, STRAIN] = max(hold[j, STRAIN] - gains.dt, 0.0)
    most = effort if hold[j, STRAIN] <= gains.stamina else REST * effort
    return within(value, most)  # what is not a number must not reach a motor
