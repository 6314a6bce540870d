"""One tick of the posture controller, compiled: from what is read to torques."""

from equipoise.control.forces.distribution import share_consistent, share_printed
from equipoise.control.legs.law import LegGuards, leg_torques
from equipoise.control.observer.inertial import (
    AttitudeGains,
    AttitudeState,
    observe_attitude,
)
from equipoise.control.observer.legs import weigh_legs
from equipoise.control.observer.posture import PostureEstimate, observe_posture
from equipoise.control.posture.config import (
    HIPS,
    PLUMB,
    SHARED,
    PostureControllerConfig,
)
from equipoise.control.posture.dither import add_dither
from equipoise.control.posture.reference import (
    LedReference,
    lead_reference,
    plumb_feet,
)
from equipoise.control.posture.wrench import (
    PostureWrench,
    attitude_of,
    posture_wrench,
    weight_moment,
)
from equipoise.control.records import LegAim, LegEstimate, SharedLoad, TrunkEstimate
from equipoise.core.arrays import Vec3, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.legs import LegBuild, TrunkBuild

__all__ = [
    "PostureMemory",
    "PostureReport",
    "PostureSettings",
    "find_wrench",
    "press_feet",
    "report_posture",
    "share_wrench",
]


class PostureReport(Record):
    """Telemetry of a tick."""

    height: float = entry("of the trunk", "m")
    roll: float = entry("of the trunk", "rad")
    pitch: float = entry("of the trunk", "rad")
    height_error: float = entry("what is missing", "m")
    roll_error: float = entry("what is missing", "rad")
    pitch_error: float = entry("what is missing", "rad")
    limited: float = entry("how many torques and voltages are held at their limits")
    skipped: float = entry("how many readings were not numbers")


class PostureSettings(AttitudeGains):
    """Gains and rules as the kernels take them."""

    rules: PostureControllerConfig = entry("settings", kind=PostureControllerConfig)
    weight: float = entry("of the machine", "N")


class PostureMemory(AttitudeState):
    """Memory of the controller, with its last results."""

    integral: Vec3 = entry("effect on height [N], roll and pitch", "N m", 3)
    first_height: float = entry("of the trunk, as first seen", "m")
    led: LedReference = entry("what the posture shall be", kind=LedReference)
    posture: PostureEstimate = entry("what it is", kind=PostureEstimate)
    wrench: PostureWrench = entry("that shall hold it", kind=PostureWrench)


@compiled(allocates=False)
def find_wrench(
    target: tuple[float, float, float],
    body: Records[TrunkBuild],
    build: Records[LegBuild],
    settings: Records[PostureSettings],
    memories: Records[PostureMemory],
    trunks: Records[TrunkEstimate],
    legs: Records[LegEstimate],
) -> None:
    """Find out how the trunk stands, and the force and moment that shall hold it.

    Args:
        target: roll, pitch [rad] and rise above the first height [m].
        body: what does not move with the legs, (1,).
        build: of the legs, (nl,).
        settings: of the controller, (1,).
        memories: with this tick's readings; advanced, (1,).
        trunks: overwritten, (1,).
        legs: with this tick's readings; their feet are overwritten, (nl,).
    """
    rules, memory, trunk = settings[0].rules, memories[0], trunks[0]
    trunk.time, trunk.dt = memory.time, memory.dt
    weigh_legs(body, build, legs, trunks)
    observe_attitude(settings, memories, trunks)
    posture, led = memory.posture, memory.led
    observe_posture(trunk, legs, int(rules.height_of) == HIPS, posture)
    if memory.first_height == 0.0:
        memory.first_height = posture.place[2]
    lead_reference(target, rules.reference_rate, memory.dt, led)
    posture.place[2] -= memory.first_height
    posture_wrench(posture, trunk, led, rules, memory.integral, memory.wrench)


@compiled(allocates=False)
def share_wrench(
    settings: Records[PostureSettings],
    memories: Records[PostureMemory],
    trunks: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    loads: Records[SharedLoad],
    aims: Records[LegAim],
) -> None:
    """Write the force that each leg shall press with, and where feet shall be.

    Args:
        settings: of the controller, (1,).
        memories: with the force and moment to share, (1,).
        trunks: what is known of the trunk, (1,).
        legs: and of the legs, (nl,).
        loads: room, overwritten, (nl,).
        aims: of the legs, (nl,); changed.
    """
    rules, wrench, trunk = settings[0].rules, memories[0].wrench, trunks[0]
    nl, weight = legs.shape[0], settings[0].weight
    is_shared = int(rules.sharing) == SHARED
    if int(rules.feet) == PLUMB:
        plumb_feet(trunk, legs, aims)
    if int(rules.weight) == PLUMB:
        weight_moment(weight, trunk, legs, wrench)
        for aim in aims:
            aim.force[0] = -weight * trunk.R_WB[2, 0] / nl
            aim.force[1] = -weight * trunk.R_WB[2, 1] / nl
    else:
        wrench.f3 += weight
    for one in range(nl):
        leg, foot = legs[one], loads[one]
        foot.stands = leg.stood
        for i in range(2):
            foot.arm[i] = leg.hip[i] + leg.foot[i] if is_shared else leg.hip[i]
    if is_shared:
        share_consistent(wrench.f3, wrench.m1, wrench.m2, rules.least_load, loads)
    else:
        share_printed(wrench.f3, wrench.m1, wrench.m2, loads)
    for one in range(nl):
        aims[one].force[2] = -loads[one].load


@compiled(allocates=False)
def press_feet(
    settings: Records[PostureSettings],
    memory: Records[PostureMemory],
    legs: Records[LegEstimate],
    aims: Records[LegAim],
    guards: Records[LegGuards],
    tau: VecN,
) -> int:
    """Write the torques, dither included; return how many are limited.

    Args:
        settings: of the controller, (1,).
        memory: with the time, (1,).
        legs: what is known of them, (nl,).
        aims: what they are told, (nl,).
        guards: of the leg law, (nl,).
        tau: (nu,) [N m]; overwritten.
    """
    limited = leg_torques(legs, aims, guards, tau)
    rules = settings[0].rules
    frequency, amplitude = rules.knock_frequency, rules.knock_amplitude
    add_dither(memory[0].time, frequency, amplitude, guards, tau)
    return limited


@compiled(allocates=False)
def report_posture(
    memories: Records[PostureMemory],
    trunk: Records[TrunkEstimate],
    limited: int,
    skipped: int,
    out: Records[PostureReport],
) -> None:
    """Write what a tick says of itself.

    Args:
        memories: of this tick, (1,).
        trunk: what is known of it, (1,).
        limited: how many torques and voltages are.
        skipped: how many readings of joints were not numbers.
        out: overwritten, (1,).
    """
    memory, report = memories[0], out[0]
    height, at = memory.posture.place[2], memory.led.at
    roll, pitch = attitude_of(trunk[0])
    report.height, report.roll, report.pitch = height, roll, pitch
    report.height_error, report.roll_error = at[2] - height, at[0] - roll
    report.pitch_error, report.limited = at[1] - pitch, float(limited)
    report.skipped = skipped + memory.skipped
    report.height += memory.first_height
