"""TITAN IV, 160 kg, [Ridderstrom2003] section 3.1.2.

Of its size only mass and legs are printed; each number says where it comes from.
"""

from equipoise.robots.sliding import SlidingBuild
from equipoise.robots.source import chosen, printed, tried

__all__ = ["BUILD"]

SHARE = chosen("its share of the mass, as of TITAN VI")
LIKE = chosen("as of TITAN VI, whose legs are as long")
PLAIN = chosen("every machine needs it to know how it moves")
LATER = chosen("as TITAN III has, whose controller it took over")

BUILD = SlidingBuild(
    name="titan4",
    sources={
        "mass": printed("[Ridderstrom2003] section 3.1"),
        "trunk_mass": SHARE,
        "trunk_inertia": chosen("of a body of its size and mass"),
        "trunk_size": chosen("between its hips"),
        "hips": LIKE,
        "masses": SHARE,
        "forward": chosen("two thirds of TITAN VI's: it walks slowly"),
        "aside": chosen("two thirds of TITAN VI's: it walks slowly"),
        "up": LIKE,
        "force": chosen("carries three times its weight on two legs"),
        "speed": tried("trotted at 0.5 m/s"),
        "rotor": LIKE,
        "foot_radius": chosen("for its weight"),
        "height": chosen("legs of 1.2 m [Ridderstrom2003] section 3.1, bent"),
    },
    senses={
        "q": PLAIN,
        "current": PLAIN,
        "limit": PLAIN,
        "edge": LATER,
        "near": LATER,
        "inclination": LATER,
        "gyro": PLAIN,
        "acceleration": PLAIN,
    },
    simplified=(
        "linkages that move a foot along straight lines are modelled as three slides",
    ),
    mass=160.0,
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
