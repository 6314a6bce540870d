"""What chapters 5 to 8 of [Ridderstrom2003] print, as numbers and lists."""

from dataclasses import dataclass

__all__ = ["PRINTED", "Cost", "Printed"]

Cost = tuple[int, int, int]
"""Additions, multiplications and divisions, sines and cosines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number that a claim compares with."""

    foot_in_trunk: Cost = (25, 46, 6)
    foot_in_world: Cost = (129, 236, 12)
    centre: Cost = (1148, 1794, 30)
    field: Cost = (7068, 7185, 38)
    """Table 7.1."""
    states: int = 36
    torques: int = 12
    parameters: int = 140
    """Section 7.1.1: of the rigid body model; the last is "about"."""
    script_s: float = 20.0
    """Section 7.3: derivation on a Sun Ultra 60 [s]."""
    linear_s: float = 30.0
    """Section 6.4.3: linearisation on a Pentium IV of 1.4 GHz [s]."""
    centre_us: float = 60.0
    """Section 7.3: the centre of mass on a Pentium of 350 MHz [µs]."""
    clock_mhz: float = 350.0
    robot_mass: float = 59.0
    parts: tuple[float, float] = (20.0, 10.0)
    """Table 5.1: robot; trunk and one leg [kg]."""
    bodies: tuple[float, float, float] = (37.6, 3.7, 2.0)
    """Table 6.5: trunk, thigh, shank [kg]."""
    hip: tuple[float, float, float, float] = (0.02, 0.31, 0.25, -0.14)
    """Table 6.4, r^BH [m]."""
    info: tuple[tuple[str, str], ...] = (
        ("p", "I1z I2x I2y I2z I3x I3y I3z L g l2 l3 m2 m3 z0"),
        ("ic", "q1_0 q2_0 q3_0 w1_0 w2_0 w3_0"),
        ("i", "u"),
        ("o", "qw 6 rE 3"),
        ("x", "q1 q2 q3 w1 w2 w3"),
        ("xt", "q1t q2t q3t w1t w2t w3t"),
    )
    """Section 8.3, robot_info.m."""
    unused: str = "u1 u2 u3"
    example: float = 0.9975
    """Section 8.2.6: sin(1.2 + 0.3)."""
    statements: tuple[int, ...] = (4, 30, 3, 11)
    """Table 8.1: to initialise, to define the arm and derive its equations, to define
    signals, to export three functions."""
    scara_lines: int = 30
    """Section 7.2.1: of code to derive a SCARA robot's equations, "about"."""
    warp1_larger: float = 10.0
    """And by how much the code that derives WARP1's is larger, "about"."""
    arm_hours: float = 4.0
    """Introduction to part III: to apply the method to the arm, "about"."""
    law_parameters: int = 400
    outputs: int = 40
    """Section 7.1.1: of the simple controller, "about", and of the rbm, "over"."""
    law_us: float = 140.0
    """Section 7.4: the control signal on a Pentium of 350 MHz [µs]."""
    seeing: float = 0.25
    """Section 7.3: more time with all expressions for visualization."""
    lines: int = 10000
    """Section 12.3: of the exported C file, "almost"."""


PRINTED = Printed()
