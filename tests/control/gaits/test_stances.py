"""Intervals of gaits and logs: what goes in comes out."""

import numpy as np
import pytest

from equipoise.control.gaits.named import gait_names, named_gait, usual_legs
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.gaits.stances import gait_stances, logged_gait, logged_stances
from equipoise.core.errors import ConfigError, ShapeError


@pytest.mark.parametrize("name", gait_names())
def test_intervals_cover_the_duty_factor(name):
    gait = named_gait(name, usual_legs(name))
    for leg, both in enumerate(gait_stances(gait, 3.0)):
        assert (both[:, 1] - both[:, 0]).sum() == pytest.approx(
            3.0 * gait.duty[leg], abs=1e-11
        )  # rounding, and slivers below 1e-12 left out
        assert (both >= 0.0).all() and (both <= 3.0).all()
        middle = both.mean(axis=1)
        assert gait.is_standing(middle)[:, leg].all()


def test_a_log_gives_back_the_gait():
    """Sampled at 1 kHz: phases and duty factors to a sample of a cycle of 0.8 s."""
    gait, cycle = named_gait("crawl", duty=0.8), 0.8
    times = np.arange(0.0, 6.0, 1e-3)
    found, seconds = logged_gait(times, gait.is_standing(times / cycle))
    sample = 1e-3 / cycle
    assert seconds == pytest.approx(cycle, abs=1e-3)
    off = (found.phases - (gait.phases - gait.phases[0]) + 0.5) % 1.0 - 0.5
    assert np.abs(off).max() <= 2 * sample
    assert found.duty == pytest.approx(gait.duty, abs=2 * sample)
    assert found.phases[0] == 0.0


def test_chatter_is_left_out():
    times = np.arange(10.0)
    touch = np.array([[0, 1, 1, 0, 1, 1, 0, 0, 1, 0]], bool).T
    assert logged_stances(times, touch)[0].tolist() == [[1, 3], [4, 6], [8, 9]]
    assert logged_stances(times, touch, 1.5)[0].tolist() == [[1, 6]]
    assert logged_stances(times, ~touch[:, [0]] & False)[0].shape == (0, 2)


def test_a_log_that_says_nothing_is_refused():
    times = np.arange(0.0, 1.0, 0.01)
    still = np.ones((len(times), 2), bool)
    with pytest.raises(ConfigError, match="leg 1 takes fewer than two whole steps"):
        logged_gait(times, still)
    with pytest.raises(ShapeError, match=r"contacts must be \(100, legs\)"):
        logged_stances(times, still[:50])
    with pytest.raises(ShapeError, match="each after the one before"):
        logged_stances(np.zeros(3), np.ones((3, 1), bool))


def test_legs_may_stand_for_ever():
    gait = PhaseGait(np.array([0.3, 0.5]), np.array([1.0, 0.5]))
    always = gait_stances(gait, 2.0)[0]
    assert (always[:, 1] - always[:, 0]).sum() == pytest.approx(2.0, abs=1e-12)
