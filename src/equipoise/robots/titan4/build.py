"""TITAN IV, 160 kg, [Ridderstrom2003] section 3.1.2.

Mass and leg length are printed; all else follows from the machine's size and was tried
in simulation.
"""

from equipoise.robots.sliding import SlidingBuild

__all__ = ["BUILD"]

BUILD = SlidingBuild(
    name="titan4",
    trunk_mass=96.0,
    trunk_inertia=(7.0, 16.0, 19.0),
    trunk_size=(1.3, 0.7, 0.3),
    hips=((0.55, 0.45), (0.55, -0.45), (-0.55, 0.45), (-0.55, -0.45)),
    masses=(4.0, 3.2, 8.8),
    forward=(-0.3, 0.3),
    aside=(-0.2, 0.2),
    up=(-0.35, 0.5),
    force=(1000.0, 1000.0, 2500.0),
    speed=(2.0, 2.0, 1.0),
    rotor=10.0,
    foot_radius=0.05,
    height=0.95,
)
