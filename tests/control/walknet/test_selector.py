"""The selector's two units by hand: they switch at once, and keep what they do."""

import numpy as np
import pytest

from equipoise.control.walknet.selector import SelectorUnits, select

DT = 0.005  # one of its instants each


def run(inputs, power=1.0, back=0.0, dt=DT):
    """Return whether it stands after each pair of ground and place, and its units."""
    units = SelectorUnits.zeros()
    units["power"], units["back"] = power, back
    stands = [select.py_func(units[0], g, p, dt) for g, p in inputs]
    return stands, units[0]


def test_beyond_its_place_a_standing_leg_lifts_though_it_feels_the_ground():
    stands, units = run([(True, False)] * 3 + [(True, True)])
    assert stands == [True, True, True, False]
    # 1 + 0.6 - 1.2 and 0 + 1.2 - 0.6, by hand
    assert (units.power, units.back) == (pytest.approx(0.4), pytest.approx(0.6))


def test_ground_ends_a_swing_unless_it_is_still_behind():
    assert run([(True, False)], power=0.0, back=1.0)[0] == [True]
    assert run([(True, True)] * 20, power=0.0, back=1.0)[0] == [False] * 20


@pytest.mark.parametrize("power, back", [(1.0, 0.0), (0.0, 1.0), (0.4, 0.6)])
def test_without_inputs_it_keeps_what_it_does(power, back):
    stands, units = run([(False, False)] * 100, power, back)
    assert stands == [power > back] * 100
    assert (units.power, units.back) == (power, back)


def test_it_moves_two_hundred_times_a_second_whatever_the_tick():
    moved = []
    units = SelectorUnits.zeros()
    for _ in range(1000):  # two seconds
        units["power"], units["back"] = 0.0, 1.0
        moved.append(select.py_func(units[0], True, False, 0.002))
    assert np.sum(moved) == pytest.approx(400, abs=1)
