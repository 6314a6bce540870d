"""Gains and memory of modules that stand on several feet; the law is ``feet_law``."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from equipoise.control.com.brain.contact import TABLE
from equipoise.control.com.feet.forces import FeetSystem
from equipoise.control.com.feet.plan import LegPlan
from equipoise.control.com.feet.support import SupportConfig
from equipoise.core.arrays import Array, Ints
from equipoise.core.constants import GRAVITY
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = [
    "FeetGains",
    "FeetLawConfig",
    "FeetMemory",
    "JointStance",
    "ModuleStance",
    "Order",
    "StandingFoot",
    "empty_feet_memory",
    "release_joint",
    "start_anew",
]


class Order(Record):
    """Order that a module derives from the call that it follows."""

    foot: int = entry("id of the foot that shall leave, 0 for none", kind=np.int64)
    lifted: int = entry("1 when it may go up", kind=np.int64)
    goal: Array = entry("of the centre of mass; NaN: middle of the feet", "m", 2)


class JointStance(Record):
    """References and memory of a joint while standing."""

    effort: float = entry("largest torque; 0 for a locked joint", "N m")
    home: float = entry("first angle", "rad")
    height: float = entry("first height of its module's hip above the foot", "m")
    hip: int = entry("which joint of the module that hip is", kind=np.int64)
    limb: int = entry("id of its leg's foot, 0 between the legs", kind=np.int64)
    ref: float = entry("reference angle", "rad")
    weight: float = entry("weight it last knew it held", "N m")
    offset: float = entry("turn that lifts the leg", "rad")
    share: float = entry("of that turn that is asked")
    started: int = entry("1 once the reference is set", kind=np.int64)


class ModuleStance(Record):
    """Memory of a module about standing."""

    order: Order = entry("what it was called to do", kind=Order)
    steady: float = entry("above 0 where its table is complete and steady")
    verdict: float = entry("on the feet that stay: 1 yes, 0 no, -1 not known")
    away: float = entry("distance of the centre of mass from its goal", "m")
    ease: float = entry("weight of the foot that leaves")
    leaves: int = entry("id of that foot, 0 for none", kind=np.int64)
    count: int = entry("how many feet touch", kind=np.int64)
    stays: int = entry("how many of them stay", kind=np.int64)
    mark: float = entry("which feet stand, as a number")
    same: float = entry("for how many ticks these do")
    goal: Array = entry("where the centre of mass shall be", "m", 2)
    velocity: Array = entry("how feet shall go, seen from the body", "m/s", 2)


class StandingFoot(Record):
    """One foot among those that carry the weight."""

    row: int = entry("its line in the contact table", kind=np.int64)
    arm: Array = entry("from the centre of mass to it, over REACH", "", 3)
    weight: float = entry("1, or less for a foot that leaves")


@dataclass(frozen=True, kw_only=True, slots=True)
class FeetLawConfig(Settings):
    """Paces and stiffnesses; the defaults suit ten modules of 72 g."""

    pace: Annotated[
        float,
        Setting("Rate at which the distance to the goal shrinks", "1/s", above=0.0),
    ] = 3.0
    top_speed: Annotated[
        float, Setting("Largest wanted speed of the centre of mass", "m/s", above=0.0)
    ] = 0.03
    lean: Annotated[
        float,
        Setting(
            "Share of the way from the middle of all feet to the middle of those that "
            "stay that the centre covers before a foot is lifted",
            above=0.0,
        ),
    ] = 0.65
    swiftness: Annotated[
        float,
        Setting(
            "Rate of a joint per unit of u · (arm x velocity), one over a leg's J Jᵀ",
            "1/m²",
            above=0.0,
        ),
    ] = 40.0
    levelling: Annotated[
        float,
        Setting(
            "Rate λ at which legs return to their heights, much larger than `pace` as "
            "legs have short levers up and down",
            "1/s",
            above=0.0,
        ),
    ] = 27.0
    homing: Annotated[
        float,
        Setting("Rate at which joints return to their first angles", "1/s", least=0.0),
    ] = 0.15
    creep: Annotated[
        float,
        Setting(
            "Rate at which a reference gives way to where the joint is",
            "1/s",
            least=0.0,
        ),
    ] = 20.0
    stiffness: Annotated[
        float,
        Setting("Stiffness of the spring about the reference", "N m/rad", above=0.0),
    ] = 30.0
    damping: Annotated[
        float,
        Setting("Damping beside that of the joint itself", "N m s/rad", least=0.0),
    ] = 0.5
    joint_damping: Annotated[
        float, Setting("Damping of the joint itself", "N m s/rad", least=0.0)
    ] = 1.6
    lift: Annotated[
        float, Setting("Turn of the joint that raises a limb most", "rad", above=0.0)
    ] = 0.4
    lift_time: Annotated[
        float, Setting("Time in which a limb is raised or put down", "s", above=0.0)
    ] = 0.5
    ease_time: Annotated[
        float, Setting("Time in which a foot is unloaded", "s", above=0.0)
    ] = 0.3
    weight_time: Annotated[
        float,
        Setting(
            "Time over which the weight that a joint holds is smoothed", "s", above=0.0
        ),
    ] = 0.03
    gravity: Annotated[
        float, Setting("Acceleration of gravity, downwards", "m/s²", least=0.0)
    ] = GRAVITY


class FeetGains(NamedTuple):
    """Settings as the compiled code reads them."""

    law: Records[FeetLawConfig]
    """Paces and stiffnesses, (1,)."""
    support: Records[SupportConfig]
    """Margins, (1,)."""
    dt: float
    """Control period [s]."""


class FeetMemory(NamedTuple):
    """Memory of n modules about standing, with scratch space for one of them."""

    joints: Records[JointStance]
    """(n * joints,)."""
    modules: Records[ModuleStance]
    """(n,)."""
    feet: Records[StandingFoot]
    """(TABLE,) room: feet that touch."""
    staying: Ints
    """(TABLE,) room: lines of the feet that stay."""
    system: Records[FeetSystem]
    """(1,) room: the equations for the feet's forces."""


def empty_feet_memory(home: Array, effort: Array, legs: LegPlan) -> FeetMemory:
    """Return the memory of modules that have just started.

    Args:
        home: first angles, (n, joints) [rad].
        effort: largest torques, (n, joints) [N m].
        legs: which joints make up which leg.
    """
    n, joints = home.shape
    kept, modules = JointStance.zeros(n * joints), ModuleStance.zeros(n)
    for row, joint in enumerate(kept):
        joint.effort, joint.home = effort.flat[row], home.flat[row]
        joint.height, joint.limb = np.nan, int(legs.foot.flat[row])
    for module, hip in np.argwhere(np.isfinite(legs.height)):
        for joint in kept[module * joints : (module + 1) * joints]:
            joint.height, joint.hip = float(legs.height[module, hip]), int(hip)
    for module in modules:
        module.order.goal[:], module.verdict = np.nan, -1.0
        start_anew(module)
    return FeetMemory(
        kept,
        modules,
        StandingFoot.zeros(TABLE),
        np.zeros(TABLE, np.int64),
        FeetSystem.zeros(),
    )


def start_anew(module: ModuleStance) -> None:
    """Let a module forget which foot leaves, which feet stand, and where to go."""
    module.ease, module.leaves, module.mark, module.same = 1.0, 0, 0.0, 0.0
    module.goal[:] = np.nan


def release_joint(joint: JointStance) -> None:
    """Let a joint forget all but what it is told beforehand."""
    joint.ref = joint.weight = joint.offset = joint.share = 0.0
    joint.started = 0
