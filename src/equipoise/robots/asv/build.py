"""The Adaptive Suspension Vehicle, 2700 kg, [Ridderstrom2003] section 3.2.

Mass and leg length are printed; all else follows from the machine's size and was tried
in simulation.
"""

from equipoise.robots.sliding import SlidingBuild

__all__ = ["BUILD"]

BUILD = SlidingBuild(
    name="asv",
    trunk_mass=1860.0,
    trunk_inertia=(900.0, 4500.0, 4800.0),
    trunk_size=(4.6, 1.3, 1.2),
    hips=(
        (1.6, 0.85),
        (1.6, -0.85),
        (0.0, 0.85),
        (0.0, -0.85),
        (-1.6, 0.85),
        (-1.6, -0.85),
    ),
    masses=(40.0, 30.0, 70.0),
    forward=(-1.1, 1.1),
    aside=(-0.5, 0.5),
    up=(-0.6, 1.0),
    force=(12000.0, 12000.0, 25000.0),
    speed=(11.0, 11.0, 11.0),
    rotor=20.0,
    foot_radius=0.1,
    height=1.6,
)
