"""Gains and memory of modules that stand on several feet; the law is ``feet_law``."""

from dataclasses import astuple, dataclass
from typing import NamedTuple

import numpy as np

from equipoise.control.com.brain.state import TABLE
from equipoise.control.com.feet.plan import LegPlan
from equipoise.control.com.feet.support import SupportConfig
from equipoise.core.arrays import Array, Ints
from equipoise.core.checks import expect_positive
from equipoise.core.constants import GRAVITY

__all__ = ["FeetGains", "FeetLawConfig", "Stance", "empty_stance", "gains_of"]

HOME, HEIGHT, HIP, LIMB, REF, WEIGHT, OFFSET, RAISE, STARTED, KEPT = range(10)
"""Columns of ``Stance.joint``. What it is told: home angle [rad]; first height above
the foot of the hip in the same module or NaN [m], and which joint that is; id of its
leg's foot or 0. What it remembers: reference angle [rad], weight it last knew it held
[N m], turn that lifts the leg [rad], share of it that is asked, 1 once the reference is
set. ``KEPT`` is how many there are."""
VERDICT, AWAY, EASE, LEAVES, MARK, SAME, GOAL_X, GOAL_Y, TOLD = range(9)
"""Columns of ``Stance.node``: verdict on the feet that stay; how far from the goal the
centre of mass is [m]; weight of the foot that leaves; its id or 0; which feet
stand, as a number, and for how many ticks; where the centre shall be [m]; ``TOLD`` is
how many there are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FeetLawConfig:
    """Paces and stiffnesses; the defaults suit ten modules of 72 g."""

    pace: float = 3.0
    """How fast the distance to the goal shrinks [1/s]."""
    top_speed: float = 0.03
    """Largest wanted speed of the centre of mass [m/s]."""
    lean: float = 0.65
    """How far the centre goes before a foot is lifted: share of the way from the middle
    of all feet to the middle of those that stay."""
    swiftness: float = 40.0
    """Joint rate per unit of u · (arm x velocity), one over a leg's J Jᵀ [1/m²]."""
    levelling: float = 27.0
    """λ, how fast legs come back to their heights, much more than ``pace`` as legs have
    short levers up and down [1/s]."""
    homing: float = 0.15
    """How fast joints go back to their first angles [1/s]."""
    creep: float = 20.0
    """How fast a reference gives way to where the joint is [1/s]."""
    stiffness: float = 30.0
    """Of the spring about the reference [N m/rad]."""
    damping: float = 0.5
    """Beside the joint's own [N m s/rad]."""
    joint_damping: float = 1.6
    """What the joint itself resists with [N m s/rad]."""
    lift: float = 0.4
    """Turn of the joint that raises a limb most [rad]."""
    lift_time: float = 0.5
    """Time in which a limb is raised or put down [s]."""
    ease_time: float = 0.3
    """Time in which a foot is unloaded [s]."""
    weight_time: float = 0.03
    """Smoothing of the weight that a joint knows it holds [s]."""
    gravity: float = GRAVITY
    """Downwards [m/s²]."""

    def __post_init__(self) -> None:
        """Refuse gains that push the wrong way."""
        names = ("pace", "top_speed", "lean", "swiftness", "stiffness", "lift")
        expect_positive(self, *names, "lift_time", "ease_time", "weight_time")
        expect_positive(self, "homing", "creep", "damping", "joint_damping", zero=True)
        expect_positive(self, "gravity", zero=True)


class FeetGains(NamedTuple):
    """The numbers that the compiled code reads: those of two configurations, and dt."""

    pace: float
    top_speed: float
    lean: float
    swiftness: float
    levelling: float
    homing: float
    creep: float
    stiffness: float
    damping: float
    joint_damping: float
    lift: float
    lift_time: float
    ease_time: float
    weight_time: float
    gravity: float
    margin: float
    place_error: float
    jolt: float
    dt: float
    """Control period [s]."""


def gains_of(law: FeetLawConfig, support: SupportConfig, dt: float) -> FeetGains:
    """Return two configurations as the compiled code reads them.

    Args:
        law: paces and stiffnesses.
        support: margins.
        dt: control period [s].
    """
    numbers = (*astuple(law), *astuple(support), dt)
    return FeetGains(*(float(x) for x in numbers))


class Stance(NamedTuple):
    """What n modules remember about standing."""

    joint: Array
    """(n * joints, KEPT)."""
    node: Array
    """(n, TOLD)."""
    foot: Array
    """(TABLE, 6) room: arms over ``REACH``; row 0 then has how feet go, minus v."""
    chosen: Ints
    """(2 * TABLE,) room: rows of contacts, then those of the feet that stay."""
    weight: Array
    """(TABLE,) room."""
    factor: Array
    """(6, 6) room."""
    solved: Array
    """(6,) room."""


def empty_stance(home: Array, legs: LegPlan) -> Stance:
    """Return the memory of modules that have just started.

    Args:
        home: first angles, (n, joints) [rad].
        legs: which joints make up which leg.
    """
    joint = np.zeros((home.size, KEPT))
    joint[:, HOME], joint[:, HEIGHT] = home.ravel(), np.nan
    joint[:, LIMB] = legs.foot.ravel()
    joints = home.shape[1]
    for module, hip in np.argwhere(np.isfinite(legs.height)):
        rows = slice(module * joints, (module + 1) * joints)
        joint[rows, HEIGHT], joint[rows, HIP] = legs.height[module, hip], hip
    node = np.zeros((len(home), TOLD))
    node[:, VERDICT], node[:, EASE], node[:, GOAL_X:] = -1.0, 1.0, np.nan
    return Stance(
        joint=joint,
        node=node,
        foot=np.zeros((TABLE, 6)),
        chosen=np.zeros(2 * TABLE, np.int64),
        weight=np.zeros(TABLE),
        factor=np.zeros((6, 6)),
        solved=np.zeros(6),
    )
