"""Sections 5.1 and 5.2: power, times and sizes that the text gives of WARP1."""

from equipoise.robots.drives import Drive
from equipoise.robots.warp1.warp1 import FOOT_RADIUS, HIP_DRIVE, LIMB_DRIVE
from equipoise.sim.machine.bus import BusConfig
from equipoise_lab.papers.check import near
from equipoise_lab.papers.claim import Claim, not_checkable, shown
from equipoise_lab.papers.ridderstrom2003.part2.bench import speed_rise, spun_up
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED

__all__ = ["hardware_claims", "strongest"]

LEGS = 4
ABOUT = 0.1  # of a number that is printed as about


def hardware_claims() -> list[Claim]:
    """Return the claims about power, drives' times, conversion and the foot's pad."""
    return [
        _power_claim(),
        _rise_claim(),
        _text_speed_claim(),
        _conversion_claim(),
        _pad_claim(),
    ]


def strongest(drive: Drive) -> float:
    """Return the largest mechanical power of a drive, at its limit of current [W].

    Args:
        drive: which one; faster than where full voltage drives that current no more,
            its torque falls along a line through the speed without load.
    """
    fast = (drive.voltage - drive.resistance * drive.current) / drive.torque_constant
    best = max(fast, 0.5 * drive.speed)
    current = (drive.voltage - drive.torque_constant * best) / drive.resistance
    return drive.torque_constant * current * best


def _power_claim() -> Claim:
    """Return the motors' power, a rating that is no limit of ours."""
    p = PRINTED
    rated = LEGS * (p.aside.power + 2.0 * p.forward.power)
    most = LEGS * (strongest(HIP_DRIVE) + 2.0 * strongest(LIMB_DRIVE))
    return not_checkable(
        "5.1, table 5.1",
        "maximum nominal power of the motors, about [kW]",
        p.motors,
        f"a rating: by table 5.2 the twelve motors' sum to {rated / 1e3:g} kW. It says"
        " what they stand for long; our drives have voltage and current as limits and"
        " no temperature. Ours is the most that all of them could give at 5 A and 48 V",
        ours=round(most / 1e3, 3),
    )


def _rise_claim() -> Claim:
    """Return the speed's rise time of the text, beside the table's two."""
    aside, forward = (1e3 * speed_rise(drive) for drive in (HIP_DRIVE, LIMB_DRIVE))
    return not_checkable(
        "5.1.3",
        "rise time of the speed for a step of the voltage, about [ms]",
        PRINTED.text_rise,
        "the text gives one number for all joints, table 5.2 says"
        f" {PRINTED.aside.speed_rise:g} and {PRINTED.forward.speed_rise:g}, whose mean"
        " it is. The windings' resistance is not printed and was chosen by the table's",
        ours=f"hip abduction {aside:.1f}, hip flexion and knee {forward:.1f}",
    )


def _text_speed_claim() -> Claim:
    """Return the time to full speed of the text."""
    p = PRINTED
    times = [1e3 * spun_up(drive) for drive in (HIP_DRIVE, LIMB_DRIVE)]
    return shown(
        "5.1.3",
        "time to full speed with the current limited to 5 A, about [ms]",
        p.text_full_speed,
        f"hip abduction {times[0]:.1f}, hip flexion and knee {times[1]:.1f}",
        [near(time, p.text_full_speed, ABOUT * p.text_full_speed) for time in times],
        "one number for all joints, between the 95 and 80 ms of table 5.2; simulated,"
        " until within 5 % of the speed without load",
        tolerance="a tenth, each joint",
    )


def _conversion_claim() -> Claim:
    """Return the time of the nodes' converters."""
    delay = BusConfig().delay
    return not_checkable(
        "5.2.1, algorithm 1",
        "time of an analogue conversion in a node, about [µs]",
        PRINTED.conversion,
        "a microcontroller of then; our nodes read without a time of their own, and"
        f" what a tick is late, {1e3 * delay:.2f} ms, is bus and computing",
    )


def _pad_claim() -> Claim:
    """Return the foot's pad, for which two sizes are printed."""
    text, model = PRINTED.pad_diameter, PRINTED.pad_radius
    return not_checkable(
        "6.1.2, erratum 29",
        "radius of a foot's pad [m]",
        f"about {model:g}, and a half sphere of {1e3 * text:g} mm across in 5.1.4",
        f"a matter of reading: half of {1e3 * text:g} mm is {0.5 * text:g} m, which is"
        " about 2 cm only if the rest is cut off. We use what section 5.1.4 measures",
        ours=FOOT_RADIUS,
    )
