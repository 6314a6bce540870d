"""RALPHY, 12 kg on four legs that pneumatic cylinders move, [Ridderstrom2003] 3.2.3.

Printed are the legs' length and mass, that valves drive them, and how fast those are;
each number says where it comes from. Hips that turn the legs aside were planned for it.
"""

from math import radians

from equipoise.robots.articulated import ArticulatedBuild
from equipoise.robots.source import chosen, printed, tried

__all__ = ["BUILD"]

TEXT = printed("[Ridderstrom2003] section 3.2.3")
LEG = printed("[Ridderstrom2003] section 3.2.3: legs of about 0.4 m and 1 kg")
VALVE = printed("[Ridderstrom2003] section 3.2.4, of a simulation")
WALKED = tried("walked at 0.4 m/s with these")
PLAIN = chosen("every machine needs it to know how it moves")

BUILD = ArticulatedBuild(
    name="ralphy",
    sources={
        "mass": chosen("legs of 4 kg in all can carry about twice their mass"),
        "trunk_mass": WALKED,
        "trunk_inertia": WALKED,
        "trunk_size": chosen("as long and wide as the hips ask for"),
        "hips": WALKED,
        "lengths": LEG,
        "masses": LEG,
        "lower": chosen("knees bend backwards only, hips far enough to walk"),
        "upper": chosen("knees bend backwards only, hips far enough to walk"),
        "height": chosen("knees bent by 75 degrees, which leaves room to step"),
        "torque": WALKED,
        "speed": WALKED,
        "rotor": WALKED,
        "bandwidth": VALVE,
        "valve": VALVE,
        "rate": chosen("required by legs whose torques have a bandwidth of 70 Hz"),
        "foot_radius": chosen("small against the leg"),
    },
    senses={
        "q": TEXT,
        "current": chosen("joint torques are known from the pressures in the chambers"),
        "limit": PLAIN,
        "force": chosen("the legs' law compares forces, so they are measured"),
        "gyro": PLAIN,
        "acceleration": PLAIN,
        "inclination": PLAIN,
    },
    simplified=(
        "hips that move legs sideways were planned and, as far as is "
        "known, never built",
        "no pneumatics: a cylinder is modelled by limits of torque and "
        "speed and by a lag",
    ),
    mass=12.0,
    trunk_mass=8.0,
    trunk_inertia=(0.08, 0.20, 0.24),
    trunk_size=(0.46, 0.20, 0.10),
    hips=((0.20, 0.13), (0.20, -0.13), (-0.20, 0.13), (-0.20, -0.13)),
    lengths=(0.2, 0.2),
    masses=(0.1, 0.5, 0.4),
    lower=(radians(-30.0), radians(-60.0), radians(-120.0)),
    upper=(radians(30.0), radians(80.0), 0.0),
    height=0.33,
    torque=(15.0, 18.0, 18.0),
    speed=15.0,
    rotor=0.02,
    rate=1000.0,
    bandwidth=70.0,
    valve=200.0,
    foot_radius=0.02,
)
