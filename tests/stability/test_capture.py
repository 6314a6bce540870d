"""The capture point against the pendulum's own motion."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.rigid.capture import capture_point, pendulum_rate

number = st.floats(-2, 2)  # metres, or metres per second


@given(x=number, y=number, vx=number, vy=number, height=st.floats(0.05, 3))
def test_the_pendulum_stops_on_it_and_on_nothing_else(x, y, vx, vy, height):
    rate = pendulum_rate(height)
    p, v = np.array([x, y]), np.array([vx, vy])
    foot = capture_point(p, v, rate)

    def at(time: float, foot: np.ndarray) -> np.ndarray:  # closed form of x'' = ω²(x-f)
        c, s = math.cosh(rate * time), math.sinh(rate * time)
        return foot + (p - foot) * c + v / rate * s

    time = 8 / rate
    # rounding: eps times e^8 = 3000 of numbers up to 4, plus what is left of e^-8
    left = (p - foot) * math.exp(-8)
    assert np.abs(at(time, foot) - foot - left).max() < 1e-11
    beside = foot + 0.01
    assert np.abs(at(time, beside) - beside).max() > 0.01 * math.cosh(8) / 2


def test_rate_and_point_by_hand():
    assert pendulum_rate(0.981) == pytest.approx(math.sqrt(10), rel=1e-15, abs=0)
    assert pendulum_rate(1.0, gravity=4.0) == 2.0
    point = capture_point([[1.0, 2.0], [0, 0]], [[2.0, -4.0], [0, 1]], 4.0)
    assert np.array_equal(point, [[1.5, 1.0], [0, 0.25]])


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_numbers_no_pendulum_has_are_refused(bad):
    with pytest.raises(NotPhysicalError, match="height must be > 0 m, got"):
        pendulum_rate(bad)
    with pytest.raises(NotPhysicalError, match="gravity must be > 0"):
        pendulum_rate(1.0, gravity=bad)
    with pytest.raises(NotPhysicalError, match="rate must be > 0"):
        capture_point([0, 0], [0, 0], bad)
    with pytest.raises(ShapeError, match="vxy_WC must have shape"):
        capture_point([0, 0], [0, 0, 0], 1.0)
