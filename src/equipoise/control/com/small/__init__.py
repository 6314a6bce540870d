"""The module program for the small processors of a module: C, and its twin in Python.

``SmallModule`` holds what the program must know of its module, as plain numbers.
``float_program`` does in NumPy what the C does, rounding by rounding.
``firmware_texts`` returns the C with a module's numbers in it.
"""

from equipoise.control.com.small.float_program import (
    MassSums,
    mass_update,
    sine_cosine,
)
from equipoise.control.com.small.float_steering import (
    Aim,
    FloatSteeringConfig,
    holding_torques,
    steer,
)
from equipoise.control.com.small.small_module import SmallModule, small_module
from equipoise.control.com.small.texts import firmware_texts
from equipoise.control.com.small.twin import Twin

__all__ = [
    "Aim",
    "FloatSteeringConfig",
    "MassSums",
    "SmallModule",
    "Twin",
    "firmware_texts",
    "holding_torques",
    "mass_update",
    "sine_cosine",
    "small_module",
    "steer",
]
