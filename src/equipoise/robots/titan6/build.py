"""TITAN VI, 195 kg, [Ridderstrom2003] section 3.1.3.

Of its size only mass and legs are printed; each number says where it comes from.
"""

from equipoise.robots.sliding import SlidingBuild
from equipoise.robots.source import chosen, printed, tried

__all__ = ["BUILD"]

TROT = tried("trotted at 1 m/s on a sky-hook suspension")
PLAIN = chosen("every machine needs it to know how it moves")

BUILD = SlidingBuild(
    name="titan6",
    sources={
        "mass": printed("[Ridderstrom2003] section 3.1"),
        "trunk_mass": TROT,
        "trunk_inertia": TROT,
        "trunk_size": chosen("between its hips"),
        "hips": TROT,
        "masses": TROT,
        "forward": TROT,
        "aside": TROT,
        "up": TROT,
        "force": TROT,
        "speed": chosen("three times its own speed: feet swing back and forth"),
        "rotor": TROT,
        "foot_radius": chosen("for its weight"),
        "trunk_stroke": chosen(
            "[Ridderstrom2003] section 3.1 prints a linear joint for steps, no stroke"
        ),
        "trunk_spring": chosen("so stiff that it yields by millimetres in a trot"),
        "height": chosen("legs of 1.2 m [Ridderstrom2003] section 3.1, bent"),
    },
    senses={
        "q": PLAIN,
        "current": PLAIN,
        "limit": PLAIN,
        "force": printed("[Ridderstrom2003] section 3.1.3: sensors of foot force"),
        "gyro": printed("[Ridderstrom2003] section 3.1.3"),
        "acceleration": PLAIN,
        "inclination": PLAIN,
    },
    simplified=(
        "linkages that move a foot along straight lines are modelled as three slides",
        "a linear joint in the trunk, for steps, is locked unless --trunk-joint sprung",
        "elastic pads under the feet are hard balls",
    ),
    mass=195.0,
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
    trunk_stroke=(-0.15, 0.15),
    trunk_spring=(200e3, 4e3),
)
