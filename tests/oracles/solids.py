"""Inertia of even solids about their centre, and the period of a pendulum."""

import math

import numpy as np

__all__ = ["ball", "box", "cylinder", "pendulum_period"]


def box(mass: float, sides: tuple[float, float, float]) -> np.ndarray:
    """Return m/12 diag(b^2 + c^2, ...) of a box with sides a, b, c."""
    a, b, c = sides
    return mass / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])


def ball(mass: float, radius: float) -> np.ndarray:
    """Return 2/5 m r^2 of a solid ball."""
    return 0.4 * mass * radius**2 * np.eye(3)


def cylinder(mass: float, radius: float, length: float) -> np.ndarray:
    """Return the inertia of a solid cylinder along z."""
    across = mass * (3 * radius**2 + length**2) / 12
    return np.diag([across, across, mass * radius**2 / 2])


def pendulum_period(inertia: float, mass: float, arm: float, gravity: float) -> float:
    """Return the small-swing period of a body whose inertia is about its pivot [s]."""
    return 2 * math.pi * math.sqrt(inertia / (mass * gravity * arm))
