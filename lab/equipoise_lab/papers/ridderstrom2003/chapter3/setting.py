"""What chapter 3 of [Ridderstrom2003] prints of TITAN III, IV, VI and the ASV."""

from dataclasses import dataclass

__all__ = ["NAMES", "PRINTED", "Printed"]

NAMES = {
    "titan3": "TITAN III",
    "titan4": "TITAN IV",
    "titan6": "TITAN VI",
    "asv": "ASV",
}
"""Of our robots, as the thesis writes them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number that a claim compares with."""

    masses: tuple[tuple[str, float], ...] = (
        ("titan3", 80.0),
        ("titan4", 160.0),
        ("titan6", 195.0),
        ("asv", 2700.0),
    )
    """Section 3.1 and figure 3.9 [kg]."""
    legs: tuple[tuple[str, int], ...] = (
        ("titan3", 4),
        ("titan4", 4),
        ("titan6", 4),
        ("asv", 6),
    )
    freedom: int = 3
    """Degrees of freedom of an ASV's leg, section 3.2.1."""
    leg: float = 1.2
    """Length of the TITANs' legs, section 3.1 [m]."""
    level_c: float = 50.0
    """Rate of TITAN III's lowest level, section 3.1.1 [1/s]."""
    speeds: tuple[tuple[str, float], ...] = (
        ("titan3", 0.18),
        ("titan4", 0.4),
        ("titan6", 1.0),
    )
    """On flat ground, section 3.1.5 [m/s]."""
    rough_speed: float = 0.125
    roughness: float = 0.1
    """TITAN VI on unknown ground, section 3.1.5 [m/s], [m]."""
    duties: tuple[float, float] = (0.5, 1.0)
    """Of the intermittent trot, section 3.1.4; the second is not reached."""
    outside: tuple[float, float, float] = (5.8, 2.2, 3.1)
    """Of the ASV, figure 3.9 [m]."""
    power: tuple[float, float] = (37e3, 22e3)
    """Of the ASV in normal operation, and what is mechanical of it [W]."""
    scans: float = 2.0
    """Of its scanner [1/s]."""
    distribution: float = 1e-3
    """Time in which it shares forces out [s]."""
    bandwidth: float = 50.0
    """Of its actuators for small signals [1/s]."""
    response: float = 0.01
    """Time in which they respond [s]."""
    resonance: float = 0.5
    """Of its trunk on its legs about some axis [1/s]."""
    periods: tuple[float, float, float] = (0.06, 0.05, 0.01)
    """Of its trunk servo, leg planning and leg servo, section 3.2.2 [s]."""
    sap_size: tuple[float, float, float] = (0.5, 0.3, 0.6)
    """Of SAP, figure 3.12 [m]."""
    thing_size: tuple[float, float] = (0.23, 2.0)
    """Height and mass of Thing, section 3.3 [m], [kg]."""
    servos: int = 12
    tum_size: tuple[float, float, float] = (0.8, 1.0, 0.4)
    """Of the TUM hexapod, about, figure 3.24 [m]."""
    tum_mass: float = 23.0
    modes: int = 6
    """Of operating it."""
    asv_speed: float = 3.6
    """Largest, in a tripod gait, section 3.2.5 [m/s]."""
    asv_slope: float = 35.0
    """Steepest [%]."""
    ralphy_speed: float = 0.4
    """Of RALPHY in simulation, section 3.2.5 [m/s]."""
    ralphy_duty: float = 0.75
    """Its duty factor, section 3.2.4."""
    ralphy_dip: float = 0.2
    """q of its force references, section 3.2.4."""
    ralphy_leg: tuple[float, float] = (0.4, 1.0)
    """Length and mass of its legs, section 3.2.3 [m], [kg]."""
    ralphy_bandwidths: tuple[float, float] = (70.0, 200.0)
    """Of its torques and of its valves, section 3.2.4 [Hz]."""


PRINTED = Printed()
