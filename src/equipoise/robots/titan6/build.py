"""TITAN VI, 195 kg, [Ridderstrom2003] section 3.1.3.

Mass and leg length are printed; all else follows from the machine's size and was tried
in simulation.
"""

from equipoise.robots.sliding import SlidingBuild

__all__ = ["BUILD"]

BUILD = SlidingBuild(
    name="titan6",
    trunk_mass=115.0,
    trunk_inertia=(9.0, 20.0, 24.0),
    trunk_size=(1.3, 0.7, 0.35),
    hips=((0.55, 0.45), (0.55, -0.45), (-0.55, 0.45), (-0.55, -0.45)),
    masses=(5.0, 4.0, 11.0),
    forward=(-0.45, 0.45),
    aside=(-0.3, 0.3),
    up=(-0.35, 0.5),
    force=(1200.0, 1200.0, 2500.0),
    speed=(3.0, 3.0, 2.0),
    rotor=10.0,
    foot_radius=0.05,
    height=0.95,
)
