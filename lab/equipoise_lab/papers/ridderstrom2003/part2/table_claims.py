"""Drives on the bench against table 5.2, the foot's clearance, and the buses."""

import math

from equipoise.robots.drives import Drive
from equipoise.robots.warp1.warp1 import (
    FOOT_RADIUS,
    HIP_DRIVE,
    HIP_HEIGHT,
    LIMB_DRIVE,
    SHANK,
    THIGH,
)
from equipoise.sim.machine.bus import BusConfig, bus_figures
from equipoise_lab.papers.check import above, between
from equipoise_lab.papers.claim import Claim, compared, not_checkable, shown
from equipoise_lab.papers.ridderstrom2003.part2.bench import spun_up, unloaded
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED, Joint

__all__ = ["bus_claims", "clearance_claims", "folded", "table_claims"]

HALF = 0.5
"""Of a printed unit: how far a rounded number may be off."""
LATER = 0.9
"""Another share of the speed that might count as full."""


def table_claims() -> list[Claim]:
    """Return what the drives do on the bench."""
    p = PRINTED
    return [
        _full_speed_claim("hip abduction", p.aside, HIP_DRIVE),
        _full_speed_claim("hip flexion and knee", p.forward, LIMB_DRIVE),
        _rubber_claim(),
    ]


def _full_speed_claim(name: str, joint: Joint, drive: Drive) -> Claim:
    """Return how long a drive takes to its full speed, simulated alone."""
    # What rounding of the printed numbers does to J w / τ, half a unit each.
    off = math.hypot(0.05 / joint.speed, 0.05 / joint.inertia, HALF / joint.torque)
    late = 1e3 * spun_up(drive, share=LATER)
    return compared(
        f"5.1.3, table 5.2, {name}",
        "time to full speed at 5 A [ms]",
        joint.full_speed,
        1e3 * spun_up(drive),
        "simulated with winding, back-EMF and 48 V, until within 5 % of the speed"
        " without load, which it never quite reaches: what counts as full is our choice"
        f" ({late:.1f} ms to {LATER:.0%} of it). J w / τ, without back-EMF, is"
        f" {1e3 * joint.inertia * joint.speed / joint.torque:.1f} ms. Tolerance:"
        " rounding of J, w and τ as three independent errors, and 2.5 ms as times are"
        " given to 5",
        tolerance=joint.full_speed * off + 2.5,
    )


def _rubber_claim() -> Claim:
    """Return how long it takes to unload a joint with its rubber spring."""
    p, drive = PRINTED, LIMB_DRIVE
    free = 0.5 * math.pi * math.sqrt(drive.inertia / p.rubber)
    let_go = unloaded(drive, driven=False)
    return compared(
        "5.1.3",
        "to unload a fully loaded joint with its rubber spring [s]",
        p.unloading,
        unloaded(drive, driven=True),
        '"about", two digits: a tenth. 91 N m wind 100 N m/rad up by 0.91 rad;'
        " simulated with all of the voltage against it, let go it takes"
        f" {let_go:.2f} s: the motor runs no faster than {drive.speed:.1f} rad/s. Rotor"
        f" and spring alone would swing back in {free:.2f} s, a quarter of their"
        " period",
        tolerance=0.1 * p.unloading,
    )


def folded(bend: float) -> float:
    """Return how far a foot is from its hip with the knee bent [m].

    Args:
        bend: of the knee, 0 for a straight leg [°].
    """
    angle = math.radians(180.0 - bend)
    return math.sqrt(THIGH**2 + SHANK**2 - 2.0 * THIGH * SHANK * math.cos(angle))


def clearance_claims() -> list[Claim]:
    """Return how high a foot can be lifted, from the range of the knee."""
    p = PRINTED
    short, human = (folded(bend) for bend in p.knee)
    reach = HIP_HEIGHT - FOOT_RADIUS
    straight = THIGH + SHANK
    most = 1.0 + (short - human) / (p.clearance - 0.005)
    usual = 1.0 + (short - human) / p.clearance
    twice = (THIGH**2 + SHANK**2 - (short - p.clearance) ** 2) / (2 * THIGH * SHANK)
    needed = 180.0 - math.degrees(math.acos(twice))
    return [
        not_checkable(
            "5.5",
            "foot clearance [m]",
            p.clearance,
            f"with the knee at 110° a foot is {short:.3f} m from its hip, so that it"
            " depends on how high the hips are, which is not printed: 0.19 m need them"
            f" {p.clearance + short:.3f} m over the feet's, ours are chosen at"
            f" {reach:.3f} m, a straight leg is {straight:.2f} m",
            ours=round(reach - short, 3),
        ),
        shown(
            "5.5",
            "clearance with a human's knee, 150°, over that with WARP1's",
            "more than doubled",
            f"{usual:.2f} times, {most:.3f} at most",
            above(usual, 2.0),
            f"1 + {short - human:.3f} m / clearance, by the law of cosines; 'about"
            f" 0.19' is at least 0.185. 'About 150°' leaves room: {needed:.1f}° would"
            " do",
            tolerance="more than 2",
        ),
    ]


def bus_claims() -> list[Claim]:
    """Return the buses' bits and rates."""
    p = PRINTED
    figures = bus_figures(p.full_rate)
    slow = bus_figures(p.rates[1])
    delay = 1e3 * BusConfig().delay
    schedule = (
        "six frames of eight bytes in each sample and the node's status in every other;"
        " 11-bit identifiers, worst stuffing"
    )
    return [
        compared("5.2.1, fig. 5.5", "bits in a sample with overhead", p.bits[1],
                 figures.bits, f"a count, exact: {schedule}, gaps not counted"),
        compared("5.2.1", "sample rate at which a bus of 1 Mbit/s is full [1/s]",
                 p.full_rate, figures.full_rate,
                 '"approximately", one digit: a tenth. 792 bits alone would allow'
                 f" 1263; the fullest cycle has {figures.most_bits} with the seventh"
                 " message and the gaps between them", tolerance=0.1 * p.full_rate),
        shown("5.2.1", "load of the bus at 1000 samples a second",
              "a little below the bit rate", f"{100 * figures.load:.0f} %",
              between(figures.load, 0.7, 1.0),
              f"mean over cycles with and without status, gaps included; at 500 Hz"
              f" {100 * slow.load:.0f} %, and a command takes effect {delay:.2f} ms"
              " after sampling, 0.4 ms of them computing", tolerance="70 to 100 %"),
    ]  # fmt: skip
