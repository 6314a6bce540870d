"""The hexapod of TU Munich, 23 kg, [Ridderstrom2003] section 3.4.

Of its size mass and outer measures are printed; each number says where it comes from.
"""

import math

from equipoise.robots.source import chosen, printed, tried
from equipoise.robots.sprawling import SprawlingBuild

__all__ = ["BUILD"]

RULES = tried("walked by Cruse's rules at 0.1 to 0.4 m/s")
PLAIN = chosen("every machine needs it to know how it moves")

BUILD = SprawlingBuild(
    name="tum",
    sources={
        "mass": printed("[Ridderstrom2003] section 3.4, figure 3.24"),
        "trunk_mass": RULES,
        "trunk_size": RULES,
        "hips": RULES,
        "lengths": RULES,
        "masses": RULES,
        "lower": RULES,
        "upper": RULES,
        "stand": chosen("knees above the hips, shanks nearly upright"),
        "torque": RULES,
        "speed": RULES,
        "rotor": RULES,
        "foot_radius": RULES,
        "outside": printed("[Ridderstrom2003] section 3.4, figure 3.24"),
    },
    senses={
        "q": PLAIN,
        "current": PLAIN,
        "limit": PLAIN,
        "load": chosen("rule 5b goes by loads"),
        "gyro": PLAIN,
        "acceleration": PLAIN,
        "inclination": PLAIN,
    },
    simplified=("all legs are alike, unlike an insect's front, middle and hind legs",),
    mass=23.0,
    trunk_mass=11.0,
    trunk_size=(0.76, 0.16, 0.10),
    hips=(
        (0.28, 0.10), (0.28, -0.10), (0.0, 0.10), (0.0, -0.10), (-0.28, 0.10),
        (-0.28, -0.10),
    ),
    masses=(0.8, 0.8, 0.4),
    lengths=(0.05, 0.22, 0.30),
    lower=(-1.0, -1.0, -2.6),
    upper=(1.0, 1.4, 0.2),
    stand=(0.0, math.radians(28.0), math.radians(-103.0)),
    torque=40.0,
    speed=8.0,
    rotor=0.05,
    foot_radius=0.015,
    outside=(0.8, 1.0, 0.4),
)  # fmt: skip
