"""A stick insect ten times as long as it lives, 0.9 kg, [Ridderstrom2003] section 3.4.

*Carausius morosus* is about 80 mm long and 5 mm thick; ten times as long it weighs a
thousand times as much, near 1 kg, and needs ten thousand times the torque. Of its size
the length is printed; each number says where it comes from.
"""

import math

from equipoise.robots.source import chosen, tried
from equipoise.robots.sprawling import SprawlingBuild

__all__ = ["BUILD"]

ANIMAL = chosen("that of the animal, ten times enlarged, with all legs alike")
RULES = tried("walked by Walknet at 0.07 to 0.3 m/s")
PLAIN = chosen("every machine needs it to know how it moves")

BUILD = SprawlingBuild(
    name="insect",
    sources={
        "mass": chosen("that of the animal, near 1 g, a thousand times"),
        "trunk_mass": ANIMAL,
        "trunk_size": ANIMAL,
        "hips": ANIMAL,
        "lengths": ANIMAL,
        "masses": ANIMAL,
        "lower": ANIMAL,
        "upper": ANIMAL,
        "stand": chosen("hips 0.1 m up, shanks nearly upright"),
        "torque": tried("a quarter suffices on three legs; 0.05 N m would not even "
            "on six"),
        "speed": RULES,
        "rotor": tried("that of a gear; with 1e-5 kg m² loops at 500 Hz oscillate"),
        "foot_radius": ANIMAL,
    },
    senses={
        "q": PLAIN,
        "current": PLAIN,
        "limit": PLAIN,
        "gyro": PLAIN,
        "acceleration": PLAIN,
        "inclination": PLAIN,
    },
    simplified=(
        "all legs are alike, unlike an insect's front, middle and hind legs",
        "hips are equally spaced; head, antennae and abdomen are only part "
            "of the trunk's box",
    ),
    mass=0.9,
    trunk_mass=0.6,
    trunk_size=(0.5, 0.06, 0.05),
    hips=(
        (0.17, 0.03), (0.17, -0.03), (0.0, 0.03), (0.0, -0.03), (-0.17, 0.03),
        (-0.17, -0.03),
    ),
    masses=(0.01, 0.02, 0.02),
    lengths=(0.015, 0.14, 0.14),
    lower=(-1.0, -1.0, -2.6),
    upper=(1.0, 1.4, 0.2),
    stand=(0.0, math.radians(16.0), math.radians(-90.0)),
    torque=2.0,
    speed=10.0,
    rotor=4e-4,
    foot_radius=0.004,
)  # fmt: skip
