"""The Adaptive Suspension Vehicle, 2700 kg, [Ridderstrom2003] section 3.2.

Its mass and its size over all are printed; each number says where it comes from.
"""

from equipoise.robots.sliding import SlidingBuild
from equipoise.robots.source import chosen, printed, tried

__all__ = ["BUILD"]

WALK = tried("walked at 3.6 m/s and up a slope of 35 %")
PLAIN = printed("[Ridderstrom2003] section 3.2.1: an inertial measurement system")

BUILD = SlidingBuild(
    name="asv",
    sources={
        "mass": printed("[Ridderstrom2003] figure 3.9"),
        "trunk_mass": WALK,
        "trunk_inertia": WALK,
        "trunk_size": chosen("within its size over all"),
        "hips": WALK,
        "masses": WALK,
        "forward": WALK,
        "aside": WALK,
        "up": WALK,
        "force": WALK,
        "speed": tried("the peak of a swinging foot at 3.6 m/s"),
        "rotor": WALK,
        "foot_radius": chosen("for its weight"),
        "height": chosen("half of its printed height"),
        "outside": printed("[Ridderstrom2003] figure 3.9"),
    },
    senses={
        "q": printed("[Ridderstrom2003] section 3.2.1: encoders"),
        "current": printed(
            "[Ridderstrom2003] section 3.2.1: pressures, which tell the drives' forces"
        ),
        "limit": chosen("drives must not run into their stops"),
        "gyro": PLAIN,
        "acceleration": PLAIN,
        "inclination": PLAIN,
        "scan": printed("[Ridderstrom2003] section 3.2.1: a laser scanner, at 2 Hz"),
    },
    simplified=(
        "planar pantographs that swing sideways are modelled as three slides",
        "compliant legs (one axis of the trunk swung at 0.5 Hz) are rigid here",
        "hydraulic pumps are modelled as motors of the same force and speed",
    ),
    mass=2700.0,
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
    outside=(5.8, 2.2, 3.1),
)
