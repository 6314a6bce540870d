"""What part II of [Ridderstrom2003] prints, as numbers."""

from dataclasses import dataclass

__all__ = ["PRINTED", "Joint", "Printed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Joint:
    """A column of table 5.2."""

    power: float
    """Rated [W]."""
    speed_rise: float
    """At constant voltage [ms]."""
    full_speed: float
    """Time to it at 5 A [ms]."""
    speed: float
    """At 48 V [rad/s]."""
    torque: float
    """At 5 A [N m]."""
    inertia: float
    """Of motor and gear, at the joint [kg m²]."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number that a claim compares with."""

    robot: float = 59.0
    trunk: float = 20.0
    leg: float = 10.0
    """Table 5.1 [kg]."""
    lengths: tuple[float, float, float] = (0.59, 0.29, 0.30)
    """Of leg, thigh and shank, table 5.1 [m]."""
    power: float = 1.6
    """Of all motors, "approx.", table 5.1 [kW]."""
    volts: float = 48.0
    amperes: float = 5.0
    """Of the supply, and the current limit."""
    battery: float = 7.0
    """Table 5.1 [Ah]."""
    walking: float = 40.0
    """On a battery, section 5.1.1 [min]."""
    aside: Joint = Joint(
        power=90.0, speed_rise=20.0, full_speed=95.0, speed=4.8, torque=50.0, inertia=1
    )
    """Hip abduction and adduction, table 5.2."""
    forward: Joint = Joint(
        power=150.0,
        speed_rise=10.0,
        full_speed=80.0,
        speed=2.6,
        torque=91.0,
        inertia=2.7,
    )
    """Hip flexion and extension, and the knee, table 5.2."""
    rises: tuple[float, float] = (15.0, 90.0)
    """Of speed, and until full speed, section 5.1.3 [ms]."""
    knee: tuple[float, float] = (110.0, 150.0)
    """Bend of WARP1's, table 5.2, and of a human's, section 5.5 [°]."""
    clearance: float = 0.19
    """Of a foot, section 5.5 [m]."""
    bits: tuple[int, int] = (384, 792)
    """Of data, and in all, in a sample, figure 5.5."""
    full_rate: float = 1000.0
    """At which the bus is full, section 5.2.1 [1/s]."""
    rates: tuple[float, float] = (300.0, 500.0)
    """At which controllers ran, section 5.5 [1/s]."""
    periods: tuple[float, float] = (1.0, 0.8)
    hip_speeds: tuple[float, float] = (2.4, 2.5)
    foot_speeds: tuple[float, float] = (1.0, 1.25)
    """Section 5.4: of the ellipses [s], [rad/s], [m/s]."""
    payload: float = 50.0
    """Section 5.4.1 [kg]."""
    rest: tuple[float, float] = (7.0, 17.0)
    """When the limit sensors are active, section 5.4.1 [s]."""
    simulating: float = 4.0
    """A second of walking with ideal actuators, section 7.3 [s]."""


PRINTED = Printed()
