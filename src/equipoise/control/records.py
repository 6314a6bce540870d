"""What flows through the control of a legged machine, number by number.

Records of the trunk come one at a time, those of legs as many as there are legs, so
that kernels know neither how many legs a machine has nor how many joints a leg. W is
the frame of the machine's own dead reckoning: level, its origin where the run began,
drifting as it walks. B is the trunk's. What is told by a 1 is not so at 0.
"""

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.records import Record, entry

__all__ = [
    "ClockRequest",
    "GaitClock",
    "LegAim",
    "LegBalance",
    "LegEstimate",
    "LegStance",
    "PlannedLeg",
    "PlannedTrunk",
    "SharedLoad",
    "Travel",
    "TrunkEstimate",
    "TrunkPose",
]


class TrunkEstimate(Record):
    """Estimate of the trunk, and of the machine as a whole."""

    time: float = entry("of the readings, since the start of the run", "s")
    dt: float = entry("control period", "s")
    p_WB: Vec3 = entry("place", "m", 3)
    v_WB: Vec3 = entry("velocity", "m/s", 3)
    w_WB_B: Vec3 = entry("rate of turn", "rad/s", 3)
    R_WB: Array = entry("orientation", "", 3, 3)
    p_BC: Vec3 = entry("centre of mass of the whole machine", "m", 3)
    mass: float = entry("of the whole machine", "kg")
    height: float = entry("of the hips over the foot points, as it walks", "m")


class LegEstimate(Record):
    """Estimate of one leg."""

    hip: Vec3 = entry("where it hangs, in B", "m", 3)
    q: VecN = entry("joint angles, the last good readings", "rad", "joints")
    v: VecN = entry("joint speeds, the last good readings", "rad/s", "joints")
    current: VecN = entry("of the motors as read, nan if unknown", "A", "joints")
    limit: VecN = entry("range sensors as read: -1, 0 or 1", "", "joints")
    load: float = entry("on the foot as read, nan if unknown", "N")
    force: Vec3 = entry("of the ground on the foot, in B, nan if unknown", "N", 3)
    edge: float = entry("share of its contacts without ground, nan if unknown")
    near: float = entry("foot over the ground, nan if unknown or far", "m")
    foot: Vec3 = entry("hip to foot, in B", "m", 3)
    foot_rate: Vec3 = entry("its velocity seen from the trunk", "m/s", 3)
    spin: Vec3 = entry("how its last link turns, seen from the trunk", "rad/s", 3)
    jacobian: Array = entry("of the foot, d foot / d q", "m/rad", 3, "joints")
    weigh: Array = entry(
        "how joints move its first moment of mass", "kg m/rad", 3, "joints"
    )
    momentum: VecN = entry("that known torques give its joints", "N m s", "joints")
    outer: VecN = entry("torques that the ground gives, as felt", "N m", "joints")
    felt: float = entry("1 once the ground is felt by torques")
    foothold: Vec3 = entry("where in W the foot stands, or last stood", "m", 3)
    stood: float = entry("1 where the foot stood at this tick")


class Travel(Record):
    """Velocity command of the operator at this tick, ramped."""

    velocity: Vec3 = entry("forward, left [m/s] and turn to the left", "rad/s", 3)
    walks: float = entry("1 while the machine shall step")
    rested: float = entry("for how long it has been told to stop and was slow", "s")
    walked: float = entry("for how long it has been told to step", "s")


class LegStance(Record):
    """Stance of one leg, and the times of its steps."""

    scheduled: float = entry("1 where the schedule has it stand")
    stands: float = entry("1 where it does stand")
    progress: float = entry("share of its swing that is over")
    swing: float = entry("duration of a swing", "s")
    support: float = entry("duration of a support", "s")
    late: float = entry("for how long its footfall is overdue", "s")
    lifted: float = entry("1 from its lift-off until it is scheduled to stand")
    goal: Vec3 = entry("foothold in W; nan: as the motion part has it", "m", 3)
    clearance: float = entry("of its swing; 0: as the leg program has it", "m")
    eased: float = entry("how far a plan has it give its load up, 0 to 1")


class GaitClock(Record):
    """The clock by which legs step."""

    phase: float = entry("share of the cycle")
    cycle: float = entry("duration of a cycle", "s")
    walking: float = entry("1 while it runs")
    rate: float = entry("at which it runs, 1 in full")
    walked: float = entry("for how long it has run", "s")
    lifts: float = entry("1 while legs may lift")
    time: float = entry("by which plans go; it stands still while it is held", "s")


class PlannedLeg(Record):
    """Next step of one leg in a plan; times are the clock's."""

    lift: float = entry("when it lifts or has lifted; inf: it stays", "s")
    land: float = entry("when it lands", "s")
    foothold: Vec3 = entry("in W; nan: as the motion part has it", "m", 3)
    clearance: float = entry("of its swing; 0: as the leg program has it", "m")
    eased: float = entry("in which it hands its load over and takes it on", "s")


class PlannedTrunk(Record):
    """A knot of the trunk's planned way; between knots by cubics."""

    time: float = entry("of the clock", "s")
    p_WB: Vec3 = entry("place; nan height: as the motion part has it", "m", 3)
    rpy_WB: Vec3 = entry("roll, pitch and yaw", "rad", 3)
    v_WB: Vec3 = entry("velocity", "m/s", 3)
    yaw_rate: float = entry("rate of yaw", "rad/s")


class TrunkPose(Record):
    """Reference pose and velocity of the trunk."""

    p_WB: Vec3 = entry("place", "m", 3)
    rpy_WB: Vec3 = entry("roll, pitch and yaw", "rad", 3)
    v_WB: Vec3 = entry("velocity", "m/s", 3)
    yaw_rate: float = entry("rate of yaw", "rad/s")
    path: VecN = entry(
        "velocity without sway, with which feet are left behind", "m/s", 2
    )


class SharedLoad(Record):
    """Share of one foot in a force and moment."""

    arm: VecN = entry("of the foot, forward and left", "m", 2)
    stands: float = entry("above zero where it stands")
    load: float = entry("that it carries", "N")
    tried: float = entry("load that the present round would give it", "N")
    free: float = entry("1 where the present round may change its load")


class LegBalance(SharedLoad):
    """Contribution of one foot to keeping the trunk upright."""

    force: Vec3 = entry("of the foot on the ground, beside its spring's, in B", "N", 3)
    shift: VecN = entry("of its next foothold, forward and left", "m", 2)
    share: float = entry("of its load that it has taken on, 0 to 1")
    spring: Vec3 = entry("share of its spring along x, y, z of B that acts", "", 3)


class LegAim(Record):
    """Aim of one leg, and its request to the support part."""

    place: Vec3 = entry("hip to foot, in B", "m", 3)
    velocity: Vec3 = entry("of the foot seen from the trunk", "m/s", 3)
    force: Vec3 = entry("of the foot on the ground, in B", "N", 3)
    stiffness: Vec3 = entry("of the foot's spring along the axes of B", "N/m", 3)
    damping: Vec3 = entry("and of its damper", "N s/m", 3)
    bend: Vec3 = entry("acceleration of the foot seen from the trunk", "m/s^2", 3)
    acceleration: VecN = entry("of the joints", "rad/s^2", "joints")
    rate: VecN = entry("of the joints, where they are told one", "rad/s", "joints")
    servo: VecN = entry("torque for it; 0: none is told", "N m s/rad", "joints")
    landing: Vec3 = entry("where a swinging foot is bound for, from its hip", "m", 3)
    veto: float = entry("above zero: it shall not lift")
    banned: float = entry("above zero: its foothold is no good")


class ClockRequest(Record):
    """Request of the last tick to the support part's clock."""

    hold: float = entry("above zero: the clock shall stand still")
    halt: float = entry("above zero: no leg shall lift any more")
    replan: float = entry("above zero: the plan no longer holds")
    stop: float = entry("above zero: the plan that ends at rest shall be gone")
