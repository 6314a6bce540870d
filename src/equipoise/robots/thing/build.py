"""Thing, a quadruped of hobby servos, 2 kg, [Ridderstrom2003] section 3.3.

Of its size mass and height over all are printed; each number says where it comes from.
"""

import math

from equipoise.robots.source import chosen, printed, tried
from equipoise.robots.sprawling import SprawlingBuild

__all__ = ["BUILD"]

SERVO = chosen("what a large hobby servo of 1994 gave")
SMALL = chosen(
    "twelve hobby servos and legs of 0.2 m under a trunk 0.12 m above the ground"
)
HALF_ROUND = tried(
    "servos turn by half a revolution; with 60 deg it turns by at most "
    "0.37 rad per step"
)
PLAIN = chosen("every machine needs it to know how it moves")

BUILD = SprawlingBuild(
    name="thing",
    sources={
        "mass": printed("[Ridderstrom2003] section 3.3"),
        "trunk_mass": SMALL,
        "trunk_size": chosen("between the hips, with room for batteries"),
        "hips": SMALL,
        "lengths": SMALL,
        "masses": chosen("a servo on every segment"),
        "lower": HALF_ROUND,
        "upper": HALF_ROUND,
        "stand": tried("hips 0.12 m up, and servos hold half the weight on one leg"),
        "splay": tried("feet nearly on a square: it crawls with 3 deg of roll "
            "instead of 16"),
        "torque": SERVO,
        "speed": SERVO,
        "rotor": SERVO,
        "foot_radius": SMALL,
    },
    senses={
        "q": PLAIN,
        "current": printed("[Ridderstrom2003] section 3.3.2: forces of the feet by it"),
        "limit": PLAIN,
        "gyro": PLAIN,
        "acceleration": PLAIN,
        "inclination": PLAIN,
    },
    simplified=(
        "nothing is modelled on top of the trunk: Thing was 0.23 m high in all",
        "no infrared eye in front: obstacles are found by touch",
    ),
    mass=2.0,
    trunk_mass=0.8,
    trunk_size=(0.18, 0.10, 0.06),
    hips=((0.07, 0.05), (0.07, -0.05), (-0.07, 0.05), (-0.07, -0.05)),
    masses=(0.08, 0.10, 0.12),
    lengths=(0.03, 0.08, 0.12),
    lower=(math.radians(-90.0), math.radians(-80.0), math.radians(-150.0)),
    upper=(math.radians(90.0), math.radians(80.0), 0.0),
    stand=(0.0, math.radians(5.0), math.radians(-102.5)),
    splay=math.radians(45.0),
    torque=0.6,
    speed=5.0,
    rotor=0.002,
    foot_radius=0.008,
)  # fmt: skip
