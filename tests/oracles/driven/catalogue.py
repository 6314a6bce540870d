"""The features of driven scenes, each a function under its own name."""

from collections.abc import Callable

from oracles.driven.plan import Plan

__all__ = ["AROUND", "OWN", "around", "own"]

OWN: dict[str, Callable[[Plan], None]] = {}
"""What the robot's own joints do."""
AROUND: dict[str, Callable[[Plan], None]] = {}
"""Neighbours, contacts, thrusters and slopes."""


def own(function: Callable[[Plan], None]) -> Callable[[Plan], None]:
    """Offer a feature of the robot's own drives under its function's name."""
    OWN[function.__name__] = function
    return function


def around(function: Callable[[Plan], None]) -> Callable[[Plan], None]:
    """Offer a feature of the robot's surroundings under its function's name."""
    AROUND[function.__name__] = function
    return function
