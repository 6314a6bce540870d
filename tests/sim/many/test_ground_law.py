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
    GroundSlope,
    ball_force,
    creep_error,
    ground_settings,
    turns_needed,
)
from equipoise.sim.terrain import parse_terrain, surface_of

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
    settings = NamedSymbols(tape).settings(ground_settings(config, rise))
    slope = GroundSlope.of(settings["slope"])
    p, v = (x[0], x[1], x[2]), (x[3], x[4], x[5])
    pressed = ball_force(settings, slope, RADIUS, EASE, p, v, 6)
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
