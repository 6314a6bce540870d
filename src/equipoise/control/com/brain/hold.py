"""What a joint does while its module may not steer, and the way back, compiled.

It holds the angle that it had when its module last knew enough: a spring and a damper
about that angle, and the weight that it last knew it carried. When its module knows
enough again, the torque goes over from holding to steering in a short time, so nothing
jumps.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.gravity import weight_on
from equipoise.control.com.joint_view import JointView
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["HoldGains", "JointHold", "act"]

REST = 0.9  # share of its peak torque that a strained motor gives


class JointHold(Record):
    """Memory of a joint that holds."""

    effort: float = entry("largest torque; 0 for a locked joint", "N m or N")
    latch: float = entry("value held", "rad or m")
    weight: float = entry("weight last known to be on it", "N m or N")
    share: float = entry("of steering in its torque")
    strain: float = entry("how long the motor has been asked for all it has", "s")
    started: int = entry("1 once the held value is set", kind=np.int64)


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
    rows: Records[JointView],
    holds: Records[JointHold],
    gains: HoldGains,
    alive: NDArray[np.bool_],
    asked: Array,
    tau: Array,
) -> None:
    """Write every joint's torque: held, steered, or on the way between.

    Args:
        rows: what each module knows about each joint, (joints,).
        holds: what the joints remember; written.
        gains: see above.
        alive: modules that run, (n,); the joints of the others get no torque.
        asked: what the law asks for, (joints,); gravity compensation is added here.
        tau: written, (n, joints of a module).
    """
    each = tau.shape[1]
    for j in range(rows.shape[0]):
        if gains.gravity != 0.0:
            _weigh(rows[j], holds[j], gains)
        if not alive[j // each]:
            tau[j // each, j % each] = 0.0
            continue
        tau[j // each, j % each] = _hold_or_steer(rows[j], holds[j], gains, asked[j])


@compiled(allocates=False, force_inline=True)
def _weigh(view: JointView, hold: JointHold, gains: HoldGains) -> None:
    """Write the weight that a joint knows it carries, else let the last one fade."""
    if view.known != 0:
        hold.weight = 0.0
        hold.weight += weight_on(view, gains.gravity)
    else:
        hold.weight *= gains.keep


@compiled(allocates=False, force_inline=True)
def _hold_or_steer(
    view: JointView, hold: JointHold, gains: HoldGains, asked: float
) -> float:
    """Return one joint's torque."""
    angle, steers = view.angle, view.known != 0
    if hold.started == 0 or (not steers and hold.share > 0.0):
        hold.latch = angle
        hold.started = 1 if angle == angle else 0  # NaN: try again
    if not abs(hold.weight) < np.inf:
        hold.weight = 0.0
    hold.share = min(hold.share + gains.step, 1.0) if steers else 0.0
    share = hold.share
    value = asked + hold.weight
    if share < 1.0:
        held = gains.stiffness * (hold.latch - angle) - gains.damping * view.rate
        held = _within(held + hold.weight, hold.effort)
        value = _within(value, hold.effort) if steers else 0.0
        value = share * value + (1.0 - share) * held
    return _limited(value, gains, hold)


@compiled(allocates=False, force_inline=True)
def _within(value: float, most: float) -> float:
    """Return a torque cut to a limit; zero if it is not a number."""
    return min(max(value, -most), most) if value == value else 0.0


@compiled(allocates=False, force_inline=True)
def _limited(value: float, gains: HoldGains, hold: JointHold) -> float:
    """Return a torque within the motor's limits, less where it has long had its most.

    A motor that has been asked for all it has for longer than ``stamina`` gives only
    ``REST`` of it until less is asked, as in ``ComController``.
    """
    if abs(value) >= hold.effort:
        hold.strain += gains.dt
    else:
        hold.strain = max(hold.strain - gains.dt, 0.0)
    most = hold.effort if hold.strain <= gains.stamina else REST * hold.effort
    return _within(value, most)  # what is not a number must not reach a motor
