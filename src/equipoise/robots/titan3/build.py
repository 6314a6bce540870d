"""TITAN III, 80 kg on legs of 1.2 m, [Ridderstrom2003] section 3.1.1.

Mass and leg length are printed; all else follows from the machine's size and was tried
in simulation.
"""

from equipoise.robots.sliding import SlidingBuild

__all__ = ["BUILD"]

BUILD = SlidingBuild(
    name="titan3",
    trunk_mass=48.0,
    trunk_inertia=(2.5, 6.0, 7.5),
    trunk_size=(1.3, 0.7, 0.25),
    hips=((0.55, 0.45), (0.55, -0.45), (-0.55, 0.45), (-0.55, -0.45)),
    masses=(2.0, 1.6, 4.4),
    forward=(-0.3, 0.3),
    aside=(-0.2, 0.2),
    up=(-0.35, 0.5),
    force=(600.0, 600.0, 1200.0),
    speed=(2.0, 2.0, 0.5),
    rotor=8.0,
    foot_radius=0.04,
    height=0.95,
)
