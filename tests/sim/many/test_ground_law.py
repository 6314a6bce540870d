"""The ground as straight lines is the ground of ``sim.ground``."""

import numpy as np
import pytest

from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.named import NamedSymbols
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.sim.ground import GROUNDS, FootBall, ground_forces
from equipoise.sim.many.ground_law import (
    CLOSE,
    ball_force,
    creep_error,
    ground_settings,
    turns_needed,
)
from equipoise.sim.many.ground_shape import GroundSlope, shape_settings, tangent_plane
from equipoise.sim.terrain import parse_terrain, surface_of
from oracles.rolling_ground import rolling_planes

RADIUS, EASE = 0.03, 4e-4


def balls(seed: int, rise: float) -> tuple[np.ndarray, np.ndarray]:
    """Return places about the surface and velocities, some of them zero."""
    rng = np.random.default_rng(seed)
    place = rng.uniform(-1.0, 1.0, (300, 3))
    place[:, 2] = rise * place[:, 0] + RADIUS + rng.uniform(-0.02, 0.01, 300)
    speed = rng.normal(0.0, 1.0, (300, 3)) * rng.choice([0.0, 1e-5, 0.1, 2.0], (300, 1))
    return place, speed


@pytest.mark.parametrize("kind", ["weak", "heavy"])
@pytest.mark.parametrize("terrain", ["flat", "slope:20"])
def test_forces_are_those_of_the_ground(kind, terrain):
    surface, config = surface_of(parse_terrain(terrain), 0), GROUNDS[kind]
    rise = float(surface.plane[0].rise[0])
    place, speed = balls(3, rise)
    tape = Tape()
    x = [tape.symbol(f"x{k}", "input") for k in range(6)]
    known = [*ground_settings(config), *shape_settings(rise)]
    settings = NamedSymbols(tape).settings(known)
    slope = GroundSlope.of(settings["slope"])
    plane = tangent_plane(settings, slope, (x[0], x[1], x[2]))
    pressed = ball_force(settings, plane, RADIUS, EASE, (x[3], x[4], x[5]), 6)
    rows = np.hstack([place, speed])
    found = interpret(program([*pressed.force, pressed.press], x), rows)
    feet = FootBall.zeros(len(place))
    feet["place"], feet["free"] = place, speed
    ground_forces(config.law, surface, RADIUS, EASE, feet)
    wanted = np.array(feet["force"])
    assert 0.3 < (wanted[:, 2] > 0.0).mean() < 0.9  # in the ground and above it
    # rounding: some tens of operations on forces up to 4 kN; friction's own iteration
    # stops at 1e-13 of the speed
    np.testing.assert_allclose(found[:, :3], wanted, rtol=1e-11, atol=1e-8)
    assert (found[wanted[:, 2] == 0.0] == 0.0).all()


def test_turns_are_as_many_as_it_takes():
    assert turns_needed(0.74) == 2
    assert turns_needed(21.6) > turns_needed(0.74)
    for kappa in (0.05, 0.74, 3.0, 21.6):
        turns = turns_needed(kappa)
        assert creep_error(kappa, turns) < CLOSE <= creep_error(kappa, turns - 1)


WAVES = {
    "slope": 0.1,
    "waves.height": 0.06,
    "waves.length": 1.3,
    "waves.phase": 0.4,
    "waves.from": 0.5,
}


def height_at(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return how high rolling ground is: where a point on it is as far over as it."""
    at_zero = rolling_planes(np.stack([x, y, np.zeros_like(x)], axis=1), **WAVES)
    return -at_zero[:, 0] / at_zero[:, 3]


def test_rolling_ground_is_touched_by_its_planes():
    rng = np.random.default_rng(8)
    x, y = rng.uniform(-1.0, 6.0, 400), rng.uniform(-3.0, 3.0, 400)
    flat = rolling_planes(np.stack([x, y, height_at(x, y)], axis=1), **WAVES)
    np.testing.assert_allclose(flat[:, 0], 0.0, atol=1e-14)  # rounding
    h = 1e-5
    away = (np.abs(x - 0.5) > h) & (np.abs(x - 1.8) > h)  # ends of its beginning
    ahead = (height_at(x + h, y) - height_at(x - h, y)) / (2 * h)
    aside = (height_at(x, y + h) - height_at(x, y - h)) / (2 * h)
    # central differences at ∛eps: eps^(2/3) times the third derivative, (2π/0.8)³
    tilt = -flat[:, 1:3] / flat[:, 3:]
    np.testing.assert_allclose(tilt[away, 0], ahead[away], atol=1e-8)
    np.testing.assert_allclose(tilt[away, 1], aside[away], atol=1e-8)
    waves = height_at(x, y) - 0.1 * x
    assert np.abs(waves[x < 0.5]).max() < 1e-14
    assert 0.03 < np.abs(waves[x > 1.8]).max() < 0.06
