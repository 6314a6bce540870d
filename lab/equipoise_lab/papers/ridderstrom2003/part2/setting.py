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
    current_rise: float
    """[ms]."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number that a claim compares with."""

    lengths: tuple[float, float, float] = (0.59, 0.29, 0.30)
    """Of leg, thigh and shank, table 5.1 [m]."""
    volts: float = 48.0
    amperes: float = 5.0
    """Of the supply, and the current limit."""
    battery: float = 7.0
    """Table 5.1 [Ah]."""
    walking: float = 40.0
    """On a battery, section 5.1.1 [min]."""
    aside: Joint = Joint(
        power=90.0,
        speed_rise=20.0,
        full_speed=95.0,
        speed=4.8,
        torque=50.0,
        inertia=1.0,
        current_rise=0.7,
    )
    """Hip abduction and adduction, table 5.2."""
    forward: Joint = Joint(
        power=150.0,
        speed_rise=10.0,
        full_speed=80.0,
        speed=2.6,
        torque=91.0,
        inertia=2.7,
        current_rise=0.4,
    )
    """Hip flexion and extension, and the knee, table 5.2."""
    motors: float = 1.6
    """Maximum nominal power of the motors, about, table 5.1 [kW]."""
    supply: float = 20.0
    """Of an external supply, at most, section 5.1.1 [A]."""
    text_rise: float = 15.0
    text_full_speed: float = 90.0
    """Section 5.1.3's text, about: speed rise time, time to full speed [ms]."""
    conversion: float = 50.0
    """Of a node's converters, about, algorithm 1 [µs]."""
    pad_diameter: float = 0.05
    pad_radius: float = 0.02
    """Of a foot, sections 5.1.4 and 6.1.2 [m]."""
    spacing: tuple[float, float] = (0.16, 0.65)
    """Of the legs, section 5.1.1 [m]."""
    workspaces: tuple[tuple[float, float], ...] = ((-30, 30), (-45, 80), (-110, 5))
    """Of hip abduction, hip flexion and knee, table 5.2 [°]."""
    motor_encoder: tuple[float, ...] = (0.06e-3, 0.01e-3, 0.01e-3)
    joint_encoder: tuple[float, ...] = (0.0, 1.6e-3, 1.6e-3)
    """Steps, table 5.2, 0 where there is none [rad]."""
    stiffness: float = 1000.0
    """Of a joint without rubber spring, table 5.2 [N m/rad]."""
    weak: tuple[float, ...] = (70e3, 2e3, 0.7, 2e3)
    heavy: tuple[float, ...] = (50e3, 100e3, 0.7, 2e3)
    """Table 6.1: k_z [N/m], d_z [N s/m²], friction, d_h [N s/m]."""
    knee: tuple[float, float] = (110.0, 150.0)
    """Bend of WARP1's, table 5.2, and of a human's, section 5.5 [°]."""
    clearance: float = 0.19
    """Of a foot, section 5.5 [m]."""
    rubber: float = 100.0
    """Joint stiffness with the rubber spring, table 5.2 [N m/rad]."""
    unloading: float = 0.25
    """Of a fully loaded joint, section 5.1.3 [s]."""
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
