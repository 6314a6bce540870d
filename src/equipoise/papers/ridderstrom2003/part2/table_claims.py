"""Tables 5.1 and 5.2 against themselves, the foot's clearance, and the buses."""

import math

from equipoise.papers.claim import Claim, compared, shown
from equipoise.papers.ridderstrom2003.part2.setting import PRINTED, Joint
from equipoise.papers.ridderstrom2003.part3.model_claims import model_claims
from equipoise.robots.drives import Drive
from equipoise.robots.warp1 import (
    HIP_DRIVE,
    LIMB_DRIVE,
    SHANK,
    SHANK_MASS,
    THIGH,
    THIGH_MASS,
    TRUNK_MASS,
)
from equipoise.sim.bus import BusConfig, bus_figures

__all__ = ["bus_claims", "clearance_claims", "folded", "table_claims"]

HALF = 0.5
"""Of a printed unit: how far a rounded number may be off."""
ERRATA = ("erratum 2", "erratum 3")
"""Of part 3's list: places of the hips in table 6.4."""


def table_claims() -> list[Claim]:
    """Return what both tables say about themselves, and where table 6.4 is wrong."""
    p = PRINTED
    lumped = p.trunk + 4 * (p.leg - THIGH_MASS - SHANK_MASS)
    motors = 4 * (p.aside.power + 2 * p.forward.power) / 1e3
    again = [c for c in model_claims() if c.where.endswith(ERRATA)]
    return [
        compared(
            "5.1, table 5.1",
            "trunk and four legs [kg]",
            p.robot,
            p.trunk + 4 * p.leg,
            "half a unit of each printed mass, a leg's four times",
            tolerance=HALF * 5 + HALF,
        ),
        compared(
            "5.1, table 5.1",
            "trunk of table 6.5, if it carries what table 5.1 has in the legs and table"
            " 6.5 has not [kg]",
            TRUNK_MASS,
            lumped,
            f"20 + 4 (10 - 5.7) = {lumped:.1f}: the hips' drives are lumped into the"
            " trunk, so both trunks are right (the robots, 59 and 60.4 kg, differ:"
            " erratum 1 of part 3); half a unit of each mass",
            tolerance=HALF * 5,
        ),
        compared(
            "5.1, table 5.1",
            "length of a leg, thigh and shank [m]",
            p.lengths[0],
            round(THIGH + SHANK, 12),
            "sums of two decimals",
        ),
        compared(
            "5.1, table 5.1",
            "nominal power of all motors [kW]",
            p.power,
            motors,
            "4 (90 + 150 + 150) W; half a printed unit",
            tolerance=0.05,
        ),
        *joint_claims("hip abduction", p.aside, HIP_DRIVE),
        *joint_claims("hip flexion and knee", p.forward, LIMB_DRIVE),
        *rise_claims(),
        *again,
    ]


def joint_claims(name: str, joint: Joint, drive: Drive) -> list[Claim]:
    """Return what a column of table 5.2 says about itself and about our drive."""
    p, place = PRINTED, f"5.1.3, table 5.2, {name}"
    by_torque, by_speed = joint.torque / p.amperes, p.volts / joint.speed
    # What rounding of the printed numbers alone can do, half a unit each.
    speed_off = 0.05 / joint.speed
    time_off = speed_off + 0.05 / joint.inertia + HALF / joint.torque
    accelerated = 1e3 * joint.inertia * joint.speed / joint.torque
    rise = drive.resistance * drive.inertia / drive.torque_constant**2
    return [
        compared(
            place,
            "torque per ampere from torque and current, volts per speed from speed and"
            " voltage [N m/A]",
            by_speed,
            by_torque,
            "K is the same number twice; rounding of speed and torque",
            tolerance=by_speed * (speed_off + HALF / joint.torque),
        ),
        compared(
            place,
            "time to full speed at 5 A [ms]",
            joint.full_speed,
            accelerated,
            "J w / τ; rounding of J, w and τ, and 2.5 ms as times are given to 5",
            tolerance=accelerated * time_off + 2.5,
        ),
        compared(
            place,
            "rise time of the speed at constant voltage [ms]",
            joint.speed_rise,
            1e3 * rise,
            "R J / K² of our drive, whose R is not printed and was chosen for this"
            " time to two digits",
            tolerance=0.05 * joint.speed_rise,
        ),
    ]


def rise_claims() -> list[Claim]:
    """Return what the text says of both columns at once."""
    p = PRINTED
    rise = 0.5 * (p.aside.speed_rise + p.forward.speed_rise)
    full = 0.5 * (p.aside.full_speed + p.forward.full_speed)
    return [
        compared(
            "5.1.3",
            "rise time of the speed, both kinds of joint [ms]",
            p.rises[0],
            rise,
            '"about": the mean of the table\'s 20 and 10',
        ),
        compared(
            "5.1.3",
            "time to full speed, both kinds of joint [ms]",
            p.rises[1],
            full,
            '"about", given to tens; the mean of the table\'s 95 and 80',
            tolerance=5.0,
        ),
    ]


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
    stands = p.clearance + short
    straight = THIGH + SHANK
    least, most = (1.0 + (short - human) / c for c in (0.195, 0.185))
    return [
        shown(
            "5.5",
            "foot clearance [m]",
            p.clearance,
            f"{straight - short:.3f} below a straight leg, {p.clearance} with hips"
            f" {stands:.3f} m over the feet",
            0.85 * straight < stands < 0.95 * straight,
            f"with the knee at 110° a foot is {short:.3f} m from its hip. How high the"
            f" hips are is not printed; {stands:.3f} m is {100 * stands / straight:.0f}"
            " % of a leg's length, where legs are neither straight nor crouched",
            tolerance="hips at 85 to 95 % of a leg's length",
        ),
        shown(
            "5.5",
            "clearance with a human's knee, 150°, over that with WARP1's",
            "more than doubled",
            f"{least:.2f} to {most:.2f} times",
            least <= 2.0 <= most,
            f"1 + {short - human:.3f} m / clearance, so 2 needs one below"
            f' {short - human:.3f} m; "about 0.19" is read as 0.185 to 0.195',
            tolerance="2 within what rounding leaves open",
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
        compared("5.2.1, fig. 5.5", "bits of data in a sample", p.bits[0],
                 figures.data_bits, schedule),
        compared("5.2.1, fig. 5.5", "bits in a sample with overhead", p.bits[1],
                 figures.bits, f"{schedule}, gaps not counted"),
        compared("5.2.1", "data at 1000 samples a second [kbit/s]", p.bits[0],
                 figures.data_bits * p.full_rate / 1e3, "bits times rate"),
        compared("5.2.1", "data and overhead at 1000 samples a second [kbit/s]",
                 p.bits[1], figures.bits * p.full_rate / 1e3, "bits times rate"),
        compared("5.2.1", "sample rate at which a bus of 1 Mbit/s is full [1/s]",
                 p.full_rate, figures.full_rate,
                 '"approximately", one digit: a tenth. 792 bits alone would allow'
                 f" 1263; the fullest cycle has {figures.most_bits} with the seventh"
                 " message and the gaps between them", tolerance=0.1 * p.full_rate),
        shown("5.2.1", "load of the bus at 1000 samples a second",
              "a little below the bit rate", f"{100 * figures.load:.0f} %",
              0.7 < figures.load < 1.0,
              f"mean over cycles with and without status, gaps included; at 500 Hz"
              f" {100 * slow.load:.0f} %, and a command takes effect {delay:.2f} ms"
              " after sampling, 0.4 ms of them computing", tolerance="70 to 100 %"),
    ]  # fmt: skip
