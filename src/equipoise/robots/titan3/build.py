"""TITAN III, 80 kg on legs of 1.2 m, [Ridderstrom2003] section 3.1.1.

Of its size only mass and legs are printed; each number says where it comes from.
"""

from equipoise.robots.sliding import SlidingBuild
from equipoise.robots.source import chosen, printed, tried

__all__ = ["BUILD"]

SHARE = chosen("its share of the mass, as of TITAN VI")
LIKE = chosen("as of TITAN VI, whose legs are as long")
PLAIN = chosen("every machine needs it to know how it moves")

BUILD = SlidingBuild(
    name="titan3",
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
        "force": chosen("carries four times its weight on three legs"),
        "speed": tried("0.18 m/s requires feet with 2 m/s; with 1 m/s it reached 0.10"),
        "rotor": chosen("as heavy as a leg"),
        "foot_radius": chosen("for its weight"),
        "height": chosen("legs of 1.2 m [Ridderstrom2003] section 3.1, bent"),
    },
    senses={
        "q": PLAIN,
        "current": PLAIN,
        "limit": PLAIN,
        "edge": printed("[Ridderstrom2003] section 3.1.1: contacts tell of edges"),
        "near": printed("[Ridderstrom2003] section 3.1.1: a proximity detector"),
        "inclination": printed(
            "[Ridderstrom2003] section 3.1.1: roll and pitch are fed back"
        ),
        "gyro": PLAIN,
        "acceleration": PLAIN,
    },
    simplified=(
        "linkages that move a foot along straight lines are modelled as three slides",
    ),
    mass=80.0,
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
