"""The body on two springs: its energy, its rests, its steps, its friction."""

import math

import numpy as np
import pytest

from equipoise_lab.papers.ridderstrom2003.part4.two_springs import (
    GRAVITY,
    STATE,
    Springs,
    at_rest,
    energy,
    moved,
    rest_height,
    slope,
)

BODY = Springs(2.0, 0.3, 900.0, 7.0, 0.2, 0.4, offset=0.3, pulls=True)
EPS = np.finfo(float).eps


def rates(y: np.ndarray, body: Springs) -> np.ndarray:
    out = np.zeros(STATE)
    slope(y, body, out)
    return out


def run(y: np.ndarray, body: Springs, dt: float, steps: int) -> np.ndarray:
    y, work = y.copy(), np.zeros((5, STATE))
    for _ in range(steps):
        moved(y, body, dt, work)
    return y


@pytest.mark.parametrize("pulls", [True, False])
@pytest.mark.parametrize("angle", [-0.5, -0.1, 0.0, 0.3])
def test_forces_are_the_slope_of_the_energy(angle, pulls):
    body = BODY._replace(damping=0.0, pulls=pulls)
    y = at_rest(angle, body)
    y[0] += 0.004
    found = rates(y, body)
    for index, inertia in ((0, body.mass), (1, body.inertia)):
        h = np.cbrt(EPS)  # central differences err by eps^(2/3) of the largest energy
        way = h * np.eye(STATE)[index]
        wanted = -(energy(y + way, body) - energy(y - way, body)) / (2 * h)
        assert inertia * found[2 + index] == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("angle", [0.0, 0.02, 0.2, -0.4])
def test_a_body_let_go_has_its_weight_carried(angle):
    body = Springs(2.0, 0.3, 900.0, 7.0, 0.2, 0.4)
    y = at_rest(angle, body)
    # rounding: a few operations on g
    assert rates(y, body)[2] == pytest.approx(0.0, abs=64 * EPS * GRAVITY)
    lifted = 0.2 * math.sin(abs(angle)) > 2.0 * GRAVITY / (2 * 900.0)
    glued = rest_height(angle, body._replace(pulls=True))
    assert (rest_height(angle, body) > glued) == lifted


def test_steps_are_of_fourth_order():
    start = at_rest(0.1, BODY)
    exact = run(start, BODY, 1e-4, 2000)[:4]
    steps = np.array([0.01, 0.005, 0.0025])
    errors = [
        np.abs(run(start, BODY, dt, round(0.2 / dt))[:4] - exact).max() for dt in steps
    ]
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert 3.8 < order < 4.3


def test_damping_takes_energy_and_without_it_nothing_is_lost():
    start = at_rest(0.05, BODY)
    free = run(start, BODY._replace(damping=0.0), 1e-3, 3000)
    # truncation: (ω dt)^6 / 144 a step at 42 rad/s is 4e-11, of a swing of 0.1 J
    held = energy(start, BODY)
    assert energy(free, BODY) == pytest.approx(held, abs=3000 * 4e-11)
    assert energy(run(start, BODY, 1e-3, 300), BODY) < held - 1e-3


def test_a_mirrored_body_moves_mirrored():
    start = at_rest(0.07, BODY)
    other = start * np.array([1, -1, 1, -1, 1, 1])
    found = run(start, BODY, 1e-3, 200)
    mirrored = run(other, BODY._replace(offset=-0.3), 1e-3, 200)
    # rounding: 200 steps
    np.testing.assert_allclose(mirrored[1], -found[1], atol=1e-12)
    assert abs(found[1]) > 1e-3


def test_friction_holds_up_to_its_size_and_then_slides():
    body = Springs(4.0, 0.4, 371.0, 8.0, 0.1, 0.21, friction=0.1)  # a = 1.11
    still = run(at_rest(0.01, body), body, 1e-3, 20_000)
    # (m g h - 2 k r²) 0.01 = 0.0082 N m, below 2 f r = 0.02 N m
    assert still[1] == pytest.approx(0.01, rel=0.01)
    assert still[5] == pytest.approx(0.0082 / 0.02, rel=0.02)
    slid = run(at_rest(0.03, body), body, 1e-3, 4_000)
    assert abs(slid[1]) > 0.04 and abs(slid[5]) == 1.0
