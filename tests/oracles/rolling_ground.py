"""Heights of rolling ground on a grid, from the settings that many robots have."""

from typing import Any

import numpy as np

from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.named import NamedSymbols
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.sim.many.ground_shape import GroundSlope, shape_settings, tangent_plane


def rolling_planes(points: np.ndarray, **chosen: Any) -> np.ndarray:
    """Return how far points are over rolling ground, and its normal, (n, 4)."""
    tape = Tape()
    x, y, z = (tape.symbol(f"x{k}", "input") for k in range(3))
    known = [
        one._replace(value=chosen.get(one.name, one.value)) for one in shape_settings(0)
    ]
    settings = NamedSymbols(tape).settings(known)
    plane = tangent_plane(settings, GroundSlope.of(settings["slope"]), (x, y, z))
    return interpret(program([plane.over, *plane.normal], [x, y, z]), points)


def rolling(x: np.ndarray, y: np.ndarray, **chosen: Any) -> np.ndarray:
    """Return heights on a grid, (nx, ny) [m]."""
    places = np.stack(np.meshgrid(x, y, [0.0], indexing="ij"), axis=-1)
    found = rolling_planes(places.reshape(-1, 3), **chosen)
    return (-found[:, 0] / found[:, 3]).reshape(len(x), len(y))
